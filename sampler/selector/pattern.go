package selector

import (
	"errors"
	"regexp"
	"strings"
)

// Pattern matches a whole text: "*" stands for any characters, also none and "/", "?" for one. The
// zero value matches nothing; Parse makes one.
type Pattern struct{ expression *regexp.Regexp }

// Parse reads a pattern.
func Parse(text string) (Pattern, error) {
	if text == "" {
		return Pattern{}, errors.New("an empty pattern matches nothing")
	}
	e := regexp.QuoteMeta(text)
	e = strings.ReplaceAll(e, `\*`, `.*`)
	e = strings.ReplaceAll(e, `\?`, `.`)
	compiled, err := regexp.Compile(`(?s)\A` + e + `\z`)
	return Pattern{compiled}, err
}

// Matches reports whether the pattern matches text.
func (p Pattern) Matches(text string) bool {
	return p.expression != nil && p.expression.MatchString(text)
}

func anyMatches(patterns []Pattern, texts ...string) bool {
	for _, p := range patterns {
		for _, text := range texts {
			if p.Matches(text) {
				return true
			}
		}
	}
	return false
}

// Package printable makes visible what a JVM's texts would do to a terminal: control characters,
// escape sequences, marks that turn the direction of writing or take no room. Each becomes an
// escape as in a Go string, such as \x1b. Line feeds and tabs stay.
//
// Standard library only. It knows no record: callers say which of their texts are a user's.
package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with what is not printable made visible; s itself if there is none.
func Text(s string) string {
	at := 0
	for at < len(s) && plain(s[at]) {
		at++
	}
	if at == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:at])
	for rest := s[at:]; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x`)
			b.WriteString(strconv.FormatUint(uint64(rest[0])|0x100, 16)[1:])
		case shown(r):
			b.WriteString(rest[:n])
		default:
			b.WriteString(escape(r))
		}
		rest = rest[n:]
	}
	return b.String()
}

// plain reports whether a byte is ASCII that stays.
func plain(c byte) bool { return c >= ' ' && c < 0x7f || c == '\n' || c == '\t' }

func shown(r rune) bool { return r == '\n' || r == '\t' || unicode.IsPrint(r) }

// escape is a rune in ASCII.
func escape(r rune) string {
	quoted := strconv.QuoteRuneToASCII(r)
	return quoted[1 : len(quoted)-1]
}

// JSON returns a JSON text whose strings, once they are parsed, are as Text makes them; text itself
// if there is nothing to do. It leaves what is no JSON to the parser.
func JSON(text []byte) []byte {
	if clean(text) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		r, n := next(text)
		switch {
		case !shown(r) && (n > 1 || r == 0x7f): // any other byte alone is no JSON
			out = appendEscape(out, r)
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// clean reports whether a JSON text has nothing that is not printable, and no escape that may stand
// for such.
func clean(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0x7f, c == '\\' && i+1 < len(text) && strings.IndexByte("ubfr", text[i+1]) >= 0:
			return false
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(text[i:])
			if n > 1 && !shown(r) { // a byte alone is no JSON
				return false
			}
			i += n - 1
		}
	}
	return true
}

// appendEscape appends an escape as JSON writes it.
func appendEscape(out []byte, r rune) []byte {
	return append(out, strings.ReplaceAll(escape(r), `\`, `\\`)...)
}

// next is the rune that a JSON text begins with, or that its escape stands for, and its bytes.
func next(text []byte) (r rune, n int) {
	if text[0] != '\\' || len(text) < 2 {
		return utf8.DecodeRune(text)
	}
	switch text[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'r':
		return '\r', 2
	case 'u':
		return nextUnicode(text)
	}
	return ' ', 2
}

// nextUnicode is next for \uXXXX, two of which may be a surrogate pair. A half of a pair alone is
// left to the parser.
func nextUnicode(text []byte) (r rune, n int) {
	first, ok := hex4(text)
	if !ok {
		return ' ', 2
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	if second, ok := hex4(text[6:]); ok {
		if pair := utf16.DecodeRune(first, second); pair != unicode.ReplacementChar {
			return pair, 12
		}
	}
	return ' ', 6
}

func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}

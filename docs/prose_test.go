package docs_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Limits of the documents' prose. A word has a letter or a digit; bars of tables are none. Code and
// tables count.
const (
	mostWords        = 18_000 // of README.md and docs/ together
	mostMeanSentence = 17.0   // words, over all sentences outside of tables
	longSentence     = 30     // words, in tables too
	mostLong         = 10     // sentences that may be longer
)

// prose are the pages whose length and language are held.
func prose(t *testing.T) []string {
	return slices.DeleteFunc(pages(t), func(name string) bool { return name == "CHANGELOG.md" })
}

var (
	listItem  = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)
	codeSpan  = regexp.MustCompile("`[^`]*`")
	linkText  = regexp.MustCompile(`!?\[([^]]*)\]\([^)]*\)`)
	endOfLine = regexp.MustCompile(`[.!?][")]*\s+`)
	hasLetter = regexp.MustCompile(`[\pL\d]`)
)

// sentences returns a page's sentences: of its paragraphs and list items, and of its
// tables' cells. Headings and code blocks have none. A code span counts as one word.
func sentences(page string) (text, cells []string) {
	var block strings.Builder
	end := func() {
		text = append(text, split(block.String())...)
		block.Reset()
	}
	inList := false
	for line := range strings.Lines(fence.ReplaceAllString(page, "")) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "|"):
			end()
			for cell := range strings.SplitSeq(strings.Trim(strings.ReplaceAll(line, `\|`, ""), "|"), "|") {
				cells = append(cells, split(cell)...)
			}
		case line == "", strings.HasPrefix(line, "#"):
			end()
			inList = inList && line == ""
		case strings.HasPrefix(line, "    ") && !inList: // code
			end()
		case listItem.MatchString(line):
			end()
			inList = true
			block.WriteString(listItem.ReplaceAllString(line, "") + " ")
		default:
			inList = inList && strings.HasPrefix(line, " ")
			block.WriteString(strings.TrimSpace(line) + " ")
		}
	}
	end()
	return text, cells
}

// split returns the sentences of a text, without its markup.
func split(text string) []string {
	text = codeSpan.ReplaceAllString(linkText.ReplaceAllString(text, "$1"), "code")
	var out []string
	for _, s := range endOfLine.Split(text+" ", -1) {
		if len(words(s)) > 0 {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

// words returns the words of a text: what stands between spaces and has a letter or a digit.
func words(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(w string) bool { return !hasLetter.MatchString(w) })
}

func TestDocsAreShort(t *testing.T) {
	sum := 0
	for _, page := range prose(t) {
		if page == "README.md" || strings.HasPrefix(page, "docs/") {
			n := len(words(strings.ReplaceAll(read(t, page), "|", " ")))
			t.Logf("%6d  %s", n, page)
			sum += n
		}
	}
	t.Logf("%6d  words", sum)
	assert.LessOrEqual(t, sum, mostWords)
	assert.Greater(t, sum, 5000)
}

func TestSentencesAreShort(t *testing.T) {
	count, sum := 0, 0
	var long []string
	for _, page := range prose(t) {
		text, cells := sentences(read(t, page))
		n := 0
		for _, s := range text {
			n += len(words(s))
		}
		if len(text) > 0 {
			t.Logf("%5.1f words a sentence, %4d sentences  %s", float64(n)/float64(len(text)), len(text), page)
		}
		count, sum = count+len(text), sum+n
		for _, s := range append(text, cells...) {
			if len(words(s)) > longSentence {
				long = append(long, page+": "+s)
			}
		}
	}
	assert.LessOrEqual(t, len(long), mostLong, strings.Join(long, "\n"))
	require.Greater(t, count, 300)
	mean := float64(sum) / float64(count)
	t.Logf("%5.1f words a sentence in all", mean)
	assert.LessOrEqual(t, mean, mostMeanSentence)
}

// unclear are words that make a reader stop.
var unclear = regexp.MustCompile(`(?i)\b(?:dearer|anew|nobody|tells whether|that of|those of|whereof)\b`)

func TestWordsAreClear(t *testing.T) {
	for _, page := range append(prose(t), "CHANGELOG.md") {
		assert.Empty(t, unclear.FindAllString(read(t, page), -1), page)
	}
	assert.Len(t, unclear.FindAllString("Nobody; cost that\nof; that of; PlanflameQueryDearer, dearer", -1), 3)
}

func TestSentencesAreFound(t *testing.T) {
	text, cells := sentences("# No. Heading\n\nOne two `a b. c` three.\nFour [five six](x.md), 3.5 per cent.\n\n    code. code.\n\n" +
		"- An item\n  goes on. Its second.\n- Another\n\n| a cell. | more | `x` |\n|---|---|---|\n\n```\nfenced. fenced.\n```\nLast\n")
	assert.Equal(t, []string{"One two code three", "Four five six, 3.5 per cent", "An item goes on", "Its second", "Another", "Last"}, text)
	assert.Equal(t, []string{"a cell", "more", "code"}, cells)
	assert.Equal(t, []string{"a", "b", "5"}, words("a - b · 5"))
}

// TestEveryPageIsReached holds that a page of docs/ is linked from another page or the README.
func TestEveryPageIsReached(t *testing.T) {
	linked := map[string]bool{}
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(read(t, page), -1) {
			name, _, _ := strings.Cut(m[1], "#")
			if target := filepath.Join(filepath.Dir(page), name); target != page {
				linked[target] = true
			}
		}
	}
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "docs/") {
			assert.True(t, linked[page], "no page links to %s", page)
		}
	}
}

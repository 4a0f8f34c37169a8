package shift

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAge(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 700: 3} {
		assert.Equal(t, want, age(n), "run %d", n)
	}
}

// Runs by their applications, a letter each, and those that are left out, by hand.
func TestFirstRunsAreLeftOut(t *testing.T) {
	for name, c := range map[string]struct{ applications, left string }{
		"each run its own application":           {"abcdefghijklmnopqrstuvwxyz", ".........................."},
		"six runs of one: too few to choose":     {"aaaaaa", "......"},
		"seven: without the first":               {"aaaaaaa", "x......"},
		"nine: without three":                    {"aaaaaaaaa", "xxx......"},
		"eleven: those of later ones are enough": {"aaaaaaaaaaa", "xxxxx......"},
		"eight a night":                          {"aaaaaaaabbbbbbbbcccccccc", "xxxxx...xxxxx...xxxxx..."},
		"eight a night, in the midst of one":     {"aaaaaaaabbbbbbbbccccccccddd", "xxxxx...xxxxx...xxxxx...xxx"},
		"seven a night: fourth and later":        {"aaaaaaabbbbbbbccccccc", "xxx....xxx....xxx...."},
		"three a night: second and later":        {"aaabbbcccdddeee", "x..x..x..x..x.."},
		"two at once":                            {"abababababab", "xxxxxx......"},
		"one that runs long among many":          {"abcdefghijklmnoppppppppqrst", "..........................."},
		"many after one that ran long":           {"aaaaaaaaaaaaaaaabcdefg", "xxxxx...........xxxxxx"},
		"another plan's runs count for nothing":  {"aAAAAAAAaaaaaa", "x......"},
	} {
		h := newHistory("q1")
		s := &sheet{set: &Settings{MinimumRuns: 5}}
		for i, a := range c.applications {
			r := &record{id: RunID{string(a | 0x20), int64(i)}}
			if r.plan = 1; a >= 'a' {
				r.plan = 2
				s.runs = append(s.runs, r)
			}
			h.records = append(h.records, r)
		}
		s.markFirst(h.records)
		left := ""
		for _, first := range s.first {
			if first {
				left += "x"
			} else {
				left += "."
			}
		}
		assert.Equal(t, c.left, left, name)
	}
}

// A sheet has the newest runs only, but runs before them count for the age: those of an application that has run for long are none of its first.
func TestAgeCountsRunsBeforeTheSheet(t *testing.T) {
	h := newHistory("q1")
	for i := range 64 {
		h.records = append(h.records, &record{id: RunID{"a", int64(i)}})
	}
	s := &sheet{set: &Settings{MinimumRuns: 5}, runs: h.records[14:]}
	s.markFirst(h.records)
	assert.NotContains(t, s.first, true)

	// What was forgotten is not known: the oldest five may be first runs, and are left out.
	s = &sheet{set: &Settings{MinimumRuns: 5}, runs: h.records[14:]}
	s.markFirst(h.records[14:])
	assert.Equal(t, []bool{true, true, true, true, true, false}, s.first[:6])
}

package shift

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crewed are runs of one application and plan by their executors: "a 70, b 30" has executor a with
// 70 s.
func crewed(t *testing.T, runs ...string) (records []*record) {
	for n, run := range runs {
		r := &record{id: RunID{"app-3", int64(n)}, end: time.Unix(int64(n), 0)}
		for text := range strings.SplitSeq(run, ", ") {
			var p part
			_, err := fmt.Sscan(text, &p.id, &p.cpu)
			require.NoError(t, err)
			r.parts = append(r.parts, p)
			r.cpu += float64(p.cpu)
		}
		records = append(records, r)
	}
	return records
}

func repeated(runs int, run string) []string { return slices.Repeat([]string{run}, runs) }

// observed is what becomes of runs: x is left out, a letter is the observation of a young run that
// counts, a dot a warm one.
func observed(v *view) (out string) {
	for i := range v.runs {
		switch {
		case v.left[i]:
			out += "x"
		case v.young[i]:
			out += string(rune('a' + v.group[i]))
		default:
			out += "."
		}
	}
	return out
}

func seen(records []*record) string {
	h := newHistory("q1")
	h.records = records
	number(h.records)
	set := DefaultSettings()
	return observed(newView(h, records[len(records)-1].plan, len(records)-1, &set))
}

// By hand: a run is young if executors of at most five runs did a tenth of it.
func TestRunsByTheirExecutors(t *testing.T) {
	long := repeated(12, "a 100")
	churn := func(runs int) (out []string) { // one of two is replaced at each run
		for n := range runs {
			out = append(out, fmt.Sprintf("e%d 50, e%d 50", n, n+1))
		}
		return out
	}
	for name, c := range map[string]struct {
		runs []string
		want string
	}{
		"no joiner":          {long, "xxxxx......."},
		"5 %":                {slices.Concat(long, repeated(3, "a 95, b 5")), "xxxxx.........."},
		"30 %":               {slices.Concat(long, repeated(7, "a 70, b 30")), "xxxxx.......xxxxx.."},
		"all replaced":       {slices.Concat(long, repeated(7, "b 70, c 30")), "xxxxx.......xxxxx.."},
		"too little to warm": {slices.Concat(repeated(12, "a 99, b 1"), repeated(3, "a 60, b 40")), "xxxxx.......xxx"},
		"nothing is warm":    {repeated(5, "a 100"), "aaaaa"},
		"one of two each":    {churn(6), "abcdef"},
		"each its own":       {[]string{"a 1", "b 1", "c 1", "d 1", "e 1", "f 1"}, "abcdef"},
		"no one's CPU":       {repeated(3, "a 0, b 0"), "aaa"},
	} {
		assert.Equal(t, c.want, seen(crewed(t, c.runs...)), name)
	}
}

// Without executors' CPU a run is as old as in its application and plan. A letter each is the
// application, upper case another plan.
func TestRunsByTheirApplications(t *testing.T) {
	for name, c := range map[string]struct{ applications, want string }{
		"each run its own application":   {"abcdefgh", "abcdefgh"},
		"three each":                     {"aaabbbccc", "aaabbbccc"},
		"ten: not enough are warm":       {"aaaaaaaaaa", "aaaaa....."},
		"eleven: enough":                 {"aaaaaaaaaaa", "xxxxx......"},
		"eight a night":                  {"aaaaaaaabbbbbbbbcccccccc", "xxxxx...xxxxx...xxxxx..."},
		"another plan's runs are others": {"aAAAAAAAaaaaaa", "aaaaa.."},
	} {
		var records []*record
		for i, a := range c.applications {
			r := &record{id: RunID{string(a | 0x20), int64(i)}, plan: 1}
			if a >= 'a' {
				r.plan = 2
			}
			records = append(records, r)
		}
		assert.Equal(t, c.want, seen(records), name)
	}
}

// Another application's executors of the same name, and another plan's runs, are others.
func TestExecutorsAreThoseOfApplicationAndPlan(t *testing.T) {
	records := crewed(t, repeated(7, "1 100")...)
	records[1].id.Application, records[3].id.Application = "app-7", "app-7"
	records[2].plan, records[5].plan = 5, 5
	number(records)
	var got []uint8
	for _, r := range records {
		got = append(got, r.parts[0].before)
	}
	assert.Equal(t, []uint8{0, 0, 0, 1, 1, 1, 2}, got)
}

// If most of a run's CPU is no one's, who did it is not known.
func TestExecutorsOfAPartOfTheRun(t *testing.T) {
	for cpu, want := range map[float32]bool{89: false, 91: true} {
		_, known := (&record{cpu: 100, parts: []part{{id: "5", cpu: cpu}, {id: "6"}}}).young()
		assert.Equal(t, want, known, "%g s known of 100", cpu)
	}
}

// What was forgotten is known of executors that ran later: what they took part in counts, and once.
func TestForgottenRunsOfExecutors(t *testing.T) {
	h := newHistory("q1-abc")
	h.records = crewed(t, "a 50, b 50", "a 50, c 50", "a 50, b 50", "a 100", "a 60, b 40", "a 70, c 30, d 10")
	require.Equal(t, 2, h.trim(4))
	require.Equal(t, 2, h.trim(2))
	last := crewed(t, "a 20, b 30, c 50, e 60")[0]
	last.id.Execution, last.end = 17, time.Unix(17, 0)
	h.insert(last)
	number(h.records)
	assert.Equal(t, []part{{id: "a", cpu: 60, before: 4}, {id: "b", cpu: 40, before: 2}}, h.records[0].parts)
	assert.Equal(t, []part{{id: "a", cpu: 70, before: 5}, {id: "c", cpu: 30, before: 1}, {id: "d", cpu: 10}}, h.records[1].parts)
	assert.Equal(t, []part{{id: "a", cpu: 20, before: 5}, {id: "b", cpu: 30, before: 3}, {id: "c", cpu: 50, before: 2}, {id: "e", cpu: 60}}, last.parts)
}

// executed is run n with so much CPU on each executor.
func executed(n int, parts ...Part) *Run {
	r := invented(rand.New(rand.NewPCG(7, uint64(n))), n, 99)
	r.Parts, r.CPU = parts, 0
	for _, p := range parts {
		r.CPU += p.CPU
	}
	return r
}

// A part that comes late makes its run as young as its executor, and the executor's later runs
// older.
func TestLatePartOfAnExecutor(t *testing.T) {
	f := newTestFleet(t)
	five, six := Part{ID: "5", Host: "node-7", CPU: 70}, Part{ID: "6", Host: "node-8", CPU: 30}
	before := func() (out []uint8) {
		records := f.queries["q1-abc"].Value.(*history).records
		number(records)
		for _, r := range records {
			out = append(out, r.parts[len(r.parts)-1].before)
		}
		return out
	}
	for n := range 3 {
		add(t, f, executed(n, five))
	}
	for n := 3; n < 6; n++ {
		add(t, f, executed(n, five, six))
	}
	require.Equal(t, []uint8{0, 1, 2, 0, 1, 2}, before())
	require.True(t, add(t, f, executed(2, six)).Amended)
	assert.Equal(t, []uint8{0, 1, 0, 1, 2, 3}, before())
}

func BenchmarkNumber(b *testing.B) {
	for _, executors := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(executors), func(b *testing.B) {
			var records []*record
			for n := range 64 {
				r := &record{id: RunID{"app-3", int64(n)}}
				for k := range executors {
					r.parts = append(r.parts, part{id: fmt.Sprint(n*executors/64 + k), cpu: 1})
				}
				records = append(records, r)
			}
			for b.Loop() {
				number(records)
			}
		})
	}
}

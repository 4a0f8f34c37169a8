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
		r := &record{Application: "app-3", Execution: int64(n), End: moment{time.Unix(int64(n), 0)}}
		for text := range strings.SplitSeq(run, ", ") {
			var p part
			_, err := fmt.Sscan(text, &p.ID, &p.CPU)
			require.NoError(t, err)
			r.Parts = append(r.Parts, p)
			r.CPU += float64(p.CPU)
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
	h.Runs = records
	number(h.Runs)
	set := DefaultSettings()
	return observed(newView(h, records[len(records)-1].Plan, len(records)-1, &set))
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
			r := &record{Application: string(a | 0x20), Execution: int64(i), Plan: 1}
			if a >= 'a' {
				r.Plan = 2
			}
			records = append(records, r)
		}
		assert.Equal(t, c.want, seen(records), name)
	}
}

// Another application's executors of the same name, and another plan's runs, are others.
func TestExecutorsAreThoseOfApplicationAndPlan(t *testing.T) {
	records := crewed(t, repeated(7, "1 100")...)
	records[1].Application, records[3].Application = "app-7", "app-7"
	records[2].Plan, records[5].Plan = 5, 5
	number(records)
	var got []uint8
	for _, r := range records {
		got = append(got, r.Parts[0].Before)
	}
	assert.Equal(t, []uint8{0, 0, 0, 1, 1, 1, 2}, got)
}

// If most of a run's CPU is no one's, who did it is not known.
func TestExecutorsOfAPartOfTheRun(t *testing.T) {
	for cpu, want := range map[float32]bool{89: false, 91: true} {
		_, known := (&record{CPU: 100, Parts: []part{{ID: "5", CPU: cpu}, {ID: "6"}}}).young()
		assert.Equal(t, want, known, "%g s known of 100", cpu)
	}
}

// What was forgotten is known of executors that ran later: what they took part in counts, and once.
func TestForgottenRunsOfExecutors(t *testing.T) {
	h := newHistory("q1-abc")
	h.Runs = crewed(t, "a 50, b 50", "a 50, c 50", "a 50, b 50", "a 100", "a 60, b 40", "a 70, c 30, d 10")
	require.Equal(t, 2, h.trim(4))
	require.Equal(t, 2, h.trim(2))
	last := crewed(t, "a 20, b 30, c 50, e 60")[0]
	last.Execution, last.End = 17, moment{time.Unix(17, 0)}
	h.insert(last)
	number(h.Runs)
	assert.Equal(t, []part{{ID: "a", CPU: 60, Before: 4}, {ID: "b", CPU: 40, Before: 2}}, h.Runs[0].Parts)
	assert.Equal(t, []part{{ID: "a", CPU: 70, Before: 5}, {ID: "c", CPU: 30, Before: 1}, {ID: "d", CPU: 10}}, h.Runs[1].Parts)
	assert.Equal(t, []part{{ID: "a", CPU: 20, Before: 5}, {ID: "b", CPU: 30, Before: 3}, {ID: "c", CPU: 50, Before: 2}, {ID: "e", CPU: 60}}, last.Parts)
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
		records := f.queries["q1-abc"].Value.(*history).Runs
		number(records)
		for _, r := range records {
			out = append(out, r.Parts[len(r.Parts)-1].Before)
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
				r := &record{Application: "app-3", Execution: int64(n)}
				for k := range executors {
					r.Parts = append(r.Parts, part{ID: fmt.Sprint(n*executors/64 + k), CPU: 1})
				}
				records = append(records, r)
			}
			for b.Loop() {
				number(records)
			}
		})
	}
}

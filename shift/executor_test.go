package shift

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// crewed are runs of one application and plan by their executors: "a 70, b 30" has executor a with 70 s.
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

func TestCountedRunsAreThoseOfAges(t *testing.T) {
	assert.Equal(t, mostBefore, ageEnds[len(ageEnds)-2])
}

// Which run it is to those who did it, by hand: where executors of at most so many runs had a tenth of the CPU.
func TestRunsAreAsOldAsTheirExecutors(t *testing.T) {
	long := slices.Clip(repeated(9, "a 100"))
	for name, c := range map[string]struct {
		runs   []string
		want   []int // of the last ones
		joined []uint16
	}{
		"one executor":             {repeated(8, "a 100"), []int{1, 2, 3, 4, 5, 6, 6, 6}, []uint16{1, 1, 1, 1, 1, 0, 0, 0}},
		"5 % joins at run 10":      {slices.Concat(long, repeated(2, "a 95, b 5")), []int{6, 6, 6}, []uint16{0, 0, 0}},
		"30 % joins at run 10":     {slices.Concat(long, repeated(6, "a 70, b 30")), []int{6, 1, 2, 3, 4, 5, 6}, []uint16{0, 10, 10, 10, 10, 10, 0}},
		"it is away for a run":     {append(long, "a 70, b 30", "a 100", "a 70, b 30"), []int{1, 6, 2}, []uint16{10, 0, 10}},
		"two join after another":   {append(long, "a 70, b 30", "a 40, b 30, c 30", "a 40, b 30, c 30"), []int{1, 1, 2}, []uint16{10, 11, 11}},
		"replaced one by one":      {append(repeated(6, "a 25, b 25, c 25, d 25"), "e 25, b 25, c 25, d 25", "e 25, f 25, c 25, d 25", "e 25, f 25, g 25, d 25", "e 25, f 25, g 25, d 25"), []int{6, 1, 1, 1, 2}, []uint16{0, 7, 8, 9, 9}},
		"a few per cent each run":  {append(repeated(9, "a 50, z 50"), "a 48, z 48, b 4", "a 46, z 46, b 4, c 4", "a 44, z 44, b 4, c 4, d 4", "a 44, z 44, c 4, d 4, e 4"), []int{6, 6, 3, 3}, []uint16{0, 0, 12, 13}},
		"all replaced":             {append(long, "b 60, c 40", "d 60, e 40", "d 60, e 40"), []int{6, 1, 1, 2}, []uint16{0, 10, 11, 11}},
		"nobody's CPU is known":    {repeated(3, "a 0, b 0"), []int{0, 0, 0}, []uint16{0, 0, 0}},
		"a part without CPU":       {repeated(3, "a 70, all 0"), []int{1, 2, 3}, []uint16{1, 1, 1}},
		"too little to warm":       {append(repeated(6, "a 99, b 1"), "a 60, b 40"), []int{6, 1}, []uint16{0, 1}},
		"known by name alone, old": {append(repeated(6, "a 0"), "a 70, b 30"), []int{0, 1}, []uint16{0, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			records := crewed(t, c.runs...)
			number(records)
			var got []int
			var joined []uint16
			for _, r := range records[len(records)-len(c.want):] {
				f := r.freshness()
				got, joined = append(got, f.n), append(joined, f.joined)
			}
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.joined, joined)
		})
	}
}

// Another application's executors of the same name, and another plan's runs, are others.
func TestExecutorsAreThoseOfApplicationAndPlan(t *testing.T) {
	records := crewed(t, repeated(7, "1 100")...)
	records[1].id.Application, records[3].id.Application = "app-7", "app-7"
	records[2].plan, records[5].plan = 5, 5
	number(records)
	var got []int
	for _, r := range records {
		got = append(got, r.freshness().n)
	}
	assert.Equal(t, []int{1, 1, 1, 2, 2, 2, 3}, got)
}

// Where most of a run's CPU is nobody's, who did it is not known.
func TestExecutorsOfAPartOfTheRun(t *testing.T) {
	for known, want := range map[float32]int{89: 0, 91: 1} {
		r := &record{cpu: 100, parts: []part{{id: "5", cpu: known}, {id: "6"}}}
		number([]*record{r})
		assert.Equal(t, want, r.freshness().n, "%g s known of 100", known)
	}
}

// What is young lasts where executors that joined lately had a tenth, and had some before.
func TestJoinersLast(t *testing.T) {
	for name, c := range map[string]struct {
		runs []string
		want string
	}{
		"the application's first":      {repeated(7, "a 100"), "......."},
		"joined at run 3":              {slices.Concat(repeated(2, "a 100"), repeated(7, "a 70, b 30")), "...xxxx.."},
		"each run its own":             {[]string{"a 100", "b 100", "c 100", "d 100"}, "...."},
		"each for two runs, half each": {[]string{"a 50, b 50", "b 50, c 50", "c 50, d 50", "d 50, e 50"}, "..xx"},
	} {
		records := crewed(t, c.runs...)
		number(records)
		got := ""
		for _, r := range records {
			got += map[bool]string{false: ".", true: "x"}[r.freshness().lasting]
		}
		assert.Equal(t, c.want, got, name)
	}
}

// Runs that are left out (x), and those that count and wait for a cohort, by the run at which it joined; by hand.
func TestRunsOfJoinersAreLeftOut(t *testing.T) {
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
		"no joiner":              {long, "xxxxx......."},
		"5 %":                    {slices.Concat(long, repeated(3, "a 95, b 5")), "xxxxx.........."},
		"30 %":                   {slices.Concat(long, repeated(7, "a 70, b 30")), "xxxxx.......xxxxx.."},
		"all replaced":           {slices.Concat(long, repeated(7, "b 70, c 30")), "xxxxx.......xxxxx.."},
		"others again and again": {slices.Concat(repeated(3, "a 50, b 50"), repeated(3, "a 50, c 50"), repeated(3, "a 50, d 50"), repeated(3, "a 50, e 50")), "x11x44x77x00"},
		"one of two each run":    {churn(8), "..345678"},
		"each run its own":       {[]string{"a 1", "b 1", "c 1", "d 1", "e 1", "f 1", "g 1", "h 1"}, "........"},
	} {
		h := &sheet{set: &Settings{MinimumRuns: 5}, runs: crewed(t, c.runs...)}
		h.markFirst(h.runs)
		got := ""
		for i := range h.runs {
			switch {
			case h.first[i]:
				got += "x"
			case h.young[i] != (cohort{}):
				require.Equal(t, "app-3", h.young[i].application)
				got += fmt.Sprint(h.young[i].joined % 10)
			default:
				got += "."
			}
		}
		assert.Equal(t, c.want, got, name)
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
	assert.Equal(t, []part{{id: "a", cpu: 60, before: 4, joined: 1}, {id: "b", cpu: 40, before: 2, joined: 1}}, h.records[0].parts)
	assert.Equal(t, []part{{id: "a", cpu: 70, before: 5, joined: 1}, {id: "c", cpu: 30, before: 1, joined: 2}, {id: "d", cpu: 10, joined: 2}}, h.records[1].parts)
	assert.Equal(t, []part{{id: "a", cpu: 20, before: 5, joined: 1}, {id: "b", cpu: 30, before: 3, joined: 1}, {id: "c", cpu: 50, before: 2, joined: 2}, {id: "e", cpu: 60, joined: 3}}, last.parts)

	// Of an executor that is in none of the records nobody knows.
	require.Equal(t, 2, h.trim(1))
	back := crewed(t, "d 30, e 70")[0]
	back.id.Execution, back.end = 18, time.Unix(18, 0)
	h.insert(back)
	number(h.records)
	assert.Equal(t, []part{{id: "d", cpu: 30, joined: 2}, {id: "e", cpu: 70, before: 1, joined: 1}}, back.parts)
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

func ages(f *Fleet) (out []int) {
	records := f.queries["q1-abc"].Value.(*history).records
	number(records)
	for _, r := range records {
		out = append(out, r.freshness().n)
	}
	return out
}

// A part that comes late makes its run as young as its executor, and the executor's later runs older.
func TestLatePartOfAnExecutor(t *testing.T) {
	f := newTestFleet(t)
	for n := range 3 {
		add(t, f, executed(n, Part{ID: "5", Host: "node-7", CPU: 70}))
	}
	for n := 3; n < 6; n++ {
		add(t, f, executed(n, Part{ID: "5", Host: "node-7", CPU: 70}, Part{ID: "6", Host: "node-8", CPU: 30}))
	}
	require.Equal(t, []int{1, 2, 3, 1, 2, 3}, ages(f))
	require.True(t, add(t, f, executed(2, Part{ID: "6", Host: "node-8", CPU: 30})).Amended)
	assert.Equal(t, []int{1, 2, 1, 2, 3, 4}, ages(f))

	// So does a run that comes late.
	early := executed(1, Part{ID: "6", Host: "node-8", CPU: 40})
	early.ID.Execution = 17
	require.True(t, add(t, f, early).Late)
	assert.Equal(t, []int{1, 2, 1, 2, 3, 4, 5}, ages(f))
}

// An executor's part is stored as it is, by hand, and comes back; what it did before the oldest run is stored with it.
func TestStoredExecutors(t *testing.T) {
	f := newTestFleet(t)
	for n := range 5 {
		add(t, f, executed(n, Part{ID: "5", Host: "node-7", CPU: 70.25}))
	}
	add(t, f, executed(5, Part{ID: "5", Host: "node-7", CPU: 70.25}, Part{ID: "6", Host: "node-8", CPU: 30.5}, Part{ID: "7", Host: "node-9"}))
	h := f.queries["q1-abc"].Value.(*history)
	h.trim(2)
	text, err := f.Encode("q1-abc")
	require.NoError(t, err)
	assert.Contains(t, string(text), `"parts":[{"ID":"5","Host":"node-7","CPU":70.25,"Before":4}]`)
	assert.Contains(t, string(text), `"parts":[{"ID":"5","Host":"node-7","CPU":70.25,"Before":5},{"ID":"6","Host":"node-8","CPU":30.5},{"ID":"7","Host":"node-9"}]`)
	g := newTestFleet(t)
	_, err = g.Decode(text)
	require.NoError(t, err)
	assert.Equal(t, []int{5, 1}, ages(g))
	again, err := g.Encode("q1-abc")
	require.NoError(t, err)
	assert.JSONEq(t, string(text), string(again))
}

// A history of before executors were told apart: its runs are as old as they are in their application, and its executors took part in them.
func TestStoredBeforeExecutorsWereToldApart(t *testing.T) {
	runs := ""
	for n := range 7 {
		runs += fmt.Sprintf(`{"app":"app-3","id":%d,"end":%d,"plan":0,"cpu":100,"parts":[{"ID":"5","Host":"node-7"},{"ID":"6","Host":"node-8"}],"cells":[[0,13,0.25,1900,1300]]},`,
			n, time.Date(2026, 11, 1, 2, 0, 0, n, time.UTC).UnixNano())
	}
	f := newTestFleet(t)
	_, err := f.Decode([]byte(`{"version":1,"query":"q1-abc","plans":[{"fingerprint":"p1-def","last":0,"runs":7}],"operators":[{"plan":0,"stage":"s1","id":"scan@1",` +
		`"spread":{}}],"runs":[` + strings.TrimSuffix(runs, ",") + `],"common":{}}`))
	require.NoError(t, err)
	require.Equal(t, make([]int, 7), ages(f))
	h := f.queries["q1-abc"].Value.(*history)
	s := &sheet{set: &Settings{MinimumRuns: 5}, runs: h.records}
	s.markFirst(h.records)
	assert.Equal(t, []bool{true, false, false, false, false, false, false}, s.first)
	assert.Equal(t, cohort{"app-3", 1}, s.young[1])

	r := executed(8, Part{ID: "5", Host: "node-7", CPU: 20}, Part{ID: "6", Host: "node-8", CPU: 80})
	r.Operators = []Cost{{Key: Key{"s1", "scan@1"}, CPU: 13, Variance: 0.25, Rows: 1900, Samples: 1300}}
	add(t, f, r)
	assert.Equal(t, []int{0, 0, 0, 0, 0, 0, 0, 6}, ages(f))
}

// Histories of two Collectors: each run counts once, also where one of them has forgotten it, and of a run in both what either knows.
func TestMergedExecutors(t *testing.T) {
	runs := repeated(5, "a 60, b 40")
	mine, theirs := newHistory("q1-abc"), newHistory("q1-abc")
	mine.records, theirs.records = crewed(t, runs...), crewed(t, runs[:4]...)
	for _, h := range []*history{mine, theirs} {
		h.variants = []*variant{{}}
		h.nextPlan = 1
	}
	mine.trim(3) // knows that its oldest is their third
	theirs.records[3].parts[1].before = 5
	mine.records[1].parts[0].cpu = 0
	mine.merge(theirs)
	number(mine.records)
	var got [][2]uint8
	for _, r := range mine.records {
		require.Len(t, r.parts, 2)
		got = append(got, [2]uint8{r.parts[0].before, r.parts[1].before})
	}
	assert.Equal(t, [][2]uint8{{0, 0}, {1, 1}, {2, 2}, {3, 5}, {4, 5}}, got)
	assert.Equal(t, float32(60), mine.records[3].parts[0].cpu)

	// A record with fewer parts gives way, and what it knew of those is kept.
	mine.records = crewed(t, "a 60")
	mine.records[0].parts[0].before = 3
	theirs.records = crewed(t, "a 60, b 40")
	mine.merge(theirs)
	assert.Equal(t, []part{{id: "a", cpu: 60, before: 3}, {id: "b", cpu: 40}}, mine.records[0].parts)
	assert.Zero(t, theirs.records[0].parts[0].before, "theirs is as it was")
}

func TestPartsThatAreUnfit(t *testing.T) {
	f := newTestFleet(t)
	add(t, f, executed(1, Part{ID: "5", Host: "node-7", CPU: 70}))
	text, err := f.Encode("q1-abc")
	require.NoError(t, err)
	for want, spoil := range map[string]func(*storedPart){
		`run 0: part "5": CPU -1, 0 runs before`: func(p *storedPart) { p.CPU = -1 },
		`run 0: part "5": CPU 70, 6 runs before`: func(p *storedPart) { p.Before = 6 },
	} {
		var s storedHistory
		require.NoError(t, json.Unmarshal(text, &s))
		spoil(&s.Runs[0].Parts[0])
		spoiled, err := json.Marshal(s)
		require.NoError(t, err)
		_, err = newTestFleet(t).Decode(spoiled)
		require.ErrorContains(t, err, want)
	}
	r := executed(2, Part{ID: "6", CPU: -3})
	r.CPU = 1
	_, err = f.Add(r, r.End)
	require.ErrorContains(t, err, `part "6": CPU -3 s`)
}

// A judgement numbers the parts of all records once, and once more where the oldest is forgotten.
func BenchmarkNumber(b *testing.B) {
	for _, executors := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(executors, " executors"), func(b *testing.B) {
			var records []*record
			for n := range 64 {
				r := &record{id: RunID{"app-3", int64(n)}}
				for k := range executors {
					r.parts = append(r.parts, part{id: fmt.Sprint(k + n/10), host: "node-7", cpu: 3})
				}
				records = append(records, r)
			}
			for b.Loop() {
				number(records)
			}
			if got := records[63].parts[0].before; got == 0 {
				b.Fatalf("%d runs before", got)
			}
		})
	}
}

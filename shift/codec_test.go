package shift

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// invented is run n of a query of three operators, more expensive from the run from on.
func invented(rng *rand.Rand, n, from int) *Run {
	r := &Run{ID: RunID{"app-3", int64(n)}, Query: "q1-abc", Name: "tpch q06", Plan: "p1-def", Version: "4.3.0", CPU: 100,
		End: time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour), Labels: map[string]string{"team": "margin"},
		Parts: []Part{{ID: "5", Host: "node-7"}}}
	for i, id := range []string{"scan@1", "filter@2", "join@3"} {
		c := Cost{Key: Key{"s1", id}, Name: "Op " + id, CPU: float64(40-10*i) * (1 + 0.01*rng.NormFloat64()), Rows: 1e6 * (1 + 0.1*rng.Float64()), Samples: 9000}
		if n >= from && i == 0 {
			c.CPU *= 1.5
		}
		c.Variance = c.CPU * c.CPU / c.Samples
		r.Operators = append(r.Operators, c)
	}
	return r
}

func newTestFleet(t testing.TB) *Fleet {
	set := DefaultSettings()
	set.MinimumCoreHours = 0
	f, err := NewFleet(set)
	require.NoError(t, err)
	return f
}

func add(t testing.TB, f *Fleet, r *Run) Judgement {
	j, err := f.Add(r, r.End)
	require.NoError(t, err)
	return j
}

// Parts of a run add up; what one of them does not say is not known of the run. Variances by hand:
// 7²/490 = 0.1 where only samples are told.
func TestAmend(t *testing.T) {
	for name, test := range map[string]struct{ first, second, want Cost }{
		"all said":             {Cost{CPU: 3, Variance: 0.25, Rows: 100, Samples: 30}, Cost{CPU: 7, Variance: 0.5, Rows: 11, Samples: 70}, Cost{CPU: 10, Variance: 0.75, Rows: 111, Samples: 100}},
		"rows of the first":    {Cost{CPU: 3, Variance: 0.25, Rows: 100, Samples: 30}, Cost{CPU: 7, Variance: 0.5, Samples: 70}, Cost{CPU: 10, Variance: 0.75, Samples: 100}},
		"rows of the second":   {Cost{CPU: 3, Variance: 0.25, Samples: 30}, Cost{CPU: 7, Variance: 0.5, Rows: 11, Samples: 70}, Cost{CPU: 10, Variance: 0.75, Samples: 100}},
		"variance of one":      {Cost{CPU: 3, Variance: 0.25, Samples: 30}, Cost{CPU: 7, Samples: 490}, Cost{CPU: 10, Variance: 0.35, Samples: 520}},
		"exact beside sampled": {Cost{CPU: 3}, Cost{CPU: 7, Samples: 490}, Cost{CPU: 10, Variance: 0.1}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTestFleet(t)
			r := invented(rand.New(rand.NewPCG(1, 2)), 3, 99)
			for i, c := range []Cost{test.first, test.second} {
				c.Key = Key{"s1", "scan@1"}
				r.Operators, r.Parts = []Cost{c}, []Part{{ID: []string{"5", "6"}[i]}}
				require.Equal(t, i == 1, add(t, f, r).Amended)
			}
			got := f.queries[r.Query].Value.(*history).Runs[0].Cells[0].cost()
			assert.InDelta(t, test.want.Variance, got.Variance, 1e-12)
			got.Variance = test.want.Variance
			assert.Equal(t, test.want, got)
		})
	}
}

// A stored history judges as the one that was stored, standing shifts included.
func TestStoredHistory(t *testing.T) {
	f, rng := newTestFleet(t), rand.New(rand.NewPCG(5, 7))
	for n := range 25 {
		add(t, f, invented(rng, n, 20))
	}
	text, err := f.Encode("q1-abc")
	require.NoError(t, err)
	priors, err := f.EncodePriors()
	require.NoError(t, err)
	g := newTestFleet(t)
	query, err := g.Decode(text)
	require.NoError(t, err)
	assert.Equal(t, "q1-abc", query)
	require.NoError(t, g.DecodePriors(priors))
	again, err := g.Encode("q1-abc")
	require.NoError(t, err)
	assert.JSONEq(t, string(text), string(again))
	again, err = g.EncodePriors()
	require.NoError(t, err)
	assert.JSONEq(t, string(priors), string(again))
	s := g.Standing("q1-abc")
	require.Len(t, s.Operators, 1)
	assert.Equal(t, "scan@1", s.Operators[0].Operator)
	assert.InDelta(t, 1.5, s.Operators[0].Active.Ratio, 0.05)
	assert.Equal(t, int64(20), s.Operators[0].Active.Run.Execution)

	next := invented(rng, 25, 20)
	assert.Equal(t, add(t, f, next), add(t, g, next))
	none, err := f.Encode("q1-other")
	require.NoError(t, err)
	assert.Nil(t, none)
	assert.False(t, f.Has("q1-other"))
}

// Two halves of a history merged, in either order and twice, are the whole.
func TestMerge(t *testing.T) {
	even, odd, rng := newTestFleet(t), newTestFleet(t), rand.New(rand.NewPCG(5, 9))
	for n := range 20 {
		r := invented(rng, n, 99)
		if n%2 == 0 || n == 7 {
			add(t, even, r)
		}
		if n%2 == 1 {
			add(t, odd, r)
		}
	}
	a, err := even.Encode("q1-abc")
	require.NoError(t, err)
	b, err := odd.Encode("q1-abc")
	require.NoError(t, err)
	var runs [2][]RunID
	for i, order := range [][][]byte{{a, b, a}, {b, a, b}} {
		f := newTestFleet(t)
		for _, text := range order {
			_, err := f.Decode(text)
			require.NoError(t, err)
		}
		h := f.queries["q1-abc"].Value.(*history)
		require.Len(t, h.Runs, 20)
		require.Len(t, h.Plans, 1)
		require.Len(t, h.index, 3)
		for n, r := range h.Runs {
			runs[i] = append(runs[i], r.id())
			require.Equal(t, int64(n), r.Execution)
			require.Len(t, r.Cells, 3)
		}
		add(t, f, invented(rng, 21, 99))
	}
	assert.Equal(t, runs[0], runs[1])
}

func TestDecodeRefuses(t *testing.T) {
	f, rng := newTestFleet(t), rand.New(rand.NewPCG(5, 7))
	for n := range 3 {
		add(t, f, invented(rng, n, 99))
	}
	good, err := f.Encode("q1-abc")
	require.NoError(t, err)
	for want, spoil := range map[string]func(*history){
		"version 9":                func(s *history) { s.Version = 9 },
		"query fingerprint":        func(s *history) { s.Query = "" },
		"operator 1: plan 7":       func(s *history) { s.Operators[1].Plan = 7 },
		"operator 2: no id":        func(s *history) { s.Operators[2].Operator = "" },
		"operator 1: \"scan@1\"":   func(s *history) { s.Operators[1].Operator = "scan@1" },
		"run 1: operator 9":        func(s *history) { s.Runs[1].Cells[0].op = 9 },
		"run 2: operator 0: CPU 0": func(s *history) { s.Runs[2].Cells[0].cpu = 0 },
		"run 2: operator 1 twice":  func(s *history) { s.Runs[2].Cells[0].op = 1 },
		"run 1: app-3/0 twice":     func(s *history) { s.Runs[1].Execution = 0 },
		"run 0: no application":    func(s *history) { s.Runs[0].Application = "" },
		"run 0: plan -1":           func(s *history) { s.Runs[0].Plan = -1 },
		"run 0: CPU -1":            func(s *history) { s.Runs[0].CPU = -1 },
		"operator 0: spread":       func(s *history) { s.Operators[0].Spread.Total = -1 },
		"operator 0: line":         func(s *history) { s.Operators[0].Ref = &line{N: 3} },
		"operator 0: slope":        func(s *history) { s.Operators[0].Slope = slopePrior{Var: -1} },
		"operator 0: seed":         func(s *history) { s.Operators[0].Seed = &seed{} },
		"pace of day -1":           func(s *history) { s.Pace.Day = -1 },
		"pace of -1 runs on day 3": func(s *history) { s.Pace.Runs[3] = -1 },
		"spans left out":           func(s *history) { s.Operators[0].Skip = make([]span, 9) },
		"active shift":             func(s *history) { s.Operators[0].Active = &active{Log: 1000} },
	} {
		var s history
		require.NoError(t, json.Unmarshal(good, &s))
		spoil(&s)
		text, err := json.Marshal(s)
		require.NoError(t, err)
		g := newTestFleet(t)
		_, err = g.Decode(text)
		require.ErrorContains(t, err, want)
		assert.Zero(t, g.Queries())
	}
	var c cell
	require.ErrorContains(t, json.Unmarshal([]byte("[1.5,1,0,0,0]"), &c), "operator 1.5")
	_, err = f.Decode([]byte(`{"version":3}`))
	require.ErrorIs(t, err, ErrVersion)
	_, err = f.Decode([]byte(`nothing`))
	require.Error(t, err)

	priors, err := f.EncodePriors()
	require.NoError(t, err)
	for want, spoil := range map[string]func(*storedFleet){
		"version 9":          func(s *storedFleet) { s.Version = 9 },
		"tests in hour 3":    func(s *storedFleet) { s.Budget.Hours[3] = -1 },
		"hour -1":            func(s *storedFleet) { s.Budget.Hour = -1 },
		"degrees of freedom": func(s *storedFleet) { s.Priors.DF = 0 },
		"correlation":        func(s *storedFleet) { s.Priors.Rho = 1 },
	} {
		var s storedFleet
		require.NoError(t, json.Unmarshal(priors, &s))
		spoil(&s)
		text, err := json.Marshal(s)
		require.NoError(t, err)
		require.ErrorContains(t, f.DecodePriors(text), want)
	}
}

// Whatever is stored, taking it in and judging by it neither panics nor gives figures that are
// none.
func FuzzDecode(f *testing.F) {
	fleet, rng := newTestFleet(f), rand.New(rand.NewPCG(5, 7))
	for n := range 9 {
		add(f, fleet, invented(rng, n, 7))
	}
	text, err := fleet.Encode("q1-abc")
	require.NoError(f, err)
	f.Add(text)
	f.Add([]byte(`{"version":1,"query":"q1-abc","plans":[{"fingerprint":"p1-def"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g := newTestFleet(t)
		query, err := g.Decode(text)
		if err != nil {
			return
		}
		for n := range 3 {
			r := invented(rand.New(rand.NewPCG(1, uint64(n))), 1000+n, 0)
			r.Query = query
			j, err := g.Add(r, r.End)
			require.NoError(t, err)
			for _, v := range j.Operators {
				for _, x := range []float64{v.Ratio, v.Low, v.High, v.Expected, v.Detectable} {
					require.Equal(t, x, x, fmt.Sprint(v))
				}
			}
		}
		_, err = g.Encode(query)
		require.NoError(t, err)
	})
}

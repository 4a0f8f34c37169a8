package tasksample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func newQueryBudget(t *testing.T, perHour float64) *QueryBudget {
	t.Helper()
	b, err := NewQueryBudget(perHour)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A query that would have x times its budget in an hour keeps 1 / (1 + x) of its samples. The same
// CPU in one piece or in a thousand makes no difference.
func TestQueryBudget(t *testing.T) {
	for _, x := range []float64{0.01, 1, 9, 99} {
		b, now := newQueryBudget(t, 3600), time.Unix(1000, 0)
		kept, first := 0.0, 0.0 // samples that would have been kept, in the last hour and in the first
		for second := range 6 * 3600 {
			part := b.Kept("q", now)
			if second < 3600 {
				first += x * part
			}
			if second >= 5*3600 {
				kept += x * part
			}
			b.Use("q", x, now)
			now = now.Add(time.Second)
		}
		if want := 3600 * x / (1 + x); math.Abs(kept-want) > 0.02*want {
			t.Errorf("%v times the budget: %v samples in an hour, want %v", x, kept, want)
		}
		if first > 2.01*3600 {
			t.Errorf("%v times the budget: %v samples in the first hour", x, first)
		}
		if got := b.Kept("another", now); got != 1 {
			t.Errorf("a query that used nothing keeps %v", got)
		}
	}
	whole, parts, now := newQueryBudget(t, 700), newQueryBudget(t, 700), time.Unix(1000, 0)
	whole.Use("q", 1000, now)
	for range 1000 {
		parts.Use("q", 1, now)
	}
	// 1,000 samples offered at once to a budget of 700: 1 - S/Q = exp(-1000/700).
	if a, b := whole.Kept("q", now), parts.Kept("q", now); math.Abs(a-b) > 1e-9 || math.Abs(a-math.Exp(-10./7)) > 1e-9 {
		t.Errorf("in one piece %v, in many %v", a, b)
	}
	if got, want := whole.Kept("q", now.Add(time.Hour)), 1-(1-math.Exp(-10./7))/math.E; math.Abs(got-want) > 1e-9 {
		t.Errorf("an hour later %v, want %v", got, want)
	}
	if got := whole.Kept("q", now.Add(-time.Hour)); got != whole.Kept("q", now) {
		t.Errorf("a clock that went back: %v", got)
	}
	whole.Use("q", 3.6e9, now)
	if got := whole.Kept("q", now); got != leastKept {
		t.Errorf("%v, want the least part", got)
	}
}

func TestQueryBudgetRefuses(t *testing.T) {
	for _, perHour := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewQueryBudget(perHour); err == nil {
			t.Errorf("%v samples an hour are taken", perHour)
		}
	}
	b, now := newQueryBudget(t, 1), time.Unix(1000, 0)
	for _, offered := range []float64{0, -1, math.NaN()} {
		b.Use("q", offered, now)
	}
	if len(b.queries) != 0 || b.Kept("q", now) != 1 {
		t.Errorf("%v of nothing", b.queries)
	}
}

func TestQueriesOfABudgetAreBounded(t *testing.T) {
	b, now := newQueryBudget(t, 1000), time.Unix(1000, 0)
	for i := range MostQueries {
		b.Use(fmt.Sprint(i), float64(i+1)/10, now)
	}
	b.Use("7", 100, now) // known: no one has to go
	if b.PushedOut() != 0 {
		t.Errorf("%d pushed out", b.PushedOut())
	}
	b.Use("new", 360_000, now)
	if b.PushedOut() != 1 || len(b.queries) != MostQueries || b.Kept("0", now) != 1 || b.Kept("7", now) == 1 {
		t.Errorf("%d pushed out, %d left: the one with the least goes", b.PushedOut(), len(b.queries))
	}
}

// Whatever part was asked for before, each sample is kept with just the part asked for it, and
// where the part stays the same the kept ones are evenly spaced.
func TestThinning(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	parts, kept := []float64{1, 0.3, 0.7, 0.05, 0, 1, 0.5, 0.5}, make([]float64, 8)
	const times = 40_000
	for range times {
		th := Thinning{Phase: rng.Float64()}
		for i, p := range parts {
			if th.Keep(p) {
				kept[i]++
			}
		}
	}
	for i, p := range parts {
		if got := kept[i] / times; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/times) {
			t.Errorf("sample %d at %v: kept %v", i, p, got)
		}
	}
	th, last := Thinning{Phase: 0.9}, -1
	for i := range 1000 {
		if !th.Keep(0.3) {
			continue
		}
		if gap := i - last; last >= 0 && gap != 3 && gap != 4 {
			t.Errorf("%d samples between two that are kept", gap)
		}
		last = i
	}
}

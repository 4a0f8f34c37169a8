package costmodel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// of is a side of so many seconds and rows, with a standard error of 0.01 s.
func of(cpu, rows float64) Side {
	return Side{There: true, CPU: cpu, Rows: rows, RowsKnown: true, Variance: 1e-4, Sample: 1e-9}
}

func TestSplitFindsTheCause(t *testing.T) {
	for _, test := range []struct {
		name                  string
		pair                  Pair
		common                Common
		rows, plan, run, code float64
	}{
		{"three times the rows", Pair{of(2, 100), of(6, 300)}, Common{}, 4, 0, 0, 0},
		{"more expensive", Pair{of(2, 100), of(5, 100)}, Common{}, 0, 0, 0, 3},
		{"came", Pair{Side{}, of(7, 10)}, Common{}, 0, 7, 0, 0},
		{"went", Pair{of(7, 10), Side{}}, Common{}, 0, -7, 0, 0},
		{"a slower machine", Pair{of(2, 100), of(3, 100)}, Common{Log: math.Log(1.5)}, 0, 0, 1, 0},
		// The logarithmic mean of 1 and 4 is 3 / ln 4; each factor of 2 has half of the change.
		{"twice the rows, twice the cost", Pair{of(1, 10), of(4, 20)}, Common{}, 1.5, 0, 0, 1.5},
		{"nothing", Pair{of(2, 100), of(2, 100)}, Common{}, 0, 0, 0, 0},
	} {
		got := Split([]Pair{test.pair}, test.common)
		assert.InDelta(t, test.rows, got.Rows.Seconds, 1e-6, test.name)
		assert.InDelta(t, test.plan, got.Plan.Seconds, 1e-6, test.name)
		assert.InDelta(t, test.run, got.Run.Seconds, 1e-6, test.name)
		assert.InDelta(t, test.code, got.Code.Seconds, 1e-6, test.name)
		assert.InDelta(t, 0.01, got.Change.SE, 0.005, test.name)
	}
}

func TestRowsThatAreNotKnownAreNoCause(t *testing.T) {
	old, new := of(2, 100), of(6, 300)
	new.RowsKnown = false
	got := Split([]Pair{{old, new}}, Common{})
	assert.Zero(t, got.Rows)
	assert.InDelta(t, 4, got.Code.Seconds, 1e-6)
}

// TestPartsSumToTheChange draws operators of all kinds, those without a sample too.
func TestPartsSumToTheChange(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	side := func() Side {
		s := Side{There: draw.Float64() < 0.8, RowsKnown: draw.Float64() < 0.8, Sample: 0.002, Rows: math.Floor(draw.Float64() * 4)}
		if s.There {
			s.CPU = s.Sample * math.Floor(5*draw.ExpFloat64())
			s.Variance = s.Sample * s.CPU
		} else {
			s.Rows, s.RowsKnown = 0, false
		}
		return s
	}
	for range 2000 {
		var pairs []Pair
		change := 0.0
		for range 6 {
			p := Pair{side(), side()}
			pairs = append(pairs, p)
			change += p.New.CPU - p.Old.CPU
		}
		got := Split(pairs, CommonOf(pairs))
		assert.InDelta(t, change, got.Rows.Seconds+got.Plan.Seconds+got.Run.Seconds+got.Code.Seconds, 1e-9)
		assert.InDelta(t, change, got.Change.Seconds, 1e-9)
		for _, p := range []Part{got.Rows, got.Plan, got.Run, got.Code, got.Change} {
			assert.False(t, math.IsNaN(p.Seconds+p.SE) || math.IsInf(p.Seconds+p.SE, 0), "%+v of %+v", got, pairs)
		}
	}
}

func TestCommonIsWhatMostHave(t *testing.T) {
	var pairs []Pair
	for i := range 9 {
		factor := 1.2 + 0.01*float64(i%3)
		if i == 8 {
			factor = 10 // one operator's own
		}
		pairs = append(pairs, Pair{of(1, 50), of(2*factor, 100)})
	}
	got := CommonOf(pairs)
	assert.InDelta(t, math.Log(1.21), got.Log, 1e-6, "twice the rows are none of it")
	assert.InDelta(t, 0.005, got.SE, 0.004)
	assert.Zero(t, CommonOf(pairs[:4]), "four operators tell no common factor from their own")
}

// TestIntervalsHoldTheTruth draws costs around a truth: rows doubled, nothing else changed.
func TestIntervalsHoldTheTruth(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	held, n := [2]int{}, 1000
	for range n {
		old, new := of(1, 100), of(2, 200)
		old.Variance, new.Variance = 0.0025, 0.0064
		old.CPU += 0.05 * draw.NormFloat64()
		new.CPU += 0.08 * draw.NormFloat64()
		got := Split([]Pair{{old, new}}, Common{})
		for i, off := range []float64{math.Abs(got.Rows.Seconds-1) / got.Rows.Half(), math.Abs(got.Code.Seconds) / got.Code.Half()} {
			if off <= 1 {
				held[i]++
			}
		}
	}
	assert.InDelta(t, 0.95, float64(held[0])/float64(n), 0.025, "rows")
	assert.InDelta(t, 0.95, float64(held[1])/float64(n), 0.025, "code")
}

// A line through both runs: of 5 s at three million rows, 2 s are fixed.
func TestSlope(t *testing.T) {
	side := func(cpu, rows float64) Side {
		return Side{There: true, CPU: cpu, Rows: rows, RowsKnown: true, Sample: 1e-9}
	}
	for name, test := range map[string]struct {
		p     Pair
		want  float64
		known bool
	}{
		"fixed cost":     {Pair{side(3, 1e6), side(5, 3e6)}, 0.6, true},
		"from the other": {Pair{side(5, 3e6), side(3, 1e6)}, 1.0 / 3, true},
		"none":           {Pair{side(2, 1e6), side(6, 3e6)}, 1, true},
		"cheaper":        {Pair{side(6, 1e6), side(5, 3e6)}, 0, true},
		"as many rows":   {Pair{side(2, 1e6), side(6, 1.2e6)}, 1, false},
		"rows not known": {Pair{side(2, 0), side(6, 3e6)}, 1, false},
		"new":            {Pair{Side{}, side(6, 3e6)}, 1, false},
	} {
		got, known := test.p.Slope()
		assert.InDelta(t, test.want, got, 1e-6, name)
		assert.Equal(t, test.known, known, name)
	}
}

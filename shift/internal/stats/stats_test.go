package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Published: t tables, and t(2) in closed form, (2p-1)/√(2p(1-p)); trigamma(1) = π²/6,
// trigamma(1/2) = π²/2, trigamma(2) = π²/6 - 1; digamma(1) = -γ.
func TestDistributions(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.975, 1, 12.7062}, {0.975, 4, 2.776445}, {0.025, 4, -2.776445}, {0.9995, 9, 4.7809},
		{0.975, 1e7, 1.959964}, {1 - 1e-6, 2, 707.10572},
	} {
		assert.InEpsilon(t, c.want, Quantile(c.p, c.df), 1e-4, "%+v", c)
		assert.InEpsilon(t, 1-c.p, Tail(c.want, c.df), 1e-3, "%+v", c)
	}
	for x, want := range map[float64]float64{
		1: math.Pi * math.Pi / 6, 0.5: math.Pi * math.Pi / 2, 2: math.Pi*math.Pi/6 - 1,
	} {
		assert.InDelta(t, want, Trigamma(x), 1e-12)
		assert.InDelta(t, x, InverseTrigamma(want), 1e-7)
	}
	assert.InDelta(t, -0.5772156649, Digamma(1), 1e-9)

	// χ²(2)/2 is exponential: the mean of its log is -γ, the variance π²/6, its median log 2.
	mean, variance := LogChi2(2)
	assert.InDelta(t, -0.5772156649, mean, 1e-9)
	assert.InDelta(t, 1.6449340668, variance, 1e-9)
	assert.InDelta(t, math.Ln2, ChiMedian(2), 0.01)
}

// What is remembered does not depend on what was asked before.
func TestQuantilesAreRemembered(t *testing.T) {
	var q, fresh Quantiles
	for _, df := range []float64{5, 17.2, 1e9} {
		for _, p := range []float64{0.1, 0.025, 3e-7} {
			assert.InEpsilon(t, Quantile(1-p, df), q.Upper(p, df), 0.03)
		}
	}
	assert.InEpsilon(t, fresh.Upper(0.0251, 17.21), q.Upper(0.0251, 17.21), 1e-12)
	assert.Len(t, q.known, 9)
}

// By hand: 1 - 1/BisquareAt² = 0.95444, its square.
func TestWeights(t *testing.T) {
	assert.InDelta(t, 1, Huber(2), 0)
	assert.InDelta(t, 0.5, Huber(4), 1e-12)
	assert.InDelta(t, 0.91096, Bisquare(1), 1e-5)
	assert.Zero(t, Bisquare(5))
}

func TestMedian(t *testing.T) {
	assert.Zero(t, Median(nil))
	assert.InDelta(t, 3, Median([]float64{7, 3, 2}), 0)
	assert.InDelta(t, 5, Median([]float64{7, 3, 2, 11}), 0)
	first, median, third := Quartiles([]float64{9, 1, 5, 3, 7})
	assert.Equal(t, []float64{3, 5, 7}, []float64{first, median, third})
}

// Of errors of ±1 the variance is n/df over what winsorizing takes away, 1/0.97756: none is beyond
// 2.5. One that is a thousand times as large counts as one at 2.5 standard deviations.
func TestVariance(t *testing.T) {
	errors := []float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1}
	assert.InDelta(t, 10/9./0.97756, Variance(errors, 9), 1e-3)
	errors[9] = 1000
	// v = (9 + 6.25·v)/(9·0.97756)
	assert.InEpsilon(t, 9/(9*0.97756-6.25), Variance(errors, 9), 2e-2)
	assert.Zero(t, Variance(nil, 3))
}

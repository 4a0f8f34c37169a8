package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBoundsByHand(t *testing.T) {
	// ln(1e5) = 11.51: of 900 samples with p = 1/2, sqrt(2·11.51·225) = 72.0 and a little for the
	// tail.
	assert.InDelta(t, 75.9, Count(225), 0.1)
	assert.InDelta(t, 75.9/900, Share(0.5, 900), 1e-4)
	assert.InDelta(t, 7.7, Count(0), 0.1, "2·ln(1e5)/3: a variance of 0 that is not known to be 0")
	assert.InDelta(t, Count(225), Weights(15, 1), 1e-9, "weights of 1 are hits")
	assert.Greater(t, Weights(15, 4), Weights(15, 1))
}

// Chance hardly ever exceeds a bound, however few the hits are; and a defect that loses a fifth of
// them does.
func TestFalseFailures(t *testing.T) {
	const draws = 50_000
	rng := rand.New(rand.NewPCG(19, 3))
	for _, c := range []struct{ n, p float64 }{{50, 0.01}, {1000, 0.003}, {1000, 0.01}, {500, 0.1}, {800, 0.5}, {2000, 0.93}} {
		failed := 0
		for range draws {
			if math.Abs(binomial(rng, int(c.n), c.p)-c.n*c.p) > Count(c.n*c.p*(1-c.p)) {
				failed++
			}
		}
		// One is the mean of both sides at most; 8 or more have a probability below 1e-5.
		assert.LessOrEqual(t, failed, 7, "n = %g, p = %g", c.n, c.p)
		if c.n*c.p > 1000 {
			assert.Less(t, 0.8*c.n*c.p+Count(c.n*c.p*(1-c.p)), c.n*c.p, "n = %g, p = %g: a fifth is lost", c.n, c.p)
		}
	}
}

// binomial draws the number of hits of n draws, by the gaps between hits of the rarer kind.
func binomial(rng *rand.Rand, n int, p float64) float64 {
	if p > 0.5 {
		return float64(n) - binomial(rng, n, 1-p)
	}
	hits, at := 0, 0
	for {
		at += 1 + int(math.Log(1-rng.Float64())/math.Log(1-p))
		if at > n {
			return float64(hits)
		}
		hits++
	}
}

package tasksample

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// simulated is a stage of known truth: each unit has CPU, and a mix of three keys that alternate
// faster than any clock.
type simulated struct {
	cpu []time.Duration
	mix [][3]float64
}

// lognormal makes units with lognormal CPU; mixes vary by spread. The share straggling of the units
// has fives times the CPU and another mix.
func lognormal(rng *rand.Rand, n int, sigma, spread, straggling float64) simulated {
	var s simulated
	for i := range n {
		cpu, mix := math.Exp(sigma*rng.NormFloat64()), [3]float64{0.5, 0.3, 0.2}
		for k := range mix {
			mix[k] *= math.Exp(spread * rng.NormFloat64())
		}
		if float64(i) < straggling*float64(n) {
			cpu, mix = 5*math.Exp(0.2*rng.NormFloat64()), [3]float64{0.1, 0.1, 0.8}
		}
		sum := mix[0] + mix[1] + mix[2]
		for k := range mix {
			mix[k] /= sum
		}
		s.cpu, s.mix = append(s.cpu, time.Duration(cpu*1e9)), append(s.mix, mix)
	}
	return s
}

func (s simulated) truth() (byKey [3]float64, all float64) {
	for i, cpu := range s.cpu {
		all += float64(cpu)
		for k, p := range s.mix[i] {
			byKey[k] += p * float64(cpu)
		}
	}
	return byKey, all
}

// unit samples a unit with a systematic clock of random phase.
func (s simulated) unit(rng *rand.Rand, i int, hz float64) *Unit[int] {
	u, period := &Unit[int]{}, 1e9/hz
	for at := rng.Float64() * period; at < float64(s.cpu[i]); at += period {
		k, x := 0, rng.Float64()
		for k < 2 && x >= s.mix[i][k] {
			x -= s.mix[i][k]
			k++
		}
		u.Sample(k, time.Duration(period))
	}
	return u
}

// outcome is what repeated sampling gave: mean absolute error in % of the stage, coverage over
// keys.
type outcome struct{ err, naive, covered, worst, valid, coveredValid, bias float64 }

func (s simulated) repeat(seed uint64, times int, base, detail, fraction float64) outcome {
	truth, all := s.truth()
	var out outcome
	var covered [3]float64
	var bias [3]float64
	for i := range times {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		stage, sel := NewStage[int](), NewSelection(rng.Uint64(), uint32(len(s.cpu)), fraction, 5)
		var naive [3]float64
		for j, cpu := range s.cpu {
			switch selected := detail > 0 && sel.Selects(PartitionID(j)); {
			case selected:
				u := s.unit(rng, j, base+detail)
				for k, w := range u.keys {
					naive[k] += w.weight / sel.Inclusion()
				}
				stage.Add(u, TierSelected, cpu)
			case base > 0:
				stage.Add(s.unit(rng, j, base), TierBase, cpu)
			default:
				stage.Add(nil, TierNone, cpu)
			}
		}
		r := stage.Estimate()
		if r.Valid {
			out.valid++
		}
		for k := range truth {
			e := r.Keys[k]
			err := float64(e.CPU) - truth[k]
			bias[k] += 100 * err / all / float64(times)
			out.err += 100 * math.Abs(err) / all / 3 / float64(times)
			out.naive += 100 * math.Abs(naive[k]-truth[k]) / all / 3 / float64(times)
			if float64(e.Low) <= truth[k] && truth[k] <= float64(e.High) {
				covered[k] += 100 / float64(times)
				if r.Valid {
					out.coveredValid++
				}
			}
		}
	}
	out.worst = 100
	for k := range covered {
		out.covered += covered[k] / 3
		out.worst = min(out.worst, covered[k])
		out.bias = max(out.bias, math.Abs(bias[k]))
	}
	out.coveredValid *= 100 / (3 * max(out.valid, 1))
	out.valid *= 100 / float64(times)
	return out
}

// The cases of the simulations that decided the design, with bands around their results. Naive
// scaling has two to four times the error of the ratio to known CPU. Base + detail is right with
// stragglers too, and pure task sampling reports if it is not.
func TestSimulations(t *testing.T) {
	tests := []struct {
		name                          string
		n                             int
		sigma, spread, straggling     float64
		base, detail, fraction        float64
		maxErr, minNaive              float64
		minCovered, maxCovered, valid float64 // valid: at most this share of re-samplings
	}{
		{"pure, like mixes", 200, 0.4, 0.1, 0, 0, 200, 0.1, 1.1, 1.6, 91, 98, 100},
		{"pure, mixes vary", 200, 0.8, 0.25, 0, 0, 200, 0.1, 2, 3, 93, 100, 100},
		{"pure, 5 % stragglers", 200, 0.3, 0.2, 0.05, 0, 200, 0.1, 4, 3, 93, 100, 5},
		{"pure, 5 % stragglers of many", 2000, 0.3, 0.2, 0.05, 0, 200, 0.1, 0.7, 1, 92, 97.5, 100},
		{"all at 20 Hz, stragglers", 200, 0.3, 0.2, 0.05, 20, 0, 0, 0.7, 0, 93, 97.5, 100},
		{"10 Hz and 200 Hz of 5 %, stragglers", 200, 0.3, 0.2, 0.05, 10, 200, 0.05, 0.95, 0, 93, 97, 100},
		{"1 Hz: units without a sample", 200, 0.8, 0.2, 0, 1, 0, 0, 3, 0, 93, 98, 100},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := lognormal(rand.New(rand.NewPCG(7, uint64(i))), test.n, test.sigma, test.spread, test.straggling)
			got := s.repeat(uint64(i), 200, test.base, test.detail, test.fraction)
			t.Logf("error %.2f %% (naive %.2f), bias %.2f, coverage %.1f (worst %.1f), valid %.0f %% with coverage %.1f", got.err, got.naive, got.bias, got.covered, got.worst, got.valid, got.coveredValid)
			if got.err > test.maxErr || got.naive < test.minNaive {
				t.Errorf("error %.2f %%, at most %.2f; naive %.2f %%, at least %.2f", got.err, test.maxErr, got.naive, test.minNaive)
			}
			if got.covered < test.minCovered || got.covered > test.maxCovered {
				t.Errorf("coverage %.1f %% is not in %.1f to %.1f", got.covered, test.minCovered, test.maxCovered)
			}
			if got.valid > test.valid {
				t.Errorf("declared valid in %.0f %%, at most %.0f", got.valid, test.valid)
			}
		})
	}
}

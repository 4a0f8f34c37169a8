package tasksample

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A day of 96 runs whose mix varies from run to run; a quarter is sampled, and each has an error of
// its own.
func TestRunsCover(t *testing.T) {
	const runs, times = 96, 1000
	rng := rand.New(rand.NewPCG(4, 4))
	cpu, share, truth := make([]float64, runs), make([]float64, runs), 0.0
	for i := range runs {
		cpu[i], share[i] = 1e11*math.Exp(0.3*rng.NormFloat64()), 0.3+0.05*rng.NormFloat64()
		truth += cpu[i] * share[i]
	}
	covered, bias := 0.0, 0.0
	for range times {
		var day Runs[string]
		order := rng.Perm(runs)
		for at, i := range order {
			if at >= runs/4 {
				day.AddKnown(time.Duration(cpu[i]))
				continue
			}
			se := 0.01 * cpu[i]
			day.Add(time.Duration(cpu[i]), map[string]Estimate{"scan": {CPU: time.Duration(cpu[i]*share[i] + se*rng.NormFloat64()), SE: time.Duration(se), Samples: 100}})
		}
		r := day.Estimate()
		e := r.Keys["scan"]
		bias += (float64(e.CPU) - truth) / truth / times
		if float64(e.Low) <= truth && truth <= float64(e.High) {
			covered += 100.0 / times
		}
		if !r.Valid || r.Units != runs || r.Sampled != runs/4 || r.Samples != 2400 {
			t.Fatalf("%+v", r)
		}
	}
	if covered < 93 || covered > 97 || math.Abs(bias) > 0.002 {
		t.Errorf("coverage %.1f %%, bias %.4f", covered, bias)
	}
}

func TestRunsValidity(t *testing.T) {
	var r Runs[string]
	if !r.Estimate().Valid {
		t.Error("no run at all is not valid")
	}
	r.AddKnown(3 * time.Second)
	if e := r.Estimate(); e.Valid || e.Unsampled != 3*time.Second {
		t.Errorf("%+v", e)
	}
	r.Add(time.Second, map[string]Estimate{"a": {CPU: time.Second / 4, SE: time.Second / 100, Samples: 9}})
	e := r.Estimate()
	if e.Valid || e.Keys["a"].CPU != time.Second || e.Keys["a"].SE != 40*ms {
		t.Errorf("one of two runs: %+v", e)
	}
}

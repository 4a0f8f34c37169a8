package tasksample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestSelectRun(t *testing.T) {
	const runs = 10_000
	var in [2]int
	both := 0
	for i := range runs {
		byApplication, byExecution := SelectRun(5, fmt.Sprintf("app-%d", i), 3, 0.2), SelectRun(5, "app", ExecutionID(i), 0.2)
		if byApplication {
			in[0]++
		}
		if byExecution {
			in[1]++
		}
		if byApplication && byExecution {
			both++
		}
	}
	for _, n := range in {
		if n < 1860 || n > 2140 { // 3.5 standard deviations
			t.Errorf("%d of %d runs at 0.2", n, runs)
		}
	}
	if both < 330 || both > 470 {
		t.Errorf("%d runs in both draws, want 400: they are not independent", both)
	}
	if SelectRun(5, "a", 3, 0) || !SelectRun(5, "a", 3, 1) {
		t.Error("0 selects or 1 does not")
	}
	if first := SelectRun(5, "a", 3, 0.5); first != SelectRun(5, "a", 3, 0.5) {
		t.Error("two nodes do not agree")
	}
}

// simulatedRun is a run of a recurring query: tasks with a phase of one operator before one of
// another.
type simulatedRun struct {
	cpu   []time.Duration // of tasks
	share float64         // of the first operator
}

func recurring(rng *rand.Rand, n int) (runs []simulatedRun, truth [2]float64) {
	for range n {
		r := simulatedRun{share: 0.3 + 0.08*rng.NormFloat64()}
		scale := math.Exp(0.3 * rng.NormFloat64())
		for range 20 {
			cpu := 400e6 * scale * math.Exp(0.5*rng.NormFloat64())
			r.cpu = append(r.cpu, time.Duration(cpu))
			truth[0] += cpu * r.share
			truth[1] += cpu * (1 - r.share)
		}
		runs = append(runs, r)
	}
	return runs, truth
}

// sample runs a clock over the run's tasks and thins it by the query's budget, as a sampler does.
// The part that is kept follows from the CPU of all tasks, sampled or not. It changes in the middle
// of tasks.
func (r simulatedRun) sample(rng *rand.Rand, b *QueryBudget, clock *float64, thinning *Thinning, now *time.Time, sampled bool) (*Stage[int], int) {
	const period = 20e6
	stage, samples := NewStage[int](), 0
	for _, cpu := range r.cpu {
		u, left := &Unit[int]{}, float64(cpu)
		for at := *clock; left > 0; {
			step := min(left, 250e6) // CPU between two looks
			kept := b.Kept("q", *now)
			for ; at < float64(cpu)-left+step; at += period {
				key := 1
				if at < r.share*float64(cpu) {
					key = 0
				}
				if sampled && thinning.Keep(kept) {
					u.Sample(key, time.Duration(period/kept))
					samples++
				}
			}
			*now = now.Add(time.Duration(step))
			if sampled { // a run that is left out keeps nothing, and spends nothing
				b.Use("q", step/period, *now)
			}
			left -= step
			*clock = at - float64(cpu)
		}
		stage.Add(u, TierBase, cpu)
	}
	return stage, samples
}

// The test draws half of a query's sixty runs, under a budget that keeps ever fewer samples.
// Horvitz-Thompson totals, with each weight over its run's π, have no bias that 1,500 repetitions
// could show (three and a half standard errors). Totals by the known CPU of all runs lie within
// their intervals, which include the spread between runs.
func TestRunSamplingUnderABudget(t *testing.T) {
	const repetitions, fraction = 1500, 0.5
	rng := rand.New(rand.NewPCG(8, 1))
	runs, truth := recurring(rng, 60)
	all := truth[0] + truth[1]
	var sum, squares, bias [2]float64
	covered, judged, samples, most := 0.0, 0.0, 0, 0.0
	for range repetitions {
		b, now := newQueryBudget(t, 3000), time.Unix(1000, 0)
		clock, thinning := rng.Float64()*20e6, &Thinning{Phase: rng.Float64()}
		seed, day, total := rng.Uint64(), Runs[int]{}, [2]float64{}
		for i, r := range runs {
			sampled := SelectRun(seed, "app", ExecutionID(i), fraction)
			stage, n := r.sample(rng, b, &clock, thinning, &now, sampled)
			most = max(most, 1/b.Kept("q", now))
			samples += n
			e := stage.Estimate()
			if !sampled {
				day.AddKnown(e.CPU)
				continue
			}
			day.Add(e.CPU, e.Keys)
			for _, c := range stage.Cells {
				for key, k := range c.Keys {
					total[key] += k.Weight / fraction
				}
			}
		}
		for key := range total {
			sum[key] += total[key] - truth[key]
			squares[key] += (total[key] - truth[key]) * (total[key] - truth[key])
		}
		e := day.Estimate()
		for key := range truth {
			judged++
			k := e.Keys[key]
			bias[key] += (float64(k.CPU) - truth[key]) / all / repetitions
			if float64(k.Low) <= truth[key] && truth[key] <= float64(k.High) {
				covered++
			}
		}
	}
	for key := range truth {
		mean := sum[key] / repetitions
		se := math.Sqrt((squares[key]/repetitions - mean*mean) / repetitions)
		if z := mean / se; math.Abs(z) > 3.5 || se > 0.01*all {
			t.Errorf("operator %d: Horvitz-Thompson totals are off by %.4f of all, z = %.1f", key, mean/all, z)
		}
		if math.Abs(bias[key]) > 0.002 {
			t.Errorf("operator %d: calibrated totals are off by %.4f", key, bias[key])
		}
	}
	if c := covered / judged; c < 0.92 || c > 0.99 {
		t.Errorf("coverage %.3f", c)
	}
	if n := float64(samples) / repetitions; n > 6000 || most < 2 {
		t.Errorf("%.0f samples in the two hours and less of each repetition, weights of up to %.1f times: the budget did not bind", n, most)
	}
}

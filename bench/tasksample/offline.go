package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/tasksample"
)

// offline is what the part of that name found.
type offline struct {
	Times  int           `json:"resamplings"`
	Stages []stageResult `json:"stages"`
	Tests  int           `json:"bias_tests"`
	LeastP float64       `json:"bias_least_p"` // before Holm's correction
}

// stageResult is what was found on one stage.
type stageResult struct {
	stage
	Attempts   int     `json:"attempts"`
	Partitions int     `json:"partitions"`
	Seconds    float64 `json:"cpu_seconds"`
	Recorded   float64 `json:"recorded_cpu_seconds"` // by ticks
	Threads    float64 `json:"thread_cpu_seconds"`   // by the threads' own clocks
	Repeats    int     `json:"repeats"`              // how often each recorded attempt is there
	Scores     []score `json:"scores"`
	Merge      float64 `json:"merge_max_difference"` // relative
	Found      float64 `json:"straggler_found_share,omitempty"`
}

// designs are what every stage is sampled with.
const (
	baseDetail = "base + detail"
	baseAlone  = "base alone" // as many samples as tasksOnly has, of all tasks: what is left then is the clock's error
	tasksOnly  = "tasks only, 10 %"
	noClock    = "no clock, 10 %" // each moment of the selected tasks is known: what is left then is that they are not all
	tail       = "tail"
)

var designs = []design{
	{Name: baseDetail, Base: 10, Detail: 200, Fraction: 0.05, Least: 5},
	{Name: "default", Base: 20, Detail: 200, Fraction: 0.05, Least: 5},
	{Name: baseAlone, Base: 20},
	{Name: tail, Base: 20, Detail: 200, Fraction: 0.05, Least: 3, Tail: 4},
	{Name: "budget", Base: 20, Detail: 200, Fraction: 0.05, Least: 5, Steps: []int{20, 10, 40, 5}},
	{Name: "tasks only, 5 %", Detail: 200, Fraction: 0.05, Least: 5},
	{Name: tasksOnly, Detail: 200, Fraction: 0.10, Least: 5},
	{Name: "tasks only, 25 %", Detail: 200, Fraction: 0.25, Least: 5},
	{Name: noClock, Detail: recordHz, Fraction: 0.10, Least: 5},
}

func runOffline(ctx context.Context, o options, r *results) error {
	r.Offline = &offline{Times: o.times}
	for _, s := range stages {
		if !o.chooses(s) {
			continue
		}
		if !o.reuse {
			if err := o.record(ctx, s); err != nil {
				return fmt.Errorf("record stage %s: %w", s.Name, err)
			}
		}
		p, err := load(o.population(s))
		if err != nil {
			return fmt.Errorf("stage %s: %w", s.Name, err)
		}
		x := measure(o, s, p)
		r.Offline.Stages = append(r.Offline.Stages, x)
		x.print()
		r.Offline.figures(r.Figures)
		if err := report.Write(o.out, r); err != nil { // what is there survives an interrupt
			return err
		}
	}
	return nil
}

func measure(o options, s stage, p *population) stageResult {
	x := stageResult{stage: s}
	for _, t := range p.Attempts {
		x.Recorded, x.Threads = x.Recorded+t.cpu().Seconds(), x.Threads+t.CPU.Seconds()
	}
	x.Repeats = p.enlarge(o.cpu * recordHz)
	x.Attempts, x.Partitions, x.Seconds = len(p.Attempts), len(p.attemptsOf), x.Recorded*float64(x.Repeats)
	for _, d := range designs {
		x.Scores = append(x.Scores, judge(p, d, o.times, o.seed))
	}
	x.Merge = mergeDifference(p, designs[0], min(o.times, 200), o.seed)
	if s.Straggler != nil {
		x.Found = found(p, s.Straggler, o.times, o.seed)
	}
	return x
}

func (x *stageResult) print() {
	fmt.Fprintf(os.Stderr, "%s: %d attempts at %d partitions, %.0f s (recorded %.0f s, %d times); merged %.1e; stragglers found %.3f\n",
		x.Name, x.Attempts, x.Partitions, x.Seconds, x.Recorded, x.Repeats, x.Merge, x.Found)
	for _, s := range x.Scores {
		fmt.Fprintf(os.Stderr, "  %-17s %5.1f Hz  error %5.2f %%  naive %5.2f  ratio %5.2f  bias %+5.2f  width %5.2f  coverage %.3f, worst %.3f  valid %.2f, covering %.3f\n",
			s.Design.Name, s.Hz, s.Error, s.Naive, s.Ratio, s.Bias, s.Width, s.Coverage, s.CoverageWorst, s.Valid, s.CoverageValid)
	}
}

// figures are the stable keys; called again with more stages, it sets them again.
func (r *offline) figures(out map[string]float64) {
	out["coverage_worst"], out["straggler_found_share"], out["invalid_undeclared"] = 1, 1, 0
	var ps []float64
	var coverage, keys, valid, coveredValid, stragglers, errors, naive, clock, units, naiveUnits float64
	for _, x := range r.Stages {
		out["merge_max_difference"] = max(out["merge_max_difference"], x.Merge)
		if x.Straggler != nil {
			stragglers++
			out["straggler_found_share"] = min(out["straggler_found_share"], x.Found)
		}
		for _, s := range x.Scores {
			ps = append(ps, s.ps...)
			switch s.Design.Name {
			case baseDetail:
				out["base_detail_error_worst"] = max(out["base_detail_error_worst"], s.Error)
				out["coverage_worst"] = min(out["coverage_worst"], s.CoverageWorst)
				coverage, keys = coverage+s.Coverage*float64(s.judged), keys+float64(s.judged)
			case baseAlone:
				if !x.Uneven {
					clock += s.Error
				}
			case noClock:
				if !x.Uneven {
					units, naiveUnits = units+s.Error, naiveUnits+s.Naive
				}
			case tasksOnly:
				if !x.Uneven {
					out["tasks_only_error"] = max(out["tasks_only_error"], s.Error)
					errors, naive = errors+s.Error, naive+s.Naive
				}
			}
			if s.Design.Base == 0 && s.Design.Name != noClock {
				out["invalid_undeclared"] += float64(s.Undeclared)
				n := s.Valid * float64(s.judged)
				valid, coveredValid = valid+n, coveredValid+n*s.CoverageValid
			}
		}
	}
	out["coverage_mean"] = coverage / max(keys, 1)
	if naive > 0 {
		out["tasks_only_vs_naive"] = errors / naive
		// No estimate from as many samples has less error than the clock's, and none of it is
		// naive scaling's.
		out["tasks_only_vs_naive_floor"] = clock / naive
	}
	if naiveUnits > 0 {
		out["tasks_only_vs_naive_no_clock"] = units / naiveUnits
	}
	out["tasks_only_coverage_valid"] = coveredValid / max(valid, 1)
	if stragglers == 0 {
		delete(out, "straggler_found_share")
	}
	r.Tests, out["bias_rejections"], r.LeastP = len(ps), float64(holm(ps, 0.05)), 1
	if len(ps) > 0 {
		r.LeastP = slices.Min(ps)
	}
}

// holm is the number of hypotheses that Holm's step-down test rejects at a family-wise level.
func holm(ps []float64, level float64) int {
	sorted := slices.Sorted(slices.Values(ps))
	for i, p := range sorted {
		if p > level/float64(len(sorted)-i) {
			return i
		}
	}
	return len(sorted)
}

// mergeDifference is the largest relative difference between the estimates of three nodes and ten
// windows, merged, and the figures of one.
func mergeDifference(p *population, d design, times int, seed uint64) float64 {
	worst := make([]float64, times)
	each(times, func(i int) {
		one := tasksample.NewStage[byte]()
		var windows [3][10]*tasksample.Stage[byte]
		for n := range windows {
			for w := range windows[n] {
				windows[n][w] = tasksample.NewStage[byte]()
			}
		}
		units := 0
		p.sample(source(seed, i), d, func(thread int, u *unitOf) {
			one.Add(u.unit, u.tier, u.cpu)
			windows[thread%3][units*10/max(len(p.attemptsOf), 1)%10].Add(u.unit, u.tier, u.cpu)
			units++
		})
		merged := tasksample.NewStage[byte]()
		for w := range 10 {
			for n := range windows {
				merged.Merge(windows[n][w])
			}
		}
		worst[i] = difference(one.Estimate(), merged.Estimate())
	})
	return slices.Max(worst)
}

func difference(a, b tasksample.Result[byte]) (worst float64) {
	relative := func(x, y time.Duration) {
		if x != y {
			worst = max(worst, math.Abs(float64(x-y))/float64(max(x.Abs(), y.Abs())))
		}
	}
	if len(a.Keys) != len(b.Keys) || a.Valid != b.Valid {
		return 1
	}
	relative(a.CPU, b.CPU)
	for key, e := range a.Keys {
		o := b.Keys[key]
		for _, pair := range [][2]time.Duration{{e.CPU, o.CPU}, {e.SE, o.SE}, {e.Low, o.Low}, {e.High, o.High}} {
			relative(pair[0], pair[1])
		}
	}
	return worst
}

// found is the share of re-samplings under the tail policy, as it is shipped, in which the promoted
// tasks' first operator is the stragglers' true first one.
func found(p *population, straggles func(int32) bool, times int, seed uint64) float64 {
	truth := make([]float64, len(p.Keys))
	recorded := p.bound / max(p.repeats, 1)
	for _, t := range p.Attempts {
		if straggles(t.Partition % int32(recorded)) {
			for _, k := range t.Ticks {
				truth[k]++
			}
		}
	}
	want, hits := p.first(func(k int) float64 { return truth[k] }), make([]float64, times)
	d := designs[slices.IndexFunc(designs, func(d design) bool { return d.Name == tail })]
	each(times, func(i int) {
		stage := tasksample.NewStage[byte]()
		p.sample(source(seed, i), d, func(_ int, u *unitOf) { stage.Add(u.unit, u.tier, u.cpu) })
		r := stage.Where(func(c tasksample.Cell) bool { return c.Tier == tasksample.TierPromoted }).Estimate()
		if r.CPU > 0 && p.first(func(k int) float64 { return float64(r.Keys[byte(k)].CPU) }) == want {
			hits[i] = 1
		}
	})
	sum := 0.0
	for _, h := range hits {
		sum += h
	}
	return sum / float64(times)
}

// first is the operator with the most CPU.
func (p *population) first(cpu func(key int) float64) int {
	best := -1
	for k, name := range p.Keys {
		if operator(name) && (best < 0 || cpu(k) > cpu(best)) {
			best = k
		}
	}
	return best
}

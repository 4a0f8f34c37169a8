package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/planflame/planflame/shift"
)

// within are the numbers of runs after which it is asked whether a shift was found.
var within = []int{1, 2, 3, 5}

// power is how often one operator's shift was found.
type power struct {
	Sessions string `json:"session"` // a session's name, or "all": histories and shifted runs drawn from all of them
	Role     string `json:"role"`
	Percent  int    `json:"percent"` // more elements to go through
	Operator string `json:"operator"`
	Stage    string `json:"stage"`
	// Ratio is how much more expensive the operator really was: the growth of the tasks' CPU by
	// Spark's own account, over the operator's CPU.
	Ratio     float64 `json:"ratio"`
	Estimated float64 `json:"estimated_ratio"` // by samples
	Share     float64 `json:"share"`           // of the operator in its query's CPU
	CV        float64 `json:"run_cv"`          // of the query's runs as always, of their logs
	OwnCV     float64 `json:"operator_cv"`     // of the operator's, beside the run's other operators
	Sampling  float64 `json:"sampling_cv"`     // … of which sampling, as stated
	Bases     int     `json:"runs_as_always"`  // that histories are drawn from
	Shifted   int     `json:"runs_shifted"`
	Trials    int     `json:"trials"`
	// Found is the share of the trials in which an alarm had the right operator first within so
	// many runs.
	Found map[int]float64 `json:"found_within"`
	// Small is the same at the level of a fleet with leastTests operator-runs a week or fewer.
	Small map[int]float64 `json:"found_within_small_fleet"`
	Wrong int             `json:"wrong"` // trials with an alarm that had another operator first
	Early int             `json:"early"` // trials with an alarm before the shift
}

// judgePower draws histories and shifted runs of the query burn, -trials times for each session,
// role and size. Where there are fewer runs than -history as always, or five shifted ones, there is
// none.
func judgePower(rs *records, o *options) ([]power, error) {
	fleet, err := othersHistories(rs, "burn")
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(uint64(o.seed), 0x5eed))
	var out []power
	for _, s := range append(rs.usualSessions(), "all") {
		in := func(r *sparkRun) bool {
			return (s == "all" || r.Session == s) && r.Kind == usual && !r.Slow && r.Pass >= 0
		}
		bases := rs.where("burn", func(r *sparkRun) bool { return in(r) && r.Cause == "" })
		for _, v := range burns(1) {
			shifted := rs.where("burn", func(r *sparkRun) bool { return in(r) && r.Cause == v.Cause })
			if v.Cause == "" || len(bases) < o.history || len(shifted) < slices.Max(within) {
				continue
			}
			p, err := o.drawPower(rng, fleet, v, bases, shifted)
			if err != nil {
				return nil, err
			}
			p.Sessions = s
			fmt.Printf("%-10s %s\n", s, p)
			out = append(out, p)
		}
	}
	return out, nil
}

// othersHistories are the histories of all queries but one after their runs as always: what a fleet
// knows before.
func othersHistories(rs *records, but string) ([][]byte, error) {
	p, err := newReplay(1)
	if err != nil {
		return nil, err
	}
	var runs []*sparkRun
	var prints []string
	for _, r := range rs.Runs {
		if r.asAlways() && r.Query != but {
			runs = append(runs, r)
			if !slices.Contains(prints, r.Run.Query) {
				prints = append(prints, r.Run.Query)
			}
		}
	}
	if err := p.ordered(runs, func(*sparkRun, shift.Judgement) {}); err != nil {
		return nil, err
	}
	return p.histories(prints)
}

// after is a replay in a fleet that has histories.
func after(histories [][]byte, times float64) (*replay, error) {
	p, err := newReplay(times)
	if err != nil {
		return nil, err
	}
	for _, h := range histories {
		if _, err := p.fleet.Decode(h); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (o *options) drawPower(rng *rand.Rand, fleet [][]byte, v variant, bases, shifted []*sparkRun) (power, error) {
	out := power{Role: v.Role, Percent: v.Percent, Bases: len(bases), Shifted: len(shifted), Trials: o.trials, Found: map[int]float64{}, Small: map[int]float64{}}
	key, err := target(v.Role, bases)
	if err != nil {
		return out, err
	}
	out.Operator, out.Stage = key.Operator, key.Stage
	out.describe(key, bases, shifted)
	return out, o.draw(&out, key, fleet, func() (before, after []*sparkRun) {
		for _, i := range rng.Perm(len(bases))[:o.history] {
			before = append(before, bases[i])
		}
		for _, i := range rng.Perm(len(shifted))[:slices.Max(within)] {
			after = append(after, shifted[i])
		}
		return before, after
	})
}

// draw judges -trials histories and the shifted runs after them, at the level of a large fleet and
// of a small one. It counts in which of them key was found. Trials with a wrong or an early alarm
// are the large one's.
func (o *options) draw(out *power, key shift.Key, fleet [][]byte, runs func() (before, after []*sparkRun)) error {
	for range o.trials {
		before, shifted := runs()
		t, err := try(fleet, 1, key, before, shifted)
		if err != nil {
			return err
		}
		small, err := try(fleet, smallFleet, key, before, shifted)
		if err != nil {
			return err
		}
		out.count(t, small)
	}
	return nil
}

// smallFleet is the level of a fleet with leastTests operator-runs a week and one page a week, over
// the goal's.
const smallFleet = 1 / (goalLevel * leastTests)

// trial is what was told of one history and the shifted runs after it.
type trial struct {
	found        int // after how many shifted runs the right operator was, 0 for never
	wrong, early bool
}

func try(fleet [][]byte, times float64, key shift.Key, before, shifted []*sparkRun) (t trial, err error) {
	p, err := after(fleet, times)
	if err != nil {
		return t, err
	}
	for _, r := range before {
		j, err := p.add(r.Run)
		if err != nil {
			return t, err
		}
		p.next()
		t.early = t.early || alarm(j) != nil
	}
	for n, r := range shifted {
		j, err := p.add(r.Run)
		if err != nil {
			return t, err
		}
		p.next()
		switch e := alarm(j); {
		case e == nil:
		case e.Changes[0].Key != key:
			t.wrong = true
		case t.found == 0:
			t.found = n + 1
		}
	}
	return t, nil
}

// count takes in a trial of a large fleet and of a small one.
func (p *power) count(large, small trial) {
	for _, w := range within {
		if large.found > 0 && large.found <= w {
			p.Found[w] += 1 / float64(p.Trials)
		}
		if small.found > 0 && small.found <= w {
			p.Small[w] += 1 / float64(p.Trials)
		}
	}
	if large.wrong {
		p.Wrong++
	}
	if large.early {
		p.Early++
	}
}

// target is the operator that burns: of its role the dearest.
func target(role string, runs []*sparkRun) (best shift.Key, err error) {
	sums := map[shift.Key]float64{}
	for _, r := range runs {
		for i := range r.Run.Operators {
			if c := &r.Run.Operators[i]; c.Role() == role {
				if sums[c.Key] += c.CPU; sums[c.Key] > sums[best] {
					best = c.Key
				}
			}
		}
	}
	if best.Operator == "" {
		return best, fmt.Errorf("query burn has no operator of the role %s", role)
	}
	return best, nil
}

// describe says what the shift really was and how the runs vary.
func (p *power) describe(key shift.Key, bases, shifted []*sparkRun) {
	var cpu, truth, own, sampling, logs, rest, ownShifted []float64
	for _, r := range bases {
		truth, cpu, logs = append(truth, r.TaskCPU), append(cpu, r.Run.CPU), append(logs, math.Log(r.Run.CPU))
		c, ok := cost(r.Run, key)
		if !ok {
			continue // so small that no sample hit it
		}
		own = append(own, c.CPU)
		rest = append(rest, math.Log(c.CPU)-math.Log(r.Run.CPU-c.CPU))
		sampling = append(sampling, c.Sampling()/(c.CPU*c.CPU))
	}
	var shiftedTruth []float64
	for _, r := range shifted {
		shiftedTruth = append(shiftedTruth, r.TaskCPU)
		if c, ok := cost(r.Run, key); ok {
			ownShifted = append(ownShifted, c.CPU)
		}
	}
	p.Ratio = 1 + (mean(shiftedTruth)-mean(truth))/mean(own)
	p.Estimated = mean(ownShifted) / mean(own)
	p.Share, p.CV, p.OwnCV, p.Sampling = mean(own)/mean(cpu), deviation(logs), deviation(rest), math.Sqrt(mean(sampling))
}

func cost(r *shift.Run, key shift.Key) (*shift.Cost, bool) {
	for i := range r.Operators {
		if r.Operators[i].Key == key {
			return &r.Operators[i], true
		}
	}
	return nil, false
}

func (p power) String() string {
	return fmt.Sprintf("%-10s +%d %% (truly × %.2f, estimated × %.2f, share %.0f %%): run CV %.1f %%, operator beside the rest %.1f %%, sampling %.1f %%; found within 1, 2, 3, 5: %.0f, %.0f, %.0f, %.0f %%, in a small fleet %.0f, %.0f, %.0f, %.0f %%, wrong %d, early %d of %d",
		p.Role, p.Percent, p.Ratio, p.Estimated, 100*p.Share, 100*p.CV, 100*p.OwnCV, 100*p.Sampling,
		100*p.Found[1], 100*p.Found[2], 100*p.Found[3], 100*p.Found[5], 100*p.Small[1], 100*p.Small[2], 100*p.Small[3], 100*p.Small[5], p.Wrong, p.Early, p.Trials)
}

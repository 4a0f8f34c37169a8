package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/planflame/planflame/bench/internal/session"
)

// idle is whether the slots wait differently with planflame: the same statements on Spark alone, on
// Spark alone again and under the two tiers, in interleaved sessions.
type idle struct {
	Stages []idleStage `json:"stages"`
}

// idleStage is a stage in all sessions.
type idleStage struct {
	Stage string    `json:"stage"`
	Plain []float64 `json:"plain"` // share of the slots' time in which no task ran, by round: session.Schedule.Idle
	Again []float64 `json:"again"` // the same: what differs between two sessions of Spark alone is no one's doing
	Tiers []float64 `json:"tiers"`
	// Null and Difference are Again - Plain and Tiers - Plain of the same round.
	Null       middle `json:"null"`
	Difference middle `json:"difference"`
}

// middle is the median of some differences, the smallest and the largest.
type middle struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// middleOf sorts n differences: the median of all that could be drawn lies between Low and High
// with a probability of 1 - 2^(1-n) (sign test).
func middleOf(v []float64) middle {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return middle{}
	}
	return middle{Median: (s[(n-1)/2] + s[n/2]) / 2, Low: s[0], High: s[n-1]}
}

// runIdle runs the stages whose tasks come and go quickly, and those that leave slots empty at
// their end.
func runIdle(ctx context.Context, o options, r *results) error {
	order := rand.New(rand.NewPCG(o.seed, 1))
	r.Idle = &idle{}
	for _, s := range stages {
		if !o.chooses(s) || s.Speculation {
			continue
		}
		out := idleStage{Stage: s.Name}
		variants := []struct {
			name  string
			plain bool
			into  *[]float64
		}{{"plain", true, &out.Plain}, {"again", true, &out.Again}, {"tiers", false, &out.Tiers}}
		for round := range o.rounds {
			order.Shuffle(len(variants), func(i, k int) { variants[i], variants[k] = variants[k], variants[i] })
			for _, v := range variants {
				schedule, err := o.runSchedule(ctx, s, v.name, v.plain)
				if err != nil {
					return fmt.Errorf("stage %s, %s: %w", s.Name, v.name, err)
				}
				*v.into = append(*v.into, schedule.Idle())
				fmt.Fprintf(os.Stderr, "round %d of %d, %s, %s: %d tasks in %d slots, idle %.4f of %.2f s\n",
					round+1, o.rounds, s.Name, v.name, schedule.Tasks, schedule.Slots, schedule.Idle(), schedule.Span.Seconds())
			}
		}
		out.compare()
		r.Idle.Stages = append(r.Idle.Stages, out)
	}
	r.Idle.figures(r.Figures)
	return nil
}

func (s *idleStage) compare() {
	null, difference := make([]float64, len(s.Plain)), make([]float64, len(s.Plain))
	for i, plain := range s.Plain {
		null[i], difference[i] = s.Again[i]-plain, s.Tiers[i]-plain
	}
	s.Null, s.Difference = middleOf(null), middleOf(difference)
}

// figures gives the difference farthest from 0, in points of the slots' time, beside how far two
// sessions of Spark alone are apart.
func (d *idle) figures(to map[string]float64) {
	if len(d.Stages) == 0 {
		return
	}
	far := func(s idleStage) float64 { return max(s.Difference.Median, -s.Difference.Median) }
	worst := slices.MaxFunc(d.Stages, func(a, b idleStage) int { return cmp.Compare(far(a), far(b)) })
	to["idle_share_difference"], to["idle_share_difference_low"], to["idle_share_difference_high"] = worst.Difference.Median, worst.Difference.Low, worst.Difference.High
	to["idle_share_null_low"], to["idle_share_null_high"] = worst.Null.Low, worst.Null.High
}

// runSchedule runs a statement in a session of its own and returns how its longest stage filled the
// slots.
func (o options) runSchedule(ctx context.Context, s stage, name string, plain bool) (session.Schedule, error) {
	settings := session.Settings{
		Planflame: o.planflame, Plain: plain, Spark: o.spark, Job: "test/jobs/passes.py", Rates: liveDesigns[liveTiers].Flags, Conf: s.conf(), Master: o.master,
		Dir: filepath.Join(o.dir, "idle", fileName(s.Name), name),
	}
	spec := session.Spec{Tables: tables(o.data), Setup: []string{s.SQL(warm), s.SQL(warm), s.SQL(warm)}, Statements: []session.Statement{s.statement()}, Passes: 1, Seed: 1}
	executions, err := session.Run(ctx, settings, spec, func(string) {})
	if err != nil {
		return session.Schedule{}, err
	}
	if len(executions) != 1 || executions[0].Schedule.Tasks == 0 {
		return session.Schedule{}, fmt.Errorf("%d executions, not one with a stage", len(executions))
	}
	return executions[0].Schedule, nil
}

package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/pflag"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// tiers say how closely which tasks are sampled.
type tiers struct {
	base     int // Hz, of every task; -1: --hz says it
	detail   int // Hz more, of selected tasks
	fraction float64
	least    uint32
	seed     uint64 // 0: drawn again for every run
	tail     float64
	runs     float64 // π of a run: of an SQL execution
}

const (
	defaultDetailHz = 200
	defaultLeast    = 3
)

// defaultTiers are those without a flag.
func defaultTiers() tiers {
	return tiers{base: -1, detail: defaultDetailHz, least: defaultLeast, runs: 1}
}

func (t *tiers) flags(f *pflag.FlagSet) {
	d := defaultTiers()
	f.IntVar(&t.base, "base-hz", d.base, "samples per second of every task's CPU, instead of --hz; 0: of selected tasks only")
	f.IntVar(&t.detail, "detail-hz", d.detail, fmt.Sprintf("more samples per second of selected tasks, %d to %d", minHz, maxHz))
	f.Float64Var(&t.fraction, "task-fraction", 0, "part of each stage's partitions whose tasks are sampled at --detail-hz too, 0 to 1")
	f.Uint32Var(&t.least, "min-tasks-per-stage", d.least, "select at least so many partitions of a stage, if any")
	f.Uint64Var(&t.seed, "seed", 0, "seed of the selection and of the draw of runs; 0: a new one for each job")
	f.Float64Var(&t.runs, "run-fraction", d.runs, "part of the runs (SQL executions) that is sampled, above 0, up to 1")
	f.Float64Var(&t.tail, "tail", 0, "sample a task at --detail-hz once it has used this many times the CPU of its stage's median task; 0: never")
}

// settle fills in what other flags say and refuses what cannot work.
func (t *tiers) settle(hz int) error {
	if t.base < -1 || t.base > maxHz {
		return fmt.Errorf("--base-hz %d is not in 0 to %d", t.base, maxHz)
	}
	if t.base < 0 {
		t.base = hz
	}
	switch {
	case !(t.fraction >= 0 && t.fraction <= 1):
		return fmt.Errorf("--task-fraction %v is not in 0 to 1", t.fraction)
	case t.detail < minHz || t.detail > maxHz:
		return fmt.Errorf("--detail-hz %d is not in %d to %d", t.detail, minHz, maxHz)
	case t.base == 0 && t.fraction == 0:
		return fmt.Errorf("--base-hz 0 samples selected tasks only, and --task-fraction is 0")
	case !(t.runs > 0 && t.runs <= 1):
		return fmt.Errorf("--run-fraction %v is not more than 0 and at most 1", t.runs)
	case t.tail != 0 && !(t.tail >= 1):
		return fmt.Errorf("--tail %v is not 0, or 1 or more", t.tail)
	}
	if t.seed == 0 {
		t.seed = rand.Uint64()
	}
	return nil
}

// detailed reports whether any task may be at the detail rate.
func (t *tiers) detailed() bool { return t.fraction > 0 || t.tail > 0 }

// detailHz is the detail rate, 0 where no task can be at it.
func (t *tiers) detailHz() float64 {
	if !t.detailed() {
		return 0
	}
	return float64(t.detail)
}

// runFraction is π of runs, 0 where all are sampled.
func (t *tiers) runFraction() float64 {
	if t.runs == 1 {
		return 0
	}
	return t.runs
}

// apply sets what the sampler is to do.
func (t *tiers) apply(s *sampler.Settings) {
	s.BasePeriod = sampler.NoBase
	if t.base > 0 {
		s.BasePeriod = time.Second / time.Duration(t.base)
	}
	if t.detailed() {
		s.DetailPeriod = time.Second / time.Duration(t.detail)
	}
	s.StackBytes = stackBytes(s.BasePeriod, s.DetailPeriod)
	s.Seed, s.RunFraction = t.seed, t.runs
	if !t.detailed() {
		return
	}
	s.Fraction, s.MinTasksPerStage = t.fraction, t.least
	if t.tail > 0 {
		fixed := tasksample.Fixed{BaseHz: float64(t.base), DetailHz: float64(t.detail), Fraction: t.fraction, Least: t.least}
		s.Rates = tasksample.NewTail(fixed, t.tail)
	}
}

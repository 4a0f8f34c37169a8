package main

import (
	"flag"
	"fmt"
	"time"

	"github.com/planflame/planflame/shift/internal/scenario"
)

// single is the command line of the part alone: one query, as it was measured.
type single struct {
	runSD, operatorSD, samples, share, alarms float64
	history, within                           int
	every                                     time.Duration
}

func (s *single) flags() {
	flag.Float64Var(&s.runSD, "run-sd", 0.03, "standard deviation of the log of a run's CPU, of alone")
	flag.Float64Var(&s.operatorSD, "operator-sd", 0.02, "… of an operator's, beside the run's and without sampling, of alone")
	flag.Float64Var(&s.samples, "samples", 2000, "samples of a run, of alone")
	flag.Float64Var(&s.share, "share", 0.5, "of the shifted operator in the run's CPU, of alone")
	flag.Float64Var(&s.alarms, "alarms", 1, "alarms_per_week, of alone")
	flag.IntVar(&s.history, "history", 12, "runs before the shift, of alone")
	flag.IntVar(&s.within, "within", 10, "runs after it, of alone")
	flag.DurationVar(&s.every, "every", 24*time.Hour, "time between runs, of alone")
}

// sizes are the shifts of the part alone; 0 counts alarms without one.
var sizes = []float64{0, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 3}

func (o *options) alone(r *result) error {
	noise := scenario.Realistic()
	noise.Common, noise.Operator, noise.Rows, noise.Growth, noise.Jump = o.single.runSD, o.single.operatorSD, 0, 0, 0
	for _, size := range sizes {
		one, err := scenario.Alone(o.seed*1_000_000, o.trials, scenario.Single{Shift: size, Share: o.single.share, Samples: o.single.samples, History: o.single.history,
			Within: o.single.within, Every: o.single.every, Alarms: o.single.alarms, Noise: noise})
		if err != nil {
			return err
		}
		r.Alone = append(r.Alone, one)
		fmt.Println(one)
	}
	return nil
}

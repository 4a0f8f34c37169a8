// Command simulate measures how often shifts are found and how often there is an alarm without one, on invented histories with known truth.
//
//	go run ./shift/internal/simulate -part null -operator-runs 1000000
//	go run ./shift/internal/simulate -part power -trials 1000
//	go run ./shift/internal/simulate -part levels
//	go run ./shift/internal/simulate -part mend
//	go run ./shift/internal/simulate -part null -restart 12 -cold 5
//	go run ./shift/internal/simulate -part power -restart 12 -cold 5
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/planflame/planflame/shift/internal/scenario"
)

// options are the command line.
type options struct {
	part, out            string
	operatorRuns, trials int
	pages, cold          float64
	restart              int
	seed                 uint64
}

func main() {
	var o options
	flag.StringVar(&o.part, "part", "all", "null, power, levels, mend or all")
	flag.IntVar(&o.operatorRuns, "operator-runs", 1_000_000, "judged operator-runs of the null part")
	flag.Float64Var(&o.pages, "pages", 1, "budget of false alarms of the null part: a week at 200,000 operator-runs a day")
	flag.IntVar(&o.trials, "trials", 1000, "shifts of each case of the power part, draws of the mend part")
	flag.IntVar(&o.restart, "restart", 0, "runs of an application, of null and power; 0: one has all")
	flag.Float64Var(&o.cold, "cold", 0, "by up to how many times an application's first runs are dearer, of null and power; 0: they are not")
	flag.Uint64Var(&o.seed, "seed", 1, "of all random numbers")
	flag.StringVar(&o.out, "out", "", "file for the figures as JSON")
	flag.Parse()
	if err := o.simulate(); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

type result struct {
	Null   *scenario.NullResult   `json:"null,omitempty"`
	Power  []scenario.PowerResult `json:"power,omitempty"`
	Levels []scenario.LevelResult `json:"levels,omitempty"`
	Mend   []scenario.MendResult  `json:"mend,omitempty"`
}

func (o *options) simulate() error {
	if o.restart < 0 || o.cold != 0 && (o.cold < 1 || o.restart == 0) {
		return fmt.Errorf("-restart %d, -cold %g: applications that begin anew, and a factor of 1 or more", o.restart, o.cold)
	}
	var r result
	parts := []struct {
		name string
		run  func(*result) error
	}{{"levels", o.levels}, {"mend", o.mend}, {"power", o.power}, {"null", o.null}}
	known := o.part == "all"
	for _, p := range parts {
		if o.part != "all" && o.part != p.name {
			continue
		}
		known = true
		if err := p.run(&r); err != nil {
			return err
		}
	}
	if !known {
		return fmt.Errorf("-part %q: want null, power, levels, mend or all", o.part)
	}
	return r.write(o.out)
}

func (o *options) levels(r *result) error {
	r.Levels = scenario.Levels(o.seed)
	for _, l := range r.Levels {
		fmt.Println(l)
	}
	return nil
}

func (o *options) mend(r *result) error {
	for _, c := range scenario.MendCases() {
		m, err := scenario.Mend(o.seed, o.trials, c)
		if err != nil {
			return err
		}
		r.Mend = append(r.Mend, m)
		fmt.Println(m)
	}
	return nil
}

func (o *options) power(r *result) error {
	for _, c := range scenario.Cases() {
		c.Noise.Restart, c.Noise.Cold = o.restart, o.cold
		p, err := scenario.Power(o.seed, o.trials, c)
		if err != nil {
			return err
		}
		r.Power = append(r.Power, p)
		fmt.Println(p)
	}
	return nil
}

func (o *options) null(r *result) error {
	r.Null = &scenario.NullResult{}
	noise := scenario.Realistic()
	noise.Restart, noise.Cold = o.restart, o.cold
	for n := uint64(0); r.Null.OperatorRuns < o.operatorRuns; n++ {
		one, err := scenario.Null(o.seed*1000+n, 100, 200, o.pages, noise)
		if err != nil {
			return err
		}
		r.Null.Add(one)
		fmt.Printf("null: %d operator-runs judged of %d, %d pages, at most %.2f a week at 200,000 a day (95 %%); events %v, status %v, intervals hold %.2f %%\n",
			r.Null.OperatorRuns, r.Null.All, r.Null.Pages, r.Null.WeeklyUpper, r.Null.Events, r.Null.Status, 100*r.Null.Covered)
		for _, a := range one.Alarms {
			fmt.Println("  ", a)
		}
	}
	return nil
}

// write writes the figures, where a file is wanted.
func (r *result) write(out string) error {
	if out == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the figures: %w", err)
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

// Command simulate measures how often shifts are found and how often there is an alarm without one,
// on invented histories with known truth.
//
//	go run ./shift/internal/simulate -part null -operator-runs 1000000
//	go run ./shift/internal/simulate -part power -trials 1000
//	go run ./shift/internal/simulate -part mend
//	go run ./shift/internal/simulate -part alone -run-sd 0.03 -operator-sd 0.02 -samples 2000 -share 0.5 -history 12 -every 24h
//	go run ./shift/internal/simulate -part null -restart 12 -cold 5
//	go run ./shift/internal/simulate -part power -restart 12 -cold 5
//	go run ./shift/internal/simulate -part null -join 0.1 -cold 5
//	go run ./shift/internal/simulate -part null -join 0.1 -cold 5 -blind
//	go run ./shift/internal/simulate -part power -join 0.1 -cold 5
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/internal/scenario"
)

// options are the command line.
type options struct {
	part, out, only      string
	without              string
	operatorRuns, trials int
	pages, cold          float64
	lean, tail, rho      float64
	far, farAgain        float64
	slower, moves        float64
	every                time.Duration
	join, joinMost       float64
	queries, runs        int
	executors            int
	restart              int
	blind                bool
	seed                 uint64
	single               single
}

func main() {
	var o options
	flag.StringVar(&o.part, "part", "all", "null, power, mend, alone or all")
	flag.IntVar(&o.operatorRuns, "operator-runs", 1_000_000, "judged operator-runs of the null part")
	flag.Float64Var(&o.pages, "pages", 1, "budget of false alarms of the null part: a week at 200,000 operator-runs a day")
	flag.IntVar(&o.trials, "trials", 1000, "shifts of each case of the power part, draws of the mend part")
	flag.IntVar(&o.restart, "restart", 0, "runs of an application, of null and power; 0: one has all")
	flag.Float64Var(&o.cold, "cold", 0, "by up to how many times an application's first runs are more expensive, of null and power; 0: they are not")
	flag.Float64Var(&o.join, "join", 0, "probability that executors leave before a run and as many join, of null and power; what -cold makes more expensive is then their part of a run")
	flag.Float64Var(&o.joinMost, "join-most", 1, "share of an application's executors that may join at once")
	flag.IntVar(&o.executors, "executors", 8, "executors of an application at a time, with -join")
	flag.BoolVar(&o.blind, "blind", false, "executors do not tell their CPU, of null and power: ages are those in the application alone")
	flag.Float64Var(&o.lean, "lean", 0, "standard deviation of the operators' loadings on the run as a whole, of null and power")
	flag.Float64Var(&o.tail, "tail", 5, "degrees of freedom of the t of the operators' noise, above 2, of null and power; 0: normal")
	flag.Float64Var(&o.rho, "rho", 0.3, "correlation of an operator's noise in neighboring runs, of null and power")
	flag.Float64Var(&o.far, "far", 0.0005, "probability that an operator strays in a run, of null and power")
	flag.Float64Var(&o.farAgain, "far-again", 0, "… and in the next run, too, if it did in one")
	flag.Float64Var(&o.slower, "slower", 0, "by how many times queries are slower for good from the middle of their runs on, of null")
	flag.Float64Var(&o.moves, "moves", 0, "share of an operator's cost that moves to its neighbor in the middle of a query's runs, of null")
	flag.DurationVar(&o.every, "between", 0, "time between runs of a query, of null; 0: an hour")
	flag.StringVar(&o.without, "without", "", "rules of the judge that are switched off, separated by commas: "+strings.Join(shift.Rules(), ", "))
	flag.StringVar(&o.only, "case", "", "only the cases of the power part whose name has this")
	flag.IntVar(&o.queries, "queries", 100, "queries of a fleet of the null part")
	flag.IntVar(&o.runs, "runs", 200, "runs of each query of the null part")
	flag.Uint64Var(&o.seed, "seed", 1, "of all random numbers")
	flag.StringVar(&o.out, "out", "", "file for the figures as JSON")
	o.single.flags()
	flag.Parse()
	if err := o.simulate(); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

type result struct {
	Null  *scenario.NullResult    `json:"null,omitempty"`
	Power []scenario.PowerResult  `json:"power,omitempty"`
	Mend  []scenario.MendResult   `json:"mend,omitempty"`
	Alone []scenario.SingleResult `json:"alone,omitempty"`
}

func (o *options) simulate() error {
	if o.lean < 0 || o.tail != 0 && o.tail <= 2 || !(o.rho >= 0 && o.rho < 1) {
		return fmt.Errorf("-lean %g, -tail %g, -rho %g: want 0 or more, 0 or more than 2, 0 to less than 1", o.lean, o.tail, o.rho)
	}
	if o.restart < 0 || o.cold != 0 && (o.cold < 1 || o.restart == 0 && o.join == 0) {
		return fmt.Errorf("-restart %d, -join %g, -cold %g: applications that begin again or executors that join, and a factor of 1 or more", o.restart, o.join, o.cold)
	}
	if !(o.join >= 0 && o.join <= 1) || !(o.joinMost > 0 && o.joinMost <= 1) || o.executors < 1 || o.queries < 1 || o.runs < 1 {
		return fmt.Errorf("-join %g, -join-most %g, -executors %d, -queries %d, -runs %d: want shares of 1 at most, and one of each or more", o.join, o.joinMost, o.executors,
			o.queries, o.runs)
	}
	scenario.Without = o.without
	var r result
	parts := []struct {
		name string
		run  func(*result) error
	}{{"mend", o.mend}, {"power", o.power}, {"alone", o.alone}, {"null", o.null}}
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
		return fmt.Errorf("-part %q: want null, power, mend, alone or all", o.part)
	}
	return r.write(o.out)
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
	cases := scenario.Cases()
	if o.join > 0 {
		cases = scenario.JoinCases()
	}
	for _, c := range cases {
		if !strings.Contains(c.Name, o.only) {
			continue
		}
		o.spoil(&c.Noise)
		p, err := scenario.Power(o.seed, o.trials, c)
		if err != nil {
			return err
		}
		r.Power = append(r.Power, p)
		fmt.Println(p)
		if o.join > 0 {
			fmt.Printf("   within 2, 3, 5, 10 runs: %.1f, %.1f, %.1f, %.1f %%\n", 100*p.Share(2), 100*p.Share(3), 100*p.Share(5), 100*p.Share(10))
		}
	}
	return nil
}

// spoil has applications and executors come and go, and operators vary, as the command line says.
func (o *options) spoil(n *scenario.Noise) {
	n.Lean, n.Tail, n.Correlation = max(n.Lean, o.lean), o.tail, o.rho
	n.Far, n.FarAgain, n.Slower, n.Moves, n.Every = o.far, o.farAgain, o.slower, o.moves, o.every
	n.Restart, n.Cold, n.Join, n.JoinMost, n.Executors, n.Blind = o.restart, o.cold, o.join, o.joinMost, o.executors, o.blind
}

func (o *options) null(r *result) error {
	r.Null = &scenario.NullResult{}
	noise := scenario.Realistic()
	o.spoil(&noise)
	for n := uint64(0); r.Null.OperatorRuns < o.operatorRuns; n++ {
		one, err := scenario.Null(o.seed*1000+n, o.queries, o.runs, o.pages, noise)
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

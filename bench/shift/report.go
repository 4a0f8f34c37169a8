package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/report"
)

// results are what is written.
type results struct {
	Figures  map[string]float64 `json:"figures"`
	Command  string             `json:"command"`
	Started  time.Time          `json:"started"`
	Seconds  float64            `json:"seconds"`
	Spark    string             `json:"spark"`
	Hz       int                `json:"hz"`
	Seed     int64              `json:"seed"`
	Sessions []string           `json:"sessions"`
	Missing  int                `json:"executions_without_costs"`
	Dropped  int                `json:"points_without_sense"`
	Null     *null              `json:"null"`
	// Cold is the same with the runs that warm up each JVM.
	Cold *null `json:"null_with_first_runs"`
	// Joining is the same of the session in which executors come and go, by itself; nil without
	// one.
	Joining *joiners `json:"joining,omitempty"`
	Power   []power  `json:"power"`
	// Spiked are operators of runs as always whose costs were multiplied after the fact: real
	// noise, an invented shift.
	Spiked []power  `json:"spiked"`
	Causes []*cause `json:"causes"`
	Missed []string `json:"missed"` // figures that could not be had, and why
}

// judge judges what was recorded.
func (o *options) judge(r *results) error {
	rs, err := load(o.dir)
	if err != nil {
		return err
	}
	for _, dir := range o.also {
		if err := rs.accuracy(dir); err != nil {
			return fmt.Errorf("-also: %w", err)
		}
	}
	r.Sessions, r.Missing, r.Dropped, r.Hz = rs.Sessions, rs.Missing, rs.Dropped, rs.Hz
	if r.Null, err = judgeNull(rs.these((*sparkRun).asAlways)); err != nil {
		return err
	}
	if r.Cold, err = judgeNull(rs.these(func(r *sparkRun) bool { return r.Kind == usual && r.Cause == "" && !r.Slow })); err != nil {
		return err
	}
	if r.Joining, err = judgeJoiners(rs); err != nil {
		return err
	}
	nulls := []*null{r.Null, r.Cold}
	if r.Joining != nil {
		fmt.Println(r.Joining)
		nulls = append(nulls, r.Joining.null)
	}
	for _, n := range nulls {
		fmt.Println(n)
		for _, a := range n.Alarms {
			fmt.Println("   ", a)
		}
	}
	if r.Causes, err = judgeCauses(rs); err != nil {
		return err
	}
	if r.Power, err = judgePower(rs, o); err != nil {
		return err
	}
	if r.Spiked, err = judgeSpiked(rs, o); err != nil {
		return err
	}
	r.figures()
	return errors.Join(r.merge(filepath.Dir(o.out)), r.simulated(filepath.Join(o.dir, "simulated.json")))
}

// goals are about single operators: that much more expensive, found within so many runs where
// runs vary by so much or less.
var goals = []struct {
	key     string
	percent int
	cv      float64
	within  int
}{
	{"found_20pct_cv3", 20, 0.03, 2},
	{"found_20pct_cv5", 20, 0.05, 3},
	{"found_10pct_cv3", 10, 0.03, 5},
}

// figures are the stable keys.
func (r *results) figures() {
	f := r.Figures
	f["false_alarms"], f["null_operator_runs"], f["false_rate_95"] = float64(len(r.Null.Alarms)), float64(r.Null.OperatorRuns), r.Null.Upper
	f["null_spread_p_value"], f["null_spread_p_value_clustered"], f["null_spread"] = r.Null.P, r.Null.Clustered, r.Null.Spread
	f["interval_coverage"] = r.Null.Covered
	f["first_run_alarms"], f["first_run_operator_runs"] = float64(len(r.Cold.Alarms)), float64(r.Cold.OperatorRuns)
	if j := r.Joining; j != nil {
		f["joining_alarms"], f["joining_operator_runs"], f["joining_null_spread"] = float64(len(j.Alarms)), float64(j.OperatorRuns), j.Spread
		f["joining_executors"], f["joining_runs_with_newcomers"] = float64(j.Executors), j.WithNew
	}
	benign := 0
	for _, c := range r.Causes {
		if c.Benign {
			benign += len(c.Alarms)
		}
	}
	f["benign_change_alarms"] = float64(benign)
	var cvs []float64
	for _, q := range r.Null.Queries {
		cvs = append(cvs, q.CV)
	}
	f["run_cv"] = middle(cvs)
	r.found()
}

// found sets the shares of shifts found, over sessions and operators alike: for the goals the
// shares of the class of CV, and besides of all.
func (r *results) found() {
	var single []power
	for _, p := range r.Power {
		if p.Sessions != "all" {
			single = append(single, p)
		}
	}
	for prefix, all := range map[string][]power{"found": single, "spiked": r.Spiked} {
		for _, percent := range []int{10, 20, 50} {
			for _, w := range within[1:] {
				if n, share, small := shareOf(all, percent, w, 1e9); n > 0 {
					key := fmt.Sprintf("%s_%dpct_within%d", prefix, percent, w)
					r.Figures[key], r.Figures[key+"_small_fleet"] = share, small
				}
			}
		}
		for _, g := range goals {
			key := prefix + strings.TrimPrefix(g.key, "found")
			n, share, _ := shareOf(all, g.percent, g.within, g.cv)
			if n == 0 {
				r.Missed = append(r.Missed, fmt.Sprintf("%s: no runs varied by %.0f %% or less", key, 100*g.cv))
				continue
			}
			r.Figures[key], r.Figures[key+"_operators"] = share, float64(n)
		}
	}
	slices.Sort(r.Missed)
	for _, p := range r.Power {
		if p.Sessions != "all" {
			r.Figures["burn_run_cv_"+p.Sessions] = p.CV
		}
	}
}

// shareOf counts the operators whose queries' runs vary by at most a CV. It also returns how often
// their shifts were found, in a large fleet and in a small one.
func shareOf(all []power, percent, within int, cv float64) (n int, share, small float64) {
	for _, p := range all {
		if p.Percent == percent && p.CV <= cv {
			n, share, small = n+1, share+p.Found[within], small+p.Small[within]
		}
	}
	return n, share / float64(max(n, 1)), small / float64(max(n, 1))
}

// merge takes over figures that tests of the whole have written beside the report.
func (r *results) merge(dir string) error {
	for file, keys := range map[string][]string{"alert.json": {"alert_50pct_seconds", "alert_25pct_seconds"}, "dashboards.json": {"dashboard_queries_answered_share"}} {
		var other struct {
			Figures map[string]float64 `json:"figures"`
		}
		text, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) {
			r.Missed = append(r.Missed, fmt.Sprintf("%v: %s is not there", keys, file))
			continue
		}
		if err = errors.Join(err, json.Unmarshal(text, &other)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, k := range keys {
			v, ok := other.Figures[k]
			if !ok {
				return fmt.Errorf("%s: has no figure %s", file, k)
			}
			r.Figures[k] = v
		}
	}
	return nil
}

// simulated takes over the figures of shift/internal/simulate.
func (r *results) simulated(path string) error {
	var sim struct {
		Null *struct {
			OperatorRuns float64 `json:"null_operator_runs"`
			Alarms       float64 `json:"false_alarms"`
		} `json:"null"`
		Power []struct {
			Name  string
			Goal  float64
			Found float64
		} `json:"power"`
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.Missed = append(r.Missed, "simulated_…: "+path+" is not there")
		return nil
	}
	if err = errors.Join(err, json.Unmarshal(text, &sim)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, p := range sim.Power {
		if p.Goal > 0 {
			r.Figures["simulated_"+p.Name] = p.Found
		}
	}
	if sim.Null != nil {
		r.Figures["simulated_false_alarms"], r.Figures["simulated_null_operator_runs"] = sim.Null.Alarms, sim.Null.OperatorRuns
	}
	return nil
}

// print lists the figures.
func (r *results) print() {
	report.Figures(os.Stdout, r.Figures)
	for _, m := range r.Missed {
		fmt.Println("missing:", m)
	}
}

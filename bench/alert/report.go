package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/planflame/planflame/bench/internal/recorder"
	"github.com/planflame/planflame/bench/internal/report"
	"github.com/planflame/planflame/collector-connector/sparkshift"
	"github.com/planflame/planflame/shift"
)

// results are build/bench/alert.json. Live and Replayed are of real runs, Simulated is of invented
// ones.
type results struct {
	Figures   map[string]float64 `json:"figures"`
	About     string             `json:"about"`
	Command   string             `json:"command"`
	Seconds   float64            `json:"seconds"`
	Machine   machine            `json:"machine"`
	Early     []string           `json:"alerts_before_the_shift"`
	Live      []live             `json:"live"`
	Simulated []simulated        `json:"simulated"`
}

const about = "config/collector.yaml and config/operator-costs.yaml as shipped (20 Hz on all tasks, 200 Hz on 5 %, windows of 15 s), config/prometheus as shipped but for addresses; each application is a JVM of its own"

// live is what became of one query's shift.
type live struct {
	Query    string  `json:"query"`
	Operator string  `json:"operator"`
	Percent  int     `json:"percent"`  // more letters
	Share    float64 `json:"share"`    // of the operator in the query's CPU, as always
	TaskCPU  float64 `json:"task_cpu"` // seconds of a run as always, median, Spark's own account
	Wall     float64 `json:"seconds"`  // of a run as always, median
	Before   int     `json:"runs_as_always"`
	Shifted  int     `json:"runs_shifted"`
	// Ratio is how much more CPU the operator really used: the growth of the tasks' CPU by Spark's
	// account, over the operator's CPU as always.
	Ratio     float64 `json:"ratio"`
	Estimated float64 `json:"estimated_ratio"` // by samples, mean of the logs
	Samples   float64 `json:"samples"`         // of the operator in a run as always, median
	Sampling  float64 `json:"sampling_cv"`     // of the operator in a run, as stated, median
	RunCV     float64 `json:"run_cv"`          // of the runs' task CPU as always
	OwnCV     float64 `json:"operator_cv"`     // of the operator's CPU as always, sampling included
	// Alert is the first alert's operator; "" if none came. AlertSeconds counts from the end of the
	// first shifted run.
	Alert        string  `json:"alert"`
	AlertSeconds float64 `json:"alert_seconds"`
	// Runs is how many shifted runs were judged when the shift was told.
	Runs int `json:"found_within_runs"`
	// Nightly is the same if the same runs had been a day apart, judged again without
	// minimum_core_hours. 0: not found.
	Nightly int `json:"found_within_runs_a_day_apart"`
	// CoreHours is what the shift would waste in a week of one run a day.
	CoreHours float64 `json:"core_hours_per_week_of_nightly_runs"`
}

// report joins what ran with what the Collector said of it.
func (o *options) report(ctx context.Context, r *record) (*results, error) {
	requests, err := recorder.Read(filepath.Join(o.dir, "requests.jsonl"))
	if err != nil {
		return nil, err
	}
	told, err := readEvents(filepath.Join(o.dir, "collector.log"))
	if err != nil {
		return nil, err
	}
	all, dropped := sparkshift.Runs(requests, time.Now())
	if dropped > 0 {
		return nil, fmt.Errorf("%s: %d points make no sense", o.dir, dropped)
	}
	byID := map[shift.RunID]*shift.Run{}
	for _, run := range all {
		byID[run.ID] = run
	}
	out := &results{Figures: map[string]float64{"bench_seconds": r.Seconds}, About: about, Seconds: r.Seconds, Machine: r.Machine, Early: []string{}}
	for _, a := range r.Early {
		out.Early = append(out.Early, a.Said["summary"])
	}
	for _, q := range queries {
		runs, err := joined(q.name, r.Executions, byID)
		if err != nil {
			return nil, err
		}
		l, err := q.describe(runs)
		if err != nil {
			return nil, err
		}
		if l.Nightly, err = replay(runs, l.Operator); err != nil {
			return nil, err
		}
		l.find(runs, r.Alerts[q.name], told)
		out.Live = append(out.Live, l)
		key := fmt.Sprintf("alert_%dpct_", q.percent)
		out.Figures[key+"runs"], out.Figures[key+"runs_a_day_apart"] = float64(l.Runs), float64(l.Nightly)
		if l.Alert == l.Operator {
			out.Figures[key+"seconds"] = l.AlertSeconds
		}
	}
	out.Simulated, err = o.simulate(ctx, out.Live)
	return out, err
}

// nightRun is one run of a query: what Spark says of it, and what the Collector did.
type nightRun struct {
	execution
	*shift.Run
}

// joined are the runs of a query in the order in which they ran.
func joined(query string, executions []execution, byID map[shift.RunID]*shift.Run) (out []nightRun, err error) {
	for _, e := range executions {
		if e.Query != query {
			continue
		}
		run := byID[shift.RunID{Application: e.Application, Execution: e.Execution}]
		if run == nil {
			return nil, fmt.Errorf("%s of application %d: the Collector told nothing of %s/%d", query, e.Night, e.Application, e.Execution)
		}
		out = append(out, nightRun{e, run})
	}
	return out, nil
}

// cost is the operator's in a run.
func (r nightRun) cost(operator string) (c shift.Cost) {
	for _, o := range r.Run.Operators {
		if o.Operator == operator && o.CPU > c.CPU {
			c = o
		}
	}
	return c
}

// describe says how the runs of a query were, and how its operator changed. The operator is the one
// of the query's role with most CPU.
func (q query) describe(runs []nightRun) (live, error) {
	out := live{Query: q.name, Percent: q.percent}
	var cpu, wall, logCPU, own, sampling, samples, share, shiftedCPU, shiftedOwn, operatorCPU []float64
	for _, r := range runs {
		if out.Operator == "" {
			best := shift.Cost{}
			for _, o := range r.Run.Operators {
				if o.Role() == q.role && o.CPU > best.CPU {
					best = o
				}
			}
			out.Operator = best.Operator
		}
		c := r.cost(out.Operator)
		if c.CPU == 0 {
			return out, fmt.Errorf("%s of application %d: has no %s", q.name, r.Night, cmp.Or(out.Operator, q.role))
		}
		if r.Shifted {
			shiftedCPU, shiftedOwn = append(shiftedCPU, r.TaskCPU), append(shiftedOwn, math.Log(c.CPU))
			continue
		}
		cpu, wall, logCPU, own = append(cpu, r.TaskCPU), append(wall, r.Wall), append(logCPU, math.Log(r.TaskCPU)), append(own, math.Log(c.CPU))
		operatorCPU, share = append(operatorCPU, c.CPU), append(share, c.CPU/r.Run.CPU)
		sampling, samples = append(sampling, math.Sqrt(c.Variance)/c.CPU), append(samples, c.Samples)
	}
	if len(cpu) < 2 || len(shiftedCPU) == 0 {
		return out, fmt.Errorf("%s: %d runs as always and %d shifted, want 2 and 1", q.name, len(cpu), len(shiftedCPU))
	}
	out.Before, out.Shifted, out.TaskCPU, out.Wall, out.Share = len(cpu), len(shiftedCPU), report.Median(cpu), report.Median(wall), report.Median(share)
	out.Ratio = 1 + (mean(shiftedCPU)-mean(cpu))/mean(operatorCPU)
	out.Estimated = math.Exp(mean(shiftedOwn) - mean(own))
	out.RunCV, out.OwnCV, out.Sampling, out.Samples = deviation(logCPU), deviation(own), report.Median(sampling), report.Median(samples)
	out.CoreHours = 7 * (mean(shiftedCPU) - mean(cpu)) / 3600
	return out, nil
}

// find says when the shift was told and when its alert was active.
func (l *live) find(runs []nightRun, a alerted, told []event) {
	first := runs[l.Before].Run.End
	if a.Labels != nil {
		l.Alert, l.AlertSeconds = a.Labels["spark_sql_operator_id"], a.At.Sub(first).Seconds()
	}
	for _, e := range told {
		for i, r := range runs {
			if r.ID == e.run && r.Shifted && e.operator == l.Operator && l.Runs == 0 {
				l.Runs = i - l.Before + 1
			}
		}
	}
}

// event is an alarm in the Collector's log.
type event struct {
	run      shift.RunID
	operator string
}

// readEvents reads the alarms from a Collector's log.
func readEvents(path string) (out []event, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		value := func(key string) string {
			_, after, _ := strings.Cut(line, " spark."+key+"=")
			v, _, _ := strings.Cut(after, " ")
			return v
		}
		if kind := value("sql.cost.event"); kind != string(shift.Shift) && kind != string(shift.Drift) {
			continue
		}
		e := event{shift.RunID{Application: value("application.id")}, value("sql.operator.id")}
		if _, err := fmt.Sscan(value("sql.execution.id"), &e.run.Execution); err != nil {
			return nil, fmt.Errorf("%s: execution of an event %.80q: %w", path, line, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// replay judges a query's runs as if they had been a day apart, and returns within how many shifted
// ones an alarm names the operator; 0: none does.
func replay(runs []nightRun, operator string) (int, error) {
	set := shift.DefaultSettings()
	set.MinimumCoreHours = 0 // a job of minutes wastes less in a week of nights
	f, err := shift.NewFleet(set)
	if err != nil {
		return 0, err
	}
	shifted := 0
	for i, r := range runs {
		if r.Shifted {
			shifted++
		}
		one := *r.Run
		one.End = runs[0].Run.End.Add(time.Duration(i) * 24 * time.Hour)
		j, err := f.Add(&one, one.End)
		if err != nil {
			return 0, err
		}
		for _, e := range j.Events {
			if e.Kind.Alarm() && e.Changes[0].Operator == operator && shifted > 0 {
				return shifted, nil
			}
		}
	}
	return 0, nil
}

// print prints the shifts and the simulation's table.
func (r *results) print() {
	for _, l := range r.Live {
		fmt.Printf("%s: %s, %.0f %% of the query, %d %% more letters: %.2f times its CPU by Spark's account, %.2f by samples\n", l.Query, l.Operator, 100*l.Share, l.Percent, l.Ratio, l.Estimated)
		fmt.Printf("  a run: %.0f s of task CPU, %.0f s, %.0f samples of the operator; CV of runs %.1f %%, of the operator %.1f %%, of which sampling %.1f %%\n", l.TaskCPU, l.Wall, l.Samples,
			100*l.RunCV, 100*l.OwnCV, 100*l.Sampling)
		fmt.Printf("  after %d runs as always: told at shifted run %d of %d, alert on %q after %.0f s; told at run %d if runs are a day apart; %.3f core-hours a week then\n", l.Before, l.Runs, l.Shifted,
			l.Alert, l.AlertSeconds, l.Nightly, l.CoreHours)
	}
	for _, s := range r.Simulated {
		fmt.Printf("simulated, runs a day apart, with the noise of %s: %v\n%s", s.Query, s.Args, s.output)
	}
	fmt.Printf("%d alerts before the shift; %.0f s, machine %+v\n", len(r.Early), r.Seconds, r.Machine)
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

// deviation is the standard deviation of two values or more.
func deviation(v []float64) float64 {
	m, sum := mean(v), 0.
	for _, x := range v {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum / float64(len(v)-1))
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/cobra"

	"github.com/planflame/planflame/trial"
)

const trialLong = `Tells what a change (a Spark, a JDK, an instance type, a setting) will cost all recurring queries,
from re-runs of a few.

  planflame trial plan --prometheus http://prom:9090 --over 7d --runs 20 --name jdk25 > trial.json
  (run the queries that it names under the change, with --conf spark.planflame.label.trial=jdk25)
  planflame trial judge trial.json --prometheus http://prom:9090

Costs are read from Prometheus, or from folders of planflame run. planflame starts no re-run.`

const planLong = `Draws the queries to re-run, in proportion to their cost, and tells how sure the answer will be. The
plan goes to stdout, for trial judge; what people read goes to stderr.

Costs are of DIR …, folders of planflame run, or with --prometheus the increase of the series of the
time --over. A query takes part if it ran twice in that time at least. With one --name and the same
costs a larger draw contains the smaller.`

const judgeLong = `Tells what the change costs all queries, with its 95 % interval, from the re-runs of a plan: by kind
of operator, which operators grew most, and how many more re-runs are worth it. Re-runs are in
DIR …, folders of planflame run, or with --prometheus all runs with the label trial since the plan
was made.

Costs are compared at the old rows. Re-runs that failed or are missing widen the interval.`

func newTrial() *cobra.Command {
	cmd := &cobra.Command{Use: "trial", Short: "What a change will cost all queries, from a few re-runs", Long: trialLong}
	cmd.AddCommand(newTrialPlan(), newTrialJudge())
	return cmd
}

// source is where costs are read from.
type source struct {
	prometheus string
}

// of refuses folders beside Prometheus, and neither of them.
func (s *source) of(dirs []string) error {
	if s.prometheus == "" == (len(dirs) == 0) {
		return errors.New("want DIR …, folders of planflame run, or --prometheus URL")
	}
	return nil
}

// planning are the flags of trial plan.
type planning struct {
	source
	over, selector, name, within, like string
	runs                               int
	json                               bool
}

func newTrialPlan() *cobra.Command {
	var p planning
	cmd := &cobra.Command{
		Use: "plan [DIR …] > trial.json", Short: "Draw the queries to re-run", Long: planLong,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			f, err := p.plan(cmd.Context(), dirs, time.Now())
			if err != nil {
				return err
			}
			if err := writeJSON(os.Stdout, f); err != nil || p.json {
				return err
			}
			return planText(os.Stderr, f)
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.prometheus, "prometheus", "", "URL of the Prometheus with the series of the Collectors")
	f.StringVar(&p.over, "over", "7d", "with --prometheus: take costs of this time up to now")
	f.StringVar(&p.selector, "select", "", `with --prometheus: more matchers of series, such as 'team="margin"'`)
	f.StringVar(&p.name, "name", "", "name of the trial: the value of the label trial of its re-runs")
	f.IntVar(&p.runs, "runs", 0, "number of queries to re-run")
	f.StringVar(&p.within, "within", "", "in place of --runs: half width of the 95 % interval to reach, such as 5%")
	f.StringVar(&p.like, "like", "", "file that trial judge --json wrote: queries are taken to differ as in that trial")
	f.BoolVar(&p.json, "json", false, "write the plan alone, and nothing on stderr")
	return cmd
}

// plan reads costs and draws.
func (p *planning) plan(ctx context.Context, dirs []string, now time.Time) (*trialFile, error) {
	settings, like, err := p.settings(dirs)
	if err != nil {
		return nil, err
	}
	over, all, err := p.read(ctx, dirs, now)
	if err != nil {
		return nil, err
	}
	var usable []*trialQuery
	var queries []trial.Query
	left, leftCost := 0, 0.
	for _, q := range all.sorted() {
		cpu := q.mix()
		cost := cpu.Sum()
		if cost == 0 {
			continue
		}
		if q.id == overflow || q.runs.Count <= 0 || over > 0 && q.runs.Count < leastRecurring {
			left, leftCost = left+1, leftCost+cost
			continue
		}
		usable, queries = append(usable, q), append(queries, trial.Query{ID: q.id, CPU: cpu, Cost: cost})
	}
	drawn, err := trial.NewPlan(queries, settings)
	if err != nil {
		return nil, fmt.Errorf("plan trial %s: %w", p.name, err)
	}
	f := newTrialFile(usable, queries, drawn)
	f.Name, f.Made, f.Over, f.Like, f.LeftOut, f.LeftCost = p.name, now.UTC().Truncate(time.Second), over, like, left, leftCost
	return f, nil
}

// leastRecurring is how often a query must have run to count as recurring: twice, less what
// Prometheus' extrapolation is off by.
const leastRecurring = 1.5

func (p *planning) read(ctx context.Context, dirs []string, now time.Time) (over time.Duration, all trialQueries, err error) {
	if p.prometheus == "" {
		all, err = readFolders(dirs)
		return 0, all, err
	}
	d, err := model.ParseDuration(p.over)
	if err != nil || d <= 0 {
		return 0, nil, fmt.Errorf("--over %q: not a duration such as 7d", p.over)
	}
	server, err := newPrometheus(p.prometheus)
	if err != nil {
		return 0, nil, err
	}
	all, err = server.usual(ctx, time.Duration(d), now, p.selector)
	return time.Duration(d), all, err
}

// settings checks the flags.
func (p *planning) settings(dirs []string) (s trial.Settings, like string, err error) {
	if err := p.of(dirs); err != nil {
		return s, "", err
	}
	if p.name == "" {
		return s, "", errors.New("--name is missing: the value of the label trial of the re-runs")
	}
	s = trial.Settings{Name: p.name, Runs: p.runs}
	switch {
	case p.runs < 0:
		return s, "", fmt.Errorf("--runs %d: not above 0", p.runs)
	case p.runs > 0 == (p.within != ""):
		return s, "", errors.New("want --runs, such as 20, or --within, such as 5%")
	case p.within != "":
		x, err := strconv.ParseFloat(strings.TrimSuffix(p.within, "%"), 64)
		if err != nil || !(x > 0 && x < 100) {
			return s, "", fmt.Errorf("--within %q: not a width such as 5%%", p.within)
		}
		s.Within = x / 100
	}
	if p.like == "" {
		return s, "", nil
	}
	text, err := os.ReadFile(p.like)
	if err != nil {
		return s, "", fmt.Errorf("--like: %w", err)
	}
	var before judged
	if err := json.Unmarshal(text, &before); err != nil {
		return s, "", fmt.Errorf("--like %s: %w", p.like, err)
	}
	if before.Judgement == nil || !(before.Spread > 0) {
		return s, "", fmt.Errorf("--like %s: no spread of queries; trial judge --json writes it", p.like)
	}
	s.Spread = before.Spread
	return s, before.Name, nil
}

func newTrialJudge() *cobra.Command {
	var from source
	var asJSON bool
	cmd := &cobra.Command{
		Use: "judge TRIAL.json [DIR …]", Short: "Tell what the change costs, from the re-runs", Long: judgeLong, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := from.of(args[1:]); err != nil {
				return err
			}
			j, err := from.judge(cmd.Context(), args[0], args[1:], time.Now())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(os.Stdout, j)
			}
			return judgedText(os.Stdout, j)
		},
	}
	cmd.Flags().StringVar(&from.prometheus, "prometheus", "", "URL of the Prometheus with the series of the re-runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write everything as JSON")
	return cmd
}

func (s *source) judge(ctx context.Context, path string, dirs []string, now time.Time) (*judged, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read trial: %w", err)
	}
	defer file.Close() // read only: nothing to lose
	f, err := readTrialFile(path, file)
	if err != nil {
		return nil, err
	}
	var reruns trialQueries
	if s.prometheus == "" {
		reruns, err = readFolders(dirs)
	} else {
		var server *prometheus
		if server, err = newPrometheus(s.prometheus); err == nil {
			reruns, err = server.reruns(ctx, f.Name, f.Made, now)
		}
	}
	if err != nil {
		return nil, err
	}
	return judgeTrial(f, reruns)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(v)
}

package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/planflame/planflame/trial"
)

const (
	// coldBy is by how much the share of CPU outside operators must grow for a re-run to be called
	// cold.
	coldBy = 0.1
	// otherRows is from which part of other rows on a re-run is told.
	otherRows = 0.1
	// target is the half width that the advice is about.
	target = 0.05
	// mostGrown is how many operators are told.
	mostGrown = 5
)

// judged is what trial judge says; --json writes it.
type judged struct {
	Name   string `json:"name"`
	Drawn  int    `json:"drawn"`
	Seen   int    `json:"seen"`
	Others int    `json:"others"` // queries of the re-runs that were not drawn
	*trial.Judgement
	Failed  []judgedQuery `json:"failed,omitempty"`  // all their runs failed
	Missing []judgedQuery `json:"missing,omitempty"` // no run of theirs was seen
	Reruns  []rerunQuery  `json:"reruns"`            // by falling growth in CPU seconds
	Grown   []grown       `json:"grown,omitempty"`   // by falling growth in CPU seconds
	Next    int           `json:"next"`              // more re-runs for a 95 % interval of ± 5 %; 0: it is
	Within  float64       `json:"next_half"`         // half width to expect then
	over    string        // of the costs, "" of folders
}

type judgedQuery struct {
	ID   string `json:"query"`
	Name string `json:"query_name"`
}

// rerunQuery is a query that was seen under the change.
type rerunQuery struct {
	judgedQuery
	Runs       float64 `json:"runs"` // seen under the change
	Old        float64 `json:"old_cpu_seconds"`
	New        float64 `json:"new_cpu_seconds"` // at the old rows and number of runs
	Rows       float64 `json:"rows_ratio"`      // new rows a run over old ones
	OldOutside float64 `json:"old_outside"`     // share of CPU outside operators: compiling, loading classes
	NewOutside float64 `json:"new_outside"`
	Cold       bool    `json:"cold,omitempty"`
}

// grown is an operator that costs more.
type grown struct {
	judgedQuery
	trial.OperatorChange
	Before string `json:"flame_graph_before"` // selectors of Pyroscope
	After  string `json:"flame_graph_after"`
}

// judgeTrial holds re-runs against a plan.
func judgeTrial(f *trialFile, reruns trialQueries) (*judged, error) {
	out := &judged{Name: f.Name, Drawn: f.Runs, Others: len(reruns), Next: 0}
	queries, probability := f.asQueries()
	var seen []trial.Rerun
	for i := range f.Queries {
		q := &f.Queries[i]
		if q.Drawn == 0 {
			continue
		}
		who, r := judgedQuery{q.ID, q.Name}, reruns[q.ID]
		switch {
		case r == nil:
			out.Missing = append(out.Missing, who)
			continue
		case r.runs.Count <= 0 || len(r.runs.Operators) == 0:
			out.Others--
			if r.failed {
				out.Failed = append(out.Failed, who)
			} else {
				out.Missing = append(out.Missing, who)
			}
			continue
		}
		out.Others--
		c := trial.AtOldRows(*q.Usual, r.runs)
		seen = append(seen, trial.Rerun{Query: i, CPU: c.CPU, Other: c.Other})
		out.add(f, who, r, queries[i].Cost, &c)
	}
	out.Seen = len(seen)
	j, err := trial.Judge(queries, probability, f.Runs, seen)
	if err != nil {
		return nil, fmt.Errorf("trial %s: %w%s", f.Name, err, out.whereAre())
	}
	out.Judgement = j
	out.advise(queries)
	out.sort()
	if f.Over > 0 {
		out.over = " in " + days(f.Over)
	}
	return out, nil
}

// whereAre says what became of the other re-runs.
func (j *judged) whereAre() string {
	switch {
	case len(j.Failed) > 0:
		return fmt.Sprintf("; %d failed", len(j.Failed))
	case j.Others > 0:
		return fmt.Sprintf("; there are %d queries that were not drawn", j.Others)
	}
	return ""
}

// add adds a re-run.
func (j *judged) add(f *trialFile, who judgedQuery, r *trialQuery, cost float64, c *trial.Comparison) {
	j.Reruns = append(j.Reruns, rerunQuery{
		judgedQuery: who, Runs: r.runs.Count, Old: cost, New: c.CPU.Sum() + c.Other, Rows: c.Rows, OldOutside: c.OldOutside, NewOutside: c.NewOutside,
		Cold: c.NewOutside-c.OldOutside > coldBy,
	})
	for _, o := range c.Operators {
		if o.New > o.Old {
			j.Grown = append(j.Grown, grown{who, o, flames(who.ID, o.ID, ""), flames(who.ID, o.ID, f.Name)})
		}
	}
}

// flames selects an operator's flame graph in Pyroscope, with the labels that config/collector.yaml
// gives.
func flames(query, operator, trial string) string {
	return fmt.Sprintf("process_cpu:cpu:nanoseconds:cpu:nanoseconds{query=%q,operator=%q,trial=%q}", query, operator, trial)
}

// advise says how many more re-runs an interval of the target needs, by what this one shows of
// queries' spread.
func (j *judged) advise(queries []trial.Query) {
	cost := make([]float64, len(queries))
	for i, q := range queries {
		cost[i] = q.Cost
	}
	if half := j.Fleet.Half() / (1 + j.Fleet.Change); half > target {
		runs := max(trial.RunsFor(cost, j.Spread, target, trial.Level), min(j.Drawn+1, len(cost)))
		j.Next, j.Within = runs-j.Seen, trial.Half(cost, runs, j.Spread, trial.Level)
	}
}

func (j *judged) sort() {
	slices.SortStableFunc(j.Reruns, func(a, b rerunQuery) int { return cmp.Compare(b.New-b.Old, a.New-a.Old) })
	slices.SortStableFunc(j.Grown, func(a, b grown) int { return cmp.Compare(b.New-b.Old, a.New-a.Old) })
	j.Grown = j.Grown[:min(len(j.Grown), mostGrown)]
}

package outcome

import (
	"fmt"
	"strings"
	"time"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// Selected is a part of a recording as a Summary, for the table alone. What only a whole run has,
// such as findings, it does not have.
func Selected(r *columns.Report) Summary {
	out := Summary{
		SparkVersion: r.Meta.Spark, JDKVersion: r.Meta.JDK, Mode: r.Meta.Mode, Hz: r.Meta.Hz, DetailHz: r.Meta.DetailHz, TaskFraction: r.Meta.TaskFraction, RunFraction: r.Meta.RunFraction,
		Samples: r.Samples, CPUSeconds: r.CPUSeconds, TaskCPUSeconds: r.TaskCPUSeconds, selection: SelectionWords(r.Selection),
		Buckets: besides(r.Buckets), Outside: besides(r.Outside), children: besides(r.Children), Python: Python{WorkerCPUSeconds: r.PythonSeconds},
	}
	for _, b := range out.Outside {
		if b.Name == string(pipeline.BucketPythonFeed) {
			out.Python.WorkerCPUSeconds -= b.CPUSeconds
		}
	}
	for i := range r.Queries {
		out.Queries = append(out.Queries, selectedQuery(&r.Queries[i]))
	}
	return out
}

func besides(of []columns.BucketReport) []Bucket {
	out := []Bucket{}
	for _, b := range of {
		out = append(out, Bucket{b.Name, b.CPUSeconds})
	}
	return out
}

func selectedQuery(q *columns.QueryReport) Query {
	out := Query{Query: q.Query, QueryName: q.Name, CallSite: q.CallSite, Plan: q.Plan, SQLExecutionIDs: q.Executions, CPUSeconds: q.CPUSeconds, PythonCPUSeconds: q.Python}
	if q.Wall != nil || q.FailedRuns > 0 {
		out.Time = &QueryTime{Executions: q.Runs, FailedExecutions: q.FailedRuns}
	}
	if q.Wall != nil {
		out.Time.WallSeconds = *q.Wall
	}
	for i := range q.Operators {
		o := &q.Operators[i]
		shown := Operator{
			Stage: o.Stage, Operator: o.Operator, Name: o.Name, Line: o.Line, CPUSeconds: o.CPUSeconds, JVMCPUSeconds: o.JVM, PythonCPUSeconds: o.Python,
			CPUSecondsSE: o.SE, CI95: o.CI95, Valid: o.Valid, Why: o.Why, Share: o.Share, Samples: o.Samples, WeakShare: o.Weak, Usual: o.Usual,
			Place: Place{Order: o.Order, Depth: o.Depth, Tasks: o.Tasks, Rows: o.Rows}, replaced: o.Replaced,
		}
		for _, id := range o.Stages {
			shown.SparkStages = append(shown.SparkStages, tasksample.StageID(id))
		}
		for _, p := range o.Parts {
			if p.Part != "" {
				shown.Parts = append(shown.Parts, Part{p.Part, p.CPUSeconds})
			}
		}
		out.Operators = append(out.Operators, shown)
	}
	return out
}

// SelectionWords says what a selection narrows, "" if it narrows nothing.
func SelectionWords(s columns.Selection) string {
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if s.Query != "" {
		say("query %s", s.Query)
	}
	if s.Execution != nil {
		say("execution %d", *s.Execution)
	}
	if s.Stage != nil {
		say("stage %d", *s.Stage)
	}
	if s.Operator != "" {
		say("operator %s", s.Operator)
	}
	if s.Task != nil {
		say("task %d", *s.Task)
	}
	if s.From != 0 || s.To != 0 {
		to := "the end"
		if s.To != 0 {
			to = s.To.Round(time.Microsecond).String()
		}
		say("from %v to %s", s.From.Round(time.Microsecond), to)
	}
	if s.Search != "" {
		say("frames with %q", s.Search)
	}
	return strings.Join(parts, " · ")
}

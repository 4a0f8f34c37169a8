package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/tasksample"
)

// half is the share from which on something is most of a cost.
const half = 0.5

// worthKeeping are the roles of operators whose result is worth keeping: a scan or a filter alone
// is as cheap as reading a cache.
var worthKeeping = []string{"aggregate@", "exchange@", "join@", "sort@", "window@"}

// subplan is an operator's part in a computation, alike in all queries that make it.
type subplan struct{ hash, stage, operator string }

// twice finds subplans that two queries of an application compute.
func twice(s *outcome.Summary) (out []outcome.Finding) {
	seen := map[subplan]*outcome.Query{}
	for _, q := range inOrder(s.Queries) {
		shared := map[*outcome.Query]*outcome.Finding{}
		for i := range q.Operators {
			o := &q.Operators[i]
			if o.Subplan == "" || o.CPUSeconds <= 0 {
				continue
			}
			key := subplan{o.Subplan, o.Stage, o.Operator}
			first := seen[key]
			switch {
			case first == nil:
				seen[key] = q
			case first.Query != q.Query && together(first, q):
				if shared[first] == nil {
					shared[first] = &outcome.Finding{Query: q.Query}
				}
				shared[first].Count++
				shared[first].Seconds += o.CPUSeconds
				shared[first].Kept = shared[first].Kept || keepable(o.Operator)
				if len(o.SparkStages) > 0 && o.CPUSeconds > shared[first].Most {
					shared[first].Most, shared[first].Stage = o.CPUSeconds, &o.SparkStages[0]
				}
			}
		}
		for first, f := range shared {
			if !f.Kept {
				continue
			}
			f.Text = fmt.Sprintf("%s computes again what %s did: the same %d operators, %.2f CPU s", at(q, f.Stage), called(first), f.Count, f.Seconds)
			f.Try = "cache() what they share, or write it once and read that"
			out = append(out, *f)
		}
	}
	return out
}

// inOrder are queries by their first execution.
func inOrder(queries []outcome.Query) (out []*outcome.Query) {
	for i := range queries {
		out = append(out, &queries[i])
	}
	slices.SortStableFunc(out, func(a, b *outcome.Query) int { return int(firstExecution(a) - firstExecution(b)) })
	return out
}

func firstExecution(q *outcome.Query) int64 {
	if len(q.SQLExecutionIDs) == 0 {
		return 0
	}
	return int64(q.SQLExecutionIDs[0])
}

// together reports whether an application ran both queries: another could not have kept anything
// for it.
func together(a, b *outcome.Query) bool {
	return slices.ContainsFunc(a.Applications, func(id string) bool { return slices.Contains(b.Applications, id) })
}

func keepable(operator string) bool {
	return slices.ContainsFunc(worthKeeping, func(role string) bool { return strings.HasPrefix(operator, role) })
}

// called names a query by its name and its first execution, for names repeat.
func called(q *outcome.Query) string {
	name := q.QueryName
	if name == "" {
		name = "a query"
	}
	if len(q.SQLExecutionIDs) == 0 || q.SQLExecutionIDs[0] < 0 {
		return name
	}
	return fmt.Sprintf("%s (execution %d)", name, q.SQLExecutionIDs[0])
}

// at names a query, and the stage of it that is not nil.
func at(q *outcome.Query, stage *tasksample.StageID) string {
	if stage == nil {
		return called(q)
	}
	return fmt.Sprintf("%s, stage %d", called(q), *stage)
}

// python finds queries most of whose CPU is Python workers'.
func python(s *outcome.Summary) (out []outcome.Finding) {
	for i := range s.Queries {
		q := &s.Queries[i]
		if q.PythonCPUSeconds < half*q.CPUSeconds {
			continue
		}
		f := outcome.Finding{Query: q.Query, Seconds: q.PythonCPUSeconds, Try: "Spark's own functions instead of Python, or fewer rows and columns before it"}
		name := ""
		if k := slices.IndexFunc(q.Operators, func(o outcome.Operator) bool { return o.PythonCPUSeconds >= half*q.PythonCPUSeconds }); k >= 0 {
			o := &q.Operators[k]
			name = ", most in " + o.Name
			if strings.HasPrefix(o.Name, "BatchEvalPython") {
				f.Try = "Spark's own functions, or a pandas UDF, which gets batches instead of rows"
			}
			if len(o.SparkStages) > 0 {
				f.Stage = &o.SparkStages[0]
			}
		}
		f.Text = fmt.Sprintf("%s: Python workers use %.0f %% of its CPU, %.2f of %.2f s%s", at(q, f.Stage), 100*q.PythonCPUSeconds/q.CPUSeconds, q.PythonCPUSeconds, q.CPUSeconds, name)
		out = append(out, f)
	}
	return out
}

// schema finds the time in which Spark reads files to learn their columns. It names the query and
// the stage that cost most.
func schema(s *outcome.Summary) []outcome.Finding {
	var f outcome.Finding
	where := ""
	for i := range s.Queries {
		q := &s.Queries[i]
		for k := range q.Operators {
			o := &q.Operators[k]
			if !strings.HasPrefix(o.Name, "infer schema") {
				continue
			}
			f.Seconds += o.CPUSeconds
			if o.CPUSeconds < f.Most {
				continue
			}
			f.Most, f.Query, f.Stage = o.CPUSeconds, q.Query, nil
			if len(o.SparkStages) > 0 {
				f.Stage = &o.SparkStages[0]
			}
			where = at(q, f.Stage)
		}
	}
	if where == "" {
		return nil
	}
	f.Text = fmt.Sprintf("%s: Spark read files to infer their schema, %.2f CPU s", where, f.Seconds)
	f.Try = "give the reader a schema, with .schema(…)"
	return []outcome.Finding{f}
}

// making is the CPU that made code ready to run.
func making(s *outcome.Summary) (sum float64) {
	for _, buckets := range [][]outcome.Bucket{s.Buckets, s.Outside} {
		for _, b := range buckets {
			if b.Name == "jit" || b.Name == "codegen" || b.Name == "class loading" {
				sum += b.CPUSeconds
			}
		}
	}
	return sum
}

func isCold(s *outcome.Summary) bool {
	return s.ProcessCPUSeconds > 0 && making(s) >= half*s.ProcessCPUSeconds
}

// cold finds runs most of whose CPU made code ready to run.
func cold(s *outcome.Summary) []outcome.Finding {
	if !isCold(s) {
		return nil
	}
	sum := making(s)
	return []outcome.Finding{{
		Seconds: sum, Text: fmt.Sprintf("the JVMs used %.1f of their %.1f CPU s to compile and load code", sum, s.ProcessCPUSeconds),
		Try: "several jobs in one application: each start pays for it once",
	}}
}

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/semconv"
)

// readFolders reads what queries cost in runs of planflame: DIR/summary.json.
func readFolders(dirs []string) (trialQueries, error) {
	all := trialQueries{}
	for _, dir := range dirs {
		path := results(dir).summary()
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the results of a run: %w", err)
		}
		var s outcome.Summary
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("decode %s: %w", path, err)
		}
		for i := range s.Queries {
			all.take(&s.Queries[i])
		}
	}
	return all, nil
}

// take adds the runs of a query with one plan.
func (t trialQueries) take(from *outcome.Query) {
	if from.Query == "" {
		return
	}
	q := t.of(from.Query, from.QueryName)
	count, failed := len(from.SQLExecutionIDs), 0
	if from.Time != nil {
		failed = from.Time.FailedExecutions
		count = max(count, from.Time.Executions) // ids of several applications are alike
	}
	switch {
	case from.Runs != nil:
		count, failed = int(from.Runs.Sampled), 0 // operators' CPU is theirs
	case count == 0:
		count = len(from.Applications) // a job without SQL
	}
	q.runs.Count += float64(count - failed)
	q.failed = q.failed || failed > 0
	for i := range from.Operators {
		o := &from.Operators[i]
		rows := 0.
		if o.Rows != nil {
			rows = float64(*o.Rows)
		}
		q.add(o.Operator, o.Name, o.CPUSeconds, rows, false)
	}
	for _, b := range from.Buckets {
		name := semconv.Bracketed(b.Name)
		q.add(name, name, b.CPUSeconds, 0, true)
	}
	q.name = cmp.Or(q.name, from.QueryName)
}

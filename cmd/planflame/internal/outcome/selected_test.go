package outcome

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/tasksample"
)

// A selection is drawn as a whole run is, without what only a whole run has.
func TestTableOfASelection(t *testing.T) {
	rows, wall, stage, execution := uint64(2000), 1.5, tasksample.StageID(7), tasksample.ExecutionID(4)
	r := &columns.Report{
		Meta: columns.Meta{Spark: "4.3.0", JDK: "17.0.15", Hz: 100, Mode: "privileged"}, Samples: 150,
		Selection:  columns.Selection{Query: "q1-a", Execution: &execution, Stage: &stage, From: 250 * time.Millisecond, Search: "Map"},
		CPUSeconds: 1.75, TaskCPUSeconds: 1.25, PythonSeconds: 0.5,
		Queries: []columns.QueryReport{{
			Name: "nightly", Executions: []tasksample.ExecutionID{4}, Runs: 3, FailedRuns: 1, Wall: &wall, CPUSeconds: 1.5, Python: 0.25,
			Operators: []columns.OperatorReport{
				{Name: "HashAggregate k", Order: 0, CPUSeconds: 0.75, JVM: 0.75, CI95: &[2]float64{0.65, 0.86}, Valid: true, Share: 0.5, Weak: 0.2, Rows: &rows, Stages: []int{7, 9}, Tasks: 3,
					Parts: []columns.PartReport{{Part: "insert", CPUSeconds: 0.5}, {Part: "output", CPUSeconds: 0.24}, {CPUSeconds: 0.01}}},
				{Name: "Scan t", Order: 1, Depth: 1, CPUSeconds: 0.75, JVM: 0.5, Python: 0.25, CI95: &[2]float64{0.7, 0.8}, Share: 0.5, Stages: []int{7}, Replaced: true},
			},
		}},
		Buckets: []columns.BucketReport{{Name: "codegen", CPUSeconds: 0.25}},
		Outside: []columns.BucketReport{{Name: "jit", CPUSeconds: 2}, {Name: "python feed", CPUSeconds: 0.125}, {Name: "gc", CPUSeconds: 0.001}},
	}
	var out bytes.Buffer
	require.NoError(t, Selected(r).Table(&out, TableOptions{}))
	require.Equal(t, `planflame: 1.75 CPU seconds, 1.38 of tasks in the JVM, 0.38 of Python workers
of query q1-a · execution 4 · stage 7 · from 250ms to the end · frames with
  "Map"
Spark 4.3.0 · JDK 17.0.15 · 150 samples at 100 Hz, mode privileged

nightly · 1.50 s wall · 1.50 s CPU · execution 4
  1 of 3 runs failed
   CPU s  Python      ±   share       rows  a row stage  operator
    0.75~          0.11  50.0 % ██    2.0K 375 µs   7+1  HashAggregate k
          insert 0.50 s, output 0.24 s
    0.75    0.25  0.05?  50.0 % ██                    7  Scan t
          replaced by AQE

not of any operator
    0.25         14.3 %   codegen
Outside of tasks: jit 2.00 s, python feed 0.12 s

CPU s ±: CPU seconds, Python's too, with their 95 % interval; ?: too few tasks.
rows: taken in, of a scan: given; a row: CPU. stage: Spark's number, +n: n more.
~: for a tenth or more the JVM had not optimized the code: lines are in doubt.
`, out.String())
}

package outcome

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// drawnRuns are five runs of query a: 3, 4 and 5 were drawn, of two stages each, 6 and 7 were not.
// Of run 8 a part was sampled, because the profiler came in its midst; run 9 is of a query of which
// all runs were drawn.
func drawnRuns() window.Profile {
	j := window.JVMProfile{Application: pipeline.Application{ID: "app"}, Totals: window.Totals{Tasks: 9}, Stacks: window.NewStacks()}
	p := window.Profile{Calibrated: true}
	label := func(query string, execution int, stage int) pipeline.Labels {
		return labelsOf(1, query, tasksample.ExecutionID(execution), tasksample.StageID(stage), "first", "scan@1", "Scan t")
	}
	stage := func(query string, execution, stage int, cpu, scan, se time.Duration) {
		l := label(query, execution, stage)
		j.Entries = append(j.Entries, window.Entry{Labels: l, CPU: scan, Samples: 5})
		p.Stages = append(p.Stages, window.StageStatistics{Application: "app", Labels: bucketOf(l, ""), RunProbability: 0.5,
			Estimate: tasksample.Result[semconv.Operator]{CPU: cpu, Valid: true, Keys: map[semconv.Operator]tasksample.Estimate{
				l.Key(): {CPU: scan, SE: se, Samples: 5}, {Query: l.Query, Bucket: "gc"}: {CPU: cpu - scan},
			}}})
	}
	for i, scan := range []time.Duration{300 * ms, 400 * ms, 560 * ms} {
		stage("a", 3+i, 10+2*i, 800*ms, scan, 30*ms)
		stage("a", 3+i, 11+2*i, 200*ms, 100*ms, 40*ms)
	}
	for execution, cpu := range map[int]time.Duration{6: 700 * ms, 7: 1300 * ms, 8: 100 * ms} {
		j.Entries = append(j.Entries, window.Entry{Labels: bucketOf(label("a", execution, 90+execution), window.BucketLeftOut), CPU: cpu})
	}
	stage("a", 8, 98, 50*ms, 50*ms, 0)
	stage("b", 9, 99, 70*ms, 70*ms, 7*ms)
	p.JVMs = []window.JVMProfile{j}
	return p
}

// By hand: 5.1 s of CPU in six runs, of which three with 3.0 s were drawn, their scans 0.4, 0.5 and
// 0.66 s: 5.1 · 1.56 / 3 = 2.652 s. Residuals of equal runs are those from the mean 0.52: their
// squares sum to 0.0344. With n of N = 3 of 6: between 1.7² · (1 - 1/2) · 3/2 · 0.0344 = 0.0745620,
// within 1.7² · 1/2 · 3 · 0.05² = 0.0108375.
func TestRunsOfAQuery(t *testing.T) {
	s := Summarize(drawnRuns(), 100)
	require.Len(t, s.Queries, 2)
	require.Nil(t, s.Queries[1].Runs, "all were drawn")
	r := s.Queries[0].Runs
	require.NotNil(t, r)
	require.EqualValues(t, 6, r.All)
	require.EqualValues(t, 3, r.Sampled)
	require.InDelta(t, 5.1, r.CPUSeconds, 1e-9)
	require.InDelta(t, 3.0, r.SampledCPUSeconds, 1e-9)
	require.Len(t, r.Operators, 1)
	scan := r.Operators[0]
	require.Equal(t, []string{"first", "scan@1", "Scan t"}, []string{scan.Stage, scan.Operator, scan.Name})
	require.InDelta(t, 2.652, scan.CPUSeconds, 1e-6)
	require.InDelta(t, math.Sqrt(0.0745620+0.0108375), scan.CPUSecondsSE, 1e-6)
	require.Less(t, scan.CI95[0], 2.652-1.96*scan.CPUSecondsSE+0.1)
	require.Greater(t, scan.CI95[1], 2.652+1.96*scan.CPUSecondsSE-0.1)
	require.True(t, scan.Valid)
	require.Empty(t, scan.Why)
	var out bytes.Buffer
	require.NoError(t, s.Table(&out, TableOptions{}))
	require.Contains(t, out.String(), "3 of its 6 runs were drawn, 3.00 s of 5.10 s")
}

// Rows are of the runs whose CPU operators have.
func TestRowsOfDrawnRuns(t *testing.T) {
	p := drawnRuns()
	for execution, rows := range map[tasksample.ExecutionID]uint64{3: 500, 4: 600, 6: 7000} {
		labels := bucketOf(labelsOf(1, "a", execution, 10, "first", "", ""), "")
		p.JVMs[0].Work = append(p.JVMs[0].Work, window.StageWork{Labels: labels, Tasks: 1, Counted: 1, Rows: []pipeline.OperatorRows{{Operator: "scan@1", Rows: rows}}})
	}
	s := Summarize(p, 100)
	require.NotNil(t, s.Queries[0].Operators[0].Rows)
	require.EqualValues(t, 1100, *s.Queries[0].Operators[0].Rows)
}

func TestRunsThatCannotBeTrusted(t *testing.T) {
	p := drawnRuns()
	p.Stages[2].Estimate.Valid, p.Stages[2].Estimate.Why = false, "too few"
	scan := Summarize(p, 100).Queries[0].Runs.Operators[0]
	require.False(t, scan.Valid)
	require.Equal(t, "too few", scan.Why)
	p = drawnRuns()
	p.Stages = p.Stages[:2]
	scan = Summarize(p, 100).Queries[0].Runs.Operators[0]
	require.False(t, scan.Valid)
	require.Contains(t, scan.Why, "one run was sampled")
}

// Python workers' CPU is known of all runs, drawn or not: 0.2 s in each of runs 3 and 6. A query's
// own figures are of the runs that were drawn.
func TestPythonOfRunsThatWereNotDrawn(t *testing.T) {
	p := drawnRuns()
	j := &p.JVMs[0]
	for _, execution := range []int{3, 6} {
		for _, operator := range []string{"scan@1", "python@2"} {
			l := labelsOf(1, "a", tasksample.ExecutionID(execution), 10, "first", operator, "Op "+operator)
			l.Group = pipeline.GroupChildren
			j.Entries = append(j.Entries, window.Entry{Labels: l, CPU: 200 * ms})
			j.Totals.Workers += 200 * ms
		}
	}
	s := Summarize(p, 100)
	require.InDelta(t, 0.4, s.Python.LeftOutSeconds, 1e-9)
	require.InDelta(t, 0.4, s.Queries[0].PythonCPUSeconds, 1e-9)
	got := map[string][]float64{}
	for _, o := range s.Queries[0].Runs.Operators {
		got[o.Operator] = []float64{o.CPUSeconds, o.PythonCPUSeconds, o.CI95[0], o.CI95[1]}
	}
	plain := Summarize(drawnRuns(), 100).Queries[0].Runs.Operators[0]
	require.InDeltaSlice(t, []float64{0.4, 0.4, 0.4, 0.4}, got["python@2"], 1e-9)
	require.InDeltaSlice(t, []float64{2.652 + 0.4, 0.4, plain.CI95[0] + 0.4, plain.CI95[1] + 0.4}, got["scan@1"], 1e-6)
}

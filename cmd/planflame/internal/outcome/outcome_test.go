package outcome

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const ms = time.Millisecond

// labelsOf are labels of a query's operator.
func labelsOf(jvm sampler.JVMID, query string, execution tasksample.ExecutionID, stage tasksample.StageID, place, operator, name string) pipeline.Labels {
	return pipeline.Labels{JVM: jvm, Query: "q1-" + query, QueryName: "name of " + query, Plan: "p1-" + query, Execution: execution, Stage: stage,
		StagePlace: place, Operator: operator, OperatorName: name, Task: -1, Partition: -1}
}

func bucketOf(l pipeline.Labels, b attribution.Bucket) pipeline.Labels {
	l.Operator, l.OperatorName, l.Bucket = "", "", b
	return l
}

// twoJVMs is a run of two executors: query a in two executions, query b in one.
func twoJVMs() window.Profile {
	stacks := window.NewStacks()
	stack := func(names ...string) uint32 {
		var out []pipeline.StackFrame
		for i, n := range names {
			out = append(out, pipeline.StackFrame{Name: n, File: n + ".java", Line: 10 + i, Type: pipeline.FrameJVM})
		}
		return stacks.Intern(out)
	}
	scan, join := labelsOf(1, "a", 3, 5, "first", "scan@1", "Scan t"), labelsOf(1, "a", 4, 8, "second", "join@2", "Join k")
	scanThere := labelsOf(2, "a", 4, 7, "first", "scan@1", "Scan t")
	other := labelsOf(2, "b", 6, 9, "first", "scan@1", "Scan u")
	work := func(of pipeline.Labels, tasks, counted, rows uint64) window.StageWork {
		return window.StageWork{Labels: of, Tasks: tasks, Counted: counted, Rows: []pipeline.OperatorRows{{Operator: of.Operator, Rows: rows}}}
	}
	plan := pipeline.PlanOutline{Query: "q1-a", Plan: "p1-a", Execution: 4, Nodes: []pipeline.OutlineNode{
		{Parent: -1, StagePlace: "second", Operator: "project@4"}, {Parent: 0, StagePlace: "second", Operator: "join@2", Subplan: 0xcd}, {Parent: 1, StagePlace: "first", Operator: "scan@1", Subplan: 0xab},
	}}
	return window.Profile{Calibrated: true, Stages: certainties(scan, scanThere, join), Plans: []pipeline.PlanOutline{plan}, JVMs: []window.JVMProfile{
		{
			JVM: sampler.JVM{ID: 1, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{JDKVersion: "17.0.15"}}, Application: pipeline.Application{ID: "app-7", Name: "nightly", SparkVersion: "4.3.0", Attributes: map[string]string{"team": "margin"}},
			Stacks: stacks, Entries: []window.Entry{
				{Labels: scan, Stack: stack("read", "Scan t", "run"), Samples: 11, CPU: 110 * ms, Raw: 100 * ms, Weak: 22 * ms},
				{Labels: scan, Stack: stack("skip", "Scan t", "run"), Samples: 3, CPU: 30 * ms, Raw: 27 * ms},
				{Labels: join, Stack: stack("probe", "Join k", "run"), Samples: 5, CPU: 60 * ms, Raw: 55 * ms, Disputed: 12 * ms},
				{Labels: bucketOf(scan, attribution.BucketKernel), Stack: stack("[kernel (not sampled)]"), CPU: 40 * ms},
			},
			Totals:  window.Totals{Samples: 19, Truncated: 2, Raw: 182 * ms, TaskCPU: 240 * ms, Kernel: 40 * ms, Tasks: 7},
			Sampler: sampler.Stats{Lost: 13},
			Work:    []window.StageWork{work(scan, 5, 5, 1200), work(join, 2, 1, 90)},
		},
		{
			JVM: sampler.JVM{ID: 2, Mode: sampler.ModePrivileged, Header: jvmlog.Header{JDKVersion: "17.0.15"}}, Application: pipeline.Application{ID: "app-7", Name: "nightly", SparkVersion: "4.3.0", Attributes: map[string]string{"team": "risk", "tenant": "t7"}},
			Stacks: stacks, Entries: []window.Entry{
				{Labels: scanThere, Stack: stack("read", "Scan t", "run"), Samples: 6, CPU: 70 * ms, Raw: 60 * ms},
				{Labels: other, Stack: stack("read", "Scan u", "run"), Samples: 17, CPU: 500 * ms, Raw: 170 * ms},
				{Labels: bucketOf(other, attribution.BucketUnknown), Stack: stack("[unknown]"), Samples: 1, CPU: 10 * ms, Raw: 9 * ms},
				{Labels: pipeline.Labels{JVM: 2, Execution: tasksample.NoExecution, Stage: 2, Bucket: attribution.BucketNoPlan, Task: -1, Partition: -1}, Stack: stack("rdd"), Samples: 8, CPU: 180 * ms, Raw: 80 * ms},
			},
			Totals:  window.Totals{Samples: 32, Truncated: 1, Raw: 319 * ms, TaskCPU: 760 * ms, Tasks: 3},
			Sampler: sampler.Stats{Lost: 4},
			Work:    []window.StageWork{work(scanThere, 2, 2, 500)},
		},
		{JVM: sampler.JVM{ID: 3, Mode: sampler.ModeNone, Header: jvmlog.Header{JDKVersion: "21"}}}, // a driver without tasks
	}}
}

// certainties are estimates of the two stages that scan t, and of one whose tasks were not seen
// enough; of query b's there are none.
func certainties(scan, scanThere, join pipeline.Labels) []window.StageStatistics {
	of := func(l pipeline.Labels, cpu, se, low, high time.Duration, why string) window.StageStatistics {
		e := tasksample.Estimate{CPU: cpu * ms, SE: se * ms, Low: low * ms, High: high * ms}
		return window.StageStatistics{Labels: l, Estimate: tasksample.Result[semconv.Operator]{
			Keys: map[semconv.Operator]tasksample.Estimate{l.Key(): e, {Bucket: string(attribution.BucketGC)}: e}, Valid: why == "", Why: why,
		}}
	}
	return []window.StageStatistics{of(scan, 140, 9, 122, 160, ""), of(scanThere, 70, 12, 46, 91, ""), of(join, 60, 30, 10, 200, "2 tasks were seen")}
}

// withOthers is the same run with what ran beside its tasks: threads of an executor and of the
// driver, and child processes.
func withOthers() window.Profile {
	p := twoJVMs()
	apart := func(to int, l pipeline.Labels, cpu time.Duration) {
		j := &p.JVMs[to]
		if j.Stacks == nil {
			j.Stacks = window.NewStacks()
		}
		stack := j.Stacks.Intern([]pipeline.StackFrame{{Name: l.Name(), Type: pipeline.FrameOperator}})
		j.Entries = append(j.Entries, window.Entry{Labels: l, Stack: stack, CPU: cpu})
	}
	bare := func(jvm sampler.JVMID, g pipeline.Group, b attribution.Bucket) pipeline.Labels {
		return pipeline.Labels{JVM: jvm, Group: g, Bucket: b, Execution: tasksample.NoExecution, Stage: pipeline.NoStage, Task: -1, Partition: -1}
	}
	apart(0, bare(1, pipeline.GroupThreads, attribution.BucketGC), 320*ms)
	apart(0, bare(1, pipeline.GroupThreads, attribution.BucketJIT), 510*ms)
	apart(2, bare(3, pipeline.GroupThreads, attribution.BucketJIT), 90*ms)
	join := labelsOf(1, "a", 4, 8, "second", "join@2", "Join k")
	join.Group = pipeline.GroupChildren
	apart(0, join, 700*ms)
	last := &p.JVMs[0].Entries[len(p.JVMs[0].Entries)-1]
	last.Below, last.Above = 11*ms, 40*ms
	unplaced := bucketOf(join, pipeline.BucketPython)
	apart(0, unplaced, 40*ms)
	feed := bucketOf(join, pipeline.BucketPythonFeed)
	feed.Group = pipeline.GroupThreads
	apart(0, feed, 19*ms)
	apart(0, bare(1, pipeline.GroupChildren, pipeline.BucketPython), 30*ms)
	apart(0, bare(1, pipeline.GroupChildren, pipeline.BucketPythonDaemon), 170*ms)
	apart(2, bare(3, pipeline.GroupChildren, pipeline.BucketChildren), 50*ms)
	first, driver := &p.JVMs[0].Totals, &p.JVMs[2].Totals
	first.Process, first.TaskThreads, first.Threads, first.Children, first.Workers, first.Unplaced = 1099*ms, 250*ms, 849*ms, 940*ms, 770*ms, 70*ms
	driver.Process, driver.Threads, driver.Children = 90*ms, 90*ms, 50*ms
	return p
}

// The schema that other programs read, each value written by hand.
const wantSummary = `{
  "attributes": {"team": "margin", "tenant": "t7"},
  "applications": [{"id": "app-7", "name": "nightly", "tasks": 10, "task_cpu_seconds": 1}],
	"spark_version": "4.3.0",
  "jdk_version": "17.0.15",
  "mode": "privileged+self-opened",
  "hz": 100,
  "samples": 51,
  "lost_samples": 17,
  "truncated_stacks": 3,
  "raw_task_cpu_seconds": 0.501,
  "cpu_seconds": 1,
  "task_cpu_seconds": 1,
  "kernel_unsampled_seconds": 0.04,
  "attributed_share": 0.77,
  "disputed_share": 0.012,
  "unknown_share": 0.01,
  "queries": [
    {
      "query": "q1-b", "query_name": "name of b", "plan": "p1-b", "applications": ["app-7"], "sql_execution_ids": [6], "cpu_seconds": 0.5, "jvm_cpu_seconds": 0.5, "python_cpu_seconds": 0,
      "operators": [
        {"stage": "first", "operator": "scan@1", "name": "Scan u", "order": 0, "depth": 0, "tasks": 0, "cpu_seconds": 0.5, "jvm_cpu_seconds": 0.5, "python_cpu_seconds": 0, "cpu_seconds_se": 0, "valid": false, "why": "no task that it ran in has ended", "share": 1, "samples": 17, "weak_share": 0}
      ],
      "buckets": [{"name": "unknown", "cpu_seconds": 0.01}]
    },
    {
      "query": "q1-a", "query_name": "name of a", "plan": "p1-a", "applications": ["app-7"], "sql_execution_ids": [3, 4], "cpu_seconds": 0.27, "jvm_cpu_seconds": 0.27, "python_cpu_seconds": 0,
      "operators": [
        {"stage": "first", "operator": "scan@1", "name": "Scan t", "order": 1, "depth": 1, "subplan": "00000000000000ab", "spark_stages": [5, 7], "tasks": 7, "rows": 1700, "cpu_seconds": 0.21, "jvm_cpu_seconds": 0.21, "python_cpu_seconds": 0, "cpu_seconds_se": 0.015, "ci95": [0.18, 0.239], "valid": true, "share": 0.7777777777777778, "samples": 20, "weak_share": 0.10476190476190476},
        {"stage": "second", "operator": "join@2", "name": "Join k", "order": 0, "depth": 0, "subplan": "00000000000000cd", "spark_stages": [8], "tasks": 2, "cpu_seconds": 0.06, "jvm_cpu_seconds": 0.06, "python_cpu_seconds": 0, "cpu_seconds_se": 0.03, "ci95": [0.01, 0.2], "valid": false, "why": "2 tasks were seen", "share": 0.2222222222222222, "samples": 5, "weak_share": 0}
      ],
      "buckets": [{"name": "kernel (not sampled)", "cpu_seconds": 0.04}]
    }
  ],
  "buckets": [
    {"name": "no sql plan", "cpu_seconds": 0.18},
    {"name": "kernel (not sampled)", "cpu_seconds": 0.04},
    {"name": "unknown", "cpu_seconds": 0.01}
  ],
  "process_cpu_seconds": 0, "task_thread_seconds": 0, "outside": [],
  "python": {"worker_cpu_seconds": 0, "unplaced_seconds": 0, "feed_cpu_seconds": 0, "outside_queries_seconds": 0, "daemon_cpu_seconds": 0, "other_cpu_seconds": 0}
}`

// Python workers count for the head, their query and their operator; the JVMs' other threads and
// children change nothing.
func TestSummaryOfWhatRunsBesideTheTasks(t *testing.T) {
	plain, s := Summarize(twoJVMs(), 100), Summarize(withOthers(), 100)
	require.InDelta(t, 1.189, s.ProcessCPUSeconds, 1e-9)
	require.InDelta(t, 0.25, s.TaskThreadSeconds, 1e-9)
	require.Equal(t, []Bucket{{"jit", 0.6}, {"gc", 0.32}, {"python feed", 0.019}}, s.Outside)
	require.Equal(t, Python{WorkerCPUSeconds: 0.77, UnplacedSeconds: 0.07, FeedCPUSeconds: 0.019, OutsideSeconds: 0.03, DaemonCPUSeconds: 0.17, OtherCPUSeconds: 0.05}, s.Python)
	require.InDelta(t, 1.789, s.CPUSeconds, 1e-9)
	require.InDelta(t, 1, s.TaskCPUSeconds, 1e-9)
	require.InDelta(t, (0.77+0.7)/1.789, s.AttributedShare, 1e-9)

	q := s.Queries[0]
	require.Equal(t, "q1-a", q.Query, "it was second without its Python workers")
	require.Equal(t, []float64{1.029, 0.289, 0.74}, []float64{q.CPUSeconds, q.JVMCPUSeconds, q.PythonCPUSeconds})
	require.Equal(t, Operator{Stage: "second", Operator: "join@2", Name: "Join k", CPUSeconds: 0.76, JVMCPUSeconds: 0.06, PythonCPUSeconds: 0.7, PythonRange: &[2]float64{0.689, 0.74},
		CPUSecondsSE: 0.03, CI95: &[2]float64{0.699, 0.94}, Why: "2 tasks were seen", Share: 0.76 / 1.029, Samples: 5,
		Place: Place{Subplan: "00000000000000cd", SparkStages: []tasksample.StageID{8}, Tasks: 2}}, rounded(q.Operators[0]))
	require.Equal(t, Operator{Stage: "second", Operator: "[python worker]", Name: "[python worker]", CPUSeconds: 0.04, PythonCPUSeconds: 0.04, CI95: &[2]float64{0.04, 0.04}, Valid: true,
		Share: 0.04 / 1.029, Place: Place{Order: 2, SparkStages: []tasksample.StageID{8}, Tasks: 2}}, q.Operators[2])
	require.Equal(t, Operator{Stage: "second", Operator: "[python feed]", Name: "[python feed]", CPUSeconds: 0.019, JVMCPUSeconds: 0.019, CI95: &[2]float64{0.019, 0.019}, Valid: true,
		Share: 0.019 / 1.029, Place: Place{Order: 3, SparkStages: []tasksample.StageID{8}, Tasks: 2}}, q.Operators[3])
	scan := plain.Queries[1].Operators[0]
	scan.Share = 0.21 / 1.029
	require.Equal(t, scan, q.Operators[1])
	require.Equal(t, plain.Queries[0], s.Queries[1])
	require.Equal(t, plain.Buckets, s.Buckets)
	sum := s.Python.OutsideSeconds
	for _, b := range s.Buckets {
		sum += b.CPUSeconds
	}
	for _, q := range s.Queries {
		sum += q.CPUSeconds
	}
	require.InDelta(t, s.CPUSeconds, sum, 1e-9, "all rows add up to the head")
}

// rounded is an operator to a microsecond: sums of squares.
func rounded(o Operator) Operator {
	o.CPUSecondsSE = math.Round(o.CPUSecondsSE*1e6) / 1e6
	for _, of := range []*[2]float64{o.CI95, o.PythonRange} {
		for i := range of {
			of[i] = math.Round(of[i]*1e6) / 1e6
		}
	}
	return o
}

func TestTableOfWhatRunsBesideTheTasks(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Summarize(withOthers(), 100).Table(&out, TableOptions{}))
	require.Contains(t, out.String(), "planflame: 1.79 CPU seconds, 1.02 of tasks in the JVM, 0.77 of Python workers")
	require.Regexp(t, `(?m)^ +CPU s +Python +± `, out.String())
	require.Regexp(t, `(?m)^ +0.76 +0.70 +0.18\? .* Join k\n +up to 0.04 s more in Python$`, out.String())
	require.Contains(t, out.String(), "\nOutside of tasks, 0.94 s of the JVMs' 1.19 s: jit 0.60 s, gc 0.32 s, python feed\n  0.02 s\n"+
		"Child processes: Python workers 0.77 s, of them without a plan node 0.07 s, of\n  them without a query 0.03 s, Python daemons 0.17 s, others 0.05 s\n")
}

func TestPprofTellsGroupsApart(t *testing.T) {
	made, err := Pprof(withOthers(), Window{}, 0)
	require.NoError(t, err)
	cpu := map[string]int64{}
	for _, s := range made.Sample {
		group := ""
		if g := s.Label["group"]; len(g) > 0 {
			group = g[0]
		}
		cpu[group] += s.Value[1]
	}
	require.Equal(t, map[string]int64{"": int64(1000 * ms), "threads": int64(939 * ms), "children": int64(990 * ms)}, cpu)
}

func TestSummary(t *testing.T) {
	s := Summarize(twoJVMs(), 100)
	for i := range s.Queries { // to a microsecond: sums of squares
		for k := range s.Queries[i].Operators {
			o := &s.Queries[i].Operators[k]
			o.CPUSecondsSE = math.Round(o.CPUSecondsSE*1e6) / 1e6
			if o.CI95 != nil {
				o.CI95[0], o.CI95[1] = math.Round(o.CI95[0]*1e6)/1e6, math.Round(o.CI95[1]*1e6)/1e6
			}
		}
	}
	got, err := json.Marshal(s)
	require.NoError(t, err)
	require.JSONEq(t, wantSummary, string(got))
}

func TestSummaryAddsUp(t *testing.T) {
	s := Summarize(twoJVMs(), 100)
	sum, shares := 0.0, 0.0
	for _, q := range s.Queries {
		inQuery := 0.0
		for _, op := range q.Operators {
			inQuery += op.CPUSeconds
			shares += op.Share
		}
		require.InDelta(t, q.CPUSeconds, inQuery, 1e-9)
		sum += inQuery
	}
	require.InDelta(t, float64(len(s.Queries)), shares, 1e-9)
	for _, b := range s.Buckets {
		sum += b.CPUSeconds
	}
	require.InDelta(t, s.TaskCPUSeconds, sum, 1e-9)
}

func TestSummaryOfNothing(t *testing.T) {
	got, err := json.Marshal(Summarize(window.Profile{}, 7))
	require.NoError(t, err)
	require.JSONEq(t, `{"spark_version": "", "jdk_version": "", "mode": "", "hz": 7, "samples": 0, "lost_samples": 0, "truncated_stacks": 0,
		"raw_task_cpu_seconds": 0, "cpu_seconds": 0, "task_cpu_seconds": 0, "kernel_unsampled_seconds": 0, "attributed_share": 0, "disputed_share": 0,
		"unknown_share": 0, "applications": [], "queries": [], "buckets": [], "process_cpu_seconds": 0, "task_thread_seconds": 0, "outside": [],
		"python": {"worker_cpu_seconds": 0, "unplaced_seconds": 0, "feed_cpu_seconds": 0, "outside_queries_seconds": 0, "daemon_cpu_seconds": 0, "other_cpu_seconds": 0}}`, string(got), "lists are never null")
}

func TestTableOfTwoApplications(t *testing.T) {
	p := twoJVMs()
	p.JVMs[1].Application.ID, p.JVMs[1].Application.Name = "app-8", "nightly again"
	s := Summarize(p, 100)
	require.Equal(t, []Application{{"app-7", "nightly", 7, 0.24}, {"app-8", "nightly again", 3, 0.76}}, s.Applications)
	require.Equal(t, []string{"app-8"}, s.Queries[0].Applications)
	require.Equal(t, []string{"app-7", "app-8"}, s.Queries[1].Applications)
	var out bytes.Buffer
	require.NoError(t, s.Table(&out, TableOptions{}))
	require.Contains(t, out.String(), " · execution 6\n  in nightly again (app-8)\n")
	require.Contains(t, out.String(), " · executions 3, 4\n  in nightly (app-7), nightly again (app-8)\n")
}

func TestPprof(t *testing.T) {
	span := Window{Start: time.Unix(1_800_000_000, 17), Duration: 90 * time.Second}
	made, err := Pprof(twoJVMs(), span, 10*ms)
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, made.Write(&file))
	p, err := profile.Parse(&file)
	require.NoError(t, err)
	require.NoError(t, p.CheckValid())
	require.Equal(t, []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, p.SampleType)
	require.Equal(t, "cpu", p.DefaultSampleType)
	require.EqualValues(t, 10*ms, p.Period)
	require.EqualValues(t, 90*time.Second, p.DurationNanos)
	require.Equal(t, span.Start.UnixNano(), p.TimeNanos)
	require.Len(t, p.Sample, 8)

	first := p.Sample[0]
	require.Equal(t, []int64{11, int64(110 * ms)}, first.Value)
	require.Equal(t, map[string][]string{"query": {"q1-a"}, "query_name": {"name of a"}, "plan": {"p1-a"}, "stage": {"first"}, "operator": {"scan@1"}, "operator_name": {"Scan t"},
		"sql_execution_id": {"3"}, "stage_id": {"5"}, "stage_attempt": {"0"}, "jvm": {"1"}}, first.Label)
	var names []string
	for _, l := range first.Location {
		names = append(names, l.Line[0].Function.Name)
	}
	require.Equal(t, []string{"read", "Scan t", "run"}, names, "leaf first")
	require.EqualValues(t, 10, first.Location[0].Line[0].Line)
	require.Equal(t, "read.java", first.Location[0].Line[0].Function.Filename)

	kernel, rdd := p.Sample[3], p.Sample[7]
	require.Equal(t, []int64{0, int64(40 * ms)}, kernel.Value)
	require.Equal(t, []string{"[kernel (not sampled)]"}, kernel.Label["operator"])
	require.Equal(t, []string{"kernel (not sampled)"}, kernel.Label["bucket"])
	require.Equal(t, map[string][]string{"operator": {"[no sql plan]"}, "bucket": {"no sql plan"}, "stage_id": {"2"}, "stage_attempt": {"0"}, "jvm": {"2"}}, rdd.Label,
		"no labels for what is not known")
}

func TestPprofOfOneJVMHasNoJVMLabel(t *testing.T) {
	p := twoJVMs()
	p.JVMs = p.JVMs[:1]
	made, err := Pprof(p, Window{}, 0)
	require.NoError(t, err)
	require.NotContains(t, made.Sample[0].Label, "jvm")
}

func TestWithSeriesLabels(t *testing.T) {
	made, err := Pprof(twoJVMs(), Window{Start: time.Unix(1_800_000_000, 17)}, 10*ms)
	require.NoError(t, err)
	p, err := WithSeriesLabels(made)
	require.NoError(t, err)
	require.NoError(t, p.CheckValid())
	require.Len(t, p.Sample, 7, "the same stack of the same operator in two executions is one")
	require.Equal(t, []int64{17, int64(180 * ms)}, p.Sample[0].Value)
	for _, s := range p.Sample {
		for key := range s.Label {
			require.Contains(t, []string{"query", "query_name", "stage", "operator", "operator_name"}, key)
		}
		require.Contains(t, s.Label, "operator")
	}
	require.Equal(t, []string{"5"}, made.Sample[0].Label["stage_id"], "the original is not changed")
}

func TestPlansThatDoNotTellTheirDataAreNoSubplans(t *testing.T) {
	p := twoJVMs()
	p.Plans[0].Nodes[1].Subplan = 0
	s := Summarize(p, 100)
	q := s.Queries[slices.IndexFunc(s.Queries, func(q Query) bool { return q.Query == "q1-a" })]
	of := map[string]string{}
	for _, o := range q.Operators {
		of[o.Operator] = o.Subplan
	}
	require.Equal(t, map[string]string{"scan@1": "00000000000000ab", "join@2": ""}, of)
}

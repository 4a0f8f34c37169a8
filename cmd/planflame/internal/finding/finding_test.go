package finding

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/tasksample"
)

// run is a run of 10 s with one query of 8 CPU seconds, to be spoilt.
func run() outcome.Summary {
	return outcome.Summary{CPUSeconds: 8, ProcessCPUSeconds: 20, Time: &outcome.Time{WallSeconds: 10}, Queries: []outcome.Query{query("q1-a", "nightly", 3)}}
}

func query(id, name string, execution tasksample.ExecutionID, operators ...outcome.Operator) outcome.Query {
	return outcome.Query{Query: id, QueryName: name, Applications: []string{"app-7"}, SQLExecutionIDs: []tasksample.ExecutionID{execution}, CPUSeconds: 8, Operators: operators}
}

func operator(name, id, subplan string, cpu float64, stages ...tasksample.StageID) outcome.Operator {
	return outcome.Operator{Name: name, Operator: id, Stage: "place", CPUSeconds: cpu, Place: outcome.Place{Subplan: subplan, SparkStages: stages}}
}

// texts are the findings of a run, with their rules.
func texts(s outcome.Summary) (out []string) {
	for _, f := range Of(&s) {
		out = append(out, f.Rule+": "+f.Text)
	}
	return out
}

func TestNothingIsFoundOfNothing(t *testing.T) {
	require.Empty(t, texts(outcome.Summary{}))
	require.Empty(t, texts(run()))
}

func TestTwice(t *testing.T) {
	shared := []outcome.Operator{operator("Scan t", "scan@2", "bb", 0.5, 3), operator("HashAggregate k", "aggregate@1", "aa", 2, 4, 6)}
	s := run()
	s.Queries = []outcome.Query{query("q1-show", "top", 9, append(shared, operator("TopK k", "topk@5", "cc", 1))...), query("q1-write", "write top", 8, append(shared, operator("Write", "write@6", "dd", 1))...)}
	require.Equal(t, []string{"twice: top (execution 9), stage 4 computes again what write top (execution 8) did: the same 2 operators, 2.50 CPU s"}, texts(s))

	other := s
	other.Queries = append([]outcome.Query{}, s.Queries...)
	other.Queries[1].Applications = []string{"app-8"}
	require.Empty(t, texts(other), "another application")
	other.Queries[1] = s.Queries[1]
	other.Queries[1].Query = "q1-show"
	require.Empty(t, texts(other), "the same query once more")
	other.Queries = []outcome.Query{query("q1-a", "a", 1, operator("Scan t", "scan@2", "bb", 4)), query("q1-b", "b", 2, operator("Scan t", "scan@2", "bb", 4))}
	require.Empty(t, texts(other), "a scan alone")
	other.Queries = []outcome.Query{query("q1-a", "a", 1, operator("Sort k", "sort@2", "bb", 4)), query("q1-b", "b", 2, operator("Sort k", "sort@2", "b0", 4))}
	require.Empty(t, texts(other), "of another day")
}

func TestPython(t *testing.T) {
	s := run()
	s.Queries[0].PythonCPUSeconds = 3.9
	require.Empty(t, texts(s), "the smaller part")
	s.Queries[0].PythonCPUSeconds = 6
	require.Equal(t, []string{"python: nightly (execution 3): Python workers use 75 % of its CPU, 6.00 of 8.00 s"}, texts(s))
	s.Queries[0].Operators = []outcome.Operator{operator("Scan t", "scan@2", "", 1, 4), operator("BatchEvalPython score", "python@3", "", 5, 5)}
	s.Queries[0].Operators[1].PythonCPUSeconds = 5
	f := Of(&s)[0]
	require.Equal(t, "nightly (execution 3), stage 5: Python workers use 75 % of its CPU, 6.00 of 8.00 s, most in BatchEvalPython score", f.Text)
	require.Equal(t, tasksample.StageID(5), *f.Stage)
	require.Contains(t, f.Try, "pandas UDF")
	require.InDelta(t, 0.75, f.Share, 1e-9)
}

func TestSchema(t *testing.T) {
	s := run()
	s.Queries[0].Operators = []outcome.Operator{{Name: "read footers of parquet"}}
	require.Empty(t, texts(s))
	infer := func(name string, cpu float64, stages ...tasksample.StageID) outcome.Query {
		return query("r1-"+name, name, tasksample.NoExecution, operator("infer schema of csv", "rdd@1", "", cpu, stages...))
	}
	s.Queries = []outcome.Query{infer("a", 1, 4), infer("b", 2, 5), infer("c", 0.5, 6)}
	require.Equal(t, []string{"schema: b, stage 5: Spark read files to infer their schema, 3.50 CPU s"}, texts(s))
	require.Equal(t, "r1-b", Of(&s)[0].Query)
	s.Queries = []outcome.Query{infer("a", 3)}
	require.Equal(t, []string{"schema: a: Spark read files to infer their schema, 3.00 CPU s"}, texts(s))
}

func TestCold(t *testing.T) {
	s := run()
	s.Buckets, s.Outside = []outcome.Bucket{{Name: "codegen", CPUSeconds: 1}, {Name: "unknown", CPUSeconds: 5}}, []outcome.Bucket{{Name: "jit", CPUSeconds: 8.9}, {Name: "gc", CPUSeconds: 3}}
	require.Empty(t, texts(s))
	s.Outside[0].CPUSeconds = 9.1
	require.Equal(t, []string{"cold: the JVMs used 10.1 of their 20.0 CPU s to compile and load code"}, texts(s))
}

func TestSkew(t *testing.T) {
	s := run()
	q := &s.Queries[0]
	q.Operators = []outcome.Operator{operator("Sort k", "sort@1", "", 5, 11), operator("SortMergeJoin k = k", "join@1", "", 3, 12)}
	st := outcome.StageTime{StageID: 12, Tasks: 8, MedianRunSeconds: 0.5, MaxRunSeconds: 5, RunSeconds: 8.5, WallSeconds: 5.2}
	q.Stages = []outcome.StageTime{st}
	require.Equal(t, []string{"skew: nightly (execution 3), stage 12, SortMergeJoin k = k: skew, its longest task ran 5.0 s and the median 0.50 s, of 8 tasks"}, texts(s))
	require.InDelta(t, 5-8.5/8, Of(&s)[0].Seconds, 1e-9)
	s.Stages, q.Stages = []outcome.StageTime{st}, nil
	s.Stages[0].Name = "collect at /home/me/etl.py:7"
	require.Equal(t, []string{"skew: collect at etl.py:7, stage 12: skew, its longest task ran 5.0 s and the median 0.50 s, of 8 tasks"}, texts(s))
	s.Stages, q.Stages = nil, []outcome.StageTime{st}
	for _, spoil := range []func(*outcome.StageTime){
		func(st *outcome.StageTime) { st.Tasks = 3 }, func(st *outcome.StageTime) { st.MedianRunSeconds = 1.1 }, func(st *outcome.StageTime) { st.WallSeconds = 11 },
	} {
		q.Stages[0] = st
		spoil(&q.Stages[0])
		require.Empty(t, texts(s))
	}
}

func TestSpill(t *testing.T) {
	s := run()
	s.Queries[0].Stages = []outcome.StageTime{{StageID: 6, DiskSpilledBytes: 127 << 20, WallSeconds: 4}}
	require.Empty(t, texts(s))
	s.Queries[0].Stages[0].DiskSpilledBytes, s.Queries[0].Stages[0].MemorySpilledBytes = 300<<20, 900<<20
	require.Equal(t, []string{"spill: nightly (execution 3), stage 6: tasks spilled 300 MiB to disk, 900 MiB in memory"}, texts(s))
}

func TestWaits(t *testing.T) {
	s := run()
	q := &s.Queries[0]
	waiting := outcome.StageTime{StageID: 6, WallSeconds: 6, SlotTime: outcome.SlotTime{RunningSeconds: 0.4, WaitingSeconds: 11.6}}
	q.Stages = []outcome.StageTime{waiting}
	require.Equal(t, []string{"waits: nightly (execution 3), stage 6: tasks held slots for 12.0 s and were busy for 0.40 s"}, texts(s))
	q.Stages = append(q.Stages, outcome.StageTime{StageID: 7, SlotTime: outcome.SlotTime{RunningSeconds: 1, WaitingSeconds: 9.5}})
	require.Empty(t, texts(s), "the others hardly run either: too many threads")
	q.Stages = q.Stages[:1]
	q.Operators = []outcome.Operator{{PythonCPUSeconds: 0.5, Place: outcome.Place{SparkStages: []tasksample.StageID{6}}}}
	require.Empty(t, texts(s), "Python workers run")
	q.Operators[0].Name, q.Operators[0].SparkStages = "Map", []tasksample.StageID{6, 7, 8, 9, 10}
	require.Equal(t, []string{"waits: nightly (execution 3), stage 6, Map: tasks held slots for 12.0 s and were busy for 0.50 s"}, texts(s), "a fifth of them runs here")
	s.Queries = append(s.Queries, query("q1-b", "other", 4))
	s.Queries[1].Operators = []outcome.Operator{operator("Map", "python@2", "", 3, 6)}
	s.Queries[1].Operators[0].PythonCPUSeconds = 3
	require.Len(t, texts(s), 1, "Python workers of another query")
}

// A stream has stages for each of its batches, and each operator runs in all of them.
func TestWaitsOfManyStages(t *testing.T) {
	const many = 5000
	s := run()
	q := &s.Queries[0]
	var ids []tasksample.StageID
	for id := range tasksample.StageID(many) {
		ids = append(ids, id)
		q.Stages = append(q.Stages, outcome.StageTime{StageID: id, WallSeconds: 2, SlotTime: outcome.SlotTime{RunningSeconds: 0.04, WaitingSeconds: 1.96}})
	}
	q.Stages = append(q.Stages, outcome.StageTime{StageID: many, SlotTime: outcome.SlotTime{RunningSeconds: 9000}})
	q.Operators = []outcome.Operator{operator("Scan t", "scan@3", "", 3, ids...), operator("Filter k", "filter@2", "", 2, ids...), operator("Write", "write@1", "", 1, ids...)}
	began := time.Now()
	require.Len(t, Of(&s), many)
	require.Less(t, time.Since(began), 30*time.Second, "a few milliseconds, unless each stage looks at all others")
}

func TestDriver(t *testing.T) {
	s := run()
	s.Queries[0].Time = &outcome.QueryTime{WallSeconds: 8, DriverOnlySeconds: 3.9}
	require.Empty(t, texts(s))
	s.Queries[0].Time.DriverOnlySeconds = 4.1
	require.Equal(t, []string{"driver: nightly (execution 3): no task ran for 4.1 of its 8.0 s"}, texts(s))
	require.NotContains(t, Of(&s)[0].Try, "code")
	s.Outside = []outcome.Bucket{{Name: "jit", CPUSeconds: 11}}
	require.Contains(t, Of(&s)[0].Try, "compiles code", "a cold run")
}

func TestProgram(t *testing.T) {
	s := run()
	s.Time.ProgramSeconds = 2.4
	require.Empty(t, texts(s))
	s.Time.ProgramSeconds = 2.6
	require.Equal(t, []string{"program: no query ran for 2.6 of the run's 10.0 s, after its first one"}, texts(s))
	s.Time.ApplicationSeconds = 10.5
	require.Empty(t, texts(s), "a quarter of neither application: they ran at once")
	s.Time.ProgramSeconds = 4.2
	require.Equal(t, []string{"program: no query ran for 4.2 of the applications' 10.5 s, after its first one"}, texts(s))
	require.InDelta(t, 0.4, Of(&s)[0].Share, 1e-9)
	s.Time.Lost = 1
	require.Empty(t, texts(s), "a query may have run that is not known")
}

// What is less than a second or 5 % of the run is not worth a line.
func TestWorth(t *testing.T) {
	s := run()
	s.Queries[0].Stages = []outcome.StageTime{{StageID: 6, DiskSpilledBytes: 1 << 30, WallSeconds: 0.9}}
	require.Empty(t, texts(s))
	s.Queries[0].Stages[0].WallSeconds = 1
	require.Len(t, texts(s), 1)
	s.Time.WallSeconds = 20.1
	require.Empty(t, texts(s))
	s.Time.WallSeconds = 10
	s.Queries[0].PythonCPUSeconds, s.Queries[0].Time, s.Queries[0].Stages = 8, &outcome.QueryTime{WallSeconds: 8, DriverOnlySeconds: 5}, nil
	s.Outside = []outcome.Bucket{{Name: "jit", CPUSeconds: 15}}
	found := Of(&s)
	require.Len(t, found, 3)
	require.Equal(t, []string{"python", "driver", "cold"}, []string{found[0].Rule, found[1].Rule, found[2].Rule}, "the finding of the whole run last")
}

func TestEveryRuleIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/use/findings.md")
	require.NoError(t, err)
	for _, r := range rules {
		require.Contains(t, string(doc), "\n## "+r.name+"\n")
	}
}

package pipeline

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const dwellJSON = `{"version":1,"kind":"dwell","stage_id":1,"attempt":2,"task_id":3,"partition":4,"reading_ms":5,"records":60,"begin_ns":7,"end_ns":8,"what":"record","at":9,
	"shuffle":true,"net_ms":10,"cpu_ms":11,"gc_ms":12,"queue_ms":13,"rows_out":14,"batch":15,"file":"part-00001.csv","path":"6f1c09ab","start":16,"file_from":17,"file_to":18,
	"frames":["a.B.c"],"of_a_newer_agent":1}`

func TestParseDwell(t *testing.T) {
	got, watch, err := parseDwell([]byte(dwellJSON))
	require.NoError(t, err)
	require.Nil(t, watch)
	require.Equal(t, &Dwell{
		Stage: 1, StageAttempt: 2, Task: 3, Partition: 4, ReadingMS: 5, Records: 60, Begin: 7, End: 8, Kind: DwellRecord, At: 9, Shuffle: true, NetMS: 10, CPUMS: 11, GCMS: 12,
		QueueMS: 13, RowsOut: 14, Batch: 15, File: "part-00001.csv", Path: "6f1c09ab", FileStart: 16, FileFrom: 17, FileTo: 18, Frames: []string{"a.B.c"}, Execution: -1,
	}, got)
	got, watch, err = parseDwell([]byte(`{"kind":"counts","tasks":1,"looks":2,"explained":3,"dropped_task":4,"dropped_minute":5,"failures":6,"cpu_ns":7,"elapsed_ns":8,"first_cpu_ns":9,"first_elapsed_ns":10,"period_ns":11}`))
	require.NoError(t, err)
	require.Nil(t, got)
	require.Equal(t, &Watch{Tasks: 1, Looks: 2, Explained: 3, DroppedTask: 4, DroppedMinute: 5, Failures: 6, CPUNanos: 7, ElapsedNanos: 8, FirstCPUNanos: 9, FirstElapsedNanos: 10, PeriodNanos: 11}, watch)
	got, _, err = parseDwell([]byte(`{"kind":"dwell","file":"a\u001b[1m","frames":["b\u202e"]}`))
	require.NoError(t, err)
	require.Equal(t, []string{`a\x1b[1m`, `b\u202e`}, append([]string{got.File}, got.Frames...), "texts may be written to a terminal")
	for _, bad := range []string{`[`, `{"kind":"dwell","begin_ns":2,"end_ns":1}`, `{"kind":"dwell","at":2,"records":1}`, `{"kind":"dwell","file_from":2,"file_to":1}`, `{"kind":"counts","tasks":-1}`} {
		_, _, err := parseDwell([]byte(bad))
		require.ErrorContains(t, err, "decode DWELL", bad)
	}
}

// dwelling collects dwells, too.
type dwelling struct {
	got
	dwells []Dwell
	watch  Watch
}

func (d *dwelling) Dwell(_ sampler.JVMID, x Dwell) { d.dwells = append(d.dwells, x) }
func (d *dwelling) Watch(_ sampler.JVMID, w Watch) { d.watch = w }

func TestDwellsAreDelivered(t *testing.T) {
	out := &dwelling{}
	s := into(Settings{Hold: UntilEnd}, out, &out.got)
	s.JVM(7, sampler.ModeSelfOpened)
	s.Plan(7, 1, 9)
	s.Task(7, 1, 2, 3, 1, 9, 10)
	s.p.Record(7, 1, &jvmlog.Dwell{JSON: []byte(dwellJSON)})
	s.p.Record(7, 1, &jvmlog.Dwell{JSON: []byte(`{"kind":"dwell","task_id":4}`)})
	s.p.Record(7, 2, &jvmlog.Dwell{JSON: []byte(`{"kind":"counts","tasks":9}`)})
	s.p.Record(7, 3, &jvmlog.Dwell{JSON: []byte(`{"kind":"of a newer agent"}`)})
	s.p.Record(7, 4, &jvmlog.Dwell{JSON: []byte(`{`)})
	require.Empty(t, out.dwells, "samples may come")
	s.p.Finish()
	require.Len(t, out.dwells, 2)
	of := out.dwells[0]
	require.EqualValues(t, 3, of.Task)
	require.Equal(t, []any{tasksample.ExecutionID(9), "q1-of9", "query 9", "p1-of9"}, []any{of.Execution, of.Query, of.QueryName, of.Plan})
	require.Equal(t, Dwell{Task: 4, Execution: tasksample.NoExecution}, out.dwells[1], "no one saw its task")
	require.EqualValues(t, 9, out.watch.Tasks)
	require.EqualValues(t, 1, s.p.Counts().BadRecords)
	s.p.Finish()
	require.Len(t, out.dwells, 2, "once")
}

func TestSamplesWithinADwell(t *testing.T) {
	b := &budget{}
	j := &jvm{budget: b, ops: newOperators(1, b, &Counts{}, &attribution.Common{})}
	d := &openDwell{Dwell: Dwell{Task: 3, Begin: 100, End: 200, Kind: DwellRecord, NetMS: 1000}, cpu: map[attribution.Bucket]map[string]time.Duration{}}
	j.dwells = map[tasksample.TaskAttemptID][]*openDwell{3: {d}}
	sample := func(task tasksample.TaskAttemptID, at jvmlog.MonoTime, operator string, bucket attribution.Bucket, weight time.Duration) {
		j.dwellSample(&Labelled{Labels: Labels{Task: task, OperatorName: operator, Bucket: bucket}, Time: at, Weight: weight})
	}
	sample(3, 100, "Project", attribution.BucketNone, 300*ms)
	sample(3, 200, "Filter", attribution.BucketNone, 200*ms)
	sample(3, 99, "Filter", attribution.BucketNone, 900*ms)
	sample(3, 201, "Filter", attribution.BucketNone, 900*ms)
	sample(4, 150, "Filter", attribution.BucketNone, 900*ms)
	d.settle()
	require.Equal(t, "Project", d.Operator)
	require.EqualValues(t, 500, d.SampledMS)
	require.Equal(t, DwellRecord, d.Kind)

	sample(3, 150, "", attribution.BucketCodegen, 500*ms)
	d.settle()
	require.Equal(t, DwellRecord, d.Kind, "just half of it")
	require.Empty(t, d.Operator, "less than half")
	sample(3, 150, "", attribution.BucketCodegen, ms)
	d.settle()
	require.EqualValues(t, "codegen", d.Kind)
}

// TestSamplesBeforeADwellIsTold has a task of ten minutes, whose first minute one record took.
func TestSamplesBeforeADwellIsTold(t *testing.T) {
	const second = jvmlog.MonoTime(time.Second)
	out := &dwelling{}
	s := into(Settings{}, out, &out.got)
	s.JVM(7, sampler.ModeSelfOpened)
	j := s.p.jvm(7)
	used := j.budget.used
	j.pastSample(&Labelled{Labels: Labels{Task: 3}, Weight: 99 * ms}) // of a JVM that tells no dwells
	require.Empty(t, j.past)
	j.dwelling = true
	for at := range jvmlog.MonoTime(600) {
		operator := "Filter"
		if at < 60 {
			operator = "Project"
		}
		j.pastSample(&Labelled{Labels: Labels{Task: 3, OperatorName: operator}, Time: at * second, Weight: 200 * ms})
		j.pastSample(&Labelled{Labels: Labels{Task: 3, OperatorName: "Scan"}, Time: at * second, Weight: 50 * ms})
	}
	require.LessOrEqual(t, len(j.past[3].slots), mostPast)
	require.Equal(t, pastBytes*len(j.past[3].slots), j.budget.used-used)
	j.dwell(600*second, &jvmlog.Dwell{JSON: []byte(`{"kind": "dwell", "task_id": 3, "records": 9, "at": 4, "what": "record", "begin_ns": 0, "end_ns": 60000000000, "net_ms": 60000}`)})
	j.giveDwells(math.MaxUint64)
	require.Len(t, out.dwells, 1)
	require.Equal(t, "Project", out.dwells[0].Operator)
	require.InDelta(t, 15_000, out.dwells[0].SampledMS, 1000)
	require.Empty(t, j.past)
	require.Equal(t, used, j.budget.used)
	for task := range tasksample.TaskAttemptID(mostPastTasks + 5) {
		j.pastSample(&Labelled{Labels: Labels{Task: task}, Time: jvmlog.MonoTime(task) * second, Weight: ms})
	}
	require.Len(t, j.past, mostPastTasks)
	require.NotContains(t, j.past, tasksample.TaskAttemptID(4))
}

// TestPastOfManyOperators has more operators in a span than there are slots.
func TestPastOfManyOperators(t *testing.T) {
	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
	j := s.p.jvm(7)
	j.dwelling = true
	used := j.budget.used
	for at := range jvmlog.MonoTime(200) { // one operator in each second, and later many in one
		j.pastSample(&Labelled{Labels: Labels{Task: 3, OperatorName: "Scan"}, Time: at * jvmlog.MonoTime(time.Second), Weight: ms})
	}
	const many = mostPast + 44
	for i := range many {
		j.pastSample(&Labelled{Labels: Labels{Task: 3, OperatorName: fmt.Sprint(i)}, Time: 200 * jvmlog.MonoTime(time.Second), Weight: ms})
	}
	slots := len(j.past[3].slots)
	require.LessOrEqual(t, slots, mostPast)
	require.Equal(t, pastBytes*slots, j.budget.used-used)
	require.GreaterOrEqual(t, s.p.Counts().OverBudget, uint64(many-mostPast))
	j.forgetPast(3)
	require.Equal(t, used, j.budget.used)
}

package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

const stageTimesJSON = `{"version":1,"kind":"stage","application_id":"app-7","stage_id":1,"attempt":2,"execution_id":3,"name":"save at a.py:4","parents":[0],
	"submitted_ms":5,"completed_ms":6,"failed":true,"planned_tasks":7,"ended_tasks":8,"failed_tasks":9,"missed_tasks":10,"held_us":11,"idle_us":12,
	"median_run_ms":13,"max_run_ms":14,"run_ms":15,"cpu_ns":16,"deserialize_ms":17,"deserialize_cpu_ns":18,"gc_ms":19,"serialize_ms":20,"fetch_wait_ms":21,
	"shuffle_write_ns":22,"memory_spilled_bytes":23,"disk_spilled_bytes":24,"input_bytes":25,"input_rows":26,"output_bytes":27,"output_rows":28,
	"shuffle_read_bytes":29,"shuffle_read_rows":30,"shuffle_write_bytes":31,"shuffle_write_rows":32}`

var stageTimes = StageTimes{
	ApplicationID: "app-7", ID: 1, Attempt: 2, Execution: 3, Name: "save at a.py:4", Parents: []tasksample.StageID{0}, SubmittedMS: 5, CompletedMS: 6, Failed: true, Tasks: 8, FailedTasks: 9,
	MissedTasks: 10, HeldUS: 11, IdleUS: 12, MedianRunMS: 13, MaxRunMS: 14, RunMS: 15, CPUNanos: 16, DeserializeMS: 17, DeserializeCPUNanos: 18, GCMS: 19,
	SerializeMS: 20, FetchWaitMS: 21, ShuffleWriteNanos: 22, MemorySpilledBytes: 23, DiskSpilledBytes: 24, InputBytes: 25, InputRows: 26, OutputBytes: 27,
	OutputRows: 28, ShuffleReadBytes: 29, ShuffleReadRows: 30, ShuffleWriteBytes: 31, ShuffleWriteRows: 32,
}

func TestParseTimes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want TimesRecord
	}{
		"stage": {stageTimesJSON, TimesRecord{Stage: &stageTimes}},
		"execution": {`{"version":1,"kind":"execution","application_id":"app-7","execution_id":1,"root_id":2,"query":"q1-3","query_name":"four","plan":"p1-5","root_node":"Sort",
			"started_ms":6,"first_job_ms":7,"ended_ms":8,"failed":true,"jobs":9,"task_free_ms":10,"held_us":11,"idle_us":12,"cpu_ns":13,
			"planning_ms":14,"optimization_ms":15,"analysis_ms":16}`, TimesRecord{Execution: &ExecutionTimes{
			ApplicationID: "app-7", ID: 1, Root: 2, Query: "q1-3", QueryName: "four", Plan: "p1-5", RootNode: "Sort", Jobs: 9, StartedMS: 6, EndedMS: 8, Failed: true, TaskFreeMS: 10,
			HeldUS: 11, IdleUS: 12, CPUNanos: 13, PlanningMS: 14, OptimizationMS: 15, AnalysisMS: 16,
		}}},
		"application": {`{"version":1,"kind":"application","application_id":"app-7","started_ms":1,"ended_ms":2,"until_ms":3,"slots":4,"slot_us":5,
			"stage_slot_us":6,"task_free_ms":7,"planning_ms":8,"missed_tasks":9,"left_out":10}`, TimesRecord{Application: &ApplicationTimes{
			ApplicationID: "app-7", StartedMS: 1, EndedMS: 2, UntilMS: 3, Slots: 4, SlotUS: 5, StageSlotUS: 6, TaskFreeMS: 7, PlanningMS: 8, MissedTasks: 9, LeftOut: 10,
		}}},
		"of a newer agent": {`{"kind":"host","x":1}`, TimesRecord{}},
	} {
		got, err := parseTimes([]byte(c.text))
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
	}
	for _, bad := range []string{"", "{", `{"kind":3}`, `{"kind":"stage","stage_id":"x"}`} {
		got, err := parseTimes([]byte(bad))
		require.ErrorContains(t, err, "decode TIMES", bad)
		require.Zero(t, got, bad)
	}
}

func FuzzTimes(f *testing.F) {
	f.Add([]byte(stageTimesJSON))
	f.Add([]byte(taskTimesJSON))
	f.Add([]byte(`{"kind":"application","until_ms":1}`))
	f.Add([]byte(`{"kind":"execution","query":"q"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parseTimes(text)
		if err != nil {
			require.Zero(t, r)
			return
		}
		if r.Application != nil && r.Execution != nil || r.Execution != nil && r.Stage != nil {
			t.Fatalf("two kinds in one record: %s", text)
		}
	})
}

// Each record is delivered, but for an execution that a replay tells again and for what is no
// record.
func TestTimesAreDelivered(t *testing.T) {
	s, out := newTelling(Settings{})
	s.p.JVMFound(sampler.JVM{ID: 3})
	tell := func(text string) { s.p.Record(3, 9, &jvmlog.Times{JSON: []byte(text)}) }
	tell(stageTimesJSON)
	tell(`{"kind":"execution","application_id":"app-8","execution_id":6}`)
	tell(`{"kind":"execution","application_id":"app-7","execution_id":6}`)
	tell(`{"kind":"execution","application_id":"app-8","execution_id":6,"cpu_ns":5}`) // of a replay
	tell(`{`)
	require.Equal(t, []TimesRecord{
		{Stage: &stageTimes}, {Execution: &ExecutionTimes{ApplicationID: "app-8", ID: 6}}, {Execution: &ExecutionTimes{ApplicationID: "app-7", ID: 6}},
	}, out.times)
	require.Equal(t, uint64(1), s.p.Counts().BadRecords)
}

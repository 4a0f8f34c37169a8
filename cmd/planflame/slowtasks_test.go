package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

// driverJVM is a driver's JVM that told of one stage of six tasks, on six slots. The last takes 5 s
// and the others 1 s. Another application has a stage of the same number.
func driverJVM() window.JVMProfile {
	var out window.JVMProfile
	out.Application.ID = "app-7"
	t := &out.Times
	t.Applications = []pipeline.ApplicationTimes{{ApplicationID: "app-7", StartedMS: 1000, EndedMS: 9000, Slots: 6}}
	t.Stages = []pipeline.StageTimes{
		{ApplicationID: "app-7", ID: 4, Attempt: 1, Execution: 3, SubmittedMS: 2000, CompletedMS: 7000, Tasks: 7},
		{ApplicationID: "app-8", ID: 4, Attempt: 1, SubmittedMS: 2000, CompletedMS: 7000, Tasks: 60},
	}
	for i := range 6 {
		took := int64(1000)
		if i == 5 {
			took = 5000
		}
		t.Tasks = append(t.Tasks, pipeline.TaskTimes{
			ApplicationID: "app-7", Stage: 4, StageAttempt: 1, ID: tasksample.TaskAttemptID(10 + i), Partition: 20 + i, Succeeded: true, LaunchedMS: 2000, FinishedMS: 2000 + took,
			Host: "a", OperatorRows: 7, TaskFigures: pipeline.TaskFigures{
				RunMS: took - 100, CPUNanos: 500e6, DeserializeMS: 60, SerializeMS: 40, InputRows: 3, ShuffleReadRows: 2, InputBytes: 30, ShuffleReadBytes: 20, OutputRows: 4, ShuffleWriteRows: 1,
			},
		})
		t.RunQueues = append(t.RunQueues, pipeline.RunQueue{Task: tasksample.TaskAttemptID(10 + i), Waited: 200 * time.Millisecond})
	}
	return out
}

func TestSlowTasks(t *testing.T) {
	d := driverJVM()
	got := slowTasks([]window.JVMProfile{d}, &columns.Model{})
	execution := tasksample.ExecutionID(3)
	require.Equal(t, "[{All:4 Rows:0 CPU:0 GC:0 Serialization:0 FetchWait:0 Wait:4 Host:0}]", fmt.Sprintf("%+v", []outcome.Excess{got.Tasks[0].Excess}))
	got.Tasks[0].Excess = outcome.Excess{}
	require.Equal(t, &outcome.SlowTasks{
		Stages: 1, Judged: 6, Missing: 1, Wall: 8, WithoutWall: 4, Replayed: 5,
		Tasks: []outcome.SlowTask{{
			ApplicationID: "app-7", ExecutionID: &execution, StageID: 4, Attempt: 1, TaskID: 15, Partition: 25, Host: "a", Verdict: skew.Wait, Seconds: 5, PeerSeconds: 1,
			Volume: 1, Measure: skew.RowsIn, CPURatio: 1,
		}},
	}, got)

	d.Times.RunQueues = d.Times.RunQueues[:2]
	require.Equal(t, 4, slowTasks([]window.JVMProfile{d}, &columns.Model{}).Unqueued)
	require.Nil(t, slowTasks([]window.JVMProfile{{}}, &columns.Model{}), "no driver")
}

// Two tasks were slow by the pauses of one JVM, which fall into the time of the longer one.
func TestVictim(t *testing.T) {
	d := driverJVM()
	tasks := d.Times.Tasks
	tasks[5].GCMS = 3600
	tasks[4].FinishedMS, tasks[4].RunMS, tasks[4].GCMS = 5000, 2900, 2100
	got := slowTasks([]window.JVMProfile{{}, d}, &columns.Model{})
	require.Len(t, got.Tasks, 2)
	require.Equal(t, []skew.Verdict{skew.GC, skew.GC}, []skew.Verdict{got.Tasks[0].Verdict, got.Tasks[1].Verdict})
	require.Nil(t, got.Tasks[0].PausedBy)
	require.Equal(t, &outcome.PausedBy{StageID: 4, Attempt: 1, Partition: 25}, got.Tasks[1].PausedBy)
	d.Times.RunQueues = nil
	require.Nil(t, slowTasks([]window.JVMProfile{d}, &columns.Model{}).Tasks[1].PausedBy, "not known which JVMs they ran in")
}

func TestTaskOfTheJudge(t *testing.T) {
	d := driverJVM()
	j := newTimedJob(&d.Times, 0, runQueuesOf([]window.JVMProfile{d}))
	require.Equal(t, skew.Task{
		Host: "a", Succeeded: true, Start: time.Second, End: 6 * time.Second, Run: 4900 * time.Millisecond, CPU: 500 * time.Millisecond,
		RunQueue: 200 * time.Millisecond, JVM: 1, Serde: 100 * time.Millisecond, RowsIn: 5, BytesIn: 50, RowsOut: 7,
	}, j.stages[0].Tasks[5])
}

// A row names the stage by its index. A task whose stage no sample shows has none.
func TestSlowRows(t *testing.T) {
	m := &columns.Model{Head: columns.Head{Stages: []columns.Stage{{Application: "app-7", ID: 4}, {Application: "app-8", ID: 4, Attempt: 1}, {Application: "app-7", ID: 4, Attempt: 1}}}}
	slow := &outcome.SlowTasks{Tasks: []outcome.SlowTask{
		{ApplicationID: "app-7", StageID: 4, Attempt: 1, TaskID: 15, Verdict: skew.DataSkew, Seconds: 5, PeerSeconds: 1, Excess: outcome.Excess{All: 4}, Operator: "Sort"},
		{ApplicationID: "app-7", StageID: 9, TaskID: 16},
	}}
	require.Equal(t, []columns.SlowTask{{Stage: 2, Task: 15, Verdict: "data skew", Seconds: 5, Peers: 1, Excess: 4, Operator: "Sort"}}, slowRows(slow, m))
	require.Nil(t, slowRows(nil, m))
	require.Zero(t, m.Meta.LostSlow)

	slow.Tasks = slices.Repeat(slow.Tasks[:1], mostPageRows+3)
	require.Len(t, slowRows(slow, m), mostPageRows)
	require.EqualValues(t, 3, m.Meta.LostSlow)
}

package pipeline

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

func TestBudgetOfPlansAndStages(t *testing.T) {
	var counts Counts
	b := &budget{most: 3 * (executionBytes + stageBytes + 8*100)}
	o := newOperators(512, b, &counts, &attribution.Common{})
	stage := func(execution tasksample.ExecutionID, accumulators int) {
		o.stage(&jvmlog.Stage{Stage: 1, Execution: execution, Accumulators: make([]tasksample.AccumulatorID, accumulators)})
	}
	for id := range tasksample.ExecutionID(3) {
		stage(id, 100)
	}
	require.Equal(t, b.most, b.used)
	require.Zero(t, counts.ForgottenPlan+counts.OverBudget)
	stage(1, 100) // a replay
	require.Equal(t, b.most, b.used)

	// What was used least recently makes room.
	stage(3, 100)
	require.Equal(t, uint64(1), counts.ForgottenPlan)
	require.Nil(t, o.executions[0])
	require.Equal(t, b.most, b.used)

	// One that is larger than all has none.
	stage(3, 5000)
	require.Equal(t, uint64(1), counts.OverBudget)
	require.Len(t, o.executions, 1)
	require.Len(t, o.execution(3).stages[stageKey{stage: 1}].accumulators, 100)
	require.Equal(t, executionBytes+stageBytes+8*100, b.used)
	o.forgetAll()
	require.Zero(t, b.used)

	plan := func(id tasksample.ExecutionID, text int) {
		o.dictionary(&jvmlog.Dictionary{Execution: id, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "nodes": [], "x": "%*d"}`, id, text, 1)})
	}
	plan(1, 100)
	require.NotZero(t, b.used)
	over := counts.OverBudget
	plan(2, 5000)
	require.Equal(t, over+1, counts.OverBudget)
}

// A new reader finds stages in the log. Then a replay tells plans and stages, the execution that
// runs last. Plans of the newest executions stay, and so do the stages.
func TestAReplayLargerThanTheBudget(t *testing.T) {
	var counts Counts
	b := &budget{}
	o := newOperators(512, b, &counts, &attribution.Common{})
	const executions, fit = 128, 16
	plan := func(id tasksample.ExecutionID) {
		o.dictionary(&jvmlog.Dictionary{Execution: id, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "nodes": [], "x": "%*d"}`, id, 30000, id)})
	}
	for id := range tasksample.ExecutionID(executions) {
		o.stage(&jvmlog.Stage{Stage: tasksample.StageID(id), Execution: id, Accumulators: []tasksample.AccumulatorID{tasksample.AccumulatorID(id)}})
	}
	stages := b.used
	plan(0)
	b.most = stages + fit*(b.used-stages)
	for id := tasksample.ExecutionID(1); id < executions; id++ {
		plan(id)
	}
	for id := range tasksample.ExecutionID(executions) {
		o.stage(&jvmlog.Stage{Stage: tasksample.StageID(id), Execution: id, Accumulators: []tasksample.AccumulatorID{tasksample.AccumulatorID(id)}})
	}
	require.Zero(t, counts.OverBudget)
	for id := tasksample.ExecutionID(executions - fit + 1); id < executions; id++ {
		require.NotNil(t, o.plan(id), id)
		require.NotEmpty(t, o.execution(id).stages, id)
	}
	require.Nil(t, o.plan(1))

	// Tasks find room in place of a plan.
	j := &jvm{p: &Pipeline{}, budget: b, ops: o}
	b.keep(b.most - b.used)
	require.True(t, j.fits(taskBytes))
	require.Zero(t, j.p.counts.OverBudget)
	require.NotNil(t, o.plan(executions-1))
}

func TestBudgetOfTheTimeline(t *testing.T) {
	b := &budget{}
	tl := newTimeline(b)
	for i := range uint64(4) {
		e := jvmlog.TaskEvent{Index: 2 * i, Kind: jvmlog.TaskStart, TID: uint32(i % 2), Task: tasksample.TaskAttemptID(i), Time: jvmlog.MonoTime(10 * i), ThreadCPUNanos: 100 + i}
		tl.event(e)
		e.Index, e.Kind, e.Time, e.ThreadCPUNanos = e.Index+1, jvmlog.TaskEnd, e.Time+5, 102+i
		tl.event(e)
	}
	require.Equal(t, 4*taskBytes, b.used)
	tl.forget(16)
	require.Equal(t, 2*taskBytes, b.used)
	tl.event(jvmlog.TaskEvent{Index: 8, Kind: jvmlog.TaskStart, TID: 1, Task: 9, Time: 40}) // its clock went back: another thread
	require.Equal(t, 2*taskBytes, b.used, "one went and one came")
	tl.forget(1000)
	require.Equal(t, taskBytes, b.used, "one is open")
}

func TestManyThreadsAreForgotten(t *testing.T) {
	tl := newTimeline(&budget{})
	for tid := range uint32(mostThreads + 1) {
		tl.thread(jvmlog.Thread{TID: tid})
	}
	tl.event(jvmlog.TaskEvent{Kind: jvmlog.TaskStart, TID: 7, Time: 5})
	tl.forget(1)
	require.Len(t, tl.threads, 1, "the one with a task")
}

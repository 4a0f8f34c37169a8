package pipeline

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
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
		o.dictionary(&jvmlog.Dictionary{Execution: id, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "nodes": [], "query": "%*d"}`, id, text, id)})
	}
	plan(1, 100)
	require.NotZero(t, b.used)
	over := counts.OverBudget
	plan(2, 5000)
	require.Equal(t, over+1, counts.OverBudget)
	o.forgetAll()
	require.Zero(t, b.used)
	require.Empty(t, o.texts.known)
	require.Empty(t, o.texts.holders)
}

// Plans are charged about what they hold. Two dozen queries whose plans AQE changes five times run
// at once, and no plan is let go.
func TestPlansAreChargedWhatTheyHold(t *testing.T) {
	p := New(Settings{}, nowhere{})
	p.JVMFound(sampler.JVM{ID: 7, Header: jvmlog.Header{Minor: jvmlog.Minor}})
	const queries = 24
	updates := realPlans(t, queries)
	j, before := p.jvms[7], liveHeap()
	for i, of := range updates {
		id := tasksample.ExecutionID(i)
		for _, json := range of {
			p.Record(7, 1, &jvmlog.Dictionary{Execution: id, JSON: json})
		}
		plan := j.ops.plan(id)
		j.ops.attributor.Attribute([]attribution.Frame{{Kind: attribution.FrameJava, Class: "p.C", Method: "m"}}, attribution.Scope{Plan: plan, Accumulators: []int64{}})
		for _, tree := range plan.Updates {
			for n := range tree.Nodes {
				j.ops.names(plan, namedNode{node: &tree.Nodes[n]})
			}
		}
	}
	held := liveHeap() - before
	require.Zero(t, p.Counts().BadPlans+p.Counts().ForgottenPlan+p.Counts().OverBudget)
	require.InEpsilon(t, held, j.budget.used, 0.2)
	t.Logf("%d bytes held, %d charged", held, j.budget.used)
	runtime.KeepAlive(updates)
	runtime.KeepAlive(p)
}

// realPlans are the updates of a plan that AQE changed, as if so many queries had run.
func realPlans(t *testing.T, queries int) (out [][][]byte) {
	files, err := filepath.Glob("../../attribution/testdata/spark-4.3.0/aqe-replan/plan-80-*.json")
	require.NoError(t, err)
	require.Len(t, files, 6)
	numbers := regexp.MustCompile(`("id": |#)(\d+)`)
	for i := range queries {
		var updates [][]byte
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			text = bytes.Replace(text, []byte(`"execution_id": 80`), fmt.Appendf(nil, `"execution_id": %d`, i), 1)
			updates = append(updates, numbers.ReplaceAll(text, fmt.Appendf(nil, "${1}%d${2}", 10+i)))
		}
		out = append(out, updates)
	}
	return out
}

// Executions that have ended make room first. A running one loses its plan only then, and what its
// tasks that end later cost is marked, even if the plan comes again.
func TestRunningExecutionsKeepTheirPlans(t *testing.T) {
	s := newScenario(Settings{Hold: time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	const running, ended = 1, 2
	tasks := 900
	lost := func(execution int) bool {
		tasks++
		s.Task(7, float64(tasks), float64(tasks)+0.5, tasks, 6, execution, 20)
		s.p.Finish()
		return s.got.tasks[len(s.got.tasks)-1].PlanLost
	}
	for _, execution := range []int{running, ended} {
		s.Plan(7, jvmtest.At(1), execution)
		s.Stage(7, jvmtest.At(1), 6, execution)
		require.False(t, lost(execution))
	}
	s.Over(7, 2, ended, false)
	j := s.p.jvms[7]
	full := func(execution int) { // a plan comes when there is no room
		j.budget.most = j.budget.used + executionBytes
		s.Plan(7, jvmtest.At(3), execution)
		j.budget.most = 0
	}
	full(3)
	require.NotNil(t, j.ops.plan(running))
	require.Nil(t, j.ops.execution(ended))
	require.True(t, lost(ended))
	require.False(t, lost(running))
	s.Stage(7, jvmtest.At(3), 6, 3)
	require.False(t, lost(3))
	require.EqualValues(t, 1, s.p.Counts().ForgottenPlan)

	full(4)
	require.Nil(t, j.ops.plan(running), "it was used least recently of those that run")
	require.NotNil(t, j.ops.plan(3))
	require.EqualValues(t, 2, s.p.Counts().ForgottenPlan)
	require.True(t, lost(running))
	s.Plan(7, jvmtest.At(5), running)
	require.True(t, lost(running))
	require.Equal(t, "scan@22", s.got.samples[len(s.got.samples)-1].Operator, "its stage was kept")
}

// A new reader finds stages in the log. Then a replay tells plans and stages, the execution that
// runs last. Plans of the newest executions stay, and so do the stages.
func TestAReplayLargerThanTheBudget(t *testing.T) {
	var counts Counts
	b := &budget{}
	o := newOperators(512, b, &counts, &attribution.Common{})
	const executions, fit = 128, 16
	plan := func(id tasksample.ExecutionID) {
		o.dictionary(&jvmlog.Dictionary{Execution: id, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "nodes": [], "query": "%30000d"}`, id, id)})
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

// As many tasks as a sampler takes of a JVM find room, and no plan makes it for them.
func TestTasksHaveRoom(t *testing.T) {
	p := New(Settings{}, nowhere{})
	p.JVMFound(sampler.JVM{ID: 7, Header: jvmlog.Header{Minor: 2}})
	j := p.jvms[7]
	plan(p, 4, `{"parent":-1,"metrics":[{"id":52}]}`)
	p.Record(7, 1, &jvmlog.Stage{Stage: 6, Execution: 4, Accumulators: []tasksample.AccumulatorID{52}})
	j.budget.most = j.budget.used
	before := liveHeap()
	const seconds, second, threads = 20, 5000, 32
	for n := range uint64(seconds * second) {
		e := jvmlog.TaskEvent{Index: 2 * n, Kind: jvmlog.TaskStart, TID: uint32(n % threads), Task: tasksample.TaskAttemptID(n), Stage: 6, Execution: 4, ThreadCPUNanos: n}
		e.Time = jvmtest.At(float64(n) / second)
		p.TaskEvent(7, e)
		e.Index, e.Kind, e.Time = e.Index+1, jvmlog.TaskEnd, e.Time+jvmtest.At(1./second)
		p.TaskEvent(7, e)
		if n%second == second-1 { // a round
			p.Watermark(7, e.Time)
		}
	}
	held := liveHeap() - before
	require.Zero(t, p.Counts().OverBudget+p.Counts().ForgottenPlan)
	require.NotNil(t, j.ops.plan(4))
	require.InEpsilon(t, held, j.timeline.budget.used, 0.25)
	p.JVMGone(7)
	require.EqualValues(t, seconds*second, p.Counts().Tasks)
}

// A task is forgotten when no sample of it may come, and none waits.
func TestTasksStayForWhatWaits(t *testing.T) {
	s := newScenario(Settings{})
	s.JVM(7, sampler.ModeSelfOpened)
	s.Code(7)
	s.Task(7, 10, 11, 41, 6, 4, 5)
	s.p.Watermark(7, jvmtest.At(20))
	tasks := func() int { return len(s.p.jvms[7].timeline.threads[41].tasks) }
	require.Equal(t, 1, tasks(), "a sample waits for its plan")
	s.Plan(7, jvmtest.At(20), 4)
	s.Stage(7, jvmtest.At(20), 6, 4)
	s.p.Watermark(7, jvmtest.At(20.1))
	require.Equal(t, []verdict{{"q1-of4", "scan@22", "", 41, true}}, s.got.verdicts())
	require.Zero(t, tasks())
	s.Task(7, 21, 22, 41, 6, 4, 5)
	s.p.Watermark(7, jvmtest.At(26))
	require.Equal(t, 1, tasks(), "samples come out of order")
	s.p.Watermark(7, jvmtest.At(26.1))
	require.Zero(t, tasks())
}

// Readings of Python workers ask for tasks since the reading before, however long ago that was.
func TestTasksStayForReadings(t *testing.T) {
	s, told := newTelling(Settings{Hold: time.Second})
	s.JVM(7, sampler.ModeSelfOpened)
	s.pythonPlan(4, 6, "f")
	s.p.Account(7, jvmtest.At(10), Account{Workers: 1, Started: 1})
	s.p.Watermark(7, jvmtest.At(11))
	s.pythonTask(900, 6, 4, 10.5, 12)
	s.p.Account(7, jvmtest.At(19), Account{Workers: time.Second, Started: 1})
	for at := 12.; at <= 20; at++ {
		s.p.Watermark(7, jvmtest.At(at))
	}
	require.Equal(t, "python@f", told.outside[len(told.outside)-1].Operator)
	require.Empty(t, s.p.jvms[7].toBook)
	s.p.Watermark(7, jvmtest.At(21))
	require.Empty(t, s.p.jvms[7].timeline.threads[900].tasks)
}

// Until the end no task is forgotten. A list of all readings of a recording would grow and shrink
// for nothing.
func TestReadingsOfARecordingAreNotListed(t *testing.T) {
	s, told := newTelling(Settings{Hold: UntilEnd})
	s.JVM(7, sampler.ModeSelfOpened)
	s.pythonPlan(4, 6, "f")
	s.pythonTask(900, 6, 4, 10.5, 12)
	s.p.Account(7, jvmtest.At(11), Account{Workers: time.Second, Started: 1})
	s.p.Account(7, jvmtest.At(12), Account{Workers: 2 * time.Second, Started: 1})
	s.p.Watermark(7, jvmtest.At(20))
	require.Empty(t, s.p.jvms[7].toBook)
	s.p.Finish()
	require.Equal(t, "python@f", told.outside[len(told.outside)-1].Operator)
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

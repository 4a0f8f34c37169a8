package pipeline

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// apps is a Consumer that remembers whose everything is.
type apps struct {
	told
	by    map[sampler.JVMID]Application
	stats map[sampler.JVMID]sampler.Stats
}

func (a *apps) JVM(v sampler.JVM, app Application)             { a.by[v.ID] = app }
func (a *apps) SamplerStats(id sampler.JVMID, s sampler.Stats) { a.stats[id] = s }
func (a *apps) of(l *Labels) (application, query, operator string) {
	return a.by[l.JVM].Name, l.Query, l.Operator
}

func newApps(t *testing.T, s Settings) (*scenario, *apps) {
	a := &apps{by: map[sampler.JVMID]Application{}, stats: map[sampler.JVMID]sampler.Stats{}}
	return into(s, a, &a.got), a
}

// application writes an APPLICATION record.
func (s *scenario) application(at jvmlog.MonoTime, id, name string) {
	s.p.Record(7, at, &jvmlog.Application{JSON: []byte(`{"application_id": "` + id + `", "application_name": "` + name + `", "executor_id": "driver"}`)})
}

// twoApplications run execution 2, stage 5 and task 1 each, on thread 11 and thread 12. The first
// has a plan, the second's comes when wanted; the first's second task outlives its application by a
// second.
func twoApplications(s *scenario, secondPlan bool) {
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: 2, AgentCPUNanos: 3}})
	s.Code(7)
	s.application(jvmtest.At(1), "", "first")
	s.application(jvmtest.At(1.1), "local-1", "first")
	s.Plan(7, jvmtest.At(1.2), 2)
	s.Stage(7, jvmtest.At(1.2), 5, 2)
	s.p.Stats(7, sampler.Stats{Samples: 10, AgentCPUNanos: 100})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(2), 11, 1, 5, 2, jvmtest.Clocks{})
	// One round of the sampler: the record that the second application writes as it starts comes
	// before what happened before it.
	s.application(jvmtest.At(4), "", "second")
	s.application(jvmtest.At(4.2), "local-2", "second")
	if secondPlan {
		s.p.Record(7, jvmtest.At(4.3), &jvmlog.Dictionary{Execution: 2, JSON: []byte(`{"version": 1, "execution_id": 2, "update": 0, "query": "q1-second", "query_name": "another",
			"plan": "p1-second", "nodes": [{"parent": -1, "class": "org.apache.spark.sql.execution.FileSourceScanExec", "name": "Scan parquet", "text": "FileScan parquet [b#1]",
			"operator": "scan@33", "operator_name": "Scan u", "role": "scan", "codegen": -1, "stage": "result", "metrics": [{"id": 51, "name": "number of output rows", "type": "sum"}]}]}`)})
		s.Stage(7, jvmtest.At(4.3), 5, 2)
	}
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(3), 11, 1, 5, 2, jvmtest.Clocks{CPU: 40})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(3.5), 11, 2, 5, 2, jvmtest.Clocks{CPU: 41})
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(4.5), 12, 1, 5, 2, jvmtest.Clocks{})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(5), 11, 2, 5, 2, jvmtest.Clocks{CPU: 81})
	s.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(5.5), 12, 1, 5, 2, jvmtest.Clocks{CPU: 30})
	s.Sample(7, jvmtest.At(2.5), 11, jvmtest.ScanCode+9, jvmtest.RunCode+17)
	s.Sample(7, jvmtest.At(4.8), 11, jvmtest.ScanCode+9, jvmtest.RunCode+17)
	s.Sample(7, jvmtest.At(4.9), 12, jvmtest.ScanCode+9, jvmtest.RunCode+17)
	s.p.Stats(7, sampler.Stats{Samples: 13, AgentCPUNanos: 107})
}

func TestASecondApplicationInOneJVM(t *testing.T) {
	s, a := newApps(t, Settings{})
	twoApplications(s, true)
	s.p.Watermark(7, jvmtest.At(5.9))
	require.Empty(t, a.gone, "samples of the first may come until the hold is over")
	s.p.Watermark(7, jvmtest.At(6.1))
	assert.Equal(t, []sampler.JVMID{7}, a.gone, "the first application has ended; its JVM has not")
	s.p.Watermark(7, jvmtest.At(9))
	s.p.JVMGone(7)
	assert.Equal(t, []sampler.JVMID{7, FirstLater}, a.gone)

	require.Len(t, a.samples, 3)
	for i, want := range [][3]string{{"first", "q1-of2", "scan@22"}, {"first", "q1-of2", "scan@22"}, {"second", "q1-second", "scan@33"}} {
		app, query, operator := a.of(&a.samples[i].Labels)
		assert.Equal(t, want, [3]string{app, query, operator}, "sample %d", i)
	}
	require.Len(t, a.tasks, 3)
	for i, want := range []struct {
		app string
		cpu int64
	}{{"first", 40e6}, {"first", 41e6}, {"second", 30e6}} {
		app, _, _ := a.of(&a.tasks[i].Labels)
		assert.Equal(t, want.app, app, "task %d", i)
		assert.Equal(t, want.cpu, a.tasks[i].CPU.Nanoseconds(), "task %d: the threads' clocks go on", i)
	}
	require.Len(t, a.over, 2)
	assert.Equal(t, [2]sampler.JVMID{7, FirstLater}, [2]sampler.JVMID{a.over[0].JVM, a.over[1].JVM}, "an execution 2 of each")
	assert.Equal(t, map[sampler.JVMID]sampler.Stats{7: {Samples: 10, AgentCPUNanos: 100}, FirstLater: {Samples: 3, AgentCPUNanos: 7}}, a.stats, "counts of a JVM count once")
	assert.Equal(t, uint64(3), s.p.Counts().Labelled)
	assert.Zero(t, s.p.Counts().LostEnds+s.p.Counts().LostStarts)
}

func TestThePlanOfTheFirstApplicationIsNotTheSeconds(t *testing.T) {
	s, a := newApps(t, Settings{Hold: UntilEnd})
	twoApplications(s, false)
	s.p.Watermark(7, jvmtest.At(99))
	require.Empty(t, a.samples)
	s.p.Finish()
	s.p.JVMGone(7)
	require.Len(t, a.samples, 3)
	app, query, operator := a.of(&a.samples[2].Labels)
	assert.Equal(t, [3]string{"second", "", ""}, [3]string{app, query, operator})
	assert.Equal(t, []sampler.JVMID{7, FirstLater}, a.gone)
}

func TestAnApplicationIsToldAgain(t *testing.T) {
	s, a := newApps(t, Settings{})
	s.p.JVMFound(sampler.JVM{ID: 7})
	s.application(jvmtest.At(1), "local-1", "first")
	s.application(jvmtest.At(2), "local-1", "first") // a replay
	s.p.JVMGone(7)
	assert.Equal(t, []sampler.JVMID{7}, a.gone)
	assert.Equal(t, "first", a.by[7].Name)
}

// A JVM that announces applications without end has a few of them within a hold. The others count
// as lost, and what they do is the last one's.
func TestApplicationsWithoutEnd(t *testing.T) {
	s, a := newApps(t, Settings{})
	s.p.JVMFound(sampler.JVM{ID: 7})
	announce := func(at float64, names string) {
		for i := range 9 {
			s.application(jvmtest.At(at), fmt.Sprint(names, i), names)
		}
	}
	announce(1, "early")
	assert.Len(t, a.by, 1+mostSuccessors)
	assert.EqualValues(t, 8-mostSuccessors, s.p.Counts().OverBudget)
	s.p.Watermark(7, jvmtest.At(2.9))
	assert.Empty(t, a.gone)
	s.p.Watermark(7, jvmtest.At(3.1))
	assert.Len(t, a.gone, mostSuccessors, "the last lives")
	announce(4, "late")
	assert.Len(t, a.by, 1+2*mostSuccessors)
	assert.EqualValues(t, 8-mostSuccessors+9-mostSuccessors, s.p.Counts().OverBudget)
}

// What waits for its plan is not told, nor what waits in the hold. What came later and does not
// wait is.
func TestTold(t *testing.T) {
	s, _ := newApps(t, Settings{})
	s.p.JVMFound(sampler.JVM{ID: 7})
	s.p.Watermark(7, jvmtest.At(4))
	told := func() jvmlog.Told { return s.p.Told()[7] }
	assert.Equal(t, jvmlog.Told{Before: jvmtest.At(2)}, told())
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(5), 11, 1, 5, 2, jvmtest.Clocks{})
	s.Sample(7, jvmtest.At(6), 11, jvmtest.ScanCode+9)
	outside := func(at float64, cpu time.Duration) { // of a task
		s.p.Sample(7, sampler.Sample{Time: jvmtest.At(at), TID: 12, Period: cpu, Addrs: []uint64{1}})
	}
	outside(4, 3)
	outside(6.5, 5)
	outside(9, 7)
	outside(11, 11)
	s.p.Watermark(7, jvmtest.At(12))
	assert.Equal(t, jvmlog.Told{Before: jvmtest.At(6), Later: 5 + 7}, told(), "its plan may come")
	s.p.Watermark(7, jvmtest.At(20))
	assert.Equal(t, jvmlog.Told{Before: jvmtest.At(18)}, told())
}

// A run has all of its applications.
func TestAllApplicationsOfARun(t *testing.T) {
	s, a := newApps(t, Settings{Hold: UntilEnd})
	s.p.JVMFound(sampler.JVM{ID: 7})
	for i := range 9 {
		s.application(jvmtest.At(1), fmt.Sprint(i), "one of many")
	}
	assert.Len(t, a.by, 9)
	assert.Zero(t, s.p.Counts().OverBudget)
}

// A stage without a plan of the second application waits for its own name, and does not get the
// name of the first's stage.
func TestAStageWithoutAPlanOfTheSecondApplication(t *testing.T) {
	s, a := newApps(t, Settings{})
	s.p.JVMFound(sampler.JVM{ID: 7, PID: 107, Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: namesStages}})
	s.Code(7)
	s.application(jvmtest.At(1), "local-1", "first")
	s.StageInfo(7, jvmtest.At(1.1), 6)
	s.application(jvmtest.At(4), "local-2", "second")
	s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(10), 41, 900, 6, -1, jvmtest.Clocks{CPU: 20, System: 5})
	s.Sample(7, jvmtest.At(10.5), 41, jvmtest.ScanCode+9)
	s.p.Watermark(7, jvmtest.At(13))
	require.Empty(t, a.samples, "its name is not there yet")
	s.p.JVMGone(7)
	require.Len(t, a.samples, 1)
	app, query, _ := a.of(&a.samples[0].Labels)
	assert.Equal(t, [2]string{"second", ""}, [2]string{app, query})
}

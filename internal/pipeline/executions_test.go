package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// The end of a short execution comes before its tasks, which are of the same reading.
func TestEndBeforeTasks(t *testing.T) {
	s, out := newTelling(Settings{Hold: time.Second})
	s.JVMOfMinor(7, 2)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Over(7, 10.3, 4, true)
	s.Over(7, 10.3, 5, false) // no task of it ran here
	s.Task(7, 10, 10.2, 900, 6, 4, 5)
	s.p.Watermark(7, jvmtest.At(10.5))
	s.p.Watermark(7, jvmtest.At(14))
	require.Equal(t, []ExecutionOver{
		{JVM: 7, Execution: 4, How: EndTold, Failed: true, End: time.Unix(0, 1_700_000_000_000_000_007), LastTask: jvmtest.At(10.2)},
	}, out.over)
	require.Equal(t, []string{"sample 10100000000", "task 900", "over 4"}, out.order)
	require.Empty(t, s.p.jvms[7].executions.open)
}

// An end waits for samples that wait for their plan.
func TestEndWaitsForThePlan(t *testing.T) {
	s, out := newTelling(Settings{Hold: time.Second, PlanWait: 20 * time.Second})
	s.JVMOfMinor(7, 2)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Task(7, 10, 11, 900, 6, 4, 20)
	s.Rows(7, 11.1, 6, 4, 1, 700)
	s.Over(7, 11.2, 4, false)
	s.p.Watermark(7, jvmtest.At(20))
	require.Empty(t, out.over)
	s.Plan(7, jvmtest.At(20.5), 4)
	s.p.Watermark(7, jvmtest.At(21))
	require.Len(t, out.samples, 4)
	require.Equal(t, "q1-of4", out.samples[0].Query)
	require.Equal(t, []string{"task 900", "over 4"}, out.order[4:])
	require.Len(t, out.rows, 1)
	require.Equal(t, OperatorRows{Operator: "scan@22", OperatorName: "Scan t", Role: "scan", Rows: 700, Above: "exchange@11"}, out.rows[0].Operators[1])
	require.Zero(t, s.p.Counts().UnplacedRows)
}

// How an execution ends that no one tells the end of.
func TestEndsThatNobodyTold(t *testing.T) {
	for name, test := range map[string]struct {
		minor  uint16
		play   func(*scenario)
		how    EndOfExecution
		ends   bool
		counts Counts
	}{
		"no task for long, old agent": {tellsEnds - 1, func(s *scenario) { s.p.Watermark(7, jvmtest.At(11+60+1+2+10)) }, EndIdle, true, Counts{IdleEnds: 1}},
		"not yet":                     {tellsEnds - 1, func(s *scenario) { s.p.Watermark(7, jvmtest.At(11+60+1+2+9)) }, 0, false, Counts{}},
		"new agent will tell":         {tellsEnds, func(s *scenario) { s.p.Watermark(7, jvmtest.At(5000)) }, 0, false, Counts{}},
		"a long task": {tellsEnds - 1, func(s *scenario) {
			s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(12), 41, 901, 6, 4, jvmtest.Clocks{CPU: 1})
			s.p.Watermark(7, jvmtest.At(5000))
		}, 0, false, Counts{}},
		"with its JVM":    {tellsEnds, func(s *scenario) { s.p.Watermark(7, jvmtest.At(20.9)); s.p.JVMGone(7) }, EndWithJVM, true, Counts{}},
		"left by its JVM": {tellsEnds, func(s *scenario) { s.p.Watermark(7, jvmtest.At(21.1)); s.p.JVMGone(7) }, EndLeft, true, Counts{}},
		"with a local master": {tellsEnds, func(s *scenario) {
			s.p.Record(7, jvmtest.At(12), &jvmlog.Application{JSON: []byte(`{"application_id": "local-3", "executor_id": "driver"}`)})
			s.p.Watermark(7, jvmtest.At(500))
			s.p.JVMGone(7)
		}, EndWithJVM, true, Counts{}},
		"cut short": {tellsEnds, func(s *scenario) {
			s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(11), 41, 901, 6, 4, jvmtest.Clocks{CPU: 1})
			s.p.Watermark(7, jvmtest.At(13))
			s.p.JVMGone(7)
		}, EndLeft, true, Counts{}},
		"cut short with a local master": {tellsEnds, func(s *scenario) {
			s.p.Record(7, jvmtest.At(12), &jvmlog.Application{JSON: []byte(`{"application_id": "local-3", "executor_id": "driver"}`)})
			s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(12), 41, 901, 6, 4, jvmtest.Clocks{CPU: 1})
			s.p.Watermark(7, jvmtest.At(13))
			s.p.JVMGone(7)
		}, 0, false, Counts{CutExecutions: 1}},
		"its reader leaves": {tellsEnds, func(s *scenario) { s.p.JVMLeft(7); s.p.JVMGone(7) }, EndLeft, true, Counts{}},
		"its reader leaves a local master": {tellsEnds, func(s *scenario) {
			s.p.Record(7, jvmtest.At(12), &jvmlog.Application{JSON: []byte(`{"application_id": "local-3", "executor_id": "driver"}`)})
			s.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(11), 41, 901, 6, 4, jvmtest.Clocks{CPU: 1})
			s.p.JVMLeft(7)
			s.p.JVMGone(7)
		}, EndLeft, true, Counts{}},
		"pushed out": {tellsEnds, func(s *scenario) {
			s.Task(7, 13, 14, 901, 8, 5, 5)
			s.Task(7, 15, 16, 902, 9, 6, 5)
			s.p.Watermark(7, jvmtest.At(18))
		}, EndLeft, true, Counts{EarlyEnds: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s, out := newTelling(Settings{Hold: time.Second, ExecutionIdle: time.Minute, MaxExecutions: 2})
			s.JVMOfMinor(7, test.minor)
			s.Plan(7, jvmtest.At(1), 4)
			s.Stage(7, jvmtest.At(1), 6, 4)
			s.Task(7, 10, 11, 900, 6, 4, 20)
			s.p.Watermark(7, jvmtest.At(12.5))
			test.play(s)
			got := s.p.Counts()
			require.Equal(t, test.counts, Counts{IdleEnds: got.IdleEnds, EarlyEnds: got.EarlyEnds, CutExecutions: got.CutExecutions})
			if !test.ends {
				require.Empty(t, out.over)
				return
			}
			require.Equal(t, []ExecutionOver{{JVM: 7, Execution: 4, How: test.how, LastTask: jvmtest.At(11)}}, out.over)
			require.Equal(t, 20*time.Millisecond, out.tasks[0].CPU)
		})
	}
}

// Executions that ran when another reader left are cut, as their plans come with a replay or from
// before.
func TestCutExecutions(t *testing.T) {
	took := jvmtest.At(1.5)
	for _, test := range []struct {
		tookOver jvmlog.MonoTime
		replays  bool
		want     map[tasksample.ExecutionID]bool
	}{
		{0, false, map[tasksample.ExecutionID]bool{1: false, 2: false, 3: false, 4: false}},
		{took, true, map[tasksample.ExecutionID]bool{1: true, 2: false, 3: true, 4: false}},
		{took, false, map[tasksample.ExecutionID]bool{1: true, 2: false, 3: false, 4: false}}, // the log has all
	} {
		s, out := newTelling(Settings{Hold: time.Second})
		s.p.JVMFound(sampler.JVM{ID: 7, PID: 1007, Header: jvmlog.Header{Minor: tellsEnds}, TookOver: test.tookOver, Replays: test.replays})
		s.p.Record(7, jvmtest.At(0.5), &jvmlog.Replay{Begin: true, Generation: 0}) // another reader asked for it
		s.p.Record(7, jvmtest.At(0.6), &jvmlog.Replay{Generation: 0})
		s.Plan(7, jvmtest.At(1), 1)
		s.Plan(7, jvmtest.At(2), 2)
		s.p.Record(7, jvmtest.At(2), &jvmlog.Replay{Begin: true, Generation: 1})
		s.Plan(7, jvmtest.At(2), 3)
		s.p.Record(7, jvmtest.At(2), &jvmlog.Replay{Generation: 1})
		s.p.Record(7, jvmtest.At(3), &jvmlog.Replay{Begin: true, Generation: 2})
		s.Plan(7, jvmtest.At(3), 4)
		s.p.Record(7, jvmtest.At(3), &jvmlog.Replay{Generation: 2})
		for id := 1; id <= 4; id++ {
			s.Stage(7, jvmtest.At(4), id, id)
			s.Task(7, 10, 11, 900+id, id, id, 20)
		}
		s.p.Watermark(7, jvmtest.At(12))
		s.p.JVMGone(7)
		cut := map[tasksample.ExecutionID]bool{}
		for _, x := range out.over {
			cut[x.Execution] = x.Cut
		}
		require.Equal(t, test.want, cut)
		require.Empty(t, s.p.jvms)
	}
}

// Without a plan rows say nothing and are counted; outside SQL no one waits for them.
func TestRowsWithoutPlan(t *testing.T) {
	s, out := newTelling(Settings{Hold: time.Second, PlanWait: 3 * time.Second})
	s.JVMOfMinor(7, 2)
	s.Task(7, 10, 11, 900, 6, 4, 20)
	s.Rows(7, 11.5, 6, 4, 1, 700)
	s.Rows(7, 11.5, 6, int(tasksample.NoExecution), 1, 700)
	s.p.Watermark(7, jvmtest.At(14))
	require.Zero(t, s.p.Counts().UnplacedRows)
	s.p.Watermark(7, jvmtest.At(16))
	require.EqualValues(t, 1, s.p.Counts().UnplacedRows)
	require.Len(t, out.rows, 1)
	require.Zero(t, out.rows[0].Tasks, "no one knows which operators they are of")
	require.Empty(t, out.rows[0].Operators)
}

package pipeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// step is a task event, or news of a thread slot.
type step struct {
	thread *jvmlog.Thread
	kind   jvmlog.TaskEventKind
	index  uint64
	at     jvmlog.MonoTime
	tid    uint32
	task   int
	cpu    uint64 // ms
	system uint64 // ms
}

func (s step) event() jvmlog.TaskEvent {
	return jvmlog.TaskEvent{Index: s.index, Kind: s.kind, Time: s.at, TID: s.tid, Task: tasksample.TaskAttemptID(100 + s.task), ThreadCPUNanos: s.cpu * 1e6,
		SystemNanos: s.system * 1e6, ExecutorCPUNanos: 17e6, ExecutorDeserializeNanos: 3e6}
}

func TestTaskCPU(t *testing.T) {
	const start, end = jvmlog.TaskStart, jvmlog.TaskEnd
	type cpu struct{ task, cpu, system, unsampled time.Duration } // ms
	tests := []struct {
		name       string
		steps      []step
		want       []cpu
		lostStarts uint64
		lostEnds   uint64
	}{
		{"a thread's CPU before its first task belongs to that task", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5, system: 1}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
		}, []cpu{{1, 25, 4, 0}}, 0, 0},
		{"what lies between two tasks belongs to the second", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
			{kind: start, index: 2, at: 3, tid: 41, task: 2, cpu: 28, system: 5}, {kind: end, index: 3, at: 4, tid: 41, task: 2, cpu: 40, system: 6},
		}, []cpu{{1, 25, 4, 0}, {2, 15, 2, 0}}, 0, 0},
		{"the event was opened in the first task", []step{
			{thread: &jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 9e6}},
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 8, system: 2}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
		}, []cpu{{1, 25, 4, 7}}, 0, 0},
		{"the event was opened again at another rate in the midst of the task", []step{
			{thread: &jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 9e6, BasePeriodNS: 5e6}},
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 8, system: 2},
			{thread: &jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 21e6, BasePeriodNS: 7e6}},
			{kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
		}, []cpu{{1, 25, 4, 7}}, 0, 0},
		{"no event until the midst of the task", []step{
			{thread: &jvmlog.Thread{TID: 41, StartTime: 1}},
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 8, system: 2},
			{thread: &jvmlog.Thread{TID: 41, StartTime: 1, CPUNanosAtOpen: 21e6, BasePeriodNS: 7e6}},
			{kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
		}, []cpu{{1, 25, 4, 19}}, 0, 0},
		{"a reader that came late knows nothing of the thread's past", []step{
			{kind: start, index: 70, at: 1, tid: 41, task: 1, cpu: 5000, system: 1000}, {kind: end, index: 71, at: 2, tid: 41, task: 1, cpu: 5020, system: 1004},
		}, []cpu{{1, 20, 4, 0}}, 0, 0},
		{"an end is all that a late reader saw: Spark's own figure", []step{
			{kind: end, index: 70, at: 2, tid: 41, task: 1, cpu: 5020, system: 1004},
		}, []cpu{{1, 20, 0, 0}}, 1, 0},
		{"a lost end: the next start's clocks end the task", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: start, index: 2, at: 3, tid: 41, task: 2, cpu: 28, system: 5},
			{kind: end, index: 3, at: 4, tid: 41, task: 2, cpu: 40, system: 6},
		}, []cpu{{1, 28, 5, 0}, {2, 12, 1, 0}}, 0, 1},
		{"a lost start: the time since the last end", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25, system: 4},
			{kind: end, index: 3, at: 4, tid: 41, task: 2, cpu: 40, system: 6},
		}, []cpu{{1, 25, 4, 0}, {2, 15, 2, 0}}, 1, 0},
		{"a lost end and a lost start: Spark's own figure for the second, the first has the rest", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 3, at: 4, tid: 41, task: 2, cpu: 47, system: 6},
		}, []cpu{{1, 27, 6, 0}, {2, 20, 0, 0}}, 1, 1},
		{"less CPU than Spark's figure", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 3, at: 4, tid: 41, task: 2, cpu: 11},
		}, []cpu{{1, 0, 0, 0}, {2, 11, 0, 0}}, 1, 1},
		{"a tid that is used again before the end came", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {thread: &jvmlog.Thread{TID: 41, StartTime: 3}},
			{thread: &jvmlog.Thread{TID: 41, StartTime: 4}},
		}, nil, 0, 1},
		{"a tid that is used again", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25},
			{thread: &jvmlog.Thread{TID: 41, StartTime: 3}},
			{kind: start, index: 2, at: 4, tid: 41, task: 2, cpu: 2}, {kind: end, index: 3, at: 5, tid: 41, task: 2, cpu: 30},
		}, []cpu{{1, 25, 0, 0}, {2, 30, 0, 0}}, 0, 0},
		{"a tid that is used again, its slot not seen", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 5}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 25},
			{kind: start, index: 2, at: 4, tid: 41, task: 2, cpu: 2}, {kind: end, index: 3, at: 5, tid: 41, task: 2, cpu: 9},
		}, []cpu{{1, 25, 0, 0}, {2, 9, 0, 0}}, 0, 0},
		{"system time ticks: never more than the CPU", []step{
			{kind: start, index: 0, at: 1, tid: 41, task: 1, cpu: 0}, {kind: end, index: 1, at: 2, tid: 41, task: 1, cpu: 3, system: 4},
		}, []cpu{{1, 3, 3, 0}}, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tl := newTimeline(&budget{})
			var got []cpu
			for _, s := range test.steps {
				if s.thread != nil {
					tl.thread(*s.thread)
					continue
				}
				for _, e := range tl.event(s.event()) {
					got = append(got, cpu{time.Duration(e.task.ID - 100), e.cpu / ms, e.system / ms, e.unsampled / ms})
				}
			}
			require.Equal(t, test.want, got)
			require.Equal(t, test.lostStarts, tl.lostStarts)
			require.Equal(t, test.lostEnds, tl.lostEnds)
		})
	}
}

func TestForget(t *testing.T) {
	tl := newTimeline(&budget{})
	for i := range 4 {
		from := jvmlog.MonoTime(10 * (i + 1))
		tl.event(step{kind: jvmlog.TaskStart, index: uint64(2 * i), at: from, tid: 41, task: i, cpu: uint64(i)}.event())
		tl.event(step{kind: jvmlog.TaskEnd, index: uint64(2*i + 1), at: from + 5, tid: 41, task: i, cpu: uint64(i)}.event())
	}
	tl.forget(26)
	require.Len(t, tl.threads[41].tasks, 2)
	task, inside := tl.at(41, 31)
	require.EqualValues(t, 102, task.ID)
	require.True(t, inside)
}

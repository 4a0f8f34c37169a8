package jvmlog

import (
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/tasksample"
)

func testEvent(index uint64) TaskEvent {
	return TaskEvent{
		Index: index, Time: 41, Kind: TaskEnd, TID: 42, Task: 43 + tasksample.TaskAttemptID(index), Stage: 44, StageAttempt: 45, Partition: 46,
		Partitions: 47, Attempt: 48, Execution: tasksample.NoExecution, ThreadCPUNanos: 49, UserNanos: 50, SystemNanos: 51,
		Flags: TaskSelected | TaskFailed, InclusionProbability: 0.25, ExecutorCPUNanos: 52, ExecutorDeserializeNanos: 53, GCMillis: 54,
	}
}

func TestTaskEventRoundTrip(t *testing.T) {
	want := testEvent(9)
	got, err := DecodeTaskEvent(EncodeTaskEvent(nil, &want))
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestTaskEventRefusals(t *testing.T) {
	for _, c := range []struct {
		ruin func(*TaskEvent)
		want string
	}{
		{func(e *TaskEvent) { e.Kind = 4 }, "task event 7: unknown kind 4"},
		{func(e *TaskEvent) { e.InclusionProbability = math.NaN() }, "inclusion_probability NaN"},
		{func(e *TaskEvent) { e.InclusionProbability = 1.5 }, "inclusion_probability 1.5"},
		{func(e *TaskEvent) { e.InclusionProbability = -0.5 }, "inclusion_probability -0.5"},
		{func(e *TaskEvent) { e.Index = math.MaxUint64 }, "seq is 0"},
	} {
		bad := testEvent(7)
		c.ruin(&bad)
		_, err := DecodeTaskEvent(EncodeTaskEvent(nil, &bad))
		require.ErrorContains(t, err, c.want)
	}
	_, err := DecodeTaskEvent(make([]byte, 100))
	require.ErrorContains(t, err, "100 bytes of 128")
}

// event writes event number n as the agent does.
func (l *testLog) event(n uint64) {
	e := testEvent(n)
	b := EncodeTaskEvent(nil, &e)
	off := testEvents + int(n%testEventSlots)*TaskEventBytes
	l.store64(hdrEventsHead, n+1)
	l.store64(off, 0)
	storeShared(l.b, off+8, b[8:])
	l.store64(off, n+1)
}

func (l *testLog) indices(from uint64) (got []uint64, next, missed uint64) {
	next, missed = l.Events(from, func(e TaskEvent) { got = append(got, e.Index) })
	return got, next, missed
}

func TestEvents(t *testing.T) {
	l := newTestLog(t)
	got, next, missed := l.indices(0)
	require.Empty(t, got)
	require.Zero(t, next+missed)

	for n := range uint64(6) {
		l.event(n)
	}
	got, next, missed = l.indices(0)
	require.Equal(t, []uint64{0, 1, 2, 3, 4, 5}, got)
	require.Equal(t, []uint64{6, 0}, []uint64{next, missed})

	for n := uint64(6); n < 20; n++ { // 20 - 8 = 12: 6 … 11 are overwritten
		l.event(n)
	}
	got, next, missed = l.indices(next)
	require.Equal(t, []uint64{12, 13, 14, 15, 16, 17, 18, 19}, got)
	require.Equal(t, []uint64{20, 6}, []uint64{next, missed})

	got, next, missed = l.indices(25) // a reader that is ahead of the writer waits
	require.Empty(t, got)
	require.Equal(t, []uint64{25, 0}, []uint64{next, missed})
}

func TestEventsWaitForAnUnfinishedOne(t *testing.T) {
	now := MonoTime(500)
	l := newTestLog(t)
	l.Clock = func() MonoTime { return now }
	l.event(0)
	l.event(1)
	l.event(2)
	l.store64(testEvents+1*TaskEventBytes, 0) // 1 is reserved, not stored
	got, next, missed := l.indices(0)
	require.Equal(t, []uint64{0}, got)
	require.Equal(t, []uint64{1, 0}, []uint64{next, missed})

	l.event(3)
	now += MonoTime(time.Second) - 1
	got, next, missed = l.indices(1)
	require.Empty(t, got, "not quite a second")
	require.Equal(t, []uint64{1, 0}, []uint64{next, missed})

	now++
	got, next, missed = l.indices(1)
	require.Equal(t, []uint64{2, 3}, got, "its writer is dead")
	require.Equal(t, []uint64{4, 1}, []uint64{next, missed})
}

func TestEventsCountBadOnes(t *testing.T) {
	l := newTestLog(t)
	l.event(0)
	l.event(1)
	l.store32(testEvents+evtKind, 99)
	got, next, missed := l.indices(0)
	require.Equal(t, []uint64{1}, got)
	require.Equal(t, []uint64{2, 1}, []uint64{next, missed})
	require.Equal(t, LogStats{BadEvents: 1}, l.Stats())
}

// A writer that never waits: every event is delivered whole and in order, or counted.
func TestEventsUnderAWriter(t *testing.T) {
	const events = 200000
	l := newTestLog(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range uint64(events) {
			l.event(n)
		}
	})
	var next, delivered, missed uint64
	for next < events {
		last := next
		n, m := l.Events(next, func(e TaskEvent) {
			require.Equal(t, testEvent(e.Index), e)
			require.GreaterOrEqual(t, e.Index, last)
			last = e.Index + 1
			delivered++
		})
		next, missed = n, missed+m
	}
	wg.Wait()
	require.Equal(t, uint64(events), delivered+missed)
	require.Positive(t, delivered)
	require.Zero(t, l.Stats())
}

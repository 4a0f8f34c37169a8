package sampler

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Of what was read before, the tasks that run are told: task 2, whose clock was switched twice, and
// task 4. Task 1 has ended, and of task 3 the end was missed.
func TestHistory(t *testing.T) {
	const start, end, clocks = jvmlog.TaskStart, jvmlog.TaskEnd, jvmlog.TaskClocks
	h, from := newHistory(9, &jvmlog.Header{EventSlots: 16, EventsHead: 12})
	assert.Zero(t, from)
	index := uint64(0)
	event := func(kind jvmlog.TaskEventKind, tid uint32, task int, flags jvmlog.TaskFlags) jvmlog.TaskEvent {
		index++
		return jvmlog.TaskEvent{Index: index - 1, Kind: kind, TID: tid, Task: tasksample.TaskAttemptID(task), Flags: flags}
	}
	events := []jvmlog.TaskEvent{
		event(start, 41, 1, 0), event(start, 42, 2, 0), event(clocks, 42, 2, jvmlog.TaskDetail), event(start, 43, 3, 0), event(end, 41, 1, 0),
		event(clocks, 42, 9, jvmlog.TaskDetail), event(start, 43, 4, 0), event(clocks, 42, 2, 0), event(end, 44, 5, 0),
	}
	for _, e := range events {
		assert.True(t, h.holds(e))
	}
	assert.False(t, h.holds(event(end, 42, 2, 0)), "news")
	assert.Equal(t, []jvmlog.TaskEvent{events[1], events[6], events[7]}, h.take())
	assert.Empty(t, h.take(), "once")
}

func TestHistoryBegins(t *testing.T) {
	for _, x := range []struct{ read, head, from uint64 }{
		{0, 0, 0},
		{0, 5, 0},   // the first reader
		{0, 100, 0}, // too late: events 0 … 83 are missed
		{90, 100, 84},
		{70, 100, 70}, // 70 … 83 are missed
	} {
		_, from := newHistory(x.read, &jvmlog.Header{EventSlots: 16, EventsHead: x.head})
		assert.Equal(t, x.from, from, "%+v", x)
	}
}

package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"go.uber.org/zap"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// The reader before had handed on what was used before 100, and died at 200. Of task 1 half of the
// time is lost, of task 2 all, of task 3, whose end it had not read, what there was up to 200. Task
// 4 was told, task 5 came later.
func TestUntold(t *testing.T) {
	const start, end = jvmlog.TaskStart, jvmlog.TaskEnd
	event := func(kind jvmlog.TaskEventKind, task int, at, cpu uint64) *jvmlog.TaskEvent {
		return &jvmlog.TaskEvent{Kind: kind, TID: uint32(40 + task), Task: tasksample.TaskAttemptID(task), Time: jvmlog.MonoTime(at), ThreadCPUNanos: cpu}
	}
	of := func(sampled bool) lostTasks {
		u := lostTasks{Lost: jvmlog.Lost{From: 100, To: 200}, sampled: sampled, open: map[uint32]jvmlog.TaskEvent{}}
		for _, e := range []*jvmlog.TaskEvent{
			event(start, 4, 10, 0), event(end, 4, 90, 70), event(start, 1, 80, 1000), event(end, 1, 120, 1030), event(start, 2, 130, 5), event(end, 2, 150, 12), event(start, 3, 160, 500),
		} {
			u.event(e, true)
		}
		u.event(event(end, 3, 190, 525), false)
		u.event(event(start, 5, 210, 0), false)
		u.event(event(end, 5, 220, 9), false)
		return u
	}
	gone := of(false)
	assert.Equal(t, 15+7+25*time.Nanosecond, gone.cpu)
	assert.EqualValues(t, 3, gone.tasks)
	left := of(true)
	assert.Equal(t, 15+7*time.Nanosecond, left.cpu, "the ring of task 3 has what no one had read")
	left.ran(left.open[43], 240, 580)
	assert.Equal(t, 15+7+40*time.Nanosecond, left.cpu, "half of the time in which it used 80")
	// The reader before had told half of task 3's time; task 5 is this one's alone.
	running := of(false)
	running.From = 180
	assert.EqualValues(t, 20, running.before(event(start, 3, 160, 500), 200, 540))
	assert.Zero(t, running.before(event(start, 5, 185, 0), 200, 7))
	assert.Zero(t, left.before(event(start, 1, 80, 0), 240, 80), "its ring has had samples all along")
	j := &jvm{logger: zap.NewNop(), lost: of(false), totals: &Totals{}}
	j.lost.Later = 40
	j.countUntold()
	assert.Equal(t, 7*time.Nanosecond, j.totals.UntoldCPU, "of 47")
	assert.EqualValues(t, 3, j.totals.UntoldTasks)
	j.lost = of(false)
	j.lost.Later = 47
	j.countUntold()
	assert.EqualValues(t, 3, j.totals.UntoldTasks, "no more: all was handed on")
	var none lostTasks
	none.event(event(start, 1, 80, 0), true)
	none.event(event(end, 1, 120, 30), true)
	assert.Zero(t, none.cpu)
}

package main

import (
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// queueInterval is the least time between two readings of a thread: a task that is shorter is not
// slow, and its wait counts for the next one of its thread.
const queueInterval = 10 * time.Millisecond

// runQueues read for how long the threads of tasks waited for a core. An event is heard some 25 ms
// after it happened; a thread that has no task does not wait.
type runQueues struct {
	jvms map[sampler.JVMID]*queuedJVM
}

// queuedJVM is a JVM with the readings of its threads.
type queuedJVM struct {
	pid     int
	threads *procfs.Threads
	last    map[uint32]queueReading
}

type queueReading struct {
	at     jvmlog.MonoTime
	queued time.Duration
}

func (q *runQueues) found(v sampler.JVM) {
	if q.jvms == nil {
		q.jvms = map[sampler.JVMID]*queuedJVM{}
	}
	if threads, err := (procfs.FS{}).Threads(v.PID); err == nil { // else a report counts its tasks
		q.jvms[v.ID] = &queuedJVM{pid: v.PID, threads: threads, last: map[uint32]queueReading{}}
	}
}

func (q *runQueues) gone(id sampler.JVMID) { delete(q.jvms, id) }

// event reads the thread at the end of a task, and at its first start. ok is false if nothing is to
// be told.
func (q *runQueues) event(id sampler.JVMID, e jvmlog.TaskEvent) (out pipeline.RunQueue, ok bool) {
	j := q.jvms[id]
	if j == nil || e.Kind == jvmlog.TaskClocks {
		return out, false
	}
	last, known := j.last[e.TID]
	if known && (e.Kind == jvmlog.TaskStart || e.Time-last.at < jvmlog.MonoTime(queueInterval)) {
		return out, false
	}
	now, err := j.read(e.TID)
	if err != nil {
		delete(j.last, e.TID) // the thread or its JVM has ended: a report counts the task
		return out, false
	}
	j.last[e.TID] = queueReading{e.Time, now}
	// A thread that was never read, or an id that another thread had before, tells nothing.
	return pipeline.RunQueue{Task: e.Task, Waited: now - last.queued}, known && e.Kind == jvmlog.TaskEnd && now >= last.queued
}

func (j *queuedJVM) read(tid uint32) (time.Duration, error) {
	outer, err := j.threads.Outer(int(tid))
	if err != nil {
		return 0, err
	}
	return procfs.FS{}.ThreadQueued(j.pid, outer)
}

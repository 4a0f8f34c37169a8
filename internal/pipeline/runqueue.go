package pipeline

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// RunQueue is for how long the thread of a task could have run and had no core, from /proc.
type RunQueue struct {
	Task   tasksample.TaskAttemptID
	Waited time.Duration
}

// runQueueRecord is the type under which a recording holds a RunQueue, beside accountRecord: u64
// task; u64 nanoseconds.
const (
	runQueueRecord         = jvmlog.FirstOfReader + 2
	runQueueVersion uint16 = 1
	runQueueBytes          = 16
)

// Record is the wait as a record that a recording can hold between records of the JVM's log.
func (q RunQueue) Record() jvmlog.Record {
	b := binary.LittleEndian.AppendUint64(nil, uint64(q.Task))
	b = binary.LittleEndian.AppendUint64(b, uint64(q.Waited))
	return &jvmlog.Unknown{Type: runQueueRecord, Version: runQueueVersion, Payload: b}
}

// parseRunQueue takes a wait out of a record; ok is false for a record of another type.
func parseRunQueue(r *jvmlog.Unknown) (q RunQueue, ok bool, err error) {
	if r.Type != runQueueRecord {
		return q, false, nil
	}
	if r.Version != runQueueVersion || len(r.Payload) != runQueueBytes {
		return q, true, fmt.Errorf("decode run queue: version %d of %d bytes, understood is %d of %d", r.Version, len(r.Payload), runQueueVersion, runQueueBytes)
	}
	b := r.Payload
	q.Task = tasksample.TaskAttemptID(binary.LittleEndian.Uint64(b))
	q.Waited = time.Duration(binary.LittleEndian.Uint64(b[8:]))
	if q.Waited < 0 {
		return q, true, fmt.Errorf("decode run queue: negative time of task %d", q.Task)
	}
	return q, true, nil
}

package jvmlog

import (
	"fmt"
	"math"

	"github.com/planflame/planflame/tasksample"
)

// DecodeTaskEvent decodes a copy of a task event. Index comes from its sequence number, which the
// caller has checked to be the one that it expected.
func DecodeTaskEvent(b []byte) (TaskEvent, error) {
	if len(b) < TaskEventBytes {
		return TaskEvent{}, fmt.Errorf("decode task event: %d bytes of %d", len(b), TaskEventBytes)
	}
	seq := le.Uint64(b[evtSeq:])
	e := TaskEvent{
		Index:                    seq - 1,
		Time:                     MonoTime(le.Uint64(b[evtTime:])),
		Kind:                     TaskEventKind(le.Uint32(b[evtKind:])),
		TID:                      le.Uint32(b[evtTID:]),
		Task:                     tasksample.TaskAttemptID(le.Uint64(b[evtTask:])),
		Stage:                    tasksample.StageID(le.Uint32(b[evtStage:])),
		StageAttempt:             tasksample.StageAttempt(le.Uint32(b[evtStageAttempt:])),
		Partition:                tasksample.PartitionID(le.Uint32(b[evtPartition:])),
		Partitions:               le.Uint32(b[evtPartitions:]),
		Attempt:                  le.Uint32(b[evtAttempt:]),
		Execution:                tasksample.ExecutionID(le.Uint64(b[evtExecution:])),
		ThreadCPUNanos:           le.Uint64(b[evtThreadCPU:]),
		UserNanos:                le.Uint64(b[evtUser:]),
		SystemNanos:              le.Uint64(b[evtSystem:]),
		Flags:                    TaskFlags(le.Uint32(b[evtFlags:])),
		InclusionProbability:     math.Float64frombits(le.Uint64(b[evtInclusion:])),
		ExecutorCPUNanos:         le.Uint64(b[evtExecutorCPU:]),
		ExecutorDeserializeNanos: le.Uint64(b[evtDeserializeCPU:]),
		GCMillis:                 le.Uint64(b[evtGCMillis:]),
	}
	switch {
	case seq == 0:
		return e, fmt.Errorf("decode task event: seq is 0: nothing was written")
	case e.Kind < TaskStart || e.Kind > TaskClocks:
		return e, fmt.Errorf("decode task event %d: unknown kind %d", e.Index, e.Kind)
	case !(e.InclusionProbability >= 0 && e.InclusionProbability <= 1):
		return e, fmt.Errorf("decode task event %d: inclusion_probability %v is not in 0 … 1", e.Index, e.InclusionProbability)
	}
	return e, nil
}

// EncodeTaskEvent appends the TaskEventBytes bytes of e to dst.
func EncodeTaskEvent(dst []byte, e *TaskEvent) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, TaskEventBytes)...)
	b := dst[n:]
	le.PutUint64(b[evtSeq:], e.Index+1)
	le.PutUint64(b[evtTime:], uint64(e.Time))
	le.PutUint32(b[evtKind:], uint32(e.Kind))
	le.PutUint32(b[evtTID:], e.TID)
	le.PutUint64(b[evtTask:], uint64(e.Task))
	le.PutUint32(b[evtStage:], uint32(e.Stage))
	le.PutUint32(b[evtStageAttempt:], uint32(e.StageAttempt))
	le.PutUint32(b[evtPartition:], uint32(e.Partition))
	le.PutUint32(b[evtPartitions:], e.Partitions)
	le.PutUint64(b[evtExecution:], uint64(e.Execution))
	le.PutUint64(b[evtThreadCPU:], e.ThreadCPUNanos)
	le.PutUint64(b[evtUser:], e.UserNanos)
	le.PutUint64(b[evtSystem:], e.SystemNanos)
	le.PutUint32(b[evtFlags:], uint32(e.Flags))
	le.PutUint32(b[evtAttempt:], e.Attempt)
	le.PutUint64(b[evtInclusion:], math.Float64bits(e.InclusionProbability))
	le.PutUint64(b[evtExecutorCPU:], e.ExecutorCPUNanos)
	le.PutUint64(b[evtDeserializeCPU:], e.ExecutorDeserializeNanos)
	le.PutUint64(b[evtGCMillis:], e.GCMillis)
	return dst
}

package jvmlog

import (
	"slices"

	"github.com/planflame/planflame/tasksample"
)

const executionFailed = 1 << 0 // flag of an EXECUTION_END

func decodeRows(c *cursor) Record {
	r := &Rows{
		StageID:      tasksample.StageID(c.u32("stage_id")),
		StageAttempt: tasksample.StageAttempt(c.u32("stage_attempt")),
		ExecutionID:  tasksample.ExecutionID(c.u64("execution_id")),
		Tasks:        c.u32("tasks"),
	}
	n := c.u32("n")
	b := c.array("accumulated", n, 16)
	r.Accumulated = slices.Grow(r.Accumulated, len(b)/16)
	for ; len(b) > 0; b = b[16:] {
		r.Accumulated = append(r.Accumulated, Accumulated{ID: tasksample.AccumulatorID(le.Uint64(b)), Sum: int64(le.Uint64(b[8:]))})
	}
	return r
}

func encodeRows(dst []byte, r *Rows) []byte {
	dst = le.AppendUint32(dst, uint32(r.StageID))
	dst = le.AppendUint32(dst, uint32(r.StageAttempt))
	dst = le.AppendUint64(dst, uint64(r.ExecutionID))
	dst = le.AppendUint32(dst, r.Tasks)
	dst = le.AppendUint32(dst, uint32(len(r.Accumulated)))
	for _, a := range r.Accumulated {
		dst = le.AppendUint64(dst, uint64(a.ID))
		dst = le.AppendUint64(dst, uint64(a.Sum))
	}
	return dst
}

func decodeExecutionEnd(c *cursor) Record {
	r := &ExecutionEnd{ExecutionID: tasksample.ExecutionID(c.u64("execution_id"))}
	r.Failed = c.u32("flags")&executionFailed != 0
	r.UnixNano = int64(c.u64("end_unix_ns"))
	return r
}

func encodeExecutionEnd(dst []byte, r *ExecutionEnd) []byte {
	flags := uint32(0)
	if r.Failed {
		flags |= executionFailed
	}
	dst = le.AppendUint64(dst, uint64(r.ExecutionID))
	dst = le.AppendUint32(dst, flags)
	return le.AppendUint64(dst, uint64(r.UnixNano))
}

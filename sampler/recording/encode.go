package recording

import (
	"math"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func encodeJVM(dst []byte, v *sampler.JVM) []byte {
	dst = le.AppendUint64(dst, uint64(v.PID))
	dst = le.AppendUint64(dst, v.StartTicks)
	dst = le.AppendUint32(dst, uint32(v.Mode))
	dst = le.AppendUint32(dst, 0)
	dst = le.AppendUint64(dst, uint64(v.FoundAt))
	return jvmlog.EncodeHeader(dst, &v.Header)
}

func encodeThread(dst []byte, t *jvmlog.Thread) []byte {
	dst = le.AppendUint32(dst, uint32(t.Slot))
	dst = le.AppendUint32(dst, 0)
	return jvmlog.EncodeThread(dst, t, 0)
}

func encodeTaskEvent(dst []byte, e *jvmlog.TaskEvent) []byte {
	dst = jvmlog.EncodeTaskEvent(dst, e)
	dst = le.AppendUint64(dst, math.Float64bits(e.RunProbability))
	left := uint32(0)
	if e.LeftOut {
		left = 1
	}
	return le.AppendUint32(le.AppendUint32(dst, left), 0)
}

// statsFields are the fields of sampler.Stats in their order in a STATS entry; new ones go to the
// end.
func statsFields(s *sampler.Stats) []*uint64 {
	return []*uint64{
		&s.Samples, &s.Lost, &s.Throttled, &s.Truncated, &s.Repaired, &s.MissedTaskEvents, &s.MissedRecords, &s.BadRecords, &s.PerfOpenFailures,
		&s.Named, &s.NameFailures, &s.NamesDeferred, &s.Overrun, &s.AgentDroppedRecords, &s.AgentDroppedBytes, &s.AgentDroppedThreads,
		&s.AgentDroppedSources, &s.AgentDroppedDicts, &s.AgentControlRejections, &s.AgentCPUNanos, &s.AgentDroppedRows, &s.LeftOut, &s.Thinned,
	}
}

func encodeStats(dst []byte, s *sampler.Stats) []byte {
	fields := statsFields(s)
	dst = le.AppendUint32(dst, uint32(len(fields)))
	dst = le.AppendUint32(dst, 0)
	for _, f := range fields {
		dst = le.AppendUint64(dst, *f)
	}
	return dst
}

func encodeSymbol(dst []byte, f *codemap.Frame) []byte {
	dst = le.AppendUint64(dst, f.Addr)
	dst = le.AppendUint32(dst, uint32(f.Kind))
	dst = le.AppendUint32(dst, uint32(f.Line))
	dst = appendString(dst, f.Method)
	return appendString(dst, f.File)
}

func appendString(dst []byte, s string) []byte {
	return append(le.AppendUint32(dst, uint32(len(s))), s...)
}

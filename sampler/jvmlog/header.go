package jvmlog

import (
	"errors"
	"fmt"

	"github.com/planflame/planflame/internal/printable"
)

// Errors that callers of Open, FromBytes and OpenControl branch on.
var (
	// ErrNotReady says that the magic is not there yet: the agent is still starting. Try again.
	ErrNotReady = errors.New("log is not ready: no magic")
	// ErrVersion says that the other side speaks another major version of the format.
	ErrVersion = errors.New("unknown major version")
	// ErrNotSealed says that the file could be truncated under the mapping.
	ErrNotSealed = errors.New("not a memfd sealed against shrinking, growing and unsealing")
)

// DecodeHeader decodes the header of a log from a copy of its first HeaderBytes bytes and checks
// that its regions lie within its total size. Errors are ErrNotReady, ErrVersion or name the field.
func DecodeHeader(b []byte) (Header, error) {
	if len(b) < HeaderBytes {
		return Header{}, fmt.Errorf("decode log header: %d bytes of %d", len(b), HeaderBytes)
	}
	if string(b[:8]) != logMagic {
		return Header{}, fmt.Errorf("decode log header: magic %q: %w", string(b[:8]), ErrNotReady)
	}
	h := Header{
		Major:              le.Uint16(b[hdrMajor:]),
		Minor:              le.Uint16(b[hdrMinor:]),
		TotalBytes:         le.Uint64(b[hdrTotalBytes:]),
		PID:                le.Uint32(b[hdrPID:]),
		JDKFeature:         le.Uint32(b[hdrJDKFeature:]),
		JDKVersion:         printable.Text(fixedString(b[hdrJDKVersion : hdrJDKVersion+hdrJDKVersionLen])),
		StartTime:          MonoTime(le.Uint64(b[hdrStart:])),
		ProcessStartTicks:  le.Uint64(b[hdrProcessStartTicks:]),
		Heartbeat:          MonoTime(le.Uint64(b[hdrHeartbeat:])),
		State:              State(le.Uint32(b[hdrState:])),
		Flags:              HeaderFlags(le.Uint32(b[hdrFlags:])),
		OffReason:          printable.Text(fixedString(b[hdrOffReason : hdrOffReason+hdrOffReasonLen])),
		ThreadsOffset:      le.Uint64(b[hdrThreadsOffset:]),
		ThreadSlots:        le.Uint32(b[hdrThreadSlots:]),
		EventsOffset:       le.Uint64(b[hdrEventsOffset:]),
		EventSlots:         le.Uint32(b[hdrEventSlots:]),
		RecordsOffset:      le.Uint64(b[hdrRecordsOffset:]),
		RecordsBytes:       le.Uint64(b[hdrRecordsBytes:]),
		EventsHead:         le.Uint64(b[hdrEventsHead:]),
		RecordsCommitted:   le.Uint64(b[hdrRecordsCommitted:]),
		RecordsTail:        le.Uint64(b[hdrRecordsTail:]),
		ReplayGeneration:   le.Uint32(b[hdrReplayGeneration:]),
		ThreadsHighWater:   le.Uint32(b[hdrThreadsHighWater:]),
		PerfSampleType:     le.Uint64(b[hdrPerfSampleType:]),
		PerfRegsMask:       le.Uint64(b[hdrPerfRegsMask:]),
		DroppedRecords:     le.Uint64(b[hdrDroppedRecords:]),
		DroppedRecordBytes: le.Uint64(b[hdrDroppedRecordBytes:]),
		DroppedThreads:     le.Uint64(b[hdrDroppedThreads:]),
		DroppedSources:     le.Uint64(b[hdrDroppedSources:]),
		DroppedDicts:       le.Uint64(b[hdrDroppedDicts:]),
		PerfOpenFailures:   le.Uint64(b[hdrPerfOpenFailures:]),
		PerfLastErrno:      le.Uint32(b[hdrPerfLastErrno:]),
		ControlRejections:  le.Uint32(b[hdrControlRejections:]),
		AgentCPUNanos:      le.Uint64(b[hdrAgentCPU:]),
		TasksStarted:       le.Uint64(b[hdrTasksStarted:]),
		TasksEnded:         le.Uint64(b[hdrTasksEnded:]),
		DroppedRows:        le.Uint64(b[hdrDroppedRows:]),
	}
	if h.Major != Major {
		return h, fmt.Errorf("decode log header: version %d.%d, want %d.x: %w", h.Major, h.Minor, Major, ErrVersion)
	}
	if err := checkGeometry(b, &h); err != nil {
		return h, fmt.Errorf("decode log header: %w", err)
	}
	return h, nil
}

// checkGeometry checks what Header does not keep (entry sizes) and that header, threads, events and
// records follow one another.
func checkGeometry(b []byte, h *Header) error {
	if n := le.Uint32(b[hdrHeaderBytes:]); n != HeaderBytes {
		return fmt.Errorf("header_bytes %d, want %d", n, HeaderBytes)
	}
	if h.TotalBytes > MaxLogBytes {
		return fmt.Errorf("total_bytes %d is more than %d", h.TotalBytes, MaxLogBytes)
	}
	if h.ThreadSlots == 0 || h.ThreadSlots > maxThreadSlots {
		return fmt.Errorf("thread_slots %d is not in 1 … %d", h.ThreadSlots, maxThreadSlots)
	}
	if h.EventSlots == 0 || h.EventSlots > maxEventSlots || h.EventSlots&(h.EventSlots-1) != 0 {
		return fmt.Errorf("event_slots %d is not a power of two in 1 … %d", h.EventSlots, maxEventSlots)
	}
	slotBytes, eventBytes := le.Uint32(b[hdrThreadSlotBytes:]), le.Uint32(b[hdrEventBytes:])
	if err := checkEntryBytes("thread_slot_bytes", slotBytes, ThreadSlotBytes); err != nil {
		return err
	}
	if err := checkEntryBytes("event_bytes", eventBytes, TaskEventBytes); err != nil {
		return err
	}
	if h.RecordsBytes < RecordHeaderBytes {
		return fmt.Errorf("records_bytes %d is less than a record's header", h.RecordsBytes)
	}
	end := uint64(HeaderBytes)
	for _, r := range []struct {
		name       string
		off, bytes uint64
	}{
		{"threads", h.ThreadsOffset, uint64(h.ThreadSlots) * uint64(slotBytes)},
		{"events", h.EventsOffset, uint64(h.EventSlots) * uint64(eventBytes)},
		{"records", h.RecordsOffset, h.RecordsBytes},
	} {
		if r.off%8 != 0 || r.bytes%8 != 0 {
			return fmt.Errorf("%s at %d, %d bytes: not multiples of 8", r.name, r.off, r.bytes)
		}
		if r.off < end || r.off > h.TotalBytes || r.bytes > h.TotalBytes-r.off {
			return fmt.Errorf("%s at %d, %d bytes: not between %d and total_bytes %d", r.name, r.off, r.bytes, end, h.TotalBytes)
		}
		end = r.off + r.bytes
	}
	return nil
}

func checkEntryBytes(field string, n, least uint32) error {
	if n < least || n > maxSlotBytes || n%8 != 0 {
		return fmt.Errorf("%s %d is not a multiple of 8 in %d … %d", field, n, least, maxSlotBytes)
	}
	return nil
}

// EncodeHeader appends the HeaderBytes bytes of h to dst, with the entry sizes of this version.
// Texts that are too long are cut.
func EncodeHeader(dst []byte, h *Header) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, HeaderBytes)...)
	b := dst[n:]
	copy(b, logMagic)
	le.PutUint16(b[hdrMajor:], h.Major)
	le.PutUint16(b[hdrMinor:], h.Minor)
	le.PutUint32(b[hdrHeaderBytes:], HeaderBytes)
	le.PutUint64(b[hdrTotalBytes:], h.TotalBytes)
	le.PutUint32(b[hdrPID:], h.PID)
	le.PutUint32(b[hdrJDKFeature:], h.JDKFeature)
	le.PutUint64(b[hdrStart:], uint64(h.StartTime))
	le.PutUint64(b[hdrProcessStartTicks:], h.ProcessStartTicks)
	le.PutUint64(b[hdrHeartbeat:], uint64(h.Heartbeat))
	le.PutUint32(b[hdrState:], uint32(h.State))
	le.PutUint32(b[hdrFlags:], uint32(h.Flags))
	putFixedString(b[hdrJDKVersion:hdrJDKVersion+hdrJDKVersionLen], h.JDKVersion)
	le.PutUint64(b[hdrThreadsOffset:], h.ThreadsOffset)
	le.PutUint32(b[hdrThreadSlots:], h.ThreadSlots)
	le.PutUint32(b[hdrThreadSlotBytes:], ThreadSlotBytes)
	le.PutUint64(b[hdrEventsOffset:], h.EventsOffset)
	le.PutUint32(b[hdrEventSlots:], h.EventSlots)
	le.PutUint32(b[hdrEventBytes:], TaskEventBytes)
	le.PutUint64(b[hdrRecordsOffset:], h.RecordsOffset)
	le.PutUint64(b[hdrRecordsBytes:], h.RecordsBytes)
	le.PutUint64(b[hdrEventsHead:], h.EventsHead)
	le.PutUint64(b[hdrRecordsCommitted:], h.RecordsCommitted)
	le.PutUint64(b[hdrRecordsTail:], h.RecordsTail)
	le.PutUint32(b[hdrReplayGeneration:], h.ReplayGeneration)
	le.PutUint32(b[hdrThreadsHighWater:], h.ThreadsHighWater)
	le.PutUint64(b[hdrPerfSampleType:], h.PerfSampleType)
	le.PutUint64(b[hdrPerfRegsMask:], h.PerfRegsMask)
	le.PutUint64(b[hdrDroppedRecords:], h.DroppedRecords)
	le.PutUint64(b[hdrDroppedRecordBytes:], h.DroppedRecordBytes)
	le.PutUint64(b[hdrDroppedThreads:], h.DroppedThreads)
	le.PutUint64(b[hdrDroppedSources:], h.DroppedSources)
	le.PutUint64(b[hdrDroppedDicts:], h.DroppedDicts)
	le.PutUint64(b[hdrPerfOpenFailures:], h.PerfOpenFailures)
	le.PutUint32(b[hdrPerfLastErrno:], h.PerfLastErrno)
	le.PutUint32(b[hdrControlRejections:], h.ControlRejections)
	le.PutUint64(b[hdrAgentCPU:], h.AgentCPUNanos)
	le.PutUint64(b[hdrTasksStarted:], h.TasksStarted)
	le.PutUint64(b[hdrTasksEnded:], h.TasksEnded)
	le.PutUint64(b[hdrDroppedRows:], h.DroppedRows)
	putFixedString(b[hdrOffReason:hdrOffReason+hdrOffReasonLen], h.OffReason)
	return dst
}

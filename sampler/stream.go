package sampler

import (
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
)

// JVMID tells the JVMs of a stream apart: unique within one Sampler or one recording, never
// re-used, from 1.
type JVMID uint32

// JVM describes a JVM when it is found.
type JVM struct {
	ID         JVMID
	PID        int    // as the sampler sees it
	StartTicks uint64 // field 22 of /proc/PID/stat
	Header     jvmlog.Header
	Mode       Mode
	FoundAt    jvmlog.MonoTime
	TookOver   jvmlog.MonoTime // when this sampler took it over from a reader that had read task events; 0: there was none, or it is a recording
	Replays    bool            // it was then asked to tell again what lives
	Place      *procfs.Place   // what the kernel said when it was found; nil: not known, as in a recording
}

// Mode says who opened the perf events.
type Mode uint32

// Modes of sampling.
const (
	ModeNone       Mode = 0 // nothing could be sampled; task totals only
	ModePrivileged Mode = 1 // the sampler opened the events (CAP_PERFMON, CAP_SYS_PTRACE)
	ModeSelfOpened Mode = 2 // the JVM opened its own events and the sampler took them over
)

// Sample is one interrupt of a task thread, unwound and repaired but not yet named: everything a
// later view needs.
type Sample struct {
	Time   jvmlog.MonoTime
	Slot   int           // thread slot in the JVM's log
	TID    uint32        // in the JVM's own pid namespace
	Period time.Duration // in force of the event that interrupted
	// Base and Detail are the periods in force of the thread's two events; 0: there is none. They
	// are never equal. The detail event's samples count between a task's TaskDetail and its end
	// only: it may be on a little longer. Both 0 (recordings before 1.3): Period is all.
	Base, Detail time.Duration
	// Gap is the CPU that its event had counted since its last sample when the period in force
	// began. No sample came for it, so this one stands for it, too.
	Gap time.Duration
	// Kept is the probability with which it was kept where a query's budget leaves some out; 0: all
	// are kept, as 1.
	Kept float64
	// Addrs is the stack, leaf first: Kernel addresses, then user addresses. The leaf is the
	// interrupted instruction, all others are return addresses.
	Addrs    []uint64
	Kernel   int   // how many of Addrs are kernel addresses
	Repaired []int // indices of the Addrs that the kernel's frame-pointer chain does not have: from the copy of the stack; ascending
	Flags    SampleFlags
	// Interpreted tells which method runs in the Addrs that lie in the interpreter, as far as
	// the copy of the stack has it; ascending by Frame.
	Interpreted []Interpreted
}

// Interpreted is a frame of the interpreter.
type Interpreted struct {
	Frame  int    // index in Sample.Addrs
	Method uint64 // the JVM's Method*: a jvmlog.Method record with this Ptr has come before, the agent's or our own (FirstOwnMethod), if it could be named
	BCI    int32  // index of the bytecode that runs, or that has called; -1 unknown
}

// OfDetail reports whether the detail event interrupted.
func (s *Sample) OfDetail() bool { return s.Detail != 0 && s.Period == s.Detail }

// Weight is the CPU that a sample stands for, 1 / (the rate in force · the part kept): detailOn
// says whether the detail event counts at that moment. 0 says that the sample does not count,
// because the event that took it should have been off.
func (s *Sample) Weight(detailOn bool) time.Duration {
	weight := s.Period
	switch {
	case s.OfDetail() && !detailOn:
		return 0
	case detailOn && s.Base > 0 && s.Detail > 0:
		weight = time.Duration(1 / (1/float64(s.Base) + 1/float64(s.Detail)))
	}
	if s.Gap > 0 && s.Period > 0 {
		weight = time.Duration(float64(weight) * (1 + float64(s.Gap)/float64(s.Period)))
	}
	if s.Kept > 0 && s.Kept < 1 {
		weight = time.Duration(float64(weight)/s.Kept + 0.5)
	}
	return weight
}

// SampleFlags qualify a sample.
type SampleFlags uint32

// Sample flags.
const (
	SampleTruncated SampleFlags = 1 << 0 // the stack does not reach the thread's first frame
	SampleNoStack   SampleFlags = 1 << 1 // the leaf is all there is
)

// Stats counts what a sampler did for one JVM and what it had to leave out; all values only grow.
// Recordings keep the fields that statsFields of package recording lists: a new one belongs there,
// too.
type Stats struct {
	Samples          uint64
	Lost             uint64 `problem:"lost"`      // PERF_RECORD_LOST: the ring was full
	Throttled        uint64 `problem:"throttled"` // PERF_RECORD_THROTTLE
	Truncated        uint64 `problem:"truncated"` // samples with SampleTruncated
	Repaired         uint64 // samples in which at least one address was repaired
	MissedTaskEvents uint64 `problem:"missed_task_event"` // overwritten before they were read
	MissedRecords    uint64 // bytes of the log recycled before they were read
	BadRecords       uint64 `problem:"bad_record"`     // records that did not decode, or that no agent may write
	PerfOpenFailures uint64 `event:"perf_open_failed"` // events that the sampler or the agent could not open, map or take over
	Named            uint64 // methods of interpreter frames that were named from the JVM's memory
	NameFailures     uint64 `problem:"name_failed"` // attempts at what was no method, or whose JVM had ended while its last samples waited
	NamesDeferred    uint64 `problem:"name_failed"` // interpreter frames that were left without a name because the round had too many new methods
	Overrun          uint64 `problem:"overrun"`     // samples that were dropped because too many waited to be unwound (mostHeldBytes)
	LeftOut          uint64 `not_kept:"run"`        // samples of runs that were not drawn (Settings.RunFraction)
	Thinned          uint64 `not_kept:"budget"`     // samples that a query's budget left out; those that it kept weigh the more

	// The agent's own counters, as the header of its log has them (FORMAT.md).
	AgentDroppedRecords    uint64 `problem:"agent_dropped_record"`
	AgentDroppedBytes      uint64 // of those records
	AgentDroppedThreads    uint64 `problem:"agent_dropped_thread"`  // threads for which there was no slot
	AgentDroppedSources    uint64 `problem:"agent_dropped_source"`  // generated classes whose source was gone from Spark's cache before it was read
	AgentDroppedDicts      uint64 `problem:"agent_dropped_plan"`    // plans that could not be had
	AgentControlRejections uint64 `problem:"agent_refused_control"` // control pages that the agent did not take over
	AgentCPUNanos          uint64 // CPU of the agent's own threads
	AgentDroppedRows       uint64 `problem:"agent_dropped_rows"` // tasks that succeeded under a reader and whose rows, or some of them, are in no jvmlog.Rows
}

// agent takes over what the header of the log counts.
func (s *Stats) agent(h *jvmlog.Header) {
	s.AgentDroppedRecords, s.AgentDroppedBytes = h.DroppedRecords, h.DroppedRecordBytes
	s.AgentDroppedThreads, s.AgentDroppedSources, s.AgentDroppedDicts = h.DroppedThreads, h.DroppedSources, h.DroppedDicts
	s.AgentControlRejections, s.AgentCPUNanos, s.AgentDroppedRows = uint64(h.ControlRejections), h.AgentCPUNanos, h.DroppedRows
}

// Sink receives what a Sampler reads, in the order in which it was read. Within one JVM records
// come before the task events and samples of the same round. So a sample's code is usually known
// when it arrives, though not always (FORMAT.md: code runs before its record is written). One
// goroutine calls at a time. Arguments are the callee's to keep.
type Sink interface {
	JVMFound(JVM)
	Thread(JVMID, jvmlog.Thread) // a task thread was seen, or its slot changed
	Record(JVMID, jvmlog.MonoTime, jvmlog.Record)
	TaskEvent(JVMID, jvmlog.TaskEvent)
	Sample(JVMID, Sample)
	Stats(JVMID, Stats)               // cumulative, at the end of every round that changed it
	Watermark(JVMID, jvmlog.MonoTime) // everything of this JVM before that time has been delivered
	JVMGone(JVMID)
}

// Leaver is a Sink that wants to know which JVMs live on. JVMLeft comes right before JVMGone of a
// JVM that has not ended: this sampler ends, or it reads the JVM no more.
type Leaver interface{ JVMLeft(JVMID) }

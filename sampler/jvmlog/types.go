package jvmlog

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/planflame/planflame/tasksample"
)

// MonoTime is a CLOCK_MONOTONIC time in nanoseconds, the clock of the log, of task events and of
// perf samples alike.
type MonoTime uint64

// MethodID is the agent's number for a Java method; 0 is no method. Never re-used within one JVM.
type MethodID uint64

// LoaderID is the agent's number for a class loader; 0 is the bootstrap loader. Never re-used
// within one JVM.
type LoaderID uint64

// Header is the decoded header of a log (FORMAT.md, "Log header").
type Header struct {
	Major, Minor       uint16
	TotalBytes         uint64
	PID                uint32 // in the JVM's own pid namespace
	JDKFeature         uint32
	JDKVersion         string
	StartTime          MonoTime
	ProcessStartTicks  uint64
	Heartbeat          MonoTime
	State              State
	Flags              HeaderFlags
	OffReason          string // one line, when State is StateOff
	ThreadsOffset      uint64
	ThreadSlots        uint32
	EventsOffset       uint64
	EventSlots         uint32
	RecordsOffset      uint64
	RecordsBytes       uint64
	EventsHead         uint64
	RecordsCommitted   uint64
	RecordsTail        uint64
	ReplayGeneration   uint32
	ThreadsHighWater   uint32
	PerfSampleType     uint64
	PerfRegsMask       uint64
	DroppedRecords     uint64
	DroppedRecordBytes uint64
	DroppedThreads     uint64
	DroppedSources     uint64
	DroppedDicts       uint64
	PerfOpenFailures   uint64
	PerfLastErrno      uint32
	ControlRejections  uint32
	AgentCPUNanos      uint64
	TasksStarted       uint64
	TasksEnded         uint64
	DroppedRows        uint64 // tasks that succeeded under a reader and are in no Rows; since 1.2
}

// State says whether the agent behind a log works.
type State uint32

// States of an agent.
const (
	StateStarting State = 0
	StateLive     State = 1
	StateOff      State = 2
)

// HeaderFlags are facts about the JVM.
type HeaderFlags uint32

// Header flags.
const (
	FlagPreserveFramePointer HeaderFlags = 1 << 0
	FlagDebugNonSafepoints   HeaderFlags = 1 << 1
	FlagLoadedAtStart        HeaderFlags = 1 << 2
)

// Thread is a decoded thread slot.
type Thread struct {
	Slot           int
	TID            uint32 // in the JVM's own pid namespace
	StartTime      MonoTime
	Flags          ThreadFlags
	PerfFD         int32 // in the JVM's fd table; -1 none
	PerfDetailFD   int32
	RingPages      uint32
	PerfErrno      uint32
	PerfOpens      uint32 // how often its events were opened: when it changes, PerfFD is another event
	BasePeriodNS   uint64
	DetailPeriodNS uint64
	CPUNanosAtOpen uint64
	Name           string
}

// ThreadFlags are the flags of a thread slot.
type ThreadFlags uint32

// Thread flags.
const (
	ThreadTask     ThreadFlags = 1 << 0 // a Spark task has run here
	ThreadInternal ThreadFlags = 1 << 1 // the JVM's own
	ThreadEnded    ThreadFlags = 1 << 2 // its ring stays mapped for two seconds more
)

// TaskEvent is the start or end of a task attempt on an executor thread.
type TaskEvent struct {
	Index                    uint64 // position in the stream of this JVM, from 0
	Time                     MonoTime
	Kind                     TaskEventKind
	TID                      uint32 // in the JVM's own pid namespace
	Task                     tasksample.TaskAttemptID
	Stage                    tasksample.StageID
	StageAttempt             tasksample.StageAttempt
	Partition                tasksample.PartitionID
	Partitions               uint32 // 0 unknown
	Attempt                  uint32
	Execution                tasksample.ExecutionID
	ThreadCPUNanos           uint64 // the thread's CPU since it began
	UserNanos                uint64
	SystemNanos              uint64
	Flags                    TaskFlags
	InclusionProbability     float64
	ExecutorCPUNanos         uint64 // Spark's own accounting; task end only
	ExecutorDeserializeNanos uint64
	GCMillis                 uint64

	// What follows is the reader's and not in the log. The first two are in a task's start and
	// end, if runs are sampled only in part.
	RunProbability float64 // π of the run that the task belongs to; 0: runs are not drawn, as 1
	LeftOut        bool    // the run was not drawn: no sample of the task counts
	// BeforeNanos is CPU of the task that the reader before has told. It is in the task's start.
	BeforeNanos uint64
}

// TaskEventKind tells starts from ends.
type TaskEventKind uint32

// Kinds of task events.
const (
	TaskStart TaskEventKind = 1
	TaskEnd   TaskEventKind = 2
	// TaskClocks says that the detail event of a running task was switched: on from Time on with
	// TaskDetail, else off. Of the event's other fields TID and Task count. Since 1.1.
	TaskClocks TaskEventKind = 3
)

// TaskFlags are the flags of a task event.
type TaskFlags uint32

// Task flags.
const (
	TaskSelected TaskFlags = 1 << 0
	TaskFailed   TaskFlags = 1 << 1
	TaskDetail   TaskFlags = 1 << 2 // the detail event is on from Time to the task's end
	// TaskByReader marks a TaskClocks that no agent wrote: the reader switched the event itself. It
	// has no Index of its own.
	TaskByReader TaskFlags = 1 << 31
)

// Record is one decoded record of the log. It is one of *Method, *CodeLoad, *CodeUnload, *Stub,
// *Source, *Dictionary, *Stage, *Application, *Replay, *VMLayout, *CodeHeap, *Rows, *ExecutionEnd,
// *StageInfo, *Times and *Dwell. A type that a newer agent writes is *Unknown.
type Record interface{ recordType() RecordType }

// RecordType is the type number of a record on the wire.
type RecordType uint16

// Record types (FORMAT.md, "Records").
const (
	TypePad         RecordType = 1
	TypeMethod      RecordType = 2
	TypeCodeLoad    RecordType = 3
	TypeCodeUnload  RecordType = 4
	TypeStub        RecordType = 5
	TypeSource      RecordType = 6
	TypeDictionary  RecordType = 7
	TypeStage       RecordType = 8
	TypeApplication RecordType = 9
	TypeReplayBegin RecordType = 10
	TypeReplayEnd   RecordType = 11
	TypeVMLayout    RecordType = 12
	TypeCodeHeap    RecordType = 13
	// Since 1.2.
	TypeRows         RecordType = 14
	TypeExecutionEnd RecordType = 15
	// Since 1.5.
	TypeStageInfo RecordType = 16
	TypeTimes     RecordType = 17
	// Since 1.7.
	TypeDwell RecordType = 18
	// FirstOfReader and the types above it are of what a reader puts into a recording beside the
	// log. No agent writes them, and a sampler takes none out of a log.
	FirstOfReader RecordType = 0xF000
)

// Method names a Java method and its line table.
type Method struct {
	ID         MethodID
	Loader     LoaderID
	Ptr        uint64 // the JVM's Method* when this was written; 0 unknown
	Flags      MethodFlags
	Class      string // binary name with dots
	Name       string
	Descriptor string
	SourceFile string
	Lines      []LineEntry // ascending by StartBCI
}

// MethodFlags are the flags of a METHOD record.
type MethodFlags uint32

// Method flags.
const (
	MethodHasLines  MethodFlags = 1 << 0
	MethodNative    MethodFlags = 1 << 1
	MethodGenerated MethodFlags = 1 << 2 // of a class that Spark generated
)

// LineEntry says that bytecodes from StartBCI on belong to Line, until the next entry.
type LineEntry struct {
	StartBCI, Line uint32
}

// CodeLoad is one compiled method (an nmethod) at an address.
type CodeLoad struct {
	Address       uint64
	Size          uint32
	Level         CompileLevel
	Method        MethodID
	FrameBytes    uint32 // 0 unknown
	FrameComplete uint32 // offset; NoFrameComplete unknown
	CompileID     uint32
	Flags         CodeFlags
	PCs           []PCRegion  // ascending by End
	Frames        []CodeFrame // indexed by PCRegion
	Proofs        []PCProof   // ascending by End; since 1.3
}

// NoFrameComplete is the FrameComplete of code whose prologue length is not known.
const NoFrameComplete = 0xffffffff

// CompileLevel is HotSpot's tier: 1-3 C1, 4 C2, 0 unknown.
type CompileLevel uint32

// CodeFlags are the flags of a CODE_LOAD record.
type CodeFlags uint32

// Code flags.
const (
	CodeReplayed CodeFlags = 1 << 0
	CodeInlines  CodeFlags = 1 << 1
)

// PCRegion is a stretch of code that ends at offset End and stands for Frames[First:First+Count],
// innermost first.
type PCRegion struct{ End, First, Count uint32 }

// PCProof says that the code up to offset End belongs to the bytecode of the region that ends at
// Trap: a branch of that bytecode ends at End. The code begins at the region there or at the end of
// the proof before it, whichever is nearer.
type PCProof struct{ End, Trap uint32 }

// CodeFrame is one Java frame of a region; a negative BCI names no bytecode.
type CodeFrame struct {
	Method MethodID
	BCI    int32
}

// CodeUnload says that the method at Address is gone; it may arrive after the memory was used
// again.
type CodeUnload struct {
	Address uint64
	Method  MethodID
}

// Stub is code of the JVM's own: interpreter, adapters, intrinsics.
type Stub struct {
	Address uint64
	Size    uint32
	Name    string
}

// Source is the text of a class that Spark generated.
type Source struct {
	Loader   LoaderID
	Class    string
	Body     string
	Comments []byte // JSON object: placeholder → text
}

// Dictionary is one update of the plan of an SQL execution; JSON is drawn in FORMAT.md.
type Dictionary struct {
	Execution tasksample.ExecutionID
	Update    uint32
	JSON      []byte
}

// Query is the query's fingerprint; "" where the JSON does not say. Of a large plan it reads the
// beginning.
func (r *Dictionary) Query() string {
	d := json.NewDecoder(bytes.NewReader(r.JSON))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
		if key == "query" {
			var query string
			if json.Unmarshal(value, &query) != nil {
				return ""
			}
			return query
		}
	}
	return ""
}

// Stage lists the accumulators that the tasks of a stage update: they tell which plan nodes the
// stage runs.
type Stage struct {
	Stage        tasksample.StageID
	StageAttempt tasksample.StageAttempt
	Execution    tasksample.ExecutionID
	Accumulators []tasksample.AccumulatorID
}

// Rows is what tasks of a stage attempt that succeeded have added to Spark's SQL metrics of type
// "sum" since the last such record, numbers of rows above all. The plan dictionary says which
// metric of which plan node an accumulator is. The sum over all Rows of a stage attempt is what its
// tasks did on this executor while a reader held the lease. It is whole if Tasks adds up to the
// ends of tasks that succeeded. There is no replay, and a record counts once. A metric that no task
// has changed is left out.
type Rows struct {
	StageID      tasksample.StageID
	StageAttempt tasksample.StageAttempt
	ExecutionID  tasksample.ExecutionID // tasksample.NoExecution outside SQL
	Tasks        uint32                 // that ended well and are counted here
	Accumulated  []Accumulated          // ascending by ID, as the agent writes them
}

// Accumulated is what tasks have added to one accumulator.
type Accumulated struct {
	ID  tasksample.AccumulatorID
	Sum int64
}

// StageInfo names a stage that runs for no SQL execution; JSON is drawn in FORMAT.md.
type StageInfo struct {
	Stage tasksample.StageID
	JSON  []byte
}

// ExecutionEnd says that an SQL execution is over whose tasks ran here: no Rows of it follow from
// this JVM. Written once, and again by a replay.
type ExecutionEnd struct {
	ExecutionID tasksample.ExecutionID
	Failed      bool  // with an error, or cancelled
	UnixNano    int64 // when it ended, by the driver's clock
}

// Times is what the driver's events say of where the time of a stage, an SQL execution or the
// application went; JSON is drawn in FORMAT.md. A later one of the same replaces it; a replay
// writes all again.
type Times struct{ JSON []byte }

// Dwell is what an executor saw of the records of its tasks: one that stayed the current one, or
// counts. JSON is drawn in FORMAT.md. Written once.
type Dwell struct{ JSON []byte }

// Application names the Spark application and executor; JSON is drawn in FORMAT.md.
type Application struct{ JSON []byte }

// ClusterDriver reports whether it is the log of a cluster's driver, which runs no tasks. A local
// master's driver does; its application's id begins with "local-" (LocalSchedulerBackend.scala,
// Spark 3.5 to 4.3). False where the JSON does not say.
func (r *Application) ClusterDriver() bool {
	var app struct {
		ID         string `json:"application_id"`
		ExecutorID string `json:"executor_id"`
	}
	err := json.Unmarshal(r.JSON, &app)
	return err == nil && app.ExecutorID == "driver" && app.ID != "" && !strings.HasPrefix(app.ID, "local-")
}

// ApplicationID is application_id; "" where the JSON does not say.
func (r *Application) ApplicationID() string {
	var app struct {
		ID string `json:"application_id"`
	}
	if json.Unmarshal(r.JSON, &app) != nil {
		return ""
	}
	return app.ID
}

// Replay marks the begin or the end of a replay.
type Replay struct {
	Begin      bool
	Generation uint32
}

// VMLayout carries selected vmStructs fields as JSON.
type VMLayout struct{ JSON []byte }

// CodeHeap is the address range of one segment of the code cache.
type CodeHeap struct {
	Low, High uint64
	Name      string
}

// Unknown is a record of a type this reader does not know.
type Unknown struct {
	Type    RecordType
	Version uint16
	Payload []byte
}

func (*Method) recordType() RecordType      { return TypeMethod }
func (*CodeLoad) recordType() RecordType    { return TypeCodeLoad }
func (*CodeUnload) recordType() RecordType  { return TypeCodeUnload }
func (*Stub) recordType() RecordType        { return TypeStub }
func (*Source) recordType() RecordType      { return TypeSource }
func (*Dictionary) recordType() RecordType  { return TypeDictionary }
func (*Stage) recordType() RecordType       { return TypeStage }
func (*Application) recordType() RecordType { return TypeApplication }
func (r *Replay) recordType() RecordType {
	if r.Begin {
		return TypeReplayBegin
	}
	return TypeReplayEnd
}
func (*VMLayout) recordType() RecordType     { return TypeVMLayout }
func (*CodeHeap) recordType() RecordType     { return TypeCodeHeap }
func (*Rows) recordType() RecordType         { return TypeRows }
func (*ExecutionEnd) recordType() RecordType { return TypeExecutionEnd }
func (*Times) recordType() RecordType        { return TypeTimes }
func (*StageInfo) recordType() RecordType    { return TypeStageInfo }
func (*Dwell) recordType() RecordType        { return TypeDwell }
func (u *Unknown) recordType() RecordType    { return u.Type }

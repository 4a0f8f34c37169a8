package jvmlog

// Version of the format that this package reads and writes. Another major is refused; a newer minor
// is read as far as it is known.
const (
	Major = 1
	Minor = 8
)

// Sizes of the fixed structures, in bytes (FORMAT.md).
const (
	HeaderBytes       = 4096
	ThreadSlotBytes   = 128
	TaskEventBytes    = 128
	RecordHeaderBytes = 32
	ControlBytes      = 4096
)

// Limits beyond which a log is refused rather than believed.
const (
	// MaxRecordBytes bounds a record, header and padding included.
	MaxRecordBytes = 4 << 20
	// MaxLogBytes bounds a log: what the agent writes at most (log_mib).
	MaxLogBytes = 256 << 20
	// MaxRingPages bounds the perf ring that a thread slot or a control page may ask a reader to
	// map.
	MaxRingPages = 1024

	maxThreadSlots = 2048   // the agent writes 512
	maxEventSlots  = 16_384 // the agent writes 8,192
	maxSlotBytes   = 512    // of a thread or an event: the agent writes 128
)

const (
	logMagic     = "PLFLMLOG"
	controlMagic = "PLFLMCTL"
)

// Offsets in the log header; must match agent-jvmti/FORMAT.md, "Log header".
const (
	hdrMajor              = 8
	hdrMinor              = 10
	hdrHeaderBytes        = 12
	hdrTotalBytes         = 16
	hdrPID                = 24
	hdrJDKFeature         = 28
	hdrStart              = 32
	hdrProcessStartTicks  = 40
	hdrHeartbeat          = 48
	hdrState              = 56
	hdrFlags              = 60
	hdrJDKVersion         = 64
	hdrJDKVersionLen      = 64
	hdrThreadsOffset      = 128
	hdrThreadSlots        = 136
	hdrThreadSlotBytes    = 140
	hdrEventsOffset       = 144
	hdrEventSlots         = 152
	hdrEventBytes         = 156
	hdrRecordsOffset      = 160
	hdrRecordsBytes       = 168
	hdrEventsHead         = 176
	hdrRecordsCommitted   = 184
	hdrRecordsTail        = 192
	hdrReplayGeneration   = 200
	hdrThreadsHighWater   = 204
	hdrPerfSampleType     = 208
	hdrPerfRegsMask       = 216
	hdrDroppedRecords     = 224
	hdrDroppedRecordBytes = 232
	hdrDroppedThreads     = 240
	hdrDroppedSources     = 248
	hdrDroppedDicts       = 256
	hdrPerfOpenFailures   = 264
	hdrPerfLastErrno      = 272
	hdrControlRejections  = 276
	hdrAgentCPU           = 280
	hdrTasksStarted       = 288
	hdrTasksEnded         = 296
	hdrDroppedRows        = 304 // since 1.2
	hdrOffReason          = 512
	hdrOffReasonLen       = 256
	hdrChangingBytes      = hdrOffReason + hdrOffReasonLen // what Header decodes
	// Since 1.4.
	hdrAppSeq   = 768
	hdrAppBytes = 772
	hdrAppFlags = 776
	hdrApp      = 784
)

// MaxKeptApplication bounds the text of the application that a log's header keeps.
const MaxKeptApplication = HeaderBytes - hdrApp

// applicationCut is the flag of a kept application that lacks its last members.
const applicationCut = 1 << 0

// minorOfApplication is the version from which on the header keeps the application.
const minorOfApplication = 4

// Offsets in a thread slot; must match agent-jvmti/FORMAT.md, "Thread slot".
const (
	thrSeq          = 0
	thrTID          = 4
	thrStart        = 8
	thrFlags        = 16
	thrPerfFD       = 20
	thrPerfDetailFD = 24
	thrRingPages    = 28
	thrPerfErrno    = 32
	thrPerfOpens    = 36
	thrBasePeriod   = 40
	thrDetailPeriod = 48
	thrCPUAtOpen    = 56
	thrName         = 64
	thrNameLen      = 64
)

// Offsets in a task event; must match agent-jvmti/FORMAT.md, "Task event".
const (
	evtSeq            = 0
	evtTime           = 8
	evtKind           = 16
	evtTID            = 20
	evtTask           = 24
	evtStage          = 32
	evtStageAttempt   = 36
	evtPartition      = 40
	evtPartitions     = 44
	evtExecution      = 48
	evtThreadCPU      = 56
	evtUser           = 64
	evtSystem         = 72
	evtFlags          = 80
	evtAttempt        = 84
	evtInclusion      = 88
	evtExecutorCPU    = 96
	evtDeserializeCPU = 104
	evtGCMillis       = 112
)

// Offsets in a record's header; must match agent-jvmti/FORMAT.md, "Records".
const (
	recLength  = 0
	recType    = 4
	recVersion = 6
	recOffset  = 8
	recTime    = 16
	recPayload = 24
	recCRC     = 28
)

// Offsets in the control page; must match agent-jvmti/FORMAT.md, "Control page".
const (
	ctlMajor        = 8
	ctlMinor        = 10
	ctlOwner        = 16
	ctlHeartbeat    = 24
	ctlPID          = 32
	ctlRank         = 36 // since 1.4
	ctlSeq          = 40
	ctlEnabled      = 44
	ctlMode         = 48
	ctlStackBytes   = 52
	ctlBasePeriod   = 56
	ctlDetailPeriod = 64
	ctlRingPages    = 72
	ctlInclusion    = 80
	ctlSeed         = 88
	ctlRecordsAck   = 96
	ctlReplay       = 104
	ctlLeast        = 108 // since 1.1, as all that follows
	ctlPromotedN    = 112
	ctlPromoted     = 120
	ctlEventsRead   = 632 // since 1.2
	ctlHolderSpace  = 640 // of readers since 1.7, as the two below
	ctlHolderStart  = 648
	ctlHolderProof  = 656
	ctlCodeReader   = 664 // since 1.8
	ctlTold         = 672 // of readers since 1.8, as the next two
	ctlToldLater    = 680
	ctlToldProof    = 688
)

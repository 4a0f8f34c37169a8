package semconv

// EventPrefix begins the names of the judge's events: "spark.sql.cost.shift".
const EventPrefix = "spark.sql.cost."

// Attributes of events.
const (
	EventKind            = "spark.sql.cost.event"
	EventSince           = "spark.sql.cost.since" // RFC 3339
	EventSinceRun        = "spark.sql.cost.since.run"
	EventBefore          = "spark.sql.cost.before"
	EventBeforeRun       = "spark.sql.cost.before.run"
	EventFrom            = "spark.sql.cost.from" // CPU seconds a run
	EventTo              = "spark.sql.cost.to"
	EventRatio           = "spark.sql.cost.ratio"
	EventLower           = "spark.sql.cost.lower_ratio"
	EventUpper           = "spark.sql.cost.upper_ratio"
	EventRuns            = "spark.sql.cost.runs"
	EventProbability     = "spark.sql.cost.probability"
	EventCoreHours       = "spark.sql.cost.core_hours_per_week"
	EventOperators       = "spark.sql.cost.operators"
	EventAppeared        = "spark.sql.cost.operators.appeared"
	EventVanished        = "spark.sql.cost.operators.vanished"
	EventStack           = "spark.sql.cost.stack" // frames below the operator's, its callee first
	EventStackFrom       = "spark.sql.cost.stack.from"
	EventStackTo         = "spark.sql.cost.stack.to"
	EventRunsNeeded      = "spark.sql.cost.runs.needed"
	EventDashboardURL    = "spark.sql.cost.dashboard.url"
	EventFlameGraphURL   = "spark.sql.cost.flame_graph.url"
	EventFlameGraph      = "pyroscope.query"
	EventFlameBeforeFrom = "pyroscope.before.from"
	EventFlameBeforeTo   = "pyroscope.before.until"
	EventFlameAfterFrom  = "pyroscope.after.from"
	EventFlameAfterTo    = "pyroscope.after.until"
)

// EventSlowTask is the name of the event of a slow task (docs/use/slow-tasks.md).
const EventSlowTask = "spark.task.slow"

// Attributes of that event, beside the names of the task, its stage and its query.
const (
	TaskHost        = "spark.task.host"
	TaskVerdict     = "spark.task.verdict"
	TaskDuration    = "spark.task.duration"     // s
	TaskExcess      = "spark.task.excess"       // s, beyond the task's typical peer
	TaskVolumeRatio = "spark.task.volume.ratio" // over the typical peer's
	TaskVolumeOf    = "spark.task.volume.of"    // row, byte or row out
	TaskCPURatio    = "spark.task.cpu.ratio"    // of CPU for each of these, over the typical peer's
)

// EventSlowRecord is the name of the event of a slow record, or of a batch that has one
// (docs/use/slow-tasks.md).
const EventSlowRecord = "spark.record.slow"

// Attributes of that event, beside the names of the task, its stage, its query and its operator.
const (
	RecordDuration = "spark.record.duration" // s
	RecordCPU      = "spark.record.cpu"      // s
	RecordFirst    = "spark.record.first"    // of the file's block, else of the task, from 1
	RecordLast     = "spark.record.last"
	RecordShuffle  = "spark.record.shuffle" // it is of a shuffle, whose order changes from run to run
	RecordFile     = "spark.record.file"    // number and extension, or hash and extension
	RecordPath     = "spark.record.path"    // hash
	RecordOffset   = "spark.record.offset"  // of the block in the file, bytes
	RecordFrames   = "spark.record.frames"  // leaf first
)

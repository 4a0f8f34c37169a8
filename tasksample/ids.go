package tasksample

// Spark's identifiers, each a type of its own so that none is taken for another. All are as Spark's
// TaskContext reports them; ids start at 0 and are unique within one application.
type (
	// TaskAttemptID is TaskContext.taskAttemptId: one attempt at one task, unique in an
	// application.
	TaskAttemptID int64
	// StageID is the scheduler's stage id (TaskContext.stageId).
	StageID int32
	// StageAttempt is TaskContext.stageAttemptNumber.
	StageAttempt int32
	// PartitionID is TaskContext.partitionId.
	PartitionID int32
	// ExecutionID is spark.sql.execution.id; NoExecution outside of SQL.
	ExecutionID int64
	// AccumulatorID is AccumulatorV2.id; an SQLMetric is an accumulator.
	AccumulatorID int64
)

// NoExecution is the ExecutionID of a task that runs outside any SQL execution.
const NoExecution ExecutionID = -1

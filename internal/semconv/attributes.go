package semconv

// Attributes of resources.
const (
	ApplicationID   = "spark.application.id"
	ApplicationName = "spark.application.name"
	ExecutorID      = "spark.executor.id"
	SparkVersion    = "spark.version"

	// SparkPrefix begins all names of ours.
	SparkPrefix = "spark."
)

// Attributes of OpenTelemetry's semantic conventions.
const (
	ServiceName       = "service.name"
	ServiceInstanceID = "service.instance.id"
	HostName          = "host.name"
	ContainerID       = "container.id"
	PodUID            = "k8s.pod.uid"
	PID               = "process.pid"
	UserID            = "process.user.id"
	QuerySummary      = "db.query.summary"

	// Trial is the trial that an application's runs are part of (docs/use/trial.md). Users set it
	// with spark.planflame.label.trial.
	Trial = "trial"

	// ProcessPrefix begins the names of what a process is.
	ProcessPrefix = "process."
)

// A query, its plan and its operators.
const (
	QueryFingerprint = "spark.query.fingerprint"
	QueryName        = "spark.query.name"
	QueryPlan        = "spark.query.plan"
	// QueryPlanBefore is the plan that QueryPlan has replaced.
	QueryPlanBefore = "spark.query.plan.before"
	OperatorID      = "spark.sql.operator.id"
	OperatorName    = "spark.sql.operator.name"
	OperatorRole    = "spark.sql.operator.role"
	// OperatorPart is what the operator did: build or probe, insert or output … Samples have it.
	OperatorPart = "spark.sql.operator.part"
	// StagePlace is where in the plan a stage stands: the same in every run.
	StagePlace = "spark.stage.name"
)

// One execution, its stages and tasks.
const (
	ExecutionID = "spark.sql.execution.id"
	// ExecutionEnded is false on what is told of an executor that left before the execution was
	// over, or whose Collector did. Others do not have it.
	ExecutionEnded = "spark.sql.execution.ended"
	// ExecutionSampled is false on what is told of a run that was not drawn, that began under
	// another Collector, or whose plan was lost while it ran. Nothing is told of its operators.
	// Others do not have it.
	ExecutionSampled = "spark.sql.execution.sampled"
	// ExecutionFailed is true on what is told of an execution that failed. Others do not have it.
	ExecutionFailed = "spark.sql.execution.failed"
	// ExecutionEnd is when the execution was over, in nanoseconds since 1970.
	ExecutionEnd = "spark.sql.execution.end"
	// ExecutionProbability is the probability with which the run was drawn.
	ExecutionProbability = "spark.sql.execution.probability"

	StageID       = "spark.stage.id"
	StageAttempt  = "spark.stage.attempt.number"
	TaskAttemptID = "spark.task.attempt.id"
	PartitionID   = "spark.partition.id"
	SamplingClass = "spark.task.sampling.class"
	SamplingTier  = "spark.task.sampling.tier"
)

// CPU that is no operator's.
const (
	CPUBucket = "spark.cpu.bucket"
	// CPUGroup says that a sample's CPU is no task's: "threads" for another thread of the JVM,
	// "children" for a child process, such as a Python worker. A task's samples do not have it.
	CPUGroup = "spark.cpu.group"
)

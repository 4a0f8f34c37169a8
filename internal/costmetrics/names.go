package costmetrics

// Cumulative series of owners; sparkprofile's doc.go has their meaning.
const (
	metricOperatorCPU      = "spark.sql.operator.cpu.time"
	metricOperatorVariance = "spark.sql.operator.cpu.variance"
	metricOperatorRows     = "spark.sql.operator.rows"
	metricOperatorPython   = "spark.sql.operator.python.cpu.time"
	metricQueryCPU         = "spark.sql.query.cpu.time"
	metricQueryPython      = "spark.sql.query.python.cpu.time"
	metricQueryWall        = "spark.sql.query.wall.time"
	metricQueryDriver      = "spark.sql.query.driver.time"
	metricQueryWaiting     = "spark.sql.query.waiting.time"
	metricQueryIdle        = "spark.sql.query.idle.time"
)

// What one SQL execution cost on one executor, or in all: the contract with the connector spark_shift (docs/shifts.md).
const (
	metricExecutionCPU         = "spark.sql.execution.cpu.time"
	metricExecutionInvalidCPU  = "spark.sql.execution.invalid.cpu.time"
	metricExecutionOperatorCPU = "spark.sql.execution.operator.cpu.time"
	metricExecutionVariance    = "spark.sql.execution.operator.cpu.variance"
	metricExecutionRows        = "spark.sql.execution.operator.rows"
	metricExecutionSamples     = "spark.sql.execution.operator.samples"
)

// What one JVM tells of one execution in one window, beside the sums of fields.go: its CPU, rows and Python workers' CPU, once, when it is over.
const (
	metricPartCPU    = "spark.sql.execution.part.cpu.time"
	metricPartRows   = "spark.sql.execution.part.rows"
	metricPartPython = "spark.sql.execution.part.python.cpu.time"
)

// Attributes of points, scopes and resources.
const (
	attrApplication  = "spark.application.id"
	attrExecutor     = "spark.executor.id"
	attrHost         = "host.name"
	attrPID          = "process.pid"
	attrExecution    = "spark.sql.execution.id"
	attrStage        = "spark.stage.id"
	attrQuery        = "spark.query.fingerprint"
	attrQueryName    = "spark.query.name"
	attrPlan         = "spark.query.plan"
	attrPlace        = "spark.stage.name"
	attrOperator     = "spark.sql.operator.id"
	attrOperatorName = "spark.sql.operator.name"
	attrRole         = "spark.sql.operator.role"
	attrBucket       = "spark.cpu.bucket"
	attrClass        = "spark.task.sampling.class"
	attrTier         = "spark.task.sampling.tier"
	attrProbability  = "spark.sql.execution.probability"
	// attrEnded is false on what an executor told that left before the execution was over; others do not have it.
	attrEnded = "spark.sql.execution.ended"
	// attrSampled is false on what is told of a run that was not drawn: of its operators nothing is told. Others do not have it.
	attrSampled = "spark.sql.execution.sampled"
	// attrFailed is true on what is told of an execution that failed; others do not have it.
	attrFailed = "spark.sql.execution.failed"
	// attrEnd is when the execution was over, in nanoseconds since 1970.
	attrEnd = "spark.sql.execution.end"
)

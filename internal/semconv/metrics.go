package semconv

// Costs of owners, cumulative; sparkprofile's doc.go has their meaning.
const (
	MetricOperatorCPU       = "spark.sql.operator.cpu.time"
	MetricOperatorVariance  = "spark.sql.operator.cpu.variance"
	MetricOperatorRows      = "spark.sql.operator.rows"
	MetricOperatorPythonCPU = "spark.sql.operator.python.cpu.time"
	MetricQueryCPU          = "spark.sql.query.cpu.time"
	MetricQueryPythonCPU    = "spark.sql.query.python.cpu.time"
	MetricQueryRuns         = "spark.sql.query.runs"
	MetricQueryWall         = "spark.sql.query.wall.time"
	MetricQueryDriver       = "spark.sql.query.driver.time"
	MetricQueryWaiting      = "spark.sql.query.waiting.time"
	MetricQueryIdle         = "spark.sql.query.idle.time"
)

// What one execution cost on one executor, or in all: what spark_shift reads
// (docs/how-it-works/shifts.md).
const (
	MetricExecutionCPU              = "spark.sql.execution.cpu.time"
	MetricExecutionInvalidCPU       = "spark.sql.execution.invalid.cpu.time"
	MetricExecutionOperatorCPU      = "spark.sql.execution.operator.cpu.time"
	MetricExecutionOperatorVariance = "spark.sql.execution.operator.cpu.variance"
	MetricExecutionOperatorRows     = "spark.sql.execution.operator.rows"
	MetricExecutionOperatorSamples  = "spark.sql.execution.operator.samples"
	MetricExecutionUsualCPU         = "spark.sql.execution.operator.usual.cpu.time"
	MetricExecutionUsualLower       = "spark.sql.execution.operator.usual.cpu.lower"
	MetricExecutionUsualUpper       = "spark.sql.execution.operator.usual.cpu.upper"
)

// What one JVM tells of one execution in one window, beside the sums: once, when it is over.
const (
	MetricPartCPU       = "spark.sql.execution.part.cpu.time"
	MetricPartRows      = "spark.sql.execution.part.rows"
	MetricPartPythonCPU = "spark.sql.execution.part.python.cpu.time"
)

// Sums of a stage's units, which add over windows and nodes; docs/how-it-works/estimation.md has
// their symbols.
const (
	MetricStageUnits         = "spark.sql.execution.stage.units"
	MetricStageCPU           = "spark.sql.execution.stage.cpu.time"
	MetricStageSamples       = "spark.sql.execution.stage.samples"
	MetricStageWeight        = "spark.sql.execution.stage.weight"
	MetricStageUnitSquares   = "spark.sql.execution.stage.unit.squares"
	MetricStageSampleSquares = "spark.sql.execution.stage.sample.squares"
	MetricStageFirstSquares  = "spark.sql.execution.stage.first.squares"
	MetricStageKeySamples    = "spark.sql.execution.stage.key.samples"
	MetricStageKeyWeight     = "spark.sql.execution.stage.key.weight"
	MetricStageKeyChanges    = "spark.sql.execution.stage.key.changes"
	MetricStageKeySquares    = "spark.sql.execution.stage.key.squares"
	MetricStageKeyProducts   = "spark.sql.execution.stage.key.products"
	MetricStageFragments     = "spark.sql.execution.stage.fragments"
	MetricStageFragmentCPU   = "spark.sql.execution.stage.fragment.cpu.time"
)

// Gauges of the judge; docs/use/metrics.md has their meaning. Names end in _ratio as Prometheus
// makes them of the unit 1.
const (
	MetricCostRatio        = "spark.sql.operator.cost.ratio"
	MetricCostLower        = "spark.sql.operator.cost.lower_ratio"
	MetricCostUpper        = "spark.sql.operator.cost.upper_ratio"
	MetricCostExpected     = "spark.sql.operator.cost.expected"
	MetricCostUsual        = "spark.sql.operator.cost.usual"
	MetricCostUsualRatio   = "spark.sql.operator.cost.usual_ratio"
	MetricCostUsualLower   = "spark.sql.operator.cost.usual_lower_ratio"
	MetricCostUsualUpper   = "spark.sql.operator.cost.usual_upper_ratio"
	MetricCostDetectable   = "spark.sql.operator.cost.detectable_ratio"
	MetricCostShifted      = "spark.sql.operator.cost.shifted"
	MetricCostShiftRatio   = "spark.sql.operator.cost.shift_ratio"
	MetricCostShiftedSince = "spark.sql.operator.cost.shifted_since"
	MetricQueryCommonRatio = "spark.sql.query.cost.common_ratio"
	MetricQueryRunsSeen    = "spark.sql.query.cost.runs_seen"
	MetricQueryPlans       = "spark.sql.query.plan"
)

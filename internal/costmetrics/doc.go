// Package costmetrics is what operators cost, as OTLP metrics: how they are written, and how the
// connectors read what is written.
//
//	spark_profile ── estimates of a window ──▶ SeriesTable (cumulative) ──▶ Prometheus
//	              ├─ executions that are over ▶ Set.Execution, Operator ──OTLP──▶ ReadExecutions ──▶ spark_shift
//	              └─ sums of finished units ─▶ TellStage, TellEnd ──OTLP──▶ Read ──▶ spark_calibration ──▶ the same series and executions
//
// # Sums that travel
//
// With task_sampling::calibration: stage a receiver estimates nothing. It tells the additive
// statistics of the units of each stage that finished in a window (tasksample.Stage), once: a delta
// sum each, with the window as its time. docs/how-it-works/estimation.md, "What travels", has what
// they are.
//
//	resource  the JVM, or one of the application's JVMs on the host   spark.application.id, host.name, process.pid, what its user says
//	scope     the stage     spark.sql.execution.id, spark.stage.id, spark.stage.name, spark.query.*, spark.sql.execution.probability (π of the run)
//	point     the cell      spark.task.sampling.class, .tier; a key's has spark.sql.operator.* or spark.cpu.bucket too, and query and place where they are others
//
// When an execution is over for a JVM it tells the CPU of its tasks and the rows that operators
// took in, in a scope of the execution. Its last sums are in the same window.
//
// Every sum is a point of its own, since all add: whoever splits, batches or reorders requests does
// no harm. A point says of which JVM and window it is, so one that comes twice is known. Sums of 0
// are not told.
//
// Invariants: what Read takes from a point is in range, whatever came; nothing is estimated here.
// The package may import tasksample and pdata.
package costmetrics

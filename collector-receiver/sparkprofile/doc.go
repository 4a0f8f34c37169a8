// Package sparkprofile is the spark_profile receiver of the Collector. It finds Spark JVMs on this
// host and samples their task threads. It delivers, a window at a time, profiles and metrics with
// query, stage and operator as attributes, and events of slow tasks. All signals of a component id
// share one sampler, for a JVM is read by one only.
//
//	sampler.Sampler ──Sink──▶ pipeline.Pipeline ──▶ window.Accumulator ──window──▶ pprofile.Profiles ──▶ next consumer
//	                   │                                                ├────────▶ pmetric.Metrics   ──▶ next consumer
//	                   │                                                └────────▶ plog.Logs         ──▶ next consumer
//	                   └────▶ keep.Keeper ──▶ recordings on this node, if Config.Recording says so
//
// # Profiles
//
// A window holds one ResourceProfiles a JVM. On the resource is what the JVM's user says of it:
// labels of the Spark configuration over OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME of the JVM
// over OTEL_RESOURCE_ATTRIBUTES of this Collector. These are bounded; what is left out is
// dropped_label. It has one Profile of type cpu/nanoseconds and, if configured, a second one of
// type samples/count. Entry 0 of every dictionary table is the zero value.
//
// # Metrics
//
// Cumulative sums over this host's executors of a service, from tasks that ended. On the resource
// are service.name, host.name and service.instance.id (the host), and the attributes that
// Config.Labels lists. Nothing is of a single run: the series of a query that runs every night goes
// on.
//
//	spark.sql.operator.cpu.time         s      of all tasks, estimated, and of Python workers; buckets in brackets have what is no operator's, so the sum is query.cpu.time
//	spark.sql.operator.python.cpu.time  s      the part of Python workers, exact, of operators that have any
//	spark.sql.operator.cpu.variance     s2     of the estimate, by sampling; adds over hosts and time, not over operators: a sample is one's and not another's
//	spark.sql.operator.rows             {row}  that the operator took in (pipeline.OperatorRows), of operators of which rows are known
//	spark.sql.query.cpu.time            s      by the threads' own clocks, and of Python workers
//	spark.sql.query.python.cpu.time     s      the part of Python workers, of queries that have any
//	spark.sql.query.runs                {run}  its executions that are over and did not fail, none within another of it, where the driver's JVM is read, as the next four
//	spark.sql.query.wall.time           s      of its executions that are over, by the driver's events
//	spark.sql.query.driver.time         s      the part of wall.time in which none of its tasks ran
//	spark.sql.query.waiting.time        s      that its tasks held a slot without CPU of their thread
//	spark.sql.query.idle.time           s      of slots that no task held while its stages were active
//
// With task_sampling::run_fraction below 1 the CPU of operators and of buckets that samples tell is
// estimated for all runs from those that were drawn, as in profiles: each weighs 1/π. So its sum is
// query.cpu.time on average and not to the second, and its variance lacks the spread between runs,
// of which a node sees parts (docs/how-it-works/estimation.md). query.cpu.time, rows and the
// kernel's time are of all runs, as ever.
//
// A stage may run code of another execution's plan, as under foreachBatch. Its operators stand
// under that plan's query, and the CPU of its tasks in the query.cpu.time of the execution that
// ran. So the two sums agree over both queries, and not for each.
//
// Their attributes are spark.query.fingerprint, spark.query.name, and of an operator
// spark.stage.name, spark.sql.operator.id and .name. max_series bounds the series, and each pod,
// container or user has a share; what has none is under query and operator "other" of its owner. A
// series that nothing was added to for 8 days ends. One that comes back begins at 0
// (costmetrics.SeriesTable).
//
// What an SQL execution that is over cost on one executor, once, with the profiles' resource: the
// gauges spark.sql.execution.*, which spark_shift takes (docs/how-it-works/shifts.md). An execution
// is over when the driver says so, or when its JVM ends. On an executor in the midst of a task it
// then counts as one that goes on elsewhere. Of agents too old to report the end, it is over after
// five minutes without a task. One that failed, that a local master's end cut short, or whose query
// no one knows, is not told. Rows are left out where some task's are missing. A Collector that
// comes to an executor which no other one has read, in the midst of an execution, tells what it saw
// of it. One that ends in its midst does so, too, as of an execution that goes on elsewhere. Of a
// run that was not drawn, that began under another Collector, or whose plan was lost while it ran,
// execution.cpu.time alone is told, with the attribute spark.sql.execution.sampled = false. With
// base_hz 0 a part is calibrated by the tasks selected on its executor, and lacks what ran only in
// others.
//
// Beside an operator's cost stands what it usually costs by the shipped model (package usualcost),
// with the bounds of 95 % of such operators. It is told when the speed of this host is known, of
// operators whose rows are known and whose plan's agent counts expressions (log format 1.6).
//
// With task_sampling::calibration stage neither operators' CPU in the series nor these gauges are
// told; the series have the part of Python workers alone. Instead the additive sums of the units
// that finished in the window are (package costmetrics). The connector spark_calibration makes both
// of them. A window has max_series cells and keys of them; of the stages beyond that the known CPU
// alone is told (overflow_unit).
//
// There is no generated MetricsBuilder. The one of mdatagen v0.159.0 compares each point with all
// before it, which thousands of series do not bear, and has one start time for all.
//
// The profiler's own health is in the receiver's own telemetry (documentation.md), not in this
// signal. Its metrics are problems (lost, truncated, disputed, weak and all other drops),
// sampled_cpu over task_cpu (the raw-to-thread ratio), jvms (unreadable ones), log_fill, and
// estimated_cpu of operator "[unknown]".
//
// # Logs
//
// One log record for each slow task (package skew), the event spark.task.slow. The figures come
// from drivers whose JVMs this node reads, so the resource is the driver's. A task's wait for a
// core is not known here and counts as another wait. An event comes when the task's execution is
// over, for the driver reports the query then. Without a pipeline that takes logs, no task is kept.
//
// One log record for each slow record of a task, the event spark.record.slow, if the application
// sets spark.planflame.records. It comes when the task is over, and the resource is the executor's.
//
// # Health
//
// The receiver reports its component status to the Collector. A look every five seconds, or every
// scan_interval if that is longer, compares the number of sampling rounds:
//
//   - no round in three looks: recoverable error, until a round ends
//   - no round in six looks: permanent error, for good; liveness and systemd's watchdog hang on it,
//     because a restart mends it
//   - processes called java that cannot be read, and no JVM that can: recoverable error; a restart
//     brings no rights
//
// A node without a JVM is healthy. Readiness (health_check) goes by all errors, liveness
// (health_check/live and the systemd extension) by permanent ones alone.
//
// Shutdown takes two seconds at most, and the exporter's as long again. If the last window is not
// taken by then it is lost, and counted as refused.
//
// Invariants:
//   - Linux only; elsewhere the factory exists and creating the receiver is an error.
//   - The sampler's goroutine and the window's share the pipeline under one lock; the next
//     consumers are called outside of it.
//   - Whatever is lost, unresolved, late or refused is counted in the receiver's own metrics
//     (metadata.yaml).
//   - It never knows a backend: attributes follow OpenTelemetry's names, the exporter chooses
//     labels.
//
//go:generate go tool -modfile=../../scripts/tools/otel/go.mod mdatagen metadata.yaml
package sparkprofile

// Package sparkcalibration is the spark_calibration connector of the Collector. It merges the unit
// statistics of a stage from all nodes and windows, and estimates once the stage is complete. It
// then reports what a receiver reports that estimates by itself. Metrics in, metrics out.
//
//	sums of nodes and windows ──costmetrics.Read──▶ parts of runs ──settle──▶ tasksample.Stage.Estimate ──▶ series, executions
//
// # What comes in
//
// The sums of receivers with task_sampling::calibration: stage (package costmetrics has them). All
// other metrics are passed over.
//
// A part is what one JVM tells of a run in one window; a run is an SQL execution of an application,
// or a stage outside of SQL. Parts may come in any order, in pieces, and more than once: a point
// that is there already is a duplicate, counted. settle after a part's last point it is added to
// the run's sums, and its name alone is kept: what comes of it then is a duplicate, too. (So a
// window that an exporter splits, and of which a half comes settle later than the other, loses that
// half.)
//
// A run is estimated settle after its newest part, once some JVM has told its end; settle_open
// after it, where none has, and so are stages outside of SQL. What comes later is late: it is
// estimated by itself, in the same way, so its CPU is not lost; only its intervals are wide. Runs
// that have no room (max_open_runs, max_sums) are estimated at once, those that were told of least
// lately first, and what comes of them then is late.
//
// # What goes out
//
// Of each run, at once: spark.sql.operator.cpu.time and .variance, cumulative, by owner, query,
// place and operator, as a receiver has them. They have no host.name, because they cover all hosts.
// It also emits spark.sql.execution.cpu.time of each executor, with its resource. What each
// operator cost has the attributes that the executors' resources share:
// spark.sql.execution.operator.*, with rows added up. So has spark.sql.execution.invalid.cpu.time,
// the CPU of stages whose estimates are not valid. An execution that failed, that no one has a name
// for, or that ended nowhere, is in the series alone. spark_shift takes the one, Prometheus the
// other.
//
// A restart loses what is open in a crash: it is in spark.sql.query.cpu.time and no operator's. A
// Collector that is shut down estimates what it has. It reports an execution that goes on like one
// whose executors have left (spark.sql.execution.ended = false), and the next process reports the
// rest. Series begin again.
//
// Invariants:
//   - All parts of a run come to one process: several gateways need a balancer by
//     spark.application.id before them.
//   - The next consumer is called by one goroutine, outside of the lock. What it refuses is counted
//     and lost.
//   - Everything kept is bounded by the configuration; everything dropped is counted
//     (metadata.yaml).
//   - It knows no receiver and no exporter.
//
//go:generate go tool -modfile=../../scripts/tools/otel/go.mod mdatagen metadata.yaml
package sparkcalibration

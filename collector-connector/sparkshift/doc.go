// Package sparkshift is the spark_shift connector of the Collector. It takes what every operator of
// every finished run of a Spark query cost, and reports which operators have become more expensive
// than their history explains. Metrics and profiles in; metrics (ratios with intervals) and logs
// (events) out.
//
//	metrics ──▶ parts of runs ──settle──▶ shift.Run ──▶ shift.Fleet ──▶ gauges, log records
//	                                         │           │  ▲               ▲
//	                                         │           ▼  │               │
//	                                         │      storage extension       │ the stack that grew most
//	                                         ▼           ▲  │               │
//	profiles ──▶ call trees of open runs ──▶ call trees of judged runs ─────┘
//
// # What comes in
//
// The input holds every SQL execution that has ended, from every executor that worked for it. Each
// operator and stage has a point of each of these metrics (gauge, or sum with delta temporality;
// double or int). The point's timestamp is the end of the run; more than shift.MostAhead after now,
// it is dropped.
//
//	spark.sql.execution.operator.cpu.time      s         CPU of tasks, estimated, and of Python workers, > 0
//	spark.sql.execution.operator.cpu.variance  s2        variance of that estimate by sampling
//	spark.sql.execution.operator.rows          {row}     rows that the operator took in (a scan: that it gave) in stages that a sample hit, even if it has no CPU; left out if no one knows
//	spark.sql.execution.operator.samples       {sample}  samples behind the estimate; left out where Python workers have a part, which is exact
//	spark.sql.execution.operator.usual.cpu.time, .lower, .upper  s  CPU that such an operator usually costs, and the bounds of 95 % of them; left out where no one knows
//	spark.sql.execution.cpu.time               s         CPU of all tasks and Python workers, once an executor, without the operator's attributes
//
// Attributes of a point:
//
//	spark.sql.execution.id     int, required
//	spark.query.fingerprint    required
//	spark.query.plan           fingerprint of the plan
//	spark.query.name           what people call the query
//	spark.sql.operator.id      role@signature, or [python worker] for workers whose plan node is not known; required, but for spark.sql.execution.cpu.time
//	spark.sql.operator.name    physical operator and first words of its arguments
//	spark.stage.name           place of the stage in the plan
//	spark.sql.execution.ended  bool; false where the executor left before the execution was over, so that others may still work for it
//	spark.sql.execution.sampled  bool; false where the run was not drawn to be sampled, began under another Collector, or lost its plan: of
//	                           spark.sql.execution.cpu.time alone. Nothing is known of its operators, so the run is dropped, counted as not_sampled: it did not cost nothing, and is neither judged nor in a history
//
// Attributes of the resource: spark.application.id (required), spark.executor.id, host.name,
// spark.version, and those that the configuration lists under labels. A run with the attribute
// trial is dropped, counted as trial: it is a re-run under conditions that are not the usual ones.
// The executor's id tells, with its CPU, how new to the plan those are who did the run. An
// executor's points may come in several requests and more than once: the same point again replaces
// the first. Parts of a run that come after it was judged are added to its history and change no
// verdict.
//
// Profiles add the stacks. It keeps the samples of cpu/nanoseconds that have
// spark.sql.execution.id, spark.sql.operator.id and spark.stage.name, including samples of Python
// workers. They form a call tree below the operator's frame (profile.frame.type planflame) until
// their run is judged. They are what an operator's cost was spent on, and change no verdict.
//
// # What goes out
//
// docs/use/metrics.md lists metrics and events. Of the metrics,
// spark.sql.operator.cost.shifted_since alone carries ids of runs: the runs that an alert names,
// one series a shift.
//
// Invariants:
//   - One engine serves all inputs and outputs of a component id; it takes each request once.
//   - Next consumers are called by one goroutine, outside of the lock. What they refuse is counted
//     and lost.
//   - Everything kept is bounded by the configuration; everything dropped is counted
//     (metadata.yaml).
//   - It knows no receiver and no exporter, and nothing of Spark beyond the names above.
//
//go:generate go tool -modfile=../../scripts/tools/otel/go.mod mdatagen metadata.yaml
package sparkshift

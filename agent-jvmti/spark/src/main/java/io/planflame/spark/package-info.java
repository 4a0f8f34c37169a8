/**
 * The Spark plugin: what a JVM of a Spark application tells the native agent.
 *
 * <p>Ways of the data: task threads → {@code TaskTags} → agent (no lock, no I/O). All else goes
 * through {@code Poller} (one daemon thread an executor) → agent: the codegen cache, which
 * accumulators a stage updates ({@code StageDesk}), and what successful tasks added to them ({@code
 * RowDesk}). So do the driver's plans and the ends of executions ({@code DictionaryDesk}). On the
 * driver {@code PlanListener} (a listener queue of its own) and the executors' questions fill the
 * {@code PlanBook}.
 *
 * <p>Invariants: nothing thrown here reaches Spark; nothing here waits on a task's thread. No
 * task's thread takes a lock or writes to stderr. An executor's end waits 100 ms at most.
 * Everything dropped is counted: with {@link io.planflame.agent.NativeAgent#dropped} if the log has
 * a counter, else with {@code Tally}, which says it on stderr. Whatever differs between Spark lines
 * is behind {@code io.planflame.spark.shim}.
 */
package io.planflame.spark;

package io.planflame.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * planflame's entry into Spark: {@code --jars planflame-spark.jar --conf
 * spark.plugins=io.planflame.spark.PlanflamePlugin}. Nothing it does changes a job's result;
 * nothing it throws reaches Spark.
 *
 * <p>These two settings are enough on a cluster whose executors fetch the driver's jars.
 * spark-submit puts the jar on the driver's class path. An executor fetches it before it makes its
 * plugins (Executor, Spark 3.5 and 4.x: {@code spark.app.initial.jar.urls}). The driver's half runs
 * before the task scheduler starts, so that executors start with its JVM options ({@link
 * ExecutorOptions}). Tried with local-cluster on 3.5.7 and 4.3.0. Some executors start from a
 * configuration that was fixed before the driver's half ran: a running driver's that a session
 * joins, or a platform's. Their options must be set by hand:
 *
 * <pre>{@code
 * spark.executor.extraJavaOptions  -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints
 * spark.sql.codegen.comments       true
 * }</pre>
 *
 * <p>In local mode the one JVM runs already when the plugin is made: there the options belong to
 * the driver ({@code spark.driver.extraJavaOptions}); {@code planflame run} sets them. Keys of its
 * own are in {@link Settings}: a value that cannot be meant switches profiling off, an unknown key
 * is warned of, in one line of the driver's stderr each.
 */
public final class PlanflamePlugin implements SparkPlugin {
  /** For Spark. */
  public PlanflamePlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    return new PlanflameDriver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new PlanflameExecutor();
  }
}

package io.planflame.spark;

import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * planflame's entry into Spark: {@code --conf spark.plugins=io.planflame.spark.PlanflamePlugin} with the jar on the class path of
 * driver and executors. Nothing it does changes a job's result; nothing it throws reaches Spark.
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

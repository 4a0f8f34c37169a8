package io.planflame.spark.fake;

/** A batch of a streaming query, with the lazy vals of Spark 3.5's. */
public final class IncrementalExecution {
  final Object analyzed;
  final Object optimizedPlan;
  final Object executedPlan;

  public IncrementalExecution(Object logical, Plan executed) {
    this.analyzed = logical;
    this.optimizedPlan = logical;
    this.executedPlan = executed;
  }
}

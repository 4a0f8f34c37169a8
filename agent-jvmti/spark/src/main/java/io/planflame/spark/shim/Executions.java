package io.planflame.spark.shim;

import scala.util.Try;

/**
 * The plans of an SQL execution, as far as they are already computed. A plan that Spark has not
 * needed yet is not computed here: that would run the analyzer, the optimizer or even jobs on a
 * profiler's thread.
 */
public final class Executions {
  private Executions() {}

  /**
   * The QueryExecution of a running execution, or null when it is over or not of this JVM.
   * SQLExecution.getQueryExecution, 3.5 and 4.x.
   */
  public static Object queryExecution(long executionId) throws ClassNotFoundException {
    return Members.call(Members.singleton("org.apache.spark.sql.execution.SQLExecution$"), "getQueryExecution", executionId);
  }

  /** The analyzed logical plan, or null. */
  public static Object analyzed(Object queryExecution) {
    return computed(queryExecution, "analyzed", "lazyAnalyzed");
  }

  /** The optimized logical plan, or null. */
  public static Object optimized(Object queryExecution) {
    return computed(queryExecution, "optimizedPlan", "lazyOptimizedPlan");
  }

  /** The physical plan that runs (the AdaptiveSparkPlan node if AQE is on), or null. */
  public static Object executed(Object queryExecution) {
    return computed(queryExecution, "executedPlan", "lazyExecutedPlan");
  }

  /**
   * Spark 3.5: a lazy val, whose field is null until it is computed. Spark 4.x: a LazyTry, whose
   * tryT is.
   */
  private static Object computed(Object queryExecution, String lazyVal, String lazyTry) {
    Object value = Members.readField(queryExecution, lazyVal);
    if (value != null) {
      return value;
    }
    Object holder = Members.readField(queryExecution, lazyTry);
    Object result = holder == null ? null : Members.readField(holder, "tryT");
    return result instanceof Try && ((Try<?>) result).isSuccess() ? ((Try<?>) result).get() : null;
  }
}

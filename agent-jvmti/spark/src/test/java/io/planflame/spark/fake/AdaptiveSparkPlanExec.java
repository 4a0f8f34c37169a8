package io.planflame.spark.fake;

/** Called like Spark's, since the reader knows the node by its class. */
public final class AdaptiveSparkPlanExec extends Plan {
  private final Plan initial;
  private Plan current;
  private boolean isFinal;

  public AdaptiveSparkPlanExec(Plan initial) {
    super("AdaptiveSparkPlan");
    this.initial = initial;
    this.current = initial;
  }

  /** AQE has planned anew. */
  public void replan(Plan plan) {
    current = plan;
  }

  /** The plan is the final one. */
  public void finish() {
    isFinal = true;
  }

  @Override
  String text() {
    return "AdaptiveSparkPlan isFinalPlan=" + isFinal;
  }

  public Plan executedPlan() {
    return current;
  }

  public Plan initialPlan() {
    return initial;
  }
}

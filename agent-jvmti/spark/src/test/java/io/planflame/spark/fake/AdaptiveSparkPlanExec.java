package io.planflame.spark.fake;

/** Called like Spark's, since the reader knows the node by its class. */
public final class AdaptiveSparkPlanExec extends Plan {
  private final Plan initial;
  private Plan current;
  private Object queryExecution;
  private boolean isFinal;
  private boolean isSubquery;

  public AdaptiveSparkPlanExec(Plan initial) {
    super("AdaptiveSparkPlan");
    this.initial = initial;
    this.current = initial;
  }

  /** AQE has planned again. */
  public void replan(Plan plan) {
    current = plan;
  }

  /** The plan is the final one. */
  public void finish() {
    isFinal = true;
  }

  /** Its AdaptiveExecutionContext has this QueryExecution. */
  public AdaptiveSparkPlanExec of(Object queryExecution) {
    this.queryExecution = queryExecution;
    return this;
  }

  /** It is the plan of a subquery. */
  public AdaptiveSparkPlanExec asSubquery() {
    isSubquery = true;
    return this;
  }

  public Object context() {
    return this;
  }

  public Object qe() {
    return queryExecution;
  }

  public boolean isSubquery() {
    return isSubquery;
  }

  public boolean isFinalPlan() {
    return isFinal;
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

package io.planflame.spark.fake;

/** Called like Spark's, since it is known by its class. */
public final class ShuffleQueryStageExec extends Plan {
  public ShuffleQueryStageExec() {
    super("ShuffleQueryStage");
  }
}

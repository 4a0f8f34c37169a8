package io.planflame.spark.fake;

/** Called like Spark's, since it is known by its class. */
public final class ShuffleExchangeExec extends Plan {
  public ShuffleExchangeExec(Plan child) {
    super("Exchange", child);
  }
}

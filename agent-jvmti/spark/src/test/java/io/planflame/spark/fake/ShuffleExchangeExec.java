package io.planflame.spark.fake;

/** Called like Spark's, since it is known by its class. */
public final class ShuffleExchangeExec extends Plan {
  private Object shuffleDependency; // null: the shuffle is not made
  private Object partitioning;
  private Object[] output = {};

  public ShuffleExchangeExec(Plan child) {
    super("Exchange", child);
  }

  /** Its rows have these columns and are spread so. */
  public ShuffleExchangeExec spread(Object partitioning, Object... output) {
    this.partitioning = partitioning;
    this.output = output;
    return this;
  }

  /** The shuffle is made. */
  public ShuffleExchangeExec make(int shuffle) {
    shuffleDependency = new Object() {
      public int shuffleId() {
        return shuffle;
      }
    };
    return this;
  }

  public Object outputPartitioning() {
    return partitioning;
  }

  public Object output() {
    return seq(output);
  }
}

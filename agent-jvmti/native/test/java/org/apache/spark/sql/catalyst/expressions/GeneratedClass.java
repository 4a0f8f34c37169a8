package org.apache.spark.sql.catalyst.expressions;

/** Stands for a class that Spark generated: the agent knows them by this name. Loaded again and again in loaders of its own. */
public class GeneratedClass implements java.util.function.LongUnaryOperator {
  @Override
  public long applyAsLong(long rows) {
    long sum = 0;
    for (long row = 0; row < rows; row++) sum += processNext_0(row);
    return sum;
  }

  private long processNext_0(long row) {
    return row * 31 ^ row >>> 3;
  }
}

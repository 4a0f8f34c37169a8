package org.apache.spark.sql.catalyst.expressions;

/**
 * Stands for a class that Spark generated: the agent knows them by this name. Loaded again and
 * again in loaders of its own.
 */
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

  /**
   * As many methods as a usual stage has. Needs no other class, so that a loader without parents
   * can define it.
   */
  public static final class GeneratedIterator {
    int n;

    void init0() { n = 0; }
    void init1() { n = 1; }
    void init2() { n = 2; }
    void init3() { n = 3; }
    void sort0() { n = 4; }
    void sort1() { n = 5; }
    void sort2() { n = 6; }
    void sort3() { n = 7; }
    void join0() { n = 8; }
    void join1() { n = 9; }
    void join2() { n = 10; }
    void join3() { n = 11; }
    void scan0() { n = 12; }
    void scan1() { n = 13; }
    void scan2() { n = 14; }
    void scan3() { n = 15; }
    void agg0() { n = 16; }
    void agg1() { n = 17; }
    void agg2() { n = 18; }
    void agg3() { n = 19; }
    void next0() { n = 20; }
    void next1() { n = 21; }
    void next2() { n = 22; }
    void next3() { n = 23; }
    void copy0() { n = 24; }
    void copy1() { n = 25; }
    void copy2() { n = 26; }
    void copy3() { n = 27; }
  }
}

package io.planflame.spark.shim;

import org.apache.spark.scheduler.AccumulableInfo;

/** Reads from a TaskInfo how many rows the operators of the task put out. */
public final class OperatorRows {
  private static final String ROWS = "number of output rows"; // the name of the SQL metric, of all operators that have it

  private OperatorRows() {}

  /** The most rows that one operator put out in the task; 0 if none counts them. */
  public static long most(Object taskInfo) {
    long most = 0;
    for (Object metric : Scala.list(Members.call(taskInfo, "accumulables"))) {
      AccumulableInfo info = (AccumulableInfo) metric; // not called by name: a task has tens of them
      if (!ROWS.equals(Scala.orNull(info.name()))) {
        continue;
      }
      Object update = Scala.orNull(info.update());
      most = Math.max(most, update instanceof Number ? ((Number) update).longValue() : 0);
    }
    return most;
  }
}

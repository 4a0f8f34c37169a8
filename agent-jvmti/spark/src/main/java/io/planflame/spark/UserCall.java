package io.planflame.spark;

import io.planflame.spark.shim.CallOrigin;
import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import org.apache.spark.SparkContext;

/**
 * The call of PySpark's that a thread is in, as the program's own line. {@code planflame run} loads
 * a module into the driver's Python that tells it over py4j, for Spark knows the lines of Column
 * methods and of collect alone. Any thread; never throws.
 */
public final class UserCall {
  /** The local property that holds the line: a job carries it to {@link PlanListener}. */
  static final String LINE = "spark.planflame.line";

  private UserCall() {}

  /**
   * From now on what this thread makes and runs is of {@code line}.
   *
   * @param method the method called, e.g. {@code filter}
   * @param line {@code etl.py:14}
   * @param sql the statement if the call has one, else ""
   */
  public static void enter(String method, String line, String sql) {
    try {
      property(line);
      CallOrigin.set(method, line, sql);
    } catch (Throwable e) {
      Complaints.once("take the line of a call", e);
    }
  }

  /** The call is over. */
  public static void leave() {
    try {
      property(null);
      CallOrigin.clear();
    } catch (Throwable e) {
      Complaints.once("forget the line of a call", e);
    }
  }

  private static void property(String line) throws ClassNotFoundException {
    Object context = Scala.orNull(Members.call(Members.singleton("org.apache.spark.SparkContext$"), "getActive"));
    if (context != null) {
      ((SparkContext) context).setLocalProperty(LINE, line);
    }
  }
}

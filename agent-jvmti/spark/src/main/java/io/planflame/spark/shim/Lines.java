package io.planflame.spark.shim;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import scala.Tuple2;

/**
 * The user's own line that a node of a plan was written on, if Spark keeps it. 4.x does in the
 * origin of expressions: the ones that PySpark's Column methods make and all that Scala's functions
 * and methods do. PySpark's functions (F.sum) leave nothing but py4j's reflection. {@link
 * CallOrigin} adds the lines of all that a call of PySpark's makes, where the driver's Python
 * tells.
 */
public final class Lines {
  private static final Pattern PLACE = Pattern.compile("(?:.*[/\\\\])?([^/\\\\]+:\\d+)");
  private static final Pattern CELL = Pattern.compile("line (\\d+) in (cell \\[\\d+])");
  private static final Pattern FRAME = Pattern.compile("(?:[^/(]+/)?([^/(]+)\\(([^():]+:\\d+)\\)");
  private static final Pattern NO_USERS_CLASS = Pattern.compile("(?:java|jdk|sun|scala|py4j|org\\.apache\\.(?:spark|hadoop))\\..*");

  private Lines() {}

  /** {@code etl.py:14} of a TreeNode, "" if Spark does not know it. */
  static String of(Object node) {
    Object origin = Members.callOr(null, node, "origin");
    if (origin == null) {
      return "";
    }
    Object python = Scala.orNull(Members.callOr(null, origin, "pysparkErrorContext")); // what was called, and where; not in 3.5
    if (python instanceof Tuple2) {
      return place(String.valueOf(((Tuple2<?, ?>) python)._2()));
    }
    Object frames = Scala.orNull(Members.callOr(null, origin, "stackTrace")); // the same
    if (frames instanceof StackTraceElement[]) {
      for (StackTraceElement frame : (StackTraceElement[]) frames) {
        String place = place(frame.toString());
        if (!place.isEmpty()) {
          return place;
        }
      }
    }
    Object sql = Scala.orNull(Members.callOr(null, origin, "sqlText"));
    return sql == null ? "" : CallOrigin.ofStatement((String) sql);
  }

  /**
   * The place that a call site of Spark's contexts is: a path and a line, a cell of a notebook, or
   * a JVM's frame; the first of several lines.
   */
  public static String place(String callSite) {
    String first = callSite.split("\n", 2)[0].trim();
    Matcher cell = CELL.matcher(first);
    if (cell.matches()) {
      return cell.group(2) + ":" + cell.group(1);
    }
    Matcher frame = FRAME.matcher(first);
    if (frame.matches()) {
      return NO_USERS_CLASS.matcher(frame.group(1)).matches() ? "" : frame.group(2);
    }
    Matcher place = PLACE.matcher(first);
    return place.matches() && !first.endsWith(")") ? place.group(1) : "";
  }

  /** The first frame of the user's in a long call site of Spark's, "" if there is none. */
  public static String firstOf(String frames) {
    for (String frame : frames.split("\n")) {
      String place = FRAME.matcher(frame.trim()).matches() ? place(frame) : "";
      if (!place.isEmpty()) {
        return place;
      }
    }
    return "";
  }
}

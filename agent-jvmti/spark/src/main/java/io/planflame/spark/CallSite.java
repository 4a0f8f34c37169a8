package io.planflame.spark;

import io.planflame.identity.RunText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a program called Spark, from what Spark says of it: {@code collect at /jobs/etl.py:30}. Of
 * a path only the last part is kept. PySpark says where the program's own line is in RDD actions
 * and in collect, toLocalIterator and tail; in all other calls Spark sees py4j's reflection.
 */
final class CallSite {
  static final CallSite NONE = new CallSite("", "", 0, false);

  private static final Pattern SHORT = Pattern.compile("(\\S+) at (.+):(\\d+)");
  private static final Pattern REFLECTION = Pattern.compile("(?:java|jdk|sun|py4j|scala|org\\.apache\\.hadoop)\\..*");
  private static final Pattern NO_LINE_OF_A_USER = Pattern.compile("\\w+Accessor(?:Impl)?\\.java|Method\\.java|CompletableFuture\\.java|CliDriver\\.java|Thread\\w*\\.java");

  final String method;
  private final String file;
  private final int line;
  private final boolean users;

  private CallSite(String method, String file, int line, boolean users) {
    this.method = method;
    this.file = file;
    this.line = line;
    this.users = users;
  }

  /**
   * Reads both forms of a call site.
   *
   * @param shortForm "method at file:line", or anything else, which is no call site
   * @param longForm the frames from Spark's method on, a line each; "" if they are not known
   */
  static CallSite of(String shortForm, String longForm) {
    Matcher parts = SHORT.matcher(shortForm == null ? "" : shortForm);
    if (!parts.matches() || parts.group(3).length() > 9) {
      return NONE;
    }
    String path = parts.group(2);
    String file = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    int line = Integer.parseInt(parts.group(3));
    String type = classAt(file + ":" + line, longForm == null ? "" : longForm);
    boolean reflection = line == 0 || REFLECTION.matcher(type).matches() || NO_LINE_OF_A_USER.matcher(file).matches();
    if (reflection) {
      return new CallSite(parts.group(1), "", 0, false);
    }
    boolean sparks = type.startsWith("org.apache.spark.") || type.isEmpty() && file.endsWith(".scala");
    return new CallSite(parts.group(1), file, line, !sparks);
  }

  /** The class of the frame at {@code place} in the long form, "" if none is. */
  private static String classAt(String place, String longForm) {
    int at = longForm.indexOf("(" + place + ")");
    String frame = at < 0 ? "" : longForm.substring(longForm.lastIndexOf('\n', at) + 1, at);
    return frame.substring(frame.indexOf('/') + 1); // java.base/jdk.internal…
  }

  /**
   * {@code collect at etl.py}: no line, so that an edit elsewhere in the file changes no name; the
   * method alone if no file is known.
   */
  String name() {
    return file.isEmpty() ? method : method + " at " + RunText.without(file);
  }

  /** The user's own line, {@code etl.py:30}; "" if the JVM does not know it. */
  String line() {
    return users ? file + ":" + line : "";
  }
}

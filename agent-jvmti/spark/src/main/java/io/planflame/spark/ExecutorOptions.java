package io.planflame.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkConf;

/**
 * The settings that a precise profile needs, added to what the user has set and never in place of
 * it. They are HotSpot's debug info between safepoints, and the comments that name operators in
 * generated code. Its line numbers each executor switches on itself ({@link
 * io.planflame.spark.shim.JaninoLines}). Frame pointers are not among them: they cost CPU and are
 * not needed (docs/decisions/0006-frame-pointers.md).
 */
final class ExecutorOptions {
  static final String EXTRA_JAVA_OPTIONS = "spark.executor.extraJavaOptions";
  static final String CODEGEN_COMMENTS = "spark.sql.codegen.comments";

  private static final String UNLOCK = "-XX:+UnlockDiagnosticVMOptions";
  private static final String DEBUG_INFO = "-XX:+DebugNonSafepoints";
  private static final String NO_DEBUG_INFO = "-XX:-DebugNonSafepoints";

  private ExecutorOptions() {}

  /** Changes {@code conf}; must run before the task scheduler starts. */
  static void apply(SparkConf conf) {
    conf.set(EXTRA_JAVA_OPTIONS, append(conf.get(EXTRA_JAVA_OPTIONS, "")));
    conf.setIfMissing(CODEGEN_COMMENTS, "true");
  }

  /**
   * The user's executor options with ours behind them; one that the user set either way stays as it
   * is.
   */
  static String append(String user) {
    StringBuilder out = new StringBuilder(user.trim());
    Set<String> present = new HashSet<>(Arrays.asList(user.trim().split("\\s+")));
    if (present.contains(DEBUG_INFO) || present.contains(NO_DEBUG_INFO)) {
      return out.toString();
    }
    if (!present.contains(UNLOCK)) {
      add(out, UNLOCK);
    }
    add(out, DEBUG_INFO);
    return out.toString();
  }

  private static void add(StringBuilder out, String option) {
    if (out.length() > 0) {
      out.append(' ');
    }
    out.append(option);
  }
}

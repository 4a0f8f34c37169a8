package io.planflame.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkConf;

/**
 * The settings that a precise profile needs, added to what the user has set and never in place of it: HotSpot's debug info between
 * safepoints, frame pointers, line numbers in generated code (Janino) and the comments that name operators in it.
 */
final class ExecutorOptions {
  static final String EXTRA_JAVA_OPTIONS = "spark.executor.extraJavaOptions";
  static final String CODEGEN_COMMENTS = "spark.sql.codegen.comments";
  static final String JANINO_DEBUGGING = "org.codehaus.janino.source_debugging.enable";

  private static final String UNLOCK = "-XX:+UnlockDiagnosticVMOptions";

  private ExecutorOptions() {}

  /** Changes {@code conf} and this JVM's system properties; must run before the task scheduler starts. */
  static void apply(SparkConf conf) {
    conf.set(EXTRA_JAVA_OPTIONS, append(conf.get(EXTRA_JAVA_OPTIONS, "")));
    conf.setIfMissing(CODEGEN_COMMENTS, "true");
    if (System.getProperty(JANINO_DEBUGGING) == null) {
      System.setProperty(JANINO_DEBUGGING, "true");
    }
  }

  /** The user's executor options with ours behind them; one that the user set either way stays as it is. */
  static String append(String user) {
    StringBuilder out = new StringBuilder(user.trim());
    Set<String> present = new HashSet<>(Arrays.asList(user.trim().split("\\s+")));
    flag(out, present, "DebugNonSafepoints", true);
    flag(out, present, "PreserveFramePointer", false);
    boolean janino = present.stream().anyMatch(o -> o.startsWith("-D" + JANINO_DEBUGGING + "="));
    if (!janino) {
      add(out, "-D" + JANINO_DEBUGGING + "=true");
    }
    return out.toString();
  }

  private static void flag(StringBuilder out, Set<String> present, String name, boolean diagnostic) {
    if (present.contains("-XX:+" + name) || present.contains("-XX:-" + name)) {
      return;
    }
    if (diagnostic && !present.contains(UNLOCK)) {
      add(out, UNLOCK);
    }
    add(out, "-XX:+" + name);
  }

  private static void add(StringBuilder out, String option) {
    if (out.length() > 0) {
      out.append(' ');
    }
    out.append(option);
  }
}

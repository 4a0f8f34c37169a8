package io.planflame.spark;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says what went wrong, one line on stderr and once per kind: a profiler that fails must neither be
 * silent nor fill a log. Safe from any thread; throws nothing.
 */
final class Complaints {
  private static final int MAX_KINDS = 64;
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private Complaints() {}

  /** Says {@code message}, always. */
  static void say(String message) {
    System.err.println("planflame: " + message);
  }

  /** Says that {@code operation} failed, the first time it does. */
  static void once(String operation, Throwable cause) {
    try {
      if (SAID.size() < MAX_KINDS && SAID.add(operation)) {
        say(operation + ": " + describe(cause) + " (further failures of this kind are not repeated)");
      }
    } catch (Throwable ignored) {
      // Out of memory while complaining: there is no one left to tell.
    }
  }

  /** Forgets what was said, for tests. */
  static void forget() {
    SAID.clear();
  }

  /** The innermost cause with the place of ours where it happened, in one line. */
  static String describe(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String text = String.valueOf(thrown).replace('\n', ' ') + (cause == thrown ? "" : ": " + String.valueOf(cause).replace('\n', ' '));
    for (StackTraceElement frame : cause.getStackTrace()) {
      if (frame.getClassName().startsWith("io.planflame.")) {
        return text + " at " + frame;
      }
    }
    return cause.getStackTrace().length == 0 ? text : text + " at " + cause.getStackTrace()[0];
  }
}

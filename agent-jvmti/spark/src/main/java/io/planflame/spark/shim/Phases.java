package io.planflame.spark.shim;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When an execution's plan was made: the phases of QueryExecution.tracker, the same in 3.5 and 4.x.
 */
public final class Phases {
  private Phases() {}

  /**
   * Phase (analysis, optimization, planning) → begin and end in milliseconds since 1970; empty for
   * null.
   */
  public static Map<String, long[]> of(Object queryExecution) {
    Map<String, long[]> out = new LinkedHashMap<>();
    if (queryExecution == null) {
      return out;
    }
    for (Map.Entry<Object, Object> phase : Scala.map(Members.call(Members.call(queryExecution, "tracker"), "phases")).entrySet()) {
      Object times = phase.getValue();
      out.put(String.valueOf(phase.getKey()), new long[] {(Long) Members.call(times, "startTimeMs"), (Long) Members.call(times, "endTimeMs")});
    }
    return out;
  }
}

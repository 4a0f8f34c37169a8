package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What the tasks of one stage attempt have added to SQL metrics since the last ROWS record. Not
 * thread-safe.
 */
final class StageRows {
  /** One accumulator. */
  private static final class Metric {
    final boolean isSum;
    long sum;

    Metric(boolean isSum) {
      this.isSum = isSum;
    }
  }

  /** What it needs to know of accumulators. */
  interface Accumulators {
    /** Whether it is an SQL metric of type "sum"; asked once an accumulator. */
    boolean isSum(Object accumulator);

    /** What a task has added to it, when it is. */
    long sum(Object accumulator);
  }

  private final int stageId;
  private final int stageAttempt;
  final long executionId;
  private final Map<Long, Metric> metrics = new HashMap<>();
  private int tasks;
  private long due; // System.nanoTime; while there are tasks

  StageRows(int stageId, int stageAttempt, long executionId) {
    this.stageId = stageId;
    this.stageAttempt = stageAttempt;
    this.executionId = executionId;
  }

  /** One more task, whose metrics follow; what comes until {@code due} goes into one record. */
  void task(long due) {
    if (tasks++ == 0) {
      this.due = due;
    }
  }

  /**
   * Adds what a task has done.
   *
   * @return false when the accumulator is new and there is no room for it
   */
  boolean add(Object accumulator, long id, Accumulators known, boolean room) {
    Metric metric = metrics.get(id);
    if (metric == null) {
      if (!room) {
        return false;
      }
      metric = new Metric(known.isSum(accumulator));
      metrics.put(id, metric);
    }
    if (metric.isSum) {
      metric.sum += known.sum(accumulator);
    }
    return true;
  }

  /** How many accumulators it remembers. */
  int size() {
    return metrics.size();
  }

  /** Tasks that are in no record yet. */
  int tasks() {
    return tasks;
  }

  boolean isDue(long now) {
    return tasks > 0 && due - now <= 0;
  }

  /**
   * Writes what there is and begins again; without tasks there is nothing to write.
   *
   * @return false when the log has no room: then all is kept
   */
  boolean write() {
    if (tasks == 0) {
      return true;
    }
    if (!NativeAgent.rows(stageId, stageAttempt, executionId, tasks, accumulated())) {
      return false;
    }
    forget();
    return true;
  }

  /** Begins again without writing. */
  void forget() {
    for (Metric metric : metrics.values()) {
      metric.sum = 0;
    }
    tasks = 0;
  }

  /** Accumulator id and sum, alternately, ids ascending. */
  private long[] accumulated() {
    long[] ids = metrics.entrySet().stream().filter(e -> e.getValue().sum != 0).mapToLong(Map.Entry::getKey).toArray();
    Arrays.sort(ids);
    long[] out = new long[2 * ids.length];
    for (int i = 0; i < ids.length; i++) {
      out[2 * i] = ids[i];
      out[2 * i + 1] = metrics.get(ids[i]).sum;
    }
    return out;
  }
}

package io.planflame.spark;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.spark.executor.TaskMetrics;

/**
 * A bounded queue of tasks that have ended: many task threads put, the poller takes. Putting takes
 * no lock, never waits and allocates nothing; it fails when the queue is full. A slot is claimed
 * first and filled afterwards: one whose thread loses the CPU in between holds up what is behind
 * it, and no one else. Slots are emptied as they are taken, so what was taken is not kept alive.
 */
final class EndedTasks {
  static final int SLOTS = 1 << 10; // of tens of KB each, and what the user's own accumulators hold

  /** Takes what was put. */
  interface Taker {
    void take(int stageId, int stageAttempt, long executionId, TaskMetrics metrics);
  }

  private final int[] stageIds = new int[SLOTS];
  private final int[] stageAttempts = new int[SLOTS];
  private final long[] executionIds = new long[SLOTS];
  private final AtomicReferenceArray<TaskMetrics> metrics = new AtomicReferenceArray<>(SLOTS); // null: the slot is empty, or being filled
  private final AtomicLong claimed = new AtomicLong();
  private final AtomicLong taken = new AtomicLong(); // ≤ claimed ≤ taken + SLOTS

  /** From any thread: whether there was room. {@code ended} is not null. */
  boolean put(int stageId, int stageAttempt, long executionId, TaskMetrics ended) {
    long at;
    do {
      at = claimed.get();
      if (at - taken.get() >= SLOTS) {
        return false;
      }
    } while (!claimed.compareAndSet(at, at + 1));
    int slot = (int) at & (SLOTS - 1);
    stageIds[slot] = stageId;
    stageAttempts[slot] = stageAttempt;
    executionIds[slot] = executionId;
    metrics.lazySet(slot, ended); // a release: whoever sees it sees the three before
    return true;
  }

  /**
   * From the poller: hands over the oldest task and frees its slot, whatever the taker does. False:
   * there is none.
   */
  boolean take(Taker taker) {
    long at = taken.get();
    int slot = (int) at & (SLOTS - 1);
    TaskMetrics ended = metrics.get(slot);
    if (ended == null) {
      return false;
    }
    try {
      taker.take(stageIds[slot], stageAttempts[slot], executionIds[slot], ended);
    } finally {
      metrics.lazySet(slot, null);
      taken.lazySet(at + 1);
    }
    return true;
  }
}

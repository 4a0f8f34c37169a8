package io.planflame.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the executions whose plans hold accumulators that stages of other executions, or of none, update. Such a stage runs code that another plan
 * compiled: a batch of a stream under foreachBatch, a lazy checkpoint, a cached table, an RDD made of a DataFrame. Bounded. Poller thread only.
 */
final class Elsewhere {
  static final int MAX_ASKED = 1024; // accumulators in one question; the others come with the next
  static final int MAX_FRUITLESS = 8; // questions without an owner: a user's own accumulator stands in no plan
  private static final long FIRST_PAUSE_NANOS = 50_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;
  private static final int KEPT = 1 << 14; // accumulators; the oldest are asked for again

  /** Hears of an execution whose plan holds an accumulator. */
  interface Finder {
    void found(long executionId, long accumulator);
  }

  private static final class Accumulator {
    long owner = DictionaryAnswer.NOBODY;
    int asked; // in vain
    long pause = FIRST_PAUSE_NANOS;
    long due;

    boolean isOpen() {
      return owner == DictionaryAnswer.NOBODY && asked < MAX_FRUITLESS;
    }
  }

  private int open;
  private final Map<Long, Accumulator> accumulators = new LinkedHashMap<>();

  /** A stage updates accumulators that its own execution's plans do not hold. */
  void want(Set<Long> ids, long now) {
    for (long id : ids) {
      if (accumulators.containsKey(id)) {
        continue;
      }
      if (accumulators.size() >= KEPT) {
        forgetOldest();
      }
      Accumulator added = new Accumulator();
      added.due = now;
      accumulators.put(id, added);
      open++;
    }
  }

  private void forgetOldest() {
    Iterator<Accumulator> it = accumulators.values().iterator();
    if (it.next().isOpen()) {
      open--;
    }
    it.remove();
  }

  /** Whether questions are still to be asked. */
  boolean busy() {
    return open > 0;
  }

  /** The accumulators to ask for at {@code now}. */
  long[] due(long now) {
    if (open == 0) {
      return new long[0];
    }
    List<Long> out = new ArrayList<>();
    for (Map.Entry<Long, Accumulator> entry : accumulators.entrySet()) {
      if (entry.getValue().isOpen() && entry.getValue().due - now <= 0 && out.size() < MAX_ASKED) {
        out.add(entry.getKey());
      }
    }
    return out.stream().mapToLong(Long::longValue).toArray();
  }

  /** Takes what the driver answered to those that were asked for. */
  void take(long[] asked, DictionaryAnswer answer, long now, Finder finder) {
    for (int i = 0; i < asked.length; i++) {
      Accumulator known = accumulators.get(asked[i]);
      if (known == null || !known.isOpen()) {
        continue;
      }
      known.owner = answer.owner(i);
      known.asked++;
      known.pause = Math.min(LONGEST_PAUSE_NANOS, 2 * known.pause);
      known.due = now + known.pause;
      if (!known.isOpen()) {
        open--;
      }
      if (known.owner != DictionaryAnswer.NOBODY) {
        finder.found(known.owner, asked[i]);
      }
    }
  }

  /** The plans of an execution hold those of {@code ids} that are not {@code homeless}: nobody need ask for them. */
  void found(Set<Long> ids, Set<Long> homeless, long executionId) {
    if (open == 0) {
      return;
    }
    for (long id : ids) {
      Accumulator known = accumulators.get(id);
      if (known != null && known.isOpen() && !homeless.contains(id)) {
        known.owner = executionId;
        open--;
      }
    }
  }

  /** Whether nothing more is to be had for an execution: each accumulator stands in another's plan, or in none. */
  boolean settled(Set<Long> ids, long executionId) {
    for (long id : ids) {
      Accumulator known = accumulators.get(id);
      if (known != null && (known.isOpen() || known.owner == executionId)) {
        return false;
      }
    }
    return true;
  }
}

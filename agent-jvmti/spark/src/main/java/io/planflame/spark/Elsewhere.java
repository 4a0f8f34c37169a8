package io.planflame.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the executions whose plans hold accumulators that stages of other executions, or of none,
 * update. Such a stage runs code that another plan compiled: a batch of a stream under
 * foreachBatch, a lazy checkpoint, a cached table. Bounded. Poller thread only.
 */
final class Elsewhere {
  static final int MAX_ASKED = 1024; // accumulators in one question; the others come with the next
  static final int MAX_FRUITLESS = 8; // questions without an owner: the plan may be forgotten
  private static final long FIRST_PAUSE_NANOS = 50_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;
  private static final int KEPT = 1 << 14; // accumulators, open and settled; the oldest are forgotten, and asked for again if need be

  /** Hears of an execution whose plan holds an accumulator. */
  interface Finder {
    void found(long executionId, long accumulator);
  }

  /** An accumulator whose owner is looked for. */
  private static final class Search {
    int fruitless;
    long pause = FIRST_PAUSE_NANOS;
    long due;

    Search(long due) {
      this.due = due;
    }
  }

  private final Map<Long, Search> open = new Bounded<>();
  private final Map<Long, Long> owners = new Bounded<>(); // NO_OWNER: no plan has it

  /** The last {@link #KEPT} entries. */
  private static final class Bounded<V> extends LinkedHashMap<Long, V> {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
      return size() > KEPT;
    }
  }

  /** A stage updates accumulators that its own execution's plans do not hold. */
  void want(Set<Long> ids, long now) {
    for (long id : ids) {
      if (!owners.containsKey(id) && !open.containsKey(id)) {
        open.put(id, new Search(now));
      }
    }
  }

  /** Whether questions are still to be asked. */
  boolean busy() {
    return !open.isEmpty();
  }

  /** The accumulators to ask for at {@code now}. */
  long[] due(long now) {
    List<Long> out = new ArrayList<>();
    for (Map.Entry<Long, Search> entry : open.entrySet()) {
      if (entry.getValue().due - now <= 0 && out.size() < MAX_ASKED) {
        out.add(entry.getKey());
      }
    }
    return out.stream().mapToLong(Long::longValue).toArray();
  }

  /** Takes what the driver answered to those that were asked for. */
  void take(long[] asked, DictionaryAnswer answer, long now, Finder finder) {
    for (int i = 0; i < asked.length; i++) {
      Search search = open.get(asked[i]);
      if (search == null) {
        continue;
      }
      long owner = answer.owner(i);
      search.fruitless++;
      search.pause = Math.min(LONGEST_PAUSE_NANOS, 2 * search.pause);
      search.due = now + search.pause;
      if (owner != DictionaryAnswer.NO_OWNER || search.fruitless >= MAX_FRUITLESS) {
        settle(asked[i], owner);
      }
      if (owner != DictionaryAnswer.NO_OWNER) {
        finder.found(owner, asked[i]);
      }
    }
  }

  private void settle(long id, long owner) {
    open.remove(id);
    owners.put(id, owner);
  }

  /**
   * The plans of an execution hold the plans of {@code ids} that are not {@code homeless}: no one
   * need ask for them.
   */
  void found(Set<Long> ids, Set<Long> homeless, long executionId) {
    if (open.isEmpty()) {
      return;
    }
    for (long id : ids) {
      if (!homeless.contains(id) && open.containsKey(id)) {
        settle(id, executionId);
      }
    }
  }

  /**
   * Whether nothing more is to be had for an execution: each accumulator stands in another's plan,
   * or in none.
   */
  boolean settled(Set<Long> ids, long executionId) {
    for (long id : ids) {
      Long owner = owners.get(id);
      if (open.containsKey(id) || owner != null && owner == executionId) {
        return false;
      }
    }
    return true;
  }
}

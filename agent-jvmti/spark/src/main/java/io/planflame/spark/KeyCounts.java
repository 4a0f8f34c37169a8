package io.planflame.spark;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Counts how often keys come, in bounded memory: Misra and Gries, "Finding repeated elements"
 * (1982). A count is too small by one part of {@link #KEPT} of all at most. Not thread-safe.
 */
final class KeyCounts<K> {
  static final int KEPT = 1024;

  private final Map<K, long[]> counts = new HashMap<>();
  private long all;
  private int keys; // at least

  /** @param copy makes a key that may be kept */
  void add(K key, UnaryOperator<K> copy) {
    all++;
    long[] known = counts.get(key);
    if (known != null) {
      known[0]++;
    } else if (counts.size() < KEPT) {
      counts.put(copy.apply(key), new long[] {1});
      keys = Math.max(keys, counts.size());
    } else {
      keys = KEPT + 1;
      counts.values().removeIf(count -> --count[0] == 0);
    }
  }

  /** How many came in all. */
  long all() {
    return all;
  }

  /** The key that came most often, and how often, at least; null if there is none. */
  Map.Entry<K, long[]> largest() {
    return counts.isEmpty() ? null : Collections.max(counts.entrySet(), (a, b) -> Long.compare(a.getValue()[0], b.getValue()[0]));
  }

  /** Reports whether a key that came so often came much more often than the others. */
  boolean stands(long count) {
    return KeyDesk.hasMost(count, all, keys);
  }
}

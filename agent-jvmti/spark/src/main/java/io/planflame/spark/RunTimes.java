package io.planflame.spark;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Median and maximum of tasks' run times, in bounded memory: the median is exact up to {@link
 * #KEPT} tasks and the median of a uniform sample beyond. Not thread-safe.
 */
final class RunTimes {
  static final int KEPT = 4096;

  private long[] kept = new long[16];
  private long count;
  private long max;
  private SplittableRandom random; // made when it is needed

  void add(long millis) {
    max = Math.max(max, millis);
    if (count < KEPT) {
      if (count == kept.length) {
        kept = Arrays.copyOf(kept, kept.length * 2);
      }
      kept[(int) count] = millis;
    } else { // Vitter's algorithm R
      if (random == null) {
        random = new SplittableRandom(count);
      }
      long at = random.nextLong(count + 1);
      if (at < KEPT) {
        kept[(int) at] = millis;
      }
    }
    count++;
  }

  long max() {
    return max;
  }

  /** The middle one, the lower of two; 0 of none. */
  long median() {
    int n = (int) Math.min(count, KEPT);
    if (n == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(kept, n);
    Arrays.sort(sorted);
    return sorted[(n - 1) / 2];
  }
}

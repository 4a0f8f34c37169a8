package io.planflame.spark;

/**
 * How many records a task had read, at times that are evenly apart. Records that cost more than
 * others hold more of these times than their share of the records. Only the desk's thread uses it.
 */
final class Positions {
  private static final int MOST = 64; // even: every second one stays
  private static final int LEAST = MOST / 4; // between the first record and the last, to tell anything
  private static final long SPACING_NANOS = 47_000_000L; // so that three seconds have MOST
  private static final int FEW = 4; // half of the time in a fourth of the records: these cost three times the others

  private long[] at; // null until a look: the task's own thread allocates no array
  private int count;
  private long spacing = SPACING_NANOS;
  private long due = Long.MIN_VALUE;

  /** Some records, counted from 1. */
  static final class Range {
    final long first;
    final long last;

    Range(long first, long last) {
      this.first = first;
      this.last = last;
    }
  }

  /** A look found the task to have read so many records. */
  void see(long now, long records) {
    boolean first = due == Long.MIN_VALUE;
    if (records == 0 || !first && now - due < 0) {
      return;
    }
    if (at == null) {
      at = new long[MOST];
    }
    if (count == MOST) {
      for (int i = 0; i < MOST / 2; i++) {
        at[i] = at[2 * i];
      }
      count = MOST / 2;
      spacing *= 2;
    }
    at[count++] = records;
    due = first || now - due > spacing ? now + spacing : due + spacing;
  }

  /** What was counted is not what is counted from now on. */
  void clear() {
    count = 0;
    spacing = SPACING_NANOS;
    due = Long.MIN_VALUE;
  }

  /**
   * Returns the shortest range of records that took half of the time between the first and the
   * last, if these are few of all. Null: they are not, or they are one record, which is a {@link
   * Dwell}.
   *
   * @param records that the task read in all
   * @param behind of the records that it had read at a look, how many it may still have worked on
   */
  Range half(long records, long behind) {
    int reading = count;
    while (reading > 0 && at[reading - 1] >= records) {
      reading--;
    }
    if (reading < LEAST) {
      return null;
    }
    int half = (reading + 1) / 2;
    Range least = null;
    for (int i = 0; i + half < reading; i++) {
      if (least == null || at[i + half] - at[i] < least.last - least.first) {
        least = new Range(at[i], at[i + half]);
      }
    }
    least = new Range(Math.max(least.first - behind, 1), least.last);
    boolean few = least.last > least.first && FEW * (least.last - least.first + 1) <= records;
    return few ? least : null;
  }
}

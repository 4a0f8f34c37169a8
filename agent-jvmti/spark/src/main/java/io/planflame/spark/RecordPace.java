package io.planflame.spark;

/** How often the desk of records looks: as often as its budget of CPU allows. */
final class RecordPace {
  static final long PERIOD_NANOS = 20_000_000L;
  static final long MAX_PERIOD_NANOS = 8 * PERIOD_NANOS; // a dwell of a second still has six looks
  static final double BUDGET = 0.001; // of a core
  static final long INTERVAL_NANOS = 1_000_000_000L; // between two looks at its own CPU

  private long period = PERIOD_NANOS;
  private long since;
  private long cpuThen;

  RecordPace(long now, long cpu) {
    since = now;
    cpuThen = cpu;
  }

  /** The time between two looks. */
  long period() {
    return period;
  }

  /**
   * Tells what the desk has used so far, in nanoseconds of CPU. Beyond the budget the period
   * doubles; if half of the budget would do for the shorter one, it halves.
   */
  void tell(long now, long cpu) {
    if (now - since < INTERVAL_NANOS) {
      return;
    }
    double share = (double) (cpu - cpuThen) / (now - since);
    since = now;
    cpuThen = cpu;
    if (share > BUDGET) {
      period = Math.min(2 * period, MAX_PERIOD_NANOS);
    } else if (share < BUDGET * 0.45) {
      period = Math.max(period / 2, PERIOD_NANOS);
    }
  }
}

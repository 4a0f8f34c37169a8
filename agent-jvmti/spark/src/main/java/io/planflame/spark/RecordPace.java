package io.planflame.spark;

/** How often the desk of records looks: as often as its budget of CPU allows. */
final class RecordPace {
  static final long PERIOD_NANOS = 20_000_000L;
  static final long MAX_PERIOD_NANOS = 5 * PERIOD_NANOS; // at first: what a cold JVM interprets may cost more, for a job of seconds is watched too
  static final long LATE_PERIOD_NANOS = 10 * PERIOD_NANOS; // at most, from LATE_NANOS on
  static final long LATE_NANOS = 60_000_000_000L;
  static final double BUDGET = 0.001; // of a core
  static final long INTERVAL_NANOS = 1_000_000_000L; // between two looks at its own CPU
  static final long FIRST_NANOS = 10 * INTERVAL_NANOS; // in which the JVM compiles the desk's code

  private static final double AIM = 0.9 * BUDGET; // what it uses varies from second to second

  private final long began;
  private final long cpuAtFirst;
  private long period = PERIOD_NANOS;
  private long since;
  private long cpuThen;
  private long firstCpu;
  private long firstElapsed;

  RecordPace(long now, long cpu) {
    began = now;
    cpuAtFirst = cpu;
    since = now;
    cpuThen = cpu;
  }

  /** The time between two looks. */
  long period() {
    return period;
  }

  /** Reports whether {@link #tell} wants to know. */
  boolean isDue(long now) {
    return now - since >= INTERVAL_NANOS;
  }

  /**
   * Tells what the desk has used so far, in nanoseconds of CPU. The period becomes what would have
   * met the budget, but at least half of what it was.
   */
  void tell(long now, long cpu) {
    double share = (double) (cpu - cpuThen) / (now - since);
    since = now;
    cpuThen = cpu;
    if (firstElapsed == 0 && now - began >= FIRST_NANOS) {
      firstElapsed = now - began;
      firstCpu = cpu - cpuAtFirst;
    }
    long enough = Math.max((long) (period * share / AIM), period / 2);
    period = Math.min(Math.max(enough, PERIOD_NANOS), now - began < LATE_NANOS ? MAX_PERIOD_NANOS : LATE_PERIOD_NANOS);
  }

  /** The CPU of the time in which the JVM compiles the desk's code; 0 within it. */
  long firstCpu() {
    return firstCpu;
  }

  /** That time. */
  long firstElapsed() {
    return firstElapsed;
  }
}

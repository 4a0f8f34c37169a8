package io.planflame.spark;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** What a thread has used so far, and what has held it up. */
final class TaskClocks {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Collectors whose work is a pause. Concurrent ones of ZGC, Shenandoah and G1 (from JDK 20 on)
   * work beside the tasks.
   */
  private static final GarbageCollectorMXBean[] PAUSING = ManagementFactory.getGarbageCollectorMXBeans().stream()
      .filter(collector -> !collector.getName().contains("Concurrent") && !collector.getName().endsWith("Cycles"))
      .toArray(GarbageCollectorMXBean[]::new);

  /** When they were read, as System.nanoTime has it. */
  final long at;

  final long cpuNanos;
  final long queueNanos; // it could have run and had no core; 0 where the kernel does not tell
  final long gcMillis; // pauses of the JVM

  TaskClocks(long at, long cpuNanos, long queueNanos, long gcMillis) {
    this.at = at;
    this.cpuNanos = cpuNanos;
    this.queueNanos = queueNanos;
    this.gcMillis = gcMillis;
  }

  /** Reads the clocks of a thread: some system calls, none of which waits. Null: it has ended. */
  static TaskClocks read(Thread thread, RunQueue waits) {
    long queue = waits.nanos();
    long cpu = THREADS.getThreadCpuTime(thread.getId()); // last: it is negative if the thread has ended
    return cpu < 0 ? null : new TaskClocks(System.nanoTime(), cpu, queue, pauses());
  }

  /** The CPU of the calling thread. */
  static long ownCpu() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long pauses() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : PAUSING) {
      millis += Math.max(collector.getCollectionTime(), 0);
    }
    return millis;
  }
}

package io.planflame.spark;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

/** What a thread has used so far, and what has held it up. */
final class TaskClocks {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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
  static TaskClocks read(Thread thread, int tid) {
    long queue = queue(tid);
    long cpu = THREADS.getThreadCpuTime(thread.getId()); // last: it is negative if the thread has ended
    return cpu < 0 ? null : new TaskClocks(System.nanoTime(), cpu, queue, pauses());
  }

  /** The CPU of the calling thread. */
  static long ownCpu() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** The second number of schedstat (Linux, Documentation/scheduler/sched-stats). */
  private static long queue(int tid) {
    try {
      String[] numbers = new String(Files.readAllBytes(Paths.get("/proc/self/task/" + tid + "/schedstat")), StandardCharsets.US_ASCII).split(" ");
      return numbers.length < 2 ? 0 : Long.parseLong(numbers[1]);
    } catch (IOException | NumberFormatException e) {
      return 0; // the thread has ended, or the kernel keeps none
    }
  }

  private static long pauses() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      String name = collector.getName();
      if (!name.contains("Concurrent") && !name.endsWith("Cycles")) { // G1 from JDK 20 on; ZGC, Shenandoah: they run beside the tasks
        millis += Math.max(collector.getCollectionTime(), 0);
      }
    }
    return millis;
  }
}

import io.planflame.agent.NativeAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tasks of ten milliseconds of CPU on two threads, all alike: one half in left, then the other in
 * right. Says "ready", waits for a line, runs them, says "done" with the CPU nanoseconds of both
 * halves, and ends when its input does.
 */
public final class Lockstep {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final AtomicLong LEFT = new AtomicLong(), RIGHT = new AtomicLong();
  private static volatile long sink;

  private static long cpu() {
    return CLOCK.getCurrentThreadCpuTime();
  }

  private static void burn() {
    long x = sink;
    for (int i = 0; i < 50_000; i++) x = x * 6364136223846793005L + i;
    sink = x;
  }

  /** Both run until the thread has used so much CPU. */
  private static void left(long until) {
    while (cpu() < until) burn();
  }

  private static void right(long until) {
    while (cpu() < until) burn();
  }

  private static void tasks(int thread, int threads, int tasks) {
    long begin = cpu();
    for (int task = thread; task < tasks; task += threads) {
      NativeAgent.taskStart(task, 3, 0, task, tasks, 0, -1, 0, 1);
      long start = cpu();
      left(begin + 5_000_000);
      long middle = cpu();
      right(begin + 10_000_000);
      LEFT.addAndGet(middle - start);
      RIGHT.addAndGet(cpu() - middle);
      NativeAgent.taskEnd(task, 3, 0, task, tasks, 0, -1, 0, 1, 0, 0, 0);
      begin += 10_000_000; // not in step with what a task takes too long, but with the clock
    }
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    String off = NativeAgent.start("");
    if (off != null) throw new IllegalStateException(off);
    NativeAgent.applicationId("lockstep".getBytes("UTF-8"));
    for (int i = 0; i < 100; i++) { // compiled
      left(cpu() + 1_000_000);
      right(cpu() + 1_000_000);
    }
    System.out.println("ready");
    while (System.in.read() != '\n') {}
    Thread[] threads = new Thread[2];
    for (int i = 0; i < threads.length; i++) {
      int thread = i;
      threads[i] = new Thread(() -> tasks(thread, threads.length, Integer.parseInt(args[1])), "Executor task launch worker-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println("done " + LEFT.get() + " " + RIGHT.get());
    while (System.in.read() >= 0) {}
  }
}

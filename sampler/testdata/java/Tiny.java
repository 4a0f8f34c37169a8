import io.planflame.agent.NativeAgent;

/**
 * Many tasks of about a millisecond of CPU on two threads, each a partition of one stage. Says
 * "ready", waits for a line, runs them, says "done", and ends when its input does.
 */
public final class Tiny {
  private static volatile long sink;

  /** About a millisecond. */
  private static void burn() {
    long x = sink;
    for (int i = 0; i < 700_000; i++) x = x * 6364136223846793005L + i;
    sink = x;
  }

  private static void tasks(int thread, int threads, int tasks) {
    for (int task = thread; task < tasks; task += threads) {
      NativeAgent.taskStart(task, 3, 0, task, tasks, 0, -1, 0, 1);
      burn();
      NativeAgent.taskEnd(task, 3, 0, task, tasks, 0, -1, 0, 1, 0, 0, 0);
    }
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    String off = NativeAgent.start("");
    if (off != null) throw new IllegalStateException(off);
    NativeAgent.applicationId("tiny".getBytes("UTF-8"));
    for (int i = 0; i < 200; i++) burn(); // compiled
    System.out.println("ready");
    while (System.in.read() != '\n') {}
    Thread[] threads = new Thread[2];
    for (int i = 0; i < threads.length; i++) {
      int thread = i;
      threads[i] = new Thread(() -> tasks(thread, threads.length, Integer.parseInt(args[1])), "Executor task launch worker-" + i);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
    System.out.println("done");
    while (System.in.read() >= 0) {}
  }
}

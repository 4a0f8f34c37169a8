import io.planflame.agent.NativeAgent;

/**
 * Threads that run one task of some milliseconds of CPU each, one after the other. Says "ready",
 * waits for a line, runs them, says "done", and ends when its input does.
 */
public final class Brief {
  private static volatile long sink;

  private static void burn() {
    long x = sink;
    for (int i = 0; i < 6_000_000; i++) x = x * 6364136223846793005L + i;
    sink = x;
  }

  private static void task(int task, int tasks) {
    NativeAgent.taskStart(task, 3, 0, task, tasks, 0, -1, 0, 1);
    burn();
    NativeAgent.taskEnd(task, 3, 0, task, tasks, 0, -1, 0, 1, 0, 0, 0);
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    String off = NativeAgent.start("");
    if (off != null) throw new IllegalStateException(off);
    NativeAgent.applicationId("brief".getBytes("UTF-8"));
    for (int i = 0; i < 30; i++) burn(); // compiled
    System.out.println("ready");
    while (System.in.read() != '\n') {}
    int tasks = Integer.parseInt(args[1]);
    for (int i = 0; i < tasks; i++) {
      int task = i;
      Thread thread = new Thread(() -> task(task, tasks), "Executor task launch worker-" + i);
      thread.start();
      thread.join();
    }
    System.out.println("done");
    while (System.in.read() >= 0) {}
  }
}

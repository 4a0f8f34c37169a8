import io.planflame.agent.NativeAgent;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks without Spark: threads that call taskStart and taskEnd around a hot loop, as the plugin
 * does.
 *
 * <p>Arguments key=value: lib (path to System.load; absent: -agentpath has it), options, threads,
 * tasks (a thread), millis (CPU of a task) and wait. The last is the milliseconds to stay alive
 * afterwards, or "stdin" to wait for the end of standard input.
 */
public final class Workload {
  static volatile long sink;

  static long hot(long until) {
    long x = 88172645463325252L;
    do {
      for (int i = 0; i < 20_000; i++) x = mix(x);
    } while (System.nanoTime() < until);
    return x;
  }

  static long mix(long x) {
    x ^= x << 13;
    x ^= x >>> 7;
    return x ^ x << 17;
  }

  static void tasks(int thread, int tasks, long millis) {
    for (int i = 0; i < tasks; i++) {
      long task = thread * 1000L + i;
      NativeAgent.taskStart(task, 7, 1, i, tasks, 2, 5, 0, 0.5);
      sink += hot(System.nanoTime() + millis * 1_000_000L);
      NativeAgent.taskEnd(task, 7, 1, i, tasks, 2, 5, NativeAgent.TASK_FAILED, 0.5, 11, 12, 13);
    }
  }

  static String option(String[] args, String key, String otherwise) {
    for (String arg : args) if (arg.startsWith(key + "=")) return arg.substring(key.length() + 1);
    return otherwise;
  }

  /**
   * Waits for a line on standard input; its end will do too, so that no one spins when the test is
   * gone.
   */
  static void awaitLine() throws java.io.IOException {
    for (int c = 0; c != '\n' && c >= 0; ) c = System.in.read();
  }

  public static void main(String[] args) throws Exception {
    String lib = option(args, "lib", null);
    System.load(lib != null ? lib : System.getProperty("planflame.lib"));
    String why = NativeAgent.start(option(args, "options", ""));
    System.out.println("start " + why);
    System.out.println("again " + NativeAgent.start(option(args, "again", option(args, "options", ""))));
    System.out.println("loader " + NativeAgent.loaderId(Workload.class.getClassLoader()) + " " + NativeAgent.loaderId(null));
    NativeAgent.application("{\"application_id\":\"workload\"}".getBytes("UTF-8"));
    NativeAgent.stage(7, 1, 5, new long[] {21, 22});
    int tasks = Integer.parseInt(option(args, "tasks", "10"));
    long millis = Long.parseLong(option(args, "millis", "50"));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < Integer.parseInt(option(args, "threads", "2")); t++) {
      int thread = t;
      Thread worker = new Thread(() -> tasks(thread, tasks, millis), "Executor task launch worker-" + t);
      worker.start();
      threads.add(worker);
    }
    System.out.println("running " + ProcessHandle.current().pid());
    for (Thread thread : threads) thread.join();
    System.out.println("done " + NativeAgent.awaitWork(0));
    String wait = option(args, "wait", "0");
    if (wait.equals("stdin")) while (System.in.read() >= 0) {}
    else Thread.sleep(Long.parseLong(wait));
  }
}

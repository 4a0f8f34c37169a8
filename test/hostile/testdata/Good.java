import io.planflame.agent.NativeAgent;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

/**
 * A good JVM: one task thread that does as its input says. A line is a number of tasks of 60 ms of
 * CPU, ten a second; when they are done it prints "used NANOS", the CPU of them all.
 */
public final class Good {
  static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    String off = NativeAgent.start("");
    if (off != null) {
      throw new IllegalStateException(off);
    }
    NativeAgent.application("{\"application_id\": \"good\", \"application_name\": \"good\", \"executor_id\": \"1\"}".getBytes(StandardCharsets.UTF_8));
    System.out.println("pid " + ProcessHandle.current().pid());
    Thread worker = new Thread(Good::work, "Executor task launch worker-0");
    worker.start();
    worker.join();
  }

  static void work() {
    long task = 0;
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        while (!NativeAgent.sampling()) {
          Thread.sleep(5);
        }
        long used = -CLOCK.getCurrentThreadCpuTime();
        for (int n = Integer.parseInt(line); n > 0; n--) {
          NativeAgent.taskStart(task, 7, 0, (int) task, 1000, 0, -1, 0, 1);
          long end = CLOCK.getCurrentThreadCpuTime() + 60_000_000;
          while (CLOCK.getCurrentThreadCpuTime() < end) {
            sink += hot(20_000);
          }
          NativeAgent.taskEnd(task, 7, 0, (int) task, 1000, 0, -1, 0, 1, 0, 0, 0);
          task++;
          Thread.sleep(40);
        }
        System.out.println("used " + (used + CLOCK.getCurrentThreadCpuTime()));
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static long hot(int n) {
    long x = 88172645463325252L;
    for (int i = 0; i < n; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }
}

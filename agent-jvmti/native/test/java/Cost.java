import io.planflame.agent.NativeAgent;

/**
 * What a task pays when it is not selected: nanoseconds of the thread's CPU for one taskStart or
 * taskEnd, best and median of several rounds. CPU and not the clock on the wall, so that a busy
 * machine disturbs less.
 */
public final class Cost {
  static long cpu() {
    return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] args) {
    System.load(Workload.option(args, "lib", null));
    System.out.println("start " + NativeAgent.start(""));
    int pairs = 20_000;
    long[] rounds = new long[25];
    for (int r = 0; r < rounds.length; r++) {
      long began = cpu();
      for (int i = 0; i < pairs; i++) {
        NativeAgent.taskStart(i, 1, 0, i, pairs, 0, -1, 0, 1);
        NativeAgent.taskEnd(i, 1, 0, i, pairs, 0, -1, 0, 1, 0, 0, 0);
      }
      rounds[r] = (cpu() - began) / (2L * pairs);
    }
    java.util.Arrays.sort(rounds);
    System.out.println("task_ns_unselected best " + rounds[0] + " median " + rounds[rounds.length / 2]);
  }
}

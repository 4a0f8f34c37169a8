import io.planflame.agent.NativeAgent;

/** What a task pays when it is not selected: nanoseconds of a taskStart and taskEnd pair, best and median of several rounds. */
public final class Cost {
  public static void main(String[] args) {
    System.load(Workload.option(args, "lib", null));
    System.out.println("start " + NativeAgent.start(""));
    int pairs = 20_000;
    long[] rounds = new long[25];
    for (int r = 0; r < rounds.length; r++) {
      long began = System.nanoTime();
      for (int i = 0; i < pairs; i++) {
        NativeAgent.taskStart(i, 1, 0, i, pairs, 0, -1, 0, 1);
        NativeAgent.taskEnd(i, 1, 0, i, pairs, 0, -1, 0, 1, 0, 0, 0);
      }
      rounds[r] = (System.nanoTime() - began) / (2L * pairs);
    }
    java.util.Arrays.sort(rounds);
    System.out.println("task_ns_unselected best " + rounds[0] + " median " + rounds[rounds.length / 2]);
  }
}

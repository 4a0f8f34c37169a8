import io.planflame.agent.NativeAgent;
import java.nio.charset.StandardCharsets;

/**
 * Every native once, with a different value in each argument, and with nulls; the replay that a
 * plugin's poller answers.
 */
public final class Natives {
  static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  public static void main(String[] args) throws Exception {
    System.load(Workload.option(args, "lib", null));
    NativeAgent.taskStart(1, 2, 3, 4, 5, 6, 7, 0, 1); // before start: a no-op
    System.out.println("before " + NativeAgent.loaderId(Natives.class.getClassLoader()) + " " + NativeAgent.sampling()
        + " " + NativeAgent.dictionary(1, 2, utf8("{}")) + " " + NativeAgent.awaitWork(0));
    System.out.println("start " + NativeAgent.start(null));
    long loader = NativeAgent.loaderId(Natives.class.getClassLoader());
    System.out.println("source " + NativeAgent.source(loader, utf8("a.B"), utf8("body \u00e4 \ud83d\ude00"), utf8("{\"x\":\"y\"}")));
    System.out.println("nulls " + NativeAgent.source(3, null, null, null) + " " + NativeAgent.stage(31, 32, -1, null)
        + " " + NativeAgent.application(null) + " " + NativeAgent.dictionary(41, 42, null));
    System.out.println("dictionary " + NativeAgent.dictionary(51, 52, utf8("{\"version\":1}")));
    System.out.println("large " + NativeAgent.dictionary(61, 62, new byte[5 << 20]));
    System.out.println("rows " + NativeAgent.rows(101, 102, 103, 104, new long[] {-105, 106, 107, -108}) + " " + NativeAgent.rows(111, 112, -1, 0, null)
        + " " + NativeAgent.executionEnd(121, true, 122) + " " + NativeAgent.executionEnd(123, false, -1));
    System.out.println("stage info " + NativeAgent.stageInfo(131, utf8("{\"version\":132}")) + " " + NativeAgent.stageInfo(133, null));
    NativeAgent.dropped(71, 72);
    NativeAgent.droppedRows(73);
    NativeAgent.droppedRows(-3);
    NativeAgent.dropped(-1, -2); // never counts down
    NativeAgent.taskStart(-1, -2, 83, 84, 85, 86, -1, 1, 0.25);
    NativeAgent.taskEnd(-1, -2, 83, 84, 85, 86, -1, 1, 0.25, 87, 88, 89);
    System.out.println("running " + loader);
    for (;;) { // the poller
      int work = NativeAgent.awaitWork(30_000);
      System.out.println("work " + work + " " + NativeAgent.sampling());
      if ((work & NativeAgent.WORK_REPLAY) == 0) break;
      NativeAgent.dictionary(91, 92, utf8("{\"again\":1}"));
      NativeAgent.replayDone();
    }
  }
}

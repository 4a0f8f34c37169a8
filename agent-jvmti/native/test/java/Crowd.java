import io.planflame.agent.NativeAgent;
import java.util.concurrent.CountDownLatch;

/** More task threads at once than the log has slots, then again after they have ended. */
public final class Crowd {
  static void crowd(int n) throws Exception {
    CountDownLatch all = new CountDownLatch(n);
    Thread[] threads = new Thread[n];
    for (int i = 0; i < n; i++) {
      int task = i;
      threads[i] = new Thread(null, () -> {
        NativeAgent.taskStart(task, 1, 0, task, n, 0, 1, 0, 1);
        all.countDown();
        try {
          all.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        NativeAgent.taskEnd(task, 1, 0, task, n, 0, 1, 0, 1, 0, 0, 0);
      }, "Executor task launch worker for task " + i + ".0 in stage 1.0 (TID " + i + ")", 64 << 10);
      threads[i].start();
    }
    for (Thread thread : threads) thread.join();
  }

  public static void main(String[] args) throws Exception {
    System.load(Workload.option(args, "lib", null));
    System.out.println("start " + NativeAgent.start(""));
    crowd(600);
    System.out.println("first");
    Workload.awaitLine();
    crowd(100);
    System.out.println("second");
    while (System.in.read() >= 0) {}
  }
}

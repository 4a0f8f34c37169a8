package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The log of a driver whose JVM runs no tasks: an agent that listens to nothing, and a thread that writes the application and the times. In local mode
 * the executor's half does both.
 */
final class DriverLog implements Runnable {
  private static final long PAUSE_MILLIS = 200;
  private static final long STOP_MILLIS = 1000;

  private final Supplier<byte[]> application;
  private final TimeDesk times;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  DriverLog(Supplier<byte[]> application, TimeDesk times) {
    this.application = application;
    this.times = times;
  }

  /**
   * Starts the agent.
   *
   * @return null, or why there is none
   */
  static String startAgent(String nativePath) {
    String refusal = NativeLoader.load(nativePath);
    return refusal != null ? refusal : NativeAgent.start("log_mib=4,code=0");
  }

  void start() {
    Thread thread = new Thread(this, "planflame-times");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    try {
      byte[] written = null;
      while (!stopping) {
        int work = NativeAgent.awaitWork(PAUSE_MILLIS);
        if ((work & NativeAgent.WORK_OFF) != 0) {
          return;
        }
        boolean replay = (work & NativeAgent.WORK_REPLAY) != 0;
        byte[] now = application.get();
        if (replay || now != written) {
          NativeAgent.application(now);
          written = now;
        }
        if (replay) {
          times.replay();
          NativeAgent.replayDone();
        }
        times.poll(System.currentTimeMillis());
      }
    } catch (Throwable e) {
      Complaints.once("write the driver's times", e);
    } finally {
      ended.countDown();
    }
  }

  /** Ends the thread, and waits a second for it at most. */
  void stop() throws InterruptedException {
    stopping = true;
    ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }
}

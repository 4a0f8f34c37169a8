package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The log of a driver whose JVM runs no tasks: an agent that listens to nothing, and a thread that
 * writes the application and the times. In local mode the executor's half does both.
 */
final class DriverLog implements Runnable {
  private static final long PAUSE_MILLIS = 200;
  private static final long STOP_MILLIS = 1000;

  private final Supplier<byte[]> application;
  private final TimeDesk times;
  private final CountDownLatch ended = new CountDownLatch(1);
  private byte[] written; // the application as it was written last
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
      while (!stopping) {
        int work = NativeAgent.awaitWork(PAUSE_MILLIS);
        if ((work & NativeAgent.WORK_OFF) != 0) {
          return;
        }
        step((work & NativeAgent.WORK_REPLAY) != 0);
      }
    } catch (Throwable e) {
      Complaints.once("wait for the times' work", e);
    } finally {
      if (!stopping) {
        times.off(); // no one writes them any more
      }
      ended.countDown();
    }
  }

  /** One part that fails must not keep the others, or the next step, from their work. */
  private void step(boolean replay) {
    guard("write the driver's application", () -> writeApplication(replay));
    if (replay) {
      guard("replay the driver's times", times::replay);
      NativeAgent.replayDone();
    }
    guard("write the driver's times", () -> times.poll(System.currentTimeMillis()));
  }

  private void writeApplication(boolean again) {
    byte[] now = application.get();
    if (again || now != written) {
      NativeAgent.application(now);
      written = now;
    }
  }

  private static void guard(String what, Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      Complaints.once(what, e);
    }
  }

  /** Ends the thread, and waits a second for it at most. */
  void stop() throws InterruptedException {
    stopping = true;
    ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }
}

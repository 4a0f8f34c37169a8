package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The plugin's one thread: it writes what task threads must not. It sleeps in the agent, which wakes it for generated classes and new
 * readers; soon after, when something is under way, it looks again.
 */
final class Poller implements Runnable {
  private static final long IDLE_MILLIS = 100;
  private static final long BUSY_MILLIS = 20;
  private static final int BURST_READINGS = 40; // of the codegen cache after a class was prepared
  private static final int MAX_BURST_READINGS = 150; // then plans have their turn, while classes keep coming
  private static final long BURST_MILLIS = 3; // between them
  private static final long SETTLE_NANOS = 1_000_000_000L;

  private final Supplier<byte[]> application;
  private byte[] writtenApplication;
  private final SourceDesk sources = new SourceDesk();
  private final StageDesk stages;
  private final DictionaryDesk dictionaries;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;
  private boolean generated; // a class has been generated in this JVM
  private long lastClasses;

  Poller(Supplier<byte[]> application, StageDesk stages, DictionaryDesk dictionaries) {
    this.application = application;
    this.stages = stages;
    this.dictionaries = dictionaries;
  }

  @Override
  public void run() {
    try {
      guard("write the application", this::writeApplication); // first: a busy start may keep the loop below with classes for a while
      while (!stopping && (step(doze(stages.busy() || dictionaries.busy() ? BUSY_MILLIS : IDLE_MILLIS)) & NativeAgent.WORK_OFF) == 0) {
        continue;
      }
      flush();
    } catch (Throwable e) {
      Complaints.once("poller", e);
    } finally {
      ended.countDown();
    }
  }

  /** Ends the thread after a last look; waits for it at most {@code millis}. */
  void stop(long millis) throws InterruptedException {
    stopping = true;
    ended.await(millis, TimeUnit.MILLISECONDS);
  }

  private static int doze(long millis) {
    return NativeAgent.awaitWork(millis);
  }

  private int step(int work) {
    if ((work & NativeAgent.WORK_OFF) != 0) {
      return work;
    }
    if ((work & NativeAgent.WORK_REPLAY) != 0) {
      replay();
    }
    if ((work & NativeAgent.WORK_CLASSES) != 0) {
      generated = true;
      work |= readBurst();
    }
    guard("write the application", this::writeApplication);
    readStages();
    guard("get plans", () -> dictionaries.poll(System.nanoTime()));
    if (generated && System.nanoTime() - lastClasses > SETTLE_NANOS) {
      lastClasses = System.nanoTime();
      readSources();
      guard("count sources", sources::settle);
    }
    return work;
  }

  /** A class was prepared just now: its text enters the cache when Janino and Spark are done with it, a few ms later. */
  private int readBurst() {
    int work = 0;
    int readings = 0;
    for (int quiet = 0; quiet < BURST_READINGS && readings < MAX_BURST_READINGS && !stopping; quiet++, readings++) {
      if (readSources()) {
        quiet = 0;
      }
      lastClasses = System.nanoTime();
      work = doze(BURST_MILLIS);
      if ((work & NativeAgent.WORK_CLASSES) != 0) {
        quiet = 0;
      }
      if ((work & ~NativeAgent.WORK_CLASSES) != 0) {
        break;
      }
      readStages();
    }
    if ((work & NativeAgent.WORK_REPLAY) != 0) {
      replay();
    }
    return work;
  }

  private boolean readSources() {
    boolean[] fresh = {false};
    guard("read generated sources", () -> fresh[0] = sources.poll() > 0);
    return fresh[0];
  }

  private void readStages() {
    guard("read the accumulators of a stage", () -> stages.poll((id, set) -> dictionaries.want(id, set, System.nanoTime())));
  }

  /** Writes the application when it is new or has changed: in local mode its id is known only after the executor started. */
  private void writeApplication() {
    byte[] now = application.get();
    if (!Arrays.equals(now, writtenApplication)) {
      NativeAgent.application(now);
      writtenApplication = now;
    }
  }

  private void replay() {
    writtenApplication = null;
    guard("write the application", this::writeApplication);
    guard("replay sources", sources::replay);
    guard("replay plans", dictionaries::replay);
    guard("replay stages", stages::replay);
    NativeAgent.replayDone();
  }

  private void flush() {
    guard("write the application", this::writeApplication);
    if (generated) {
      readSources();
    }
    readStages();
    guard("get plans", () -> dictionaries.flush(System.nanoTime()));
  }

  private interface Work {
    void run() throws Exception;
  }

  /** One part that fails must not keep the others from their work. */
  private static void guard(String what, Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      Complaints.once(what, e);
    }
  }
}

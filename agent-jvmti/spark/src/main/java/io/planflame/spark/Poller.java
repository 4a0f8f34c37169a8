package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The plugin's thread on an executor: it writes what task threads must not. It sleeps in the agent,
 * which wakes it for generated classes and new readers; else it looks {@link #IDLE_MILLIS} later
 * what tasks have left for it.
 */
final class Poller implements Runnable {
  /** How long the end of an executor waits for the poller. */
  static final long STOP_MILLIS = 100;

  private static final long IDLE_MILLIS = STOP_MILLIS / 2; // so that a stop leaves time for the last look
  private static final long BURST_QUIET_NANOS = 120_000_000L; // the codegen cache is read so long after the last class was prepared
  private static final long BURST_NANOS = 450_000_000L; // then plans have their turn, while classes keep coming
  private static final long BURST_MILLIS = 3; // between readings, at least
  private static final long LULL_NANOS = 30_000_000L; // without a class; then
  private static final long LULL_MILLIS = 10; // between readings, at least
  private static final long MAX_REST_MILLIS = 100;
  private static final int REST_FACTOR = 9; // looking through the cache takes a tenth of one core at most
  private static final long LAST_ENDS_NANOS = STOP_MILLIS * 1_000_000 / 2;
  private static final long LAST_ENDS_MILLIS = 5; // between two looks
  private static final long APPLICATION_NANOS = 200_000_000L; // between looks at it
  private static final long SETTLE_NANOS = 1_000_000_000L;

  private final Supplier<byte[]> application;
  private byte[] writtenApplication;
  private long applicationRead;
  private final SourceDesk sources = new SourceDesk();
  private final StageDesk stages;
  private final RowDesk rows;
  private final TaskTags tags;
  private final DictionaryDesk dictionaries;
  private final TimeDesk times = TimeDesk.ofThisJvm(); // null: the driver is another JVM
  private final StageDesk.Observer wanted = new StageDesk.Observer() {
    @Override
    public void stage(long executionId, Set<Long> accumulators) {
      dictionaries.want(executionId, accumulators, System.nanoTime());
    }

    @Override
    public void withoutPlan(int stageId) {
      dictionaries.wantNames(stageId, System.nanoTime());
    }
  };
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;
  private boolean generated; // a class has been generated in this JVM
  private boolean unfinished; // the last burst was cut short
  private boolean off; // the agent is
  private long lastClasses;

  Poller(Supplier<byte[]> application, StageDesk stages, RowDesk rows, TaskTags tags, DictionaryDesk dictionaries) {
    this.application = application;
    this.stages = stages;
    this.rows = rows;
    this.tags = tags;
    this.dictionaries = dictionaries;
  }

  @Override
  public void run() {
    try {
      guard("write the application", this::writeApplication); // first: a busy start may keep the loop below with classes for a while
      while (!stopping && !off) {
        step(doze(unfinished ? BURST_MILLIS : IDLE_MILLIS));
      }
    } catch (Throwable e) {
      Complaints.once("poller", e);
    } finally {
      try {
        flush();
      } finally {
        ended.countDown();
      }
    }
  }

  /**
   * Ends the thread after a last look and waits for it, at most {@link #STOP_MILLIS}: the driver
   * may take long to answer. Then the thread, a daemon, goes on as long as the JVM does.
   *
   * @return whether it has ended
   */
  boolean stop() throws InterruptedException {
    stopping = true;
    dictionaries.ending();
    return ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static int doze(long millis) {
    return NativeAgent.awaitWork(millis);
  }

  private void step(int work) {
    off |= (work & NativeAgent.WORK_OFF) != 0;
    if (off) {
      return;
    }
    if ((work & NativeAgent.WORK_REPLAY) != 0) {
      replay();
    }
    if ((work & NativeAgent.WORK_CLASSES) != 0 || unfinished) {
      generated = true;
      readBurst();
    }
    if (System.nanoTime() - applicationRead >= APPLICATION_NANOS) {
      guard("write the application", this::writeApplication);
    }
    readStages();
    tags.tell(false);
    guard("get plans", () -> dictionaries.poll(System.nanoTime()));
    if (times != null) {
      guard("write times", () -> times.poll(System.currentTimeMillis()));
    }
    if (generated && !unfinished && System.nanoTime() - lastClasses > SETTLE_NANOS) {
      lastClasses = System.nanoTime();
      readSources();
      guard("count sources", sources::settle);
    }
  }

  /**
   * A class was prepared just now: its text enters the cache when Janino and Spark are done with
   * it, a few ms later.
   */
  private void readBurst() {
    int work = 0;
    long begin = System.nanoTime();
    long news = begin;
    long stagesRead = begin;
    unfinished = false;
    while (!stopping && !unfinished && (work & ~NativeAgent.WORK_CLASSES) == 0 && System.nanoTime() - news < BURST_QUIET_NANOS) {
      boolean fresh = readSources();
      lastClasses = System.nanoTime();
      if (lastClasses - stagesRead > IDLE_MILLIS * 1_000_000) {
        readStages();
        stagesRead = lastClasses;
      }
      long least = lastClasses - news > LULL_NANOS ? LULL_MILLIS : BURST_MILLIS;
      work = rest(Math.max(least, restMillis(sources.lookNanos())));
      if (fresh || (work & NativeAgent.WORK_CLASSES) != 0) {
        news = System.nanoTime();
      }
      unfinished = System.nanoTime() - begin > BURST_NANOS;
    }
    unfinished |= sources.more() || (work & NativeAgent.WORK_REPLAY) != 0;
    off |= (work & NativeAgent.WORK_OFF) != 0;
    if ((work & NativeAgent.WORK_REPLAY) != 0) {
      replay();
    }
  }

  /**
   * How long to rest after a reading that looked through the cache for {@code nanos}: a large one
   * must not keep a core busy. Writing does not count, it is done once a class, and in a small
   * cache the next classes do not wait.
   */
  static long restMillis(long nanos) {
    return Math.min(MAX_REST_MILLIS, Math.max(BURST_MILLIS, REST_FACTOR * nanos / 1_000_000));
  }

  /** Dozes for {@code millis}, however many classes are prepared meanwhile; other work ends it. */
  int rest(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    int work = 0;
    long left = millis;
    while (left > 0 && !stopping && (work & ~NativeAgent.WORK_CLASSES) == 0) {
      work |= doze(Math.min(left, IDLE_MILLIS));
      left = (until - System.nanoTime() + 999_999) / 1_000_000;
    }
    return work;
  }

  private boolean readSources() {
    boolean[] fresh = {false};
    guard("read generated sources", () -> fresh[0] = sources.poll() > 0);
    return fresh[0];
  }

  private void readStages() {
    guard("read the accumulators of a stage", () -> stages.poll(wanted));
    guard("write rows", () -> rows.poll(System.nanoTime()));
  }

  /**
   * Writes the application when it is new or has changed: in local mode its id is known only after
   * the executor started.
   */
  private void writeApplication() {
    applicationRead = System.nanoTime();
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
    guard("replay stages", () -> stages.replay(dictionaries::has));
    guard("replay the ends of executions", dictionaries::replayEnds);
    if (times != null) {
      guard("replay times", times::replay);
    }
    NativeAgent.replayDone();
  }

  /** The last look; whatever fails, task threads offer no more and what was left out is said. */
  private void flush() {
    if (off) {
      guard("let tasks go", () -> stages.close((id, set) -> { }));
      guard("let rows go", () -> rows.close(System.nanoTime()));
      if (times != null) {
        times.off();
      }
      tags.tell(true);
      return;
    }
    guard("write the application", this::writeApplication);
    while (generated && readSources() && sources.more()) {
      continue;
    }
    guard("read the accumulators of a stage", () -> stages.close(wanted));
    for (long begin = System.nanoTime(); dictionaries.awaitsEnds() && System.nanoTime() - begin < LAST_ENDS_NANOS;) {
      guard("get plans", () -> dictionaries.hurryEnds(System.nanoTime())); // of the last query: its end comes on a listener's queue
      if ((doze(LAST_ENDS_MILLIS) & NativeAgent.WORK_REPLAY) != 0) {
        NativeAgent.replayDone(); // there is no time for it
      }
    }
    guard("write rows", () -> rows.close(System.nanoTime()));
    tags.tell(true);
    guard("get plans", () -> dictionaries.flush(System.nanoTime())); // last: a driver in another JVM may not answer any more
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

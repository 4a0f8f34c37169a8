package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The desk's own thread, beside threads that run tasks. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordDeskTest {
  private final RecordDesk desk = new RecordDesk();

  @BeforeEach
  void begin() {
    NativeAgent.reset();
  }

  @AfterEach
  void end() throws InterruptedException {
    NativeAgent.reset();
    desk.stop();
    awaitEnd();
  }

  private static void awaitEnd() throws InterruptedException {
    await(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(one -> one.getName().equals("planflame-records")));
  }

  private static Stream<String> calls() {
    return new ArrayList<>(NativeAgent.CALLS).stream(); // the desk may add one
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** A thread that has run a task and has ended. */
  private WeakReference<Thread> endedThread() throws InterruptedException {
    Thread thread = new Thread(() -> {
      desk.taskStarts(new FakeTask(null, new TaskMetrics()));
      desk.taskEnds();
    });
    thread.start();
    thread.join();
    return new WeakReference<>(thread);
  }

  private static boolean isGone(WeakReference<Thread> thread) {
    System.gc();
    return thread.get() == null;
  }

  @Test
  void keepsNoThreadThatHasEndedWhileNoOneReads() throws InterruptedException {
    NativeAgent.sampling = false;
    WeakReference<Thread> thread = endedThread();
    desk.start();
    await(() -> isGone(thread));
  }

  @Test
  void keepsNoThreadWhenItsOwnHasEnded() throws InterruptedException {
    desk.start();
    desk.stop();
    awaitEnd();
    WeakReference<Thread> thread = endedThread();
    await(() -> isGone(thread));
  }

  @Test
  void looksOnAfterAFailure() throws InterruptedException {
    NativeAgent.failure = new OutOfMemoryError("of a test");
    desk.key("lost".getBytes(StandardCharsets.UTF_8), null);
    desk.start();
    WeakReference<Thread> thread = endedThread();
    await(() -> isGone(thread));
    NativeAgent.failure = null;
    desk.key("found".getBytes(StandardCharsets.UTF_8), null);
    await(() -> NativeAgent.CALLS.contains("dwell found"));
    assertTrue(calls().noneMatch(call -> call.contains("lost")));
  }

  @Test
  void countsKeysThatItCannotTell() throws InterruptedException {
    for (int i = 0; i < RecordDesk.WAITING + 2; i++) {
      desk.key("key".getBytes(StandardCharsets.UTF_8), null);
    }
    desk.dropped(3);
    desk.failed(new IllegalStateException());
    desk.start();
    await(() -> NativeAgent.CALLS.contains("dwell key"));
    desk.stop();
    awaitEnd();
    assertEquals(RecordDesk.WAITING, calls().filter(call -> call.equals("dwell key")).count());
    String counts = calls().filter(call -> call.contains("counts")).findFirst().get();
    assertTrue(counts.contains("\"dropped_task\":5,") && counts.contains("\"failures\":1,"), counts);
  }

  @Test
  void whatStandsStillIsNeitherPausedNorWaitsForACore() {
    TaskClocks before = new TaskClocks(0, 1_000, 2_000, 3);
    TaskClocks now = new TaskClocks(30_000_000_000L, 1_001_000, 20_002_000, 53);
    assertEquals(30_000_000_000L - 1_000_000 - 20_000_000 - 50_000_000, RecordDesk.stood(before, now, 30_000_000_000L));
    assertEquals(0, RecordDesk.stood(null, now, 30_000_000_000L));
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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
    await(() -> NativeAgent.CALLS.stream().anyMatch(call -> call.contains("counts"))); // its last word
    await(() -> Thread.getAllStackTraces().keySet().stream().noneMatch(one -> one.getName().equals("planflame-records")));
    WeakReference<Thread> thread = endedThread();
    await(() -> isGone(thread));
  }

  @Test
  void looksOnAfterAFailure() throws InterruptedException {
    NativeAgent.failure = new OutOfMemoryError("of a test");
    desk.key("lost".getBytes(StandardCharsets.UTF_8));
    desk.start();
    WeakReference<Thread> thread = endedThread();
    await(() -> isGone(thread));
    NativeAgent.failure = null;
    desk.key("found".getBytes(StandardCharsets.UTF_8));
    await(() -> NativeAgent.CALLS.contains("dwell found"));
    assertTrue(NativeAgent.CALLS.stream().noneMatch(call -> call.contains("lost")));
  }
}

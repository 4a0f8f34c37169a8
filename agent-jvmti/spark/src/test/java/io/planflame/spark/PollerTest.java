package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollerTest {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final StageDesk stages = new StageDesk((metrics, ids) -> ids.add(3L));
  private final DictionaryDesk plans = new DictionaryDesk(new DriverCall(question -> {
    asked.countDown();
    answer.await();
    throw new IOException("the driver has ended");
  }, Runnable::run), false, (execution, now) -> true);
  private final RowDesk rows = new RowDesk();
  private final Poller poller = new Poller(() -> new byte[] {'{', '}'}, stages, rows, new TaskTags(stages, rows, null, () -> "app-7"), plans);

  private Thread start() {
    Thread thread = new Thread(poller);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.CALLS.clear();
    Complaints.forget();
  }

  /** The driver does not answer while the executor ends; the bound has room for a busy machine. */
  @Test
  void theEndOfAnExecutorDoesNotWaitForTheDriver() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    try {
      stages.offer(1, 0, 0, 1, 9, null);
      Thread thread = start();
      asked.await();
      long begin = System.nanoTime();
      assertFalse(poller.stop(), "it still asks");
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(millis < 10 * Poller.STOP_MILLIS, "stop took " + millis + " ms");
      answer.countDown();
      thread.join();
      assertTrue(poller.stop());
    } finally {
      System.setErr(before);
    }
    assertEquals(100, Poller.STOP_MILLIS);
    assertEquals(1, Collections.frequency(NativeAgent.CALLS, "dropped 0 1"), "the plan that was not had is counted, once");
    assertEquals("", said.toString(), "a driver that ends with its executors is nothing to complain of");
  }

  @Test
  void anIdlePollerEndsAtOnceAndTakesNoMoreTasks() throws Exception {
    Thread thread = start();
    boolean ended = poller.stop();
    thread.join();
    assertTrue(ended || poller.stop());
    assertEquals(null, stages.offer(1, 0, 0, 1, 9, null));
    assertEquals("application {}", NativeAgent.CALLS.get(0));
  }

  @Test
  void anAgentThatIsOffEndsThePollerWithoutAQuestionToTheDriver() throws Exception {
    NativeAgent.give(NativeAgent.WORK_OFF);
    stages.offer(1, 0, 0, 1, 9, null);
    start().join();
    assertEquals(1, asked.getCount(), "no one was asked");
    assertFalse(stages.busy());
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "100000, 3", "1000000, 9", "7000000, 63", "50000000, 100"})
  void lookingThroughALargeCacheIsPaidForWithRest(long nanos, long millis) {
    assertEquals(millis, Poller.restMillis(nanos));
  }

  /** Every class wakes the poller; it must rest between two looks at the cache all the same. */
  @Test
  void classesThatKeepComingDoNotShortenTheRest() {
    long begin = System.nanoTime();
    NativeAgent.give(NativeAgent.WORK_CLASSES);
    assertEquals(NativeAgent.WORK_CLASSES, poller.rest(40));
    assertTrue(System.nanoTime() - begin >= 40_000_000L);
  }
}

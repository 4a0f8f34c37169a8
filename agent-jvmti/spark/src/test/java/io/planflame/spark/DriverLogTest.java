package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverLogTest {
  private final TimeDesk desk = new TimeDesk(id -> new String[] {"", "", ""}, 1);
  private final byte[] application = {'{', '}'};
  private final DriverLog log = new DriverLog(() -> application, desk);

  @BeforeEach
  void reset() {
    NativeAgent.reset();
    Complaints.forget();
  }

  /** A new reader asks for all again; the calls before it are of an agent without one. */
  @Test
  void aReplayHasTheApplicationAndTheTimes() throws Exception {
    desk.applicationStarted("app-7", 5);
    desk.poll(9000);
    assertEquals(1, NativeAgent.CALLS.size());
    NativeAgent.give(NativeAgent.WORK_REPLAY);
    Thread thread = new Thread(log);
    thread.setDaemon(true);
    thread.start();
    while (!NativeAgent.CALLS.contains("replayDone")) {
      Thread.yield();
    }
    List<String> calls = new ArrayList<>(NativeAgent.CALLS);
    assertEquals("application {}", calls.get(1));
    assertEquals(calls.get(0), calls.get(2));
    log.stop();
    thread.join();
    assertFalse(desk.isOff(), "its last records are written yet");
    assertEquals(1, NativeAgent.CALLS.stream().filter("application {}"::equals).count(), "it did not change");
  }

  /** The application cannot be read: the times are written all the same, and the thread goes on. */
  @Test
  void onePartThatFailsEndsNothing() throws Exception {
    CountDownLatch applications = new CountDownLatch(2); // the second reading comes when all else of the first round is done
    DriverLog failing = new DriverLog(() -> {
      applications.countDown();
      throw new IllegalStateException("no application");
    }, desk);
    desk.applicationStarted("app-7", 5);
    NativeAgent.give(NativeAgent.WORK_REPLAY);
    Thread thread = new Thread(failing);
    thread.setDaemon(true);
    thread.start();
    assertTrue(applications.await(30, TimeUnit.SECONDS), "it goes on");
    failing.stop();
    thread.join();
    assertTrue(NativeAgent.CALLS.contains("replayDone"));
    assertTrue(NativeAgent.CALLS.stream().anyMatch(call -> call.startsWith("times ")));
  }

  @Test
  void itEndsWithTheAgent() throws Exception {
    NativeAgent.give(NativeAgent.WORK_OFF);
    log.run();
    assertFalse(NativeAgent.CALLS.contains("application {}"));
    log.stop(); // at once
    assertTrue(desk.isOff(), "no one writes the times any more");
  }
}

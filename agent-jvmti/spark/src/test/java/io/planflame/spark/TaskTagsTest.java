package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTagsTest {
  private static final String START = "taskStart 13 3 5 7 11 2 17 0 1.0";

  private String id = "";
  private final TaskTags tags = new TaskTags(new StageDesk((metrics, ids) -> { }), new RowDesk(), null, () -> id);

  private static void run(TaskContext task) {
    TaskContext$.MODULE$.setTaskContext(task);
  }

  private static String stderrOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return said.toString();
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.CALLS.clear();
  }

  @AfterEach
  void noTask() {
    run(null);
  }

  @Test
  void tellsTheAgentWhichTaskRuns() {
    run(new FakeTask(null));
    tags.start();
    assertEquals(Arrays.asList(START), NativeAgent.CALLS);
  }

  @Test
  void tellsTheApplicationOnceItIsKnown() {
    run(new FakeTask(null));
    tags.start();
    id = "app-é7";
    tags.start();
    tags.start();
    assertEquals(Arrays.asList(START, "applicationId app-é7", START, START), NativeAgent.CALLS);
  }

  @Test
  void anEndWithoutAStartIsNothing() {
    tags.end(false);
    run(null);
    tags.start();
    tags.end(true);
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
  }

  /**
   * Not even an Error reaches Spark; the task's own thread does not write to stderr, which may
   * block, and the poller tells it once.
   */
  @Test
  void whatGoesWrongIsCountedAndToldByThePoller() {
    String onTaskThread = stderrOf(() -> {
      run(new FakeTask(new StackOverflowError("deep")));
      tags.start();
      tags.end(false); // nothing was started
      tags.start();
      run(new FakeTask(null));
      tags.start();
      tags.end(false); // its metrics are null
    });
    assertEquals("", onTaskThread);
    assertEquals(Arrays.asList(START), NativeAgent.CALLS);

    String[] first = stderrOf(() -> tags.tell(false)).split(System.lineSeparator());
    assertEquals(2, first.length, Arrays.toString(first));
    assertTrue(first[0].startsWith("planflame: tag a task's start: java.lang.StackOverflowError: deep at io.planflame."), first[0]);
    assertTrue(first[1].startsWith("planflame: tag a task's end: java.lang.NullPointerException"), first[1]);
    assertEquals("", stderrOf(() -> tags.tell(false)), "once");
    assertEquals("planflame: tag a task's start: 2 in all" + System.lineSeparator() + "planflame: tag a task's end: 1 in all" + System.lineSeparator(),
        stderrOf(() -> tags.tell(true)));
  }

  @Test
  void aStartThatFailsDoesNotLeaveTheTaskBeforeRunning() {
    run(new FakeTask(null));
    tags.start();
    run(new FakeTask(new StackOverflowError("deep")));
    tags.start();
    tags.end(false);
    assertEquals(Arrays.asList(START), NativeAgent.CALLS, "no end in the name of the task before");
    String said = stderrOf(() -> tags.tell(true));
    assertTrue(said.contains("tag a task's start: 1 in all") && !said.contains("a task's end"), said);
  }

  @ParameterizedTest
  @CsvSource({"17, 17", "0, 0", "'', -1", ", -1", "-3, -1", "1x, -1", "99999999999999999999, -1"})
  void readsTheExecutionId(String property, long want) {
    assertEquals(want, TaskTags.executionId(property));
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimeDeskTest {
  private static final long SETTLED = 1100 + TimeDesk.LATE_MILLIS;
  private String[] names = {"q1-aa", "sum of sales", "p1-bb"};
  private final TimeDesk desk = new TimeDesk(id -> names, 2);

  @BeforeEach
  void reset() {
    NativeAgent.reset();
  }

  /**
   * Three slots from 0 on, an execution from 100 to 1000, two stages that overlap from 400 to 600.
   */
  private void twoStages() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 7, 0); // of two CPUs a task: three slots
    desk.executionStarted(7, 7, 100, "AdaptiveSparkPlan");
    desk.jobStarted(7, 150);
    desk.stageSubmitted(1, 0, 7, "first at a.py:1", Collections.emptyList(), 2, 200);
    desk.taskStarted(1, 0, 11, 200);
    desk.taskStarted(1, 0, 12, 250);
    desk.stageSubmitted(2, 3, 7, "second", Arrays.asList(1, 5), 1, 400);
    desk.taskStarted(2, 3, 13, 450);
    desk.taskEnded(1, 0, 12, true, sums(1), 250, 500);
    desk.taskEnded(1, 0, 11, true, sums(100), 200, 600);
    desk.stageCompleted(1, 0, false, 600);
    desk.taskEnded(2, 3, 13, true, sums(10_000), 450, 850);
    desk.stageCompleted(2, 3, false, 900);
    Map<String, long[]> phases = new LinkedHashMap<>();
    phases.put("planning", new long[] {60, 95});
    phases.put("optimization", new long[] {40, 60});
    phases.put("analysis", new long[] {20, 27});
    desk.executionEnded(7, false, phases, 1000);
  }

  /** Every metric has a value of its own: its index and one, times {@code factor}. */
  private static long[] sums(long factor) {
    long[] out = new long[TaskSums.KEYS.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (i + 1) * factor;
    }
    return out;
  }

  private static List<String> records(String kind) {
    List<String> out = new ArrayList<>();
    for (String call : NativeAgent.CALLS) {
      if (call.startsWith("times ") && call.contains("\"kind\":\"" + kind + "\"")) {
        out.add(call.substring("times ".length()));
      }
    }
    return out;
  }

  private static long number(String json, String key) {
    Matcher m = Pattern.compile("\"" + key + "\":(-?\\d+)").matcher(json);
    assertTrue(m.find(), key + " in " + json);
    return Long.parseLong(m.group(1));
  }

  @Test
  void stagesShareTheSlotsOfTheTimeInWhichTheyOverlap() {
    twoStages();
    desk.poll(SETTLED);
    assertEquals(Arrays.asList(
        "{\"version\":1,\"kind\":\"stage\",\"application_id\":\"app-7\",\"stage_id\":1,\"attempt\":0,\"execution_id\":7,\"name\":\"first at a.py:1\",\"parents\":[],"
            + "\"submitted_ms\":200,\"completed_ms\":600,\"failed\":false,\"planned_tasks\":2,\"ended_tasks\":2,\"failed_tasks\":0,\"missed_tasks\":0,"
            + "\"held_us\":650000,\"idle_us\":325000,\"median_run_ms\":1,\"max_run_ms\":100,\"run_ms\":101,\"cpu_ns\":202,\"deserialize_ms\":303,"
            + "\"deserialize_cpu_ns\":404,\"gc_ms\":505,\"serialize_ms\":606,\"fetch_wait_ms\":707,\"shuffle_write_ns\":808,\"memory_spilled_bytes\":909,"
            + "\"disk_spilled_bytes\":1010,\"input_bytes\":1111,\"input_rows\":1212,\"output_bytes\":1313,\"output_rows\":1414,\"shuffle_read_bytes\":1515,"
            + "\"shuffle_read_rows\":1616,\"shuffle_write_bytes\":1717,\"shuffle_write_rows\":1818}",
        "{\"version\":1,\"kind\":\"stage\",\"application_id\":\"app-7\",\"stage_id\":2,\"attempt\":3,\"execution_id\":7,\"name\":\"second\",\"parents\":[1,5],"
            + "\"submitted_ms\":400,\"completed_ms\":900,\"failed\":false,\"planned_tasks\":1,\"ended_tasks\":1,\"failed_tasks\":0,\"missed_tasks\":0,"
            + "\"held_us\":400000,\"idle_us\":725000,\"median_run_ms\":10000,\"max_run_ms\":10000,\"run_ms\":10000,\"cpu_ns\":20000,\"deserialize_ms\":30000,"
            + "\"deserialize_cpu_ns\":40000,\"gc_ms\":50000,\"serialize_ms\":60000,\"fetch_wait_ms\":70000,\"shuffle_write_ns\":80000,\"memory_spilled_bytes\":90000,"
            + "\"disk_spilled_bytes\":100000,\"input_bytes\":110000,\"input_rows\":120000,\"output_bytes\":130000,\"output_rows\":140000,\"shuffle_read_bytes\":150000,"
            + "\"shuffle_read_rows\":160000,\"shuffle_write_bytes\":170000,\"shuffle_write_rows\":180000}"), records("stage"));
    assertEquals(Collections.singletonList(
        "{\"version\":1,\"kind\":\"execution\",\"application_id\":\"app-7\",\"execution_id\":7,\"root_id\":7,\"query\":\"q1-aa\",\"query_name\":\"sum of sales\","
            + "\"plan\":\"p1-bb\",\"root_node\":\"AdaptiveSparkPlan\",\"started_ms\":100,\"first_job_ms\":150,\"ended_ms\":1000,\"failed\":false,\"jobs\":1,\"task_free_ms\":250,"
            + "\"held_us\":1050000,\"idle_us\":1050000,\"cpu_ns\":60606,\"planning_ms\":35,\"optimization_ms\":20,\"analysis_ms\":7}"), records("execution"));
  }

  @Test
  void anApplicationsSlotsAreThoseOfItsStagesAndOfTheTimeWithout() {
    twoStages();
    desk.applicationEnded(1100);
    desk.close(5000);
    assertEquals(Collections.singletonList(
        "{\"version\":1,\"kind\":\"application\",\"application_id\":\"app-7\",\"started_ms\":0,\"ended_ms\":1100,\"until_ms\":1100,\"slots\":3,\"slot_us\":3300000,"
            + "\"stage_slot_us\":2100000,\"task_free_ms\":450,\"planning_ms\":112,\"missed_tasks\":0,\"left_out\":0}"), records("application"));
  }

  @Test
  void aPlanThatIsRunAgainWasMadeOnce() {
    twoStages();
    desk.executionStarted(8, 7, 1050, "");
    desk.executionEnded(8, true, Collections.singletonMap("planning", new long[] {60, 95}), 1060);
    desk.applicationEnded(1100);
    desk.close(5000);
    assertEquals(112 + 10, number(records("application").get(0), "planning_ms")); // 8 has no job: from its start to its end
  }

  @Test
  void whatIsNotSettledIsNotWrittenYet() {
    twoStages();
    desk.poll(900 + TimeDesk.LATE_MILLIS - 1);
    assertEquals(1, records("stage").size());
    desk.poll(999 + TimeDesk.LATE_MILLIS);
    assertEquals(Arrays.asList(2, 0), Arrays.asList(records("stage").size(), records("execution").size()));
    desk.poll(1000 + TimeDesk.LATE_MILLIS);
    assertEquals(1, records("execution").size());
  }

  /** A busy driver's events come seconds late: the sweep has passed them by then. */
  @Test
  void anExecutionThatIsToldLateHasItsWholeTime() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.poll(9000 + TimeDesk.LATE_MILLIS);
    desk.executionStarted(7, 7, 2000, "");
    desk.stageSubmitted(1, 0, 7, "", Collections.emptyList(), 1, 9100);
    desk.taskStarted(1, 0, 11, 9200);
    desk.taskEnded(1, 0, 11, true, sums(1), 9200, 9500);
    desk.stageCompleted(1, 0, false, 9500);
    desk.poll(12_000 + TimeDesk.LATE_MILLIS);
    desk.executionEnded(7, false, Collections.emptyMap(), 10_000);
    desk.poll(13_000 + TimeDesk.LATE_MILLIS);
    assertEquals(8000 - 300, number(records("execution").get(0), "task_free_ms"));
  }

  @Test
  void eventsComeInAnyOrder() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.stageSubmitted(1, 0, -1, "", Collections.emptyList(), 2, 100);
    desk.taskEnded(1, 0, 12, true, sums(1), 150, 300); // its start was not heard
    desk.stageCompleted(1, 0, false, 400);
    desk.taskEnded(1, 0, 11, true, sums(1), 100, 400);
    desk.poll(SETTLED);
    assertEquals(450_000, number(records("stage").get(0), "held_us"));
    assertEquals(150_000, number(records("stage").get(0), "idle_us"));
  }

  /** The second task starts 20 ms before the driver has taken in the result of the first. */
  @Test
  void moreTasksThanSlotsHoldPartsOfThem() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 2, 0);
    desk.stageSubmitted(1, 0, -1, "", Collections.emptyList(), 2, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.taskStarted(1, 0, 12, 180);
    desk.taskEnded(1, 0, 11, true, sums(1), 100, 200);
    desk.taskEnded(1, 0, 12, true, sums(1), 180, 300);
    desk.stageCompleted(1, 0, false, 300);
    desk.poll(SETTLED);
    assertEquals(200_000, number(records("stage").get(0), "held_us"));
    assertEquals(0, number(records("stage").get(0), "idle_us"));
  }

  @Test
  void tasksWhoseEventsSparkDroppedAreCountedAndDoNotRunForEver() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.stageSubmitted(1, 0, -1, "", Collections.emptyList(), 3, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.taskStarted(1, 0, 12, 100);
    desk.taskEnded(1, 0, 12, true, null, 100, 200);
    desk.stageCompleted(1, 0, false, 300);
    desk.applicationEnded(1000);
    desk.close(1000);
    assertEquals(2, number(records("stage").get(0), "missed_tasks"));
    assertEquals(300_000, number(records("stage").get(0), "held_us"));
    assertEquals(2, number(records("application").get(0), "missed_tasks"));
    assertEquals(800, number(records("application").get(0), "task_free_ms"));
  }

  @Test
  void aFailedStageMissesNoTasks() {
    desk.applicationStarted("app-7", 0);
    desk.stageSubmitted(1, 0, -1, "", Collections.emptyList(), 3, 100);
    desk.stageCompleted(1, 0, true, 300);
    desk.poll(SETTLED);
    desk.close(SETTLED);
    assertEquals(0, number(records("stage").get(0), "missed_tasks"));
  }

  @Test
  void aTaskThatOutlivesItsStageIsWrittenWithIt() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 2, 0);
    desk.stageSubmitted(1, 0, -1, "", Collections.emptyList(), 1, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.taskStarted(1, 0, 12, 100);
    desk.taskEnded(1, 0, 11, true, sums(1), 100, 200);
    desk.stageCompleted(1, 0, false, 200);
    desk.poll(SETTLED);
    desk.taskEnded(1, 0, 12, false, sums(10), 100, 1500);
    desk.poll(SETTLED);
    assertEquals(2, records("stage").size());
    assertEquals(11, number(records("stage").get(1), "run_ms"));
    assertEquals(1, number(records("stage").get(1), "failed_tasks"));
    assertEquals(100_000, number(records("stage").get(1), "held_us")); // no more than its slot while it was active
  }

  @Test
  void aTaskThatOutlivesItsStageAddsOnlyItsCpuToTheExecution() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.executionStarted(7, 7, 50, "");
    desk.stageSubmitted(1, 0, 7, "", Collections.emptyList(), 1, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.taskEnded(1, 0, 11, true, sums(1), 100, 200);
    desk.stageCompleted(1, 0, false, 200);
    desk.poll(SETTLED);
    desk.taskEnded(1, 0, 12, false, sums(10), 100, 1500);
    desk.poll(SETTLED);
    desk.taskEnded(1, 0, 13, false, sums(100), 100, 1500);
    desk.executionEnded(7, false, Collections.emptyMap(), 1600);
    desk.poll(1600 + TimeDesk.LATE_MILLIS);
    assertEquals(3, records("stage").size());
    String execution = records("execution").get(0);
    assertEquals(100_000, number(execution, "held_us"));
    assertEquals(100_000, number(execution, "idle_us"));
    assertEquals(111 * (2 + 4), number(execution, "cpu_ns")); // cpu_ns and deserialize_cpu_ns
  }

  @Test
  void whatEndsAfterTheApplicationIsWrittenAndWhatNeverEndsCounted() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 2, 0);
    for (int i = 1; i <= 2; i++) {
      desk.executionStarted(i, i, 100, "");
      desk.stageSubmitted(i, 0, i, "", Collections.emptyList(), 0, 100);
    }
    desk.stageSubmitted(3, 0, 2, "", Collections.emptyList(), 0, 100);
    desk.applicationEnded(200);
    desk.stageCompleted(1, 0, false, 250);
    desk.executionEnded(1, false, Collections.emptyMap(), 260);
    desk.close(5000);
    assertEquals(250, number(records("stage").get(0), "completed_ms"));
    assertEquals(260, number(records("execution").get(0), "ended_ms"));
    assertEquals(3, number(records("application").get(0), "left_out")); // two stages, an execution
    desk.close(5000);
    assertEquals(3, number(records("application").get(1), "left_out"));
  }

  @Test
  void slotsGoWithTheirExecutor() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.executorAdded("2", 2, 50);
    desk.executorRemoved("1", 100);
    desk.executorRemoved("9", 100);
    desk.applicationEnded(200);
    desk.close(200);
    assertEquals((2 * 50 + 3 * 50 + 100) * 1000, number(records("application").get(0), "slot_us"));
    assertEquals(3, number(records("application").get(0), "slots"));
  }

  /** In local mode the executor is told before the application, which began earlier. */
  @Test
  void timeBeginsWithTheApplication() {
    desk.executorAdded("driver", 2, 5000);
    desk.poll(9000);
    desk.applicationStarted("app-7", 1000);
    desk.applicationEnded(8000);
    desk.close(9000);
    assertEquals(7000, number(records("application").get(0), "task_free_ms"));
    assertEquals(3_000_000, number(records("application").get(0), "slot_us"));
  }

  /** A cluster's driver takes a while to let its executors go. */
  @Test
  void timeEndsWithTheApplication() {
    desk.applicationStarted("app-7", 1000);
    desk.executorAdded("1", 2, 1000);
    desk.applicationEnded(4000);
    desk.poll(9000);
    desk.close(9500);
    List<String> told = records("application");
    assertEquals(3000, number(told.get(told.size() - 1), "task_free_ms"));
    assertEquals(4000, number(told.get(told.size() - 1), "until_ms"));
  }

  @Test
  void anExecutionWaitsForItsNames() {
    String[] known = names;
    names = null;
    twoStages();
    desk.poll(SETTLED);
    assertEquals(0, records("execution").size());
    names = known;
    desk.poll(SETTLED);
    assertTrue(records("execution").get(0).contains("\"query\":\"q1-aa\""));
  }

  @Test
  void anExecutionWithoutNamesIsWrittenAtTheEnd() {
    names = null;
    twoStages();
    desk.close(SETTLED);
    assertTrue(records("execution").get(0).contains("\"query\":\"\",\"query_name\":\"\",\"plan\":\"\""));
  }

  @Test
  void aReplayWritesAllAgain() {
    twoStages();
    desk.poll(SETTLED);
    List<String> before = new ArrayList<>(NativeAgent.CALLS);
    NativeAgent.CALLS.clear();
    desk.replay();
    assertEquals(before.size(), NativeAgent.CALLS.size());
    assertTrue(NativeAgent.CALLS.containsAll(before));
  }

  /** The oldest is left out when none is written: its end may have been lost. */
  @Test
  void memoryIsBoundedAndWhatIsLeftOutCounted() {
    desk.applicationStarted("app-7", 0);
    for (int i = 0; i < TimeDesk.KEPT + 3; i++) {
      desk.executionStarted(i, i, 100, "");
      desk.stageSubmitted(i, 0, -1, "", Collections.emptyList(), 0, 100); // all run
    }
    desk.taskEnded(2, 0, 5, true, sums(1), 100, 200);
    desk.stageCompleted(2, 0, false, 200);
    for (int i = 3; i < TimeDesk.KEPT + 3; i++) {
      desk.stageCompleted(i, 0, false, 250);
      desk.executionEnded(i, false, Collections.emptyMap(), 250);
    }
    desk.applicationEnded(300);
    desk.close(300);
    assertEquals(6, number(records("application").get(0), "left_out"));
    assertEquals(1, number(records("application").get(0), "missed_tasks"));
    assertEquals(TimeDesk.KEPT, records("stage").size());
    assertEquals(TimeDesk.KEPT, records("execution").size());
    desk.stageSubmitted(9999, 0, -1, "", Collections.emptyList(), 0, 260); // the oldest that is written goes
    desk.stageCompleted(9999, 0, false, 270);
    desk.close(300);
    assertEquals(TimeDesk.KEPT + 1, records("stage").size());
    assertEquals(6, number(records("application").get(1), "left_out"));
  }

  @Test
  void whatWaitsToBeWrittenIsBounded() {
    for (int i = 0; i < TimeDesk.KEPT + 1; i++) {
      desk.stageSubmitted(i, 0, -1, "", Collections.emptyList(), 0, 100);
      desk.stageCompleted(i, 0, false, 200);
    }
    desk.applicationStarted("app-7", 0);
    desk.close(300);
    assertEquals(TimeDesk.KEPT, records("stage").size());
    assertEquals(1, number(records("application").get(0), "left_out"));
  }

  @Test
  void aStageLeftOutHoldsNoSlots() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.stageSubmitted(0, 0, -1, "", Collections.emptyList(), 2, 100);
    desk.taskStarted(0, 0, 11, 100);
    for (int i = 1; i <= TimeDesk.KEPT; i++) {
      desk.stageSubmitted(i, 0, -1, "", Collections.emptyList(), 0, 200);
      desk.stageCompleted(i, 0, false, 200);
    }
    desk.applicationEnded(300);
    desk.close(300);
    String application = records("application").get(0);
    assertEquals(200, number(application, "task_free_ms"));
    assertEquals(200_000, number(application, "stage_slot_us"));
  }

  @Test
  void aTaskEndsAlsoIfItsStageIsForgotten() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.stageSubmitted(0, 0, -1, "", Collections.emptyList(), 1, 100);
    desk.taskStarted(0, 0, 11, 100);
    desk.stageCompleted(0, 0, true, 150);
    desk.poll(150 + TimeDesk.LATE_MILLIS);
    for (int i = 1; i <= TimeDesk.KEPT; i++) {
      desk.stageSubmitted(i, 0, -1, "", Collections.emptyList(), 0, 200); // the first makes the written one go
    }
    desk.taskEnded(0, 0, 11, false, sums(1), 100, 250);
    desk.applicationEnded(300);
    desk.close(300);
    String application = records("application").get(records("application").size() - 1);
    assertEquals(1, number(application, "missed_tasks"));
    assertEquals(100 + 50, number(application, "task_free_ms"));
  }

  @Test
  void aStageThatIsCancelledAfterItsExecutionMissesNoTasks() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.executionStarted(7, 7, 50, "");
    desk.stageSubmitted(1, 0, 7, "", Collections.emptyList(), 3, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.executionEnded(7, false, Collections.emptyMap(), 200);
    desk.poll(SETTLED);
    desk.taskEnded(1, 0, 11, false, null, 100, 210);
    desk.stageCompleted(1, 0, true, 220);
    desk.applicationEnded(300);
    desk.close(SETTLED);
    String stage = records("stage").get(1);
    assertEquals(0, number(stage, "missed_tasks"));
    assertEquals(200, number(stage, "completed_ms"));
    assertEquals(100_000, number(stage, "held_us"));
    assertTrue(stage.contains("\"failed\":true"));
    assertEquals(0, number(records("application").get(records("application").size() - 1), "missed_tasks"));
  }

  @Test
  void aStageWhoseEndWasLostEndsWithItsExecution() {
    desk.applicationStarted("app-7", 0);
    desk.executorAdded("1", 4, 0);
    desk.executionStarted(7, 7, 50, "");
    desk.stageSubmitted(1, 0, 7, "", Collections.emptyList(), 1, 100);
    desk.stageSubmitted(2, 0, -1, "another's", Collections.emptyList(), 0, 100);
    desk.taskStarted(1, 0, 11, 100);
    desk.executionEnded(7, false, Collections.emptyMap(), 200);
    desk.stageCompleted(2, 0, false, 300);
    desk.poll(SETTLED);
    assertEquals(2, records("stage").size());
    assertEquals(200, number(records("stage").get(0), "completed_ms"));
    assertEquals(1, number(records("stage").get(0), "missed_tasks"));
    assertEquals(100_000, number(records("execution").get(0), "held_us"));
    assertEquals(50_000 + 200_000, number(records("stage").get(1), "idle_us"));
  }
}

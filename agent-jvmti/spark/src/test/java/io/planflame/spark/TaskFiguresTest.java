package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.OperatorRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.scheduler.AccumulableInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

/** The records of ended tasks: what a row holds, when it is written, and what is bounded. */
class TaskFiguresTest {
  private static final String COLUMNS = "\"columns\":[\"stage_id\",\"attempt\",\"task_id\",\"partition\",\"try\",\"succeeded\",\"launched_ms\",\"finished_ms\",\"operator_rows\",\"host\","
      + "\"run_ms\",\"cpu_ns\",\"deserialize_ms\",\"deserialize_cpu_ns\",\"gc_ms\",\"serialize_ms\",\"fetch_wait_ms\",\"shuffle_write_ns\",\"memory_spilled_bytes\","
      + "\"disk_spilled_bytes\",\"input_bytes\",\"input_rows\",\"output_bytes\",\"output_rows\",\"shuffle_read_bytes\",\"shuffle_read_rows\",\"shuffle_write_bytes\","
      + "\"shuffle_write_rows\"]";

  private final TimeDesk desk = new TimeDesk(id -> new String[] {"", "", ""}, 1);

  @BeforeEach
  void reset() {
    NativeAgent.reset();
  }

  private static List<String> records() {
    List<String> out = new ArrayList<>();
    for (String call : NativeAgent.CALLS) {
      if (call.contains("\"kind\":\"tasks\"")) {
        out.add(call.substring("times ".length()));
      }
    }
    return out;
  }

  private void ended(int task) {
    desk.figures("b", new long[] {1, 0, task, 0, 0, 1, 10, 20, 0}, null);
  }

  private static int rows(String record) {
    return record.split("\\[1,0,").length - 1;
  }

  @Test
  void aTaskIsARowAndIsWrittenOnce() {
    desk.applicationStarted("app-7", 0);
    long[] sums = new long[TaskSums.KEYS.length];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = 100 + i;
    }
    desk.figures("a", new long[] {5, 1, 17, 3, 2, 1, 1000, 1500, 99}, sums);
    desk.figures("b", new long[] {5, 1, 18, 4, 0, 0, 1001, 1502, 0}, null);
    desk.poll(3000);
    desk.poll(9000);
    desk.replay();
    assertEquals(Collections.singletonList("{\"version\":1,\"kind\":\"tasks\",\"application_id\":\"app-7\"," + COLUMNS
        + ",\"tasks\":[[5,1,17,3,2,1,1000,1500,99,0,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117],"
        + "[5,1,18,4,0,0,1001,1502,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]],\"hosts\":[\"a\",\"b\"]}"), records());
  }

  @Test
  void tasksWaitForAReaderAndForRoom() {
    desk.applicationStarted("app-7", 0);
    ended(1);
    NativeAgent.sampling = false;
    desk.poll(3000);
    assertEquals(0, records().size());
    NativeAgent.sampling = true;
    NativeAgent.room = false;
    desk.poll(4000);
    desk.poll(4999);
    assertEquals(1, records().size()); // one try a second
    NativeAgent.room = true;
    desk.poll(5000);
    assertEquals(records().get(0), records().get(1));
    desk.poll(7000);
    assertEquals(2, records().size());
  }

  @Test
  void recordsAndWhatWaitsAreBounded() {
    desk.applicationStarted("app-7", 0);
    for (int i = 0; i < TaskFigures.KEPT + 3; i++) {
      ended(i);
    }
    desk.poll(3000);
    assertEquals(TaskFigures.KEPT / TaskFigures.BATCH, records().size());
    for (String record : records()) {
      assertEquals(TaskFigures.BATCH, rows(record));
      assertTrue(record.length() < 1 << 16);
    }
    for (int i = 0; i < TaskFigures.BATCH; i++) {
      ended(i);
    }
    desk.poll(3001); // a full record does not wait
    ended(0);
    desk.poll(3002);
    assertEquals(TaskFigures.KEPT / TaskFigures.BATCH + 1, records().size());
    desk.close(3003);
    assertEquals(1, rows(records().get(records().size() - 1)));
    assertTrue(NativeAgent.CALLS.stream().anyMatch(record -> record.contains("\"left_out\":3}")), "the three without room are counted");
  }

  @Test
  void aDeskThatIsOffKeepsNone() {
    desk.applicationStarted("app-7", 0);
    ended(1);
    desk.off();
    desk.close(3000);
    assertEquals(0, records().size());
  }

  private static AccumulableInfo metric(String name, Object update) {
    return new AccumulableInfo(1, Option.apply(name), Option.apply(update), Option.apply((Object) 5000L), true, true, Option.empty());
  }

  /** A task with metrics. */
  public static final class Info {
    public Iterable<Object> accumulables() {
      List<Object> all = new ArrayList<>();
      all.add(metric("number of output rows", 30L));
      all.add(metric("number of output rows", 70L));
      all.add(metric("number of output rows", null));
      all.add(metric("data size", 900L));
      all.add(metric(null, 1000L));
      return () -> new Rows(all.iterator());
    }
  }

  /** An iterator of Java's as Scala's. */
  private static final class Rows extends scala.collection.AbstractIterator<Object> implements java.util.Iterator<Object> {
    private final java.util.Iterator<Object> in;

    Rows(java.util.Iterator<Object> in) {
      this.in = in;
    }

    @Override
    public boolean hasNext() {
      return in.hasNext();
    }

    @Override
    public Object next() {
      return in.next();
    }
  }

  @Test
  void theOperatorWithMostRowsCounts() {
    assertEquals(70, OperatorRows.most(new Info()));
  }
}

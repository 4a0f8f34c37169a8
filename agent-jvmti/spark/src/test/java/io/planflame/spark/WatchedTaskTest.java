package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.shim.TaskInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.sql.execution.datasources.FileScanRDDListener;
import org.apache.spark.util.AccumulatorMetadata;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import scala.Option;
import scala.collection.Iterator;

/** What a desk makes of the counters of a task, with clocks that the test sets. */
class WatchedTaskTest implements WatchedTask.Desk, WatchedTask.Clocks {
  private static final long MILLI = 1_000_000L;

  private final TaskMetrics metrics = new TaskMetrics();
  private final FakeTask context = new FakeTask(null, metrics);
  private final WatchedTask task = new WatchedTask(context, this, new TaskInput(context, null));
  private long now; // ms
  private long cpu; // ms, as the next two
  private long queue;
  private long gc;
  private boolean gone; // the thread has ended
  private boolean mayStack = true;
  private int stacks;
  private int explained;

  @Override
  public boolean mayStack(long at) {
    stacks++;
    return mayStack;
  }

  @Override
  public void close() {}

  @Override
  public TaskClocks read() {
    return gone ? null : new TaskClocks(now * MILLI, cpu * MILLI, queue * MILLI, gc);
  }

  @Override
  public long sparkBuffer() {
    return 65_536;
  }

  @Override
  public void explained() {
    explained++;
  }

  /** Looks every 20 ms for so long. */
  private void look(long millis) {
    for (long end = now + millis; now < end; now += 20) {
      task.look(this, now * MILLI);
    }
  }

  private void read(long records) {
    metrics.inputMetrics().incRecordsRead(records);
  }

  private List<String> told() {
    List<String> out = new ArrayList<>();
    task.finish(this, now * MILLI);
    for (Dwell dwell : task.dwells()) {
      String json = new String(task.json(dwell), StandardCharsets.UTF_8);
      assertTrue(json.length() <= 512, json);
      out.add(dwell.kind() + json.replaceAll(".*\"begin_ns\":", " ").replaceAll("000000,", " ").replaceAll(",\"rows_out.*", "").replaceAll("\"[a-z]+_?[a-z]*\":", "").replace(',', ' '));
    }
    return out;
  }

  private String half(int slow) {
    for (int i = 0; i < 25; i++) {
      read(1000);
      look(20);
    }
    for (int i = 0; i < slow; i++) {
      read(1);
      look(20);
    }
    for (int i = 0; i < 25; i++) {
      read(1000);
      look(20);
    }
    task.finish(this, now * MILLI);
    byte[] json = task.half();
    return json == null ? "none" : new String(json, StandardCharsets.UTF_8);
  }

  @Test
  void tellsTheFewRecordsThatTookHalfOfTheTime() {
    String json = half(200);
    assertTrue(json.contains("\"reading_ms\":4980,\"records\":50200,\"python\":false,\"begin_ns\":0,\"end_ns\":4980000000,\"what\":\"half\",\"at\":25"), json);
    assertTrue(json.matches(".*\"at\":25\\d\\d\\d,\"batch\":1[23]\\d,\"shuffle\":false}"), json);
  }

  @Test
  void tellsNoHalfOfAShortTask() {
    assertEquals("none", half(100), "2.98 s");
  }

  @Test
  void namesTheRecordAtWhichTheCounterStands() {
    read(5);
    look(40);
    read(7);
    look(300);
    cpu = 120;
    read(1);
    look(100);
    read(2);
    // begin, end (ms), kind, at, of a shuffle, net, CPU, GC, run queue
    assertEquals(Arrays.asList("RECORD 40 320 \"record\" 12 false 260 120 0 0"), told());
    assertEquals(2, stacks, "at 100 and 200 ms");
    assertEquals(0, explained);
  }

  @Test
  void pausesAndWaitsForACoreAreNoRecord() {
    read(1);
    look(300);
    gc = 100;
    queue = 61; // 260 - 161 < 100
    read(1);
    look(300);
    queue = 221; // 260 - 160 is just enough
    read(1);
    look(20);
    read(1);
    assertEquals(Arrays.asList("RECORD 300 580 \"record\" 2 false 100 0 0 160"), told());
    assertEquals(1, explained);
  }

  @Test
  void whatIsTooShortNeedsNoExplanation() {
    read(1);
    look(120);
    read(1);
    look(20);
    assertEquals(Arrays.asList(), told(), "0.08 s from the second look on");
    assertEquals(0, explained);
  }

  @Test
  void ofAThreadThatHasEndedTheLastStackTells() {
    cpu = 500;
    read(1);
    look(240);
    gone = true;
    read(1);
    assertEquals(Arrays.asList("RECORD 0 220 \"record\" 1 false 180 0 0 0"), told());
  }

  @Test
  void beforeTheFirstAndAfterTheLastAreApart() {
    look(200);
    read(3);
    look(200);
    assertEquals(Arrays.asList("BEFORE 0 180 \"before\" 0 false 160 0 0 0 []}", "AFTER 200 380 \"after\" 3 false 160 0 0 0"), told());
  }

  @Test
  void aTaskThatEndsBeforeTheNextLookHasItsFinalCount() {
    read(3);
    look(200);
    read(1); // and it ends
    assertEquals(Arrays.asList("RECORD 0 180 \"record\" 3 false 160 0 0 0"), told());
  }

  @Test
  void recordsOfShufflesCount() {
    TempShuffleReadMetrics first = metrics.createTempShuffleReadMetrics();
    first.incRecordsRead(4);
    look(200);
    TempShuffleReadMetrics second = metrics.createTempShuffleReadMetrics();
    second.incRecordsRead(1);
    look(200);
    first.incRecordsRead(1);
    look(20);
    assertEquals(Arrays.asList("RECORD 0 180 \"record\" 4 true 160 0 0 0", "AFTER 200 380 \"after\" 5 true 160 0 0 0"), told(), "the second reader has no other record");
  }

  @Test
  void whatTookMostOfADwellIsItsKind() {
    Dwell dwell = new Dwell(5, false, 0, 20 * MILLI, new TaskClocks(0, 0, 0, 0));
    Object[][] stacks = {{DwellKind.RECORD, 100L}, {DwellKind.RECORD, 1000L}, {DwellKind.SORT, 2000L}};
    for (Object[] stack : stacks) {
      dwell.still((Long) stack[1] * MILLI, 0);
      dwell.stack((DwellKind) stack[0], new StackTraceElement[0], new TaskInput.Progress(), new TaskClocks((Long) stack[1] * MILLI, 0, 0, 0));
    }
    dwell.still(2400 * MILLI, 0);
    dwell.end(new TaskClocks(2400 * MILLI, 0, 0, 0), false);
    assertEquals(DwellKind.RECORD, dwell.kind(), "1.5 of 2.4 s");
  }

  /** As of partitions that a task reads one after the other. */
  @Test
  void afterTheLastOfASourceIsApart() {
    context.onCompleteCallbacks = new FakeTask.Callbacks();
    read(3);
    metrics.inputMetrics().incBytesRead(30);
    look(200);
    context.onCompleteCallbacks = new FakeTask.Callbacks(source());
    read(3);
    look(200);
    read(1);
    assertEquals(Arrays.asList("AFTER 0 180 \"after\" 3 false 160 0 0 0", "RECORD 200 380 \"record\" 6 false 160 0 0 0"), told());
  }

  /** A listener as a reader of files sets it. */
  private static Object source() {
    return new Object() {
      final Object f$1 = new org.apache.spark.rdd.HadoopRDDListener();
    };
  }

  /** Small files may be over before the first look. */
  @Test
  void aFileIsTheFirstIfTheScanHasOpenedOne() {
    Iterator<?> files = scala.Predef$.MODULE$.wrapRefArray(new String[] {"a", "b", "c"}).iterator();
    Object function = new FileScanRDDListener(files);
    context.onCompleteCallbacks = new FakeTask.Callbacks(new Object() {
      final Object f$1 = function;
    });
    TaskInput input = new TaskInput(context, null);
    assertEquals(1, input.sources());
    files.next();
    assertTrue(input.readsFirstFile());
    files.next();
    assertFalse(input.readsFirstFile());
    context.onCompleteCallbacks = new FakeTask.Callbacks(source());
    assertTrue(input.readsFirstFile(), "a reader of one file");
  }

  @Test
  void rowsOfARangeAreCountedAfterwards() {
    context.onCompleteCallbacks = new FakeTask.Callbacks();
    read(148_211); // as if rows went on one by one, after whole batches
    look(200);
    read(51_789);
    look(20);
    String json = json();
    assertTrue(json.contains("\"what\":\"next\",\"at\":148210,") && json.contains(",\"ranged\":true,\"batch\":790,"), json); // up to 149,000
  }

  @Test
  void whileTheJvmStandsStillNoTaskIsAtWork() {
    read(1);
    look(60);
    now += 30_000;
    task.held(29_980 * MILLI);
    look(40);
    read(1);
    look(300); // at work
    now += 5000;
    task.held(5000 * MILLI);
    read(1);
    look(20);
    read(1);
    assertEquals(Arrays.asList("RECORD 30100 30380 \"record\" 2 false 260 0 0 0"), told());
    assertEquals(1, explained);
  }

  @Test
  void withoutAStackItIsNoRecord() {
    mayStack = false;
    look(200);
    read(5);
    look(200);
    read(7);
    look(200);
    assertEquals(Arrays.asList("BEFORE 0 180 \"before\" 0 false 160 0 0 0 []}", "AFTER 400 580 \"after\" 12 false 160 0 0 0 []}"), told());
    assertEquals(1, task.dropped());
  }

  /** An accumulator as a Python operator has it. */
  private LongAccumulator metric(long id, String name) {
    LongAccumulator out = new LongAccumulator();
    out.metadata_$eq(new AccumulatorMetadata(id, Option.apply(name), false));
    metrics.registerAccumulator(out);
    return out;
  }

  @Test
  void ofAPythonWorkerTheRowsThatCameBackCount() {
    metric(6, "number of output rows").add(100_000);
    metric(8, "data sent to Python workers").add(7);
    LongAccumulator bytes = metric(9, "data returned from Python workers");
    LongAccumulator rows = metric(14, "number of output rows");
    metric(15, "number of output rows").add(3);
    read(3000); // ahead
    look(120); // at what was read ahead
    bytes.add(8_000);
    rows.add(400);
    look(320);
    rows.add(2600);
    String json = json();
    // of 20 bytes each, so that 32 batches of a hundred fit the buffer
    assertTrue(json.contains("\"records\":3000,\"python\":true,\"begin_ns\":120000000,\"end_ns\":420000000,\"what\":\"python\",\"at\":400,"), json);
    assertTrue(json.contains("\"batch\":3300,"), json);
  }

  @Test
  void ofSeveralPythonWorkersNoneIsToBlame() {
    metric(9, "data returned from Python workers").add(8000);
    LongAccumulator rows = metric(10, "number of output rows");
    rows.add(400);
    metric(19, "data returned from Python workers").add(8000);
    metric(20, "number of output rows").add(400);
    read(3000);
    look(200);
    rows.add(1);
    assertTrue(json().contains("\"what\":\"python\""));
  }

  private String json() {
    task.finish(this, now * MILLI);
    assertEquals(1, task.dwells().size());
    return new String(task.json(task.dwells().get(0)), StandardCharsets.UTF_8);
  }

  @Test
  void aTaskWithoutCountedInputSaysNothing() {
    look(1000);
    assertEquals(Arrays.asList(), told());
  }

  @Test
  void keepsTheLongest() {
    read(1);
    for (int i = 0; i < WatchedTask.KEPT + 2; i++) {
      look(i == 7 || i == 9 ? 140 : 160);
      read(1);
    }
    look(20);
    read(1);
    List<String> told = told();
    assertEquals(WatchedTask.KEPT, told.size());
    assertEquals(2, task.dropped());
    assertTrue(told.stream().allMatch(one -> one.contains(" false 120 ")), told.toString());
  }
}

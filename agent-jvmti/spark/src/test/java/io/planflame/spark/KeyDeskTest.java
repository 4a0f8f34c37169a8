package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.shim.ShuffleKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.AccumulatorMetadata;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.MutablePair;
import org.apache.spark.util.collection.CompactBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;

/** Which elements of an iterator took long, with clocks that the test sets. */
class KeyDeskTest implements WatchedTask.Clocks, KeyDesk.Out {
  private static final long MILLI = 1_000_000L;

  private long now;
  private long gc; // ms
  private final List<String> told = new ArrayList<>();
  private final TaskMetrics metrics = new TaskMetrics();
  private final FakeTask task = new FakeTask(null, metrics); // stage 3, partition 7
  private KeyDesk desk = new KeyDesk("3:6,3:7", false, this, () -> this, () -> now, this::keys);
  private KeyWatch watch;
  private int apart;
  private int closed;
  private long dropped;
  private final List<String> said = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  @Override
  public void key(byte[] json, String line) {
    told.add(new String(json, StandardCharsets.UTF_8));
    said.add(line);
  }

  @Override
  public void dropped(long keys) {
    dropped += keys;
  }

  @Override
  public void failed(Throwable e) {
    failures.add(e.getMessage());
  }

  @Override
  public long sparkBuffer() {
    return 1 << 16;
  }

  @Override
  public void watch(KeyWatch of) {
    watch = of;
  }

  @Override
  public void apart() {
    apart++;
  }

  @Override
  public TaskClocks read() {
    return new TaskClocks(now, now / 2, 0, gc);
  }

  @Override
  public void close() {
    closed++;
  }

  private ShuffleKeys keys(long executionId, int shuffle) {
    return executionId == 17 && shuffle == 4 ? new ShuffleKeys(new int[] {1}, new String[] {"getUTF8String"}) : null;
  }

  /** Rows of a number and a text, in one row's memory, as Spark has them. */
  private static Iterator<Object> rows(String... texts) {
    UnsafeRowWriter out = new UnsafeRowWriter(2);
    return new AbstractIterator<Object>() {
      private int at;

      @Override
      public boolean hasNext() {
        return at < texts.length;
      }

      @Override
      public Object next() {
        out.reset();
        out.zeroOutNullBytes();
        out.write(0, (long) at);
        out.write(1, UTF8String.fromString(texts[at++]));
        return out.getRow();
      }
    };
  }

  private static int drain(Iterator<Object> of) {
    int count = 0;
    for (; of.hasNext(); count++) {
      of.next();
    }
    return count;
  }

  /** Pairs with these keys, each of which takes so many milliseconds to make. */
  private Iterator<Object> pairs(String[] keys, long[] millis) {
    return new AbstractIterator<Object>() {
      private int at;

      @Override
      public boolean hasNext() {
        return at < keys.length;
      }

      @Override
      public Object next() {
        now += millis[at] * MILLI;
        return new Tuple2<>(keys[at++], "value");
      }
    };
  }

  private static Iterator<Object> elements(Object... of) {
    return new AbstractIterator<Object>() {
      private int at;

      @Override
      public boolean hasNext() {
        return at < of.length;
      }

      @Override
      public Object next() {
        return of[at++];
      }
    };
  }

  @Test
  void wantsTheTasksThatItWasTold() {
    assertTrue(desk.wants(task));
    assertFalse(new KeyDesk("3:17,13:7,7:3", false, this, () -> this, () -> now, this::keys).wants(task));
  }

  @Test
  void showsKeysOnATerminalAlone(@TempDir Path folder) throws Exception {
    assertTrue(KeyDesk.isTerminal(Files.createSymbolicLink(folder.resolve("a"), Paths.get("/dev/pts/3"))));
    assertFalse(KeyDesk.isTerminal(Files.createSymbolicLink(folder.resolve("b"), folder.resolve("spark.log"))));
    assertFalse(KeyDesk.isTerminal(Files.createSymbolicLink(folder.resolve("c"), Paths.get("pipe:[4711]"))));
    assertFalse(KeyDesk.isTerminal(folder.resolve("none")));
  }

  @Test
  void namesWhatTookLong() {
    String[] keys = {"first", "made", "quick", "used", "paused", "last"};
    Iterator<Object> seen = desk.see(task, pairs(keys, new long[] {5000, 150, 99, 1, 200, 3}));
    long[] used = {20, 30, 0, 400, 0, 100};
    for (int i = 0; seen.hasNext(); i++) {
      assertEquals(keys[i], ((Tuple2<?, ?>) seen.next())._1());
      now += used[i] * MILLI;
      gc += keys[i].equals("paused") ? 101 : 0;
    }
    assertFalse(seen.hasNext());
    assertEquals(1, closed);
    List<String> rest = new ArrayList<>();
    for (String json : told) {
      assertTrue(json.startsWith("{\"version\":1,\"kind\":\"dwell\",\"stage_id\":3,\"attempt\":5,\"task_id\":13,\"partition\":7,\"reading_ms\":1003,\"records\":6,"), json);
      assertFalse(json.contains("used") || json.contains("made"), json);
      rest.add(json.replaceAll(".*\"what\":\"key\",", "").replaceAll(",\"key\":\"[0-9a-f]{8}\",", " ").replaceAll("\"", ""));
    }
    assertEquals(Arrays.asList(
        "at:2,shuffle:true,net_ms:180,cpu_ms:90,gc_ms:0,queue_ms:0 group_rows:0}", "at:4,shuffle:true,net_ms:401,cpu_ms:200,gc_ms:0,queue_ms:0 group_rows:0}",
        "at:6,shuffle:true,net_ms:103,cpu_ms:51,gc_ms:0,queue_ms:0 group_rows:0}"), rest);
  }

  @Test
  void namesKeysOfATaskThatWantsNoMore() {
    Iterator<Object> seen = desk.see(task, pairs(new String[] {"first", "slow", "never"}, new long[3]));
    seen.next();
    seen.next();
    now += 250 * MILLI;
    task.end();
    task.end();
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains("\"at\":2,") && told.get(0).contains("\"net_ms\":250,"), told.get(0));
    assertEquals(1, closed);
  }

  @Test
  void countsKeysThatItCannotName() {
    Object unnamed = new byte[] {1};
    Iterator<Object> seen = desk.see(task, elements(new Tuple2<>("first", 1), new Tuple2<>(unnamed, 1), null, new Tuple2<>("next", 1)));
    for (int i = 0; seen.hasNext(); i++) {
      seen.next();
      now += new int[] {0, 150, 150, 0}[i] * MILLI;
    }
    assertEquals(Arrays.asList(), told);
    assertEquals(2, dropped);
  }

  @Test
  void keepsTheSlowestAndCountsTheOthers() {
    Object[] pairs = new Object[70];
    Arrays.setAll(pairs, i -> new Tuple2<>(i, 1));
    for (Iterator<Object> seen = desk.see(task, elements(pairs)); seen.hasNext();) {
      int key = (Integer) ((Tuple2<?, ?>) seen.next())._1();
      now += (key < 6 ? 100 : 101) * MILLI;
    }
    assertEquals(64, told.size());
    assertTrue(told.stream().allMatch(json -> json.contains("\"net_ms\":101,")), told.toString());
    assertEquals(6, dropped);
  }

  /** When a task has ended, its operators may have freed the row that it was at. */
  @Test
  void leavesARowAloneWhenTheTaskHasEnded() {
    UnsafeRow freed = new UnsafeRow(2);
    Iterator<Object> seen = desk.see(task, elements(new Tuple2<>("first", 1), freed, new Tuple2<>("never", 1)));
    seen.next();
    seen.next();
    freed.pointTo(null, 8, 32); // to read there ends the JVM
    now += 150 * MILLI;
    task.end();
    assertEquals(Arrays.asList(), told);
    assertEquals(1, dropped);
  }

  @Test
  void namingAKeyIsNotTheNextOnesTime() {
    Object slow = new MutablePair<Object, Object>("slow", 1) {
      @Override
      public Object _1() {
        now += 5000 * MILLI;
        return super._1();
      }
    };
    Iterator<Object> seen = desk.see(task, elements(new Tuple2<>("first", 1), slow, new Tuple2<>("next", 1)));
    for (int i = 0; seen.hasNext(); i++) {
      seen.next();
      now += new int[] {0, 150, 0}[i] * MILLI;
    }
    assertEquals(1, told.size(), told.toString());
    assertTrue(told.get(0).contains("\"at\":2,") && told.get(0).contains("\"net_ms\":150,"), told.get(0));
  }

  @Test
  void whatMakesTheFirstElementIsNotItsOwn() {
    Iterator<Object> seen = desk.see(task, new AbstractIterator<Object>() {
      @Override
      public boolean hasNext() {
        return now == 0;
      }

      @Override
      public Object next() {
        now += 5000 * MILLI; // of which half is CPU
        gc += 300;
        return new Tuple2<>("first", 1);
      }
    });
    assertTrue(seen.hasNext());
    seen.next();
    now += 200 * MILLI;
    assertFalse(seen.hasNext());
    assertEquals(1, told.size(), told.toString());
    assertTrue(told.get(0).contains("\"net_ms\":200,\"cpu_ms\":100,\"gc_ms\":0,"), told.get(0));
  }

  /** Of equal keys none is shown. */
  @Test
  void showsSlowKeysIfToldTo() {
    String[] keys = {"first", "slow", "usual", "last"};
    for (boolean shows : new boolean[] {false, true}) {
      KeyDesk desk = new KeyDesk("3:7", shows, this, () -> this, () -> now, this::keys);
      for (Iterator<Object> seen = desk.see(task, pairs(keys, new long[keys.length])); seen.hasNext();) {
        now += (seen.next().toString().contains("slow") ? 2500 : 120) * MILLI;
      }
    }
    assertEquals(8, said.size());
    said.removeIf(line -> line == null);
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).matches("stage 3 partition 7: 2.50 s for slow \\(key [0-9a-f]{8}\\)"), said.get(0));
  }

  /** The desk's thread looks every 20 ms at a task that takes 150 ms for each element. */
  @Test
  void whatItsStacksExplainIsNoKey() {
    DwellKind[] kinds = {DwellKind.RECORD, DwellKind.SPILL, DwellKind.RECORD, DwellKind.PYTHON, DwellKind.FETCH, DwellKind.NEXT};
    Object[] pairs = new Object[kinds.length];
    Arrays.setAll(pairs, i -> new Tuple2<>(i, 1));
    int i = 0;
    for (Iterator<Object> seen = desk.see(task, elements(pairs)); seen.hasNext(); i++) {
      seen.next();
      for (int at = 0; at < 15; at++) {
        now += 10 * MILLI;
        if (watch.wantsStack(now)) {
          watch.stack(now, kinds[i], false);
        }
      }
    }
    assertEquals(2, apart);
    assertEquals(4, told.size(), told.toString());
    assertFalse(watch.wantsStack(now + 1000 * MILLI), "the last is over");
  }

  /** Any of the rows that a Python worker hands back together may be the slow one. */
  @Test
  void ofRowsThatPythonMadeTogetherNoneIsNamed() {
    LongAccumulator[] back = new LongAccumulator[2]; // bytes and rows
    for (int i = 0; i < back.length; i++) {
      back[i] = new LongAccumulator();
      back[i].metadata_$eq(new AccumulatorMetadata(9 + i, Option.apply(i == 0 ? "data returned from Python workers" : "number of output rows"), false));
      metrics.registerAccumulator(back[i]);
    }
    DwellKind[] kinds = {DwellKind.RECORD, DwellKind.PYTHON, DwellKind.PYTHON, DwellKind.RECORD};
    int i = 0;
    for (Iterator<Object> seen = desk.see(task, pairs(new String[] {"first", "alone", "of many", "last"}, new long[kinds.length])); seen.hasNext(); i++) {
      seen.next();
      now += 150 * MILLI;
      if (watch.wantsStack(now)) {
        watch.stack(now, kinds[i], false);
      }
      if (i == 2) { // of 20 bytes each, so that 32 batches of a hundred fit the buffer
        back[0].add(8000);
        back[1].add(400);
      }
    }
    assertEquals(3, told.size(), told.toString());
    assertEquals(1, dropped);
  }

  /** A task goes on, and its keys are told no more; the failure's text may be a key's. */
  @Test
  void countsATaskWhoseKeysItCannotTime() {
    Object bad = new MutablePair<Object, Object>("bad", 1) {
      @Override
      public Object _1() {
        throw new IllegalArgumentException("bad");
      }
    };
    int count = 0;
    for (Iterator<Object> seen = desk.see(task, elements(new Tuple2<>("first", 1), bad, bad, new Tuple2<>("last", 1))); seen.hasNext();) {
      seen.next();
      count++;
      now += 250 * MILLI;
    }
    assertEquals(4, count);
    assertEquals(Arrays.asList("java.lang.IllegalArgumentException"), failures);
    assertEquals(Arrays.asList(), told);
    assertEquals(1, closed);
  }

  @Test
  void namesTheKeyOfMostRows() {
    String[] texts = new String[3000];
    Arrays.setAll(texts, i -> i % 3 == 0 ? "key " + i : "often");
    assertEquals(3000, drain(desk.count(task, 4, rows(texts))));
    task.end();
    assertEquals(1, told.size(), told.toString());
    assertTrue(told.get(0).startsWith("{\"version\":1,\"kind\":\"dwell\",\"stage_id\":3,\"attempt\":5,\"task_id\":13,\"partition\":7,\"reading_ms\":0,\"records\":3000,"), told.get(0));
    assertTrue(told.get(0).matches(".*\"what\":\"rows\",\"at\":3000,\"shuffle\":true,\"key\":\"[0-9a-f]{8}\",\"group_rows\":2000}"), told.get(0));
    assertNull(said.get(0));

    desk = new KeyDesk("3:7", true, this, () -> this, () -> now, this::keys);
    drain(desk.count(task, 4, rows(texts)));
    assertTrue(said.get(1).matches("stage 3 partition 7: 2000 of 3000 rows are of often \\(key [0-9a-f]{8}\\)"), said.get(1));
  }

  @Test
  void namesTheKeyOfATaskThatWantsNoMoreRows() {
    String[] texts = new String[1500];
    Arrays.fill(texts, "often");
    Iterator<Object> seen = desk.count(task, 4, rows(texts));
    for (int i = 0; i < 1200; i++) {
      seen.next();
    }
    task.end();
    task.end();
    assertEquals(1, told.size());
    assertTrue(told.get(0).contains("\"records\":1200,") && told.get(0).endsWith("\"group_rows\":1200}"), told.get(0));
  }

  @Test
  void ofEvenRowsNoneIsNamed() {
    String[] texts = new String[6000];
    Arrays.setAll(texts, i -> "key " + i % 6);
    drain(desk.count(task, 4, rows(texts)));
    Iterator<Object> unknown = rows("often", "often");
    assertSame(unknown, desk.count(task, 5, unknown), "no plan has that shuffle");
    assertEquals(Arrays.asList(), told);
    assertEquals(Arrays.asList(), failures);
  }

  /** The task goes on. */
  @Test
  void countsATaskWhoseRowsItCannotCount() {
    assertEquals(2, drain(desk.count(task, 4, elements("no row", "no row"))));
    assertEquals(Arrays.asList("io.planflame.spark.shim.Members$NoSuchMember"), failures);
    assertEquals(Arrays.asList(), told);
  }

  @Test
  void namesTheLargestGroup() throws Exception {
    Object[] pairs = new Object[20];
    for (int i = 0; i < pairs.length; i++) {
      CompactBuffer<Object> group = new CompactBuffer<>(ClassTag$.MODULE$.Object());
      for (int row = 0; row < (i == 7 ? 3000 : 10 + i % 2); row++) {
        group.$plus$eq(row);
      }
      pairs[i] = new Tuple2<>("key " + i, group);
    }
    drain(desk.see(task, elements(pairs)));
    assertEquals(1, told.size(), told.toString());
    assertTrue(told.get(0).contains("\"records\":3199,") && told.get(0).endsWith("\"group_rows\":3000}"), told.get(0));
  }
}

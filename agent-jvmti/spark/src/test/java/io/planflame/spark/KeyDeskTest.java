package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** Which elements of an iterator took long, with clocks that the test sets. */
class KeyDeskTest implements WatchedTask.Clocks {
  private static final long MILLI = 1_000_000L;

  private long now;
  private long gc; // ms
  private final List<String> told = new ArrayList<>();
  private final FakeTask task = new FakeTask(null); // stage 3, partition 7
  private final KeyDesk desk = new KeyDesk("3:6,3:7", false, json -> told.add(new String(json, StandardCharsets.UTF_8)), () -> this, () -> now);
  private int closed;

  @Override
  public TaskClocks read() {
    return new TaskClocks(now, now / 2, 0, gc);
  }

  @Override
  public void close() {
    closed++;
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

  @Test
  void wantsTheTasksThatItWasTold() {
    assertTrue(desk.wants(task));
    assertFalse(new KeyDesk("3:17,13:7,7:3", false, json -> {}, () -> this, () -> now).wants(task));
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
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class PositionsTest {
  private static final long MILLI = 1_000_000L;

  private final Positions positions = new Positions();
  private long now = -5_000 * MILLI; // System.nanoTime may be anything

  /** Works on records for so long each, and looks every 20 ms. */
  private void work(long first, long last, double millisEach) {
    double at = 0;
    double next = 0;
    for (long record = first; record <= last; record++) {
      for (at += millisEach; next < at; next += 20) {
        positions.see(now + (long) (next * MILLI), record);
      }
    }
    now += (long) (at * MILLI);
  }

  private String half(long records) {
    Positions.Range half = positions.half(records, 0);
    return half == null ? null : half.first + "-" + half.last;
  }

  @Test
  void findsTheFewRecordsThatTookHalfOfTheTime() {
    work(1, 50_000, 0.01); // 0.5 s
    work(50_001, 51_000, 4); // 4 s
    work(51_001, 100_000, 0.01); // 0.5 s
    Positions.Range half = positions.half(100_000, 0);
    assertEquals(50_500, (half.first + half.last) / 2, 300);
    assertEquals(625, half.last - half.first, 60, "half of five seconds, at 4 ms each");
  }

  /** Of a batch the last record is counted when the first is worked on. */
  @Test
  void beginsWithTheBatchOfTheFirst() {
    work(1, 50_000, 0.01);
    work(50_001, 51_000, 4);
    work(51_001, 100_000, 0.01);
    Positions.Range half = positions.half(100_000, 0);
    Positions.Range batches = positions.half(100_000, 4095);
    assertEquals(half.first - 4095, batches.first);
    assertEquals(half.last, batches.last);
    assertEquals(1, positions.half(300_000, 60_000).first);
    assertNull(positions.half(100_000, 30_000), "more than a fourth");
  }

  @Test
  void tellsNothingOfRecordsThatCostTheSame() {
    work(1, 100_000, 0.05);
    assertNull(half(100_000));
  }

  @Test
  void tellsNothingOfOneRecord() {
    work(1, 50_000, 0.01);
    work(50_001, 50_001, 4000);
    work(50_002, 100_000, 0.01);
    assertNull(half(100_000), "a dwell is of it");
  }

  @Test
  void countsNoTimeBeforeTheFirstRecordAndAfterTheLast() {
    work(0, 0, 5000);
    work(1, 100, 50);
    work(101, 100_000, 0.03);
    work(100_000, 100_000, 9000);
    String half = half(100_000);
    assertEquals("1-", half.substring(0, 2), half);
    assertEquals(80, Long.parseLong(half.substring(2)), 10, "four of eight seconds, at 50 ms each");
  }

  @Test
  void tellsNothingOfShortTasks() {
    work(1, 1000, 0.01);
    work(1001, 1100, 5);
    assertNull(half(2000), "half a second");
  }

  @Test
  void looksThatAreLateCountOnce() {
    for (int i = 0; i < 100; i++) {
      positions.see(now, 1 + i);
      now += 500 * MILLI;
    }
    assertNull(half(101), "all cost the same");
  }

  @Test
  void forgetsWhatItCounted() {
    work(1, 100, 40);
    positions.clear();
    work(1, 100_000, 0.05);
    assertNull(half(100_000));
  }
}

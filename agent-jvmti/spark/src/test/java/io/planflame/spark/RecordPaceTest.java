package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RecordPaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final RecordPace pace = new RecordPace(SECOND, 5 * MILLI);

  /** The period after a second with so much CPU, in microseconds each. */
  private long after(long cpu) {
    at += SECOND;
    used += cpu * 1000;
    pace.tell(at, used);
    return Math.round(pace.period() / 1000.0);
  }

  private long at = SECOND;
  private long used = 5 * MILLI;

  @Test
  void growsBeyondTheBudgetAndShrinksWithin() {
    assertEquals(20 * MILLI, pace.period());
    assertFalse(pace.isDue(2 * SECOND - 1));
    assertTrue(pace.isDue(2 * SECOND));
    assertEquals(40_000, after(1800), "twice what the budget allows");
    assertEquals(40_000, after(900));
    assertEquals(30_000, after(675), "three quarters of it");
    assertEquals(20_000, after(450), "the shortest");
    assertEquals(20_000, after(0));
    assertEquals(100_000, after(90_000), "the longest");
    assertEquals(50_000, after(1), "half at once");
  }

  @Test
  void growsFurtherInALongRun() {
    for (int i = 1; i < 60; i++) {
      after(90_000);
    }
    assertEquals(100_000, after(0) * 2, "a minute");
    assertEquals(200_000, after(90_000), "the longest");
  }

  @Test
  void tellsTheFirstTenSecondsApart() {
    for (int i = 1; i < 10; i++) {
      after(900);
    }
    assertEquals(0, pace.firstElapsed());
    after(1900);
    assertEquals(10 * SECOND, pace.firstElapsed());
    assertEquals(10 * MILLI, pace.firstCpu());
    after(900);
    assertEquals(10 * SECOND, pace.firstElapsed());
    assertEquals(10 * MILLI, pace.firstCpu());
  }
}

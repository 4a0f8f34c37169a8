package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RecordPaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private final RecordPace pace = new RecordPace(0, 0);

  @Test
  void growsBeyondTheBudgetAndShrinksWithin() {
    assertEquals(20 * MILLI, pace.period());
    pace.tell(SECOND - 1, SECOND); // it is not asked yet
    assertEquals(20 * MILLI, pace.period());
    pace.tell(SECOND, MILLI + 1);
    assertEquals(40 * MILLI, pace.period());
    pace.tell(2 * SECOND, 2 * MILLI + 1); // just the budget
    assertEquals(40 * MILLI, pace.period());
    pace.tell(3 * SECOND, 2 * MILLI + 460_001); // with half the period it would be 0.92 of it
    assertEquals(40 * MILLI, pace.period());
    pace.tell(4 * SECOND, 2 * MILLI + 900_000);
    assertEquals(20 * MILLI, pace.period());
    pace.tell(5 * SECOND, 2 * MILLI + 900_000);
    assertEquals(20 * MILLI, pace.period(), "the shortest");
    for (int i = 6; i < 12; i++) {
      pace.tell(i * SECOND, i * SECOND);
    }
    assertEquals(160 * MILLI, pace.period(), "the longest");
  }
}

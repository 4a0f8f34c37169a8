package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RunTimesTest {
  private static RunTimes of(long... millis) {
    RunTimes runs = new RunTimes();
    for (long one : millis) {
      runs.add(one);
    }
    return runs;
  }

  @Test
  void theMedianIsTheMiddleOneTheLowerOfTwo() {
    assertEquals(0, of().median());
    assertEquals(7, of(7).median());
    assertEquals(3, of(9, 3).median());
    assertEquals(5, of(5, 100, 1).median());
    assertEquals(100, of(5, 100, 1).max());
  }

  @Test
  void itIsExactUpToTheBound() {
    RunTimes runs = new RunTimes();
    for (int i = RunTimes.KEPT; i > 0; i--) {
      runs.add(i);
    }
    assertEquals(RunTimes.KEPT / 2, runs.median());
  }

  /**
   * The median of a sample of 4,096 has a standard error of 0.5 / 64 of the ranks: 1 in 30 is four
   * of them.
   */
  @Test
  void itIsThatOfASampleBeyond() {
    RunTimes runs = new RunTimes();
    for (int i = 1; i <= 300_000; i++) {
      runs.add(i);
    }
    assertEquals(300_000, runs.max());
    assertEquals(150_000, runs.median(), 10_000);
  }
}

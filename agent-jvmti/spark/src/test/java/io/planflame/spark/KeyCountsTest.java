package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class KeyCountsTest {
  private final KeyCounts<Integer> counts = new KeyCounts<>();
  private int copied;

  private void add(int key) {
    counts.add(key, kept -> {
      copied++;
      return kept;
    });
  }

  @Test
  void countsFewKeysExactly() {
    assertNull(counts.largest());
    for (int i = 0; i < 1000; i++) {
      add(i % 10 == 0 ? i : 1);
    }
    assertEquals(1, counts.largest().getKey());
    assertEquals(900, counts.largest().getValue()[0]);
    assertEquals(1000, counts.all());
    assertEquals(101, copied);
    assertTrue(counts.stands(900));
    assertFalse(counts.stands(40), "of 101 keys, four times the mean of the others"); // 40 × 100 < 10 × 960
  }

  /** A tenth of a million rows has one key, and every other row another. */
  @Test
  void findsAKeyAmongManyMore() {
    int rows = 1_000_000;
    for (int i = 0; i < rows; i++) {
      add(i % 10 == 0 ? -1 : i);
    }
    assertEquals(-1, counts.largest().getKey());
    long found = counts.largest().getValue()[0];
    assertTrue(found <= rows / 10 && found >= rows / 10 - rows / KeyCounts.KEPT, String.valueOf(found));
    assertTrue(counts.stands(found));
    assertFalse(counts.stands(1));
  }

  @Test
  void aLonelyKeyOfManyRowsStandsOut() {
    for (int i = 0; i < 999; i++) {
      add(3);
    }
    assertFalse(counts.stands(999), "too few to take time");
    add(3);
    assertTrue(counts.stands(counts.largest().getValue()[0]));
  }
}

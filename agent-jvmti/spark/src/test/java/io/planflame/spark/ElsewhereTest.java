package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ElsewhereTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Elsewhere elsewhere = new Elsewhere();
  private final List<String> found = new ArrayList<>();

  private void answer(long[] asked, long now, long... owners) {
    DictionaryAnswer answer = new DictionaryAnswer();
    answer.setOwners(owners);
    elsewhere.take(asked, answer, now, (execution, accumulator) -> found.add(execution + " has " + accumulator));
  }

  @Test
  void anOwnerIsFoundOnce() {
    elsewhere.want(new TreeSet<>(Arrays.asList(30L, 40L)), 0);
    assertTrue(elsewhere.busy());
    assertFalse(elsewhere.settled(Collections.singleton(30L), 9));
    assertArrayEquals(new long[] {30, 40}, elsewhere.due(0));
    answer(new long[] {30, 40}, 0, 7, DictionaryAnswer.NO_OWNER);
    assertEquals(Arrays.asList("7 has 30"), found);
    assertArrayEquals(new long[0], elsewhere.due(SECOND / 100), "too early");
    assertArrayEquals(new long[] {40}, elsewhere.due(SECOND));
    elsewhere.want(Collections.singleton(30L), SECOND);
    assertArrayEquals(new long[] {40}, elsewhere.due(SECOND), "it is known");
    assertTrue(elsewhere.settled(Collections.singleton(30L), 9));
    assertFalse(elsewhere.settled(Collections.singleton(30L), 7), "its own plan is to be read again");
  }

  @Test
  void anAccumulatorOfNoPlanIsLetGo() {
    elsewhere.want(Collections.singleton(30L), 0);
    for (int i = 0; i < Elsewhere.MAX_FRUITLESS; i++) {
      assertTrue(elsewhere.busy());
      answer(elsewhere.due(i * 2 * SECOND), i * 2 * SECOND, DictionaryAnswer.NO_OWNER);
    }
    assertFalse(elsewhere.busy());
    assertArrayEquals(new long[0], elsewhere.due(1000 * SECOND));
    assertTrue(elsewhere.settled(Collections.singleton(30L), 9));
  }

  @Test
  void anOlderDriverTellsNone() {
    elsewhere.want(Collections.singleton(30L), 0);
    answer(new long[] {30}, 0);
    assertEquals(Collections.emptyList(), found);
    assertTrue(elsewhere.busy());
  }

  @Test
  void aQuestionIsBounded() {
    TreeSet<Long> many = new TreeSet<>();
    for (long id = 0; id <= Elsewhere.MAX_ASKED; id++) {
      many.add(id);
    }
    elsewhere.want(many, 0);
    long[] first = elsewhere.due(0);
    assertEquals(Elsewhere.MAX_ASKED, first.length);
    answer(first, 0);
    assertArrayEquals(new long[] {Elsewhere.MAX_ASKED}, elsewhere.due(0));
  }
}

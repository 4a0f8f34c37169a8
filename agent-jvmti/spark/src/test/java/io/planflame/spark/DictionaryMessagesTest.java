package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DictionaryMessagesTest {
  @Test
  void questionComesBack() {
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(7, 3);
    question.add(11, 0);
    question.addEnd(13);
    question.addHomeless(new long[] {70, 60});
    question.stages.addAll(Arrays.asList(17, 19));
    DictionaryQuestion back = DictionaryQuestion.decode(question.encode());
    assertEquals(3, back.items.size());
    assertArrayEquals(new long[] {70, 60}, back.homeless());
    assertEquals(7, back.items.get(0).executionId);
    assertEquals(3, back.items.get(0).from);
    assertEquals(11, back.items.get(1).executionId);
    assertFalse(back.items.get(1).endOnly);
    assertEquals(13, back.items.get(2).executionId);
    assertTrue(back.items.get(2).endOnly);
    assertEquals(Arrays.asList(17, 19), back.stages);
  }

  @Test
  void answerComesBack() {
    DictionaryAnswer answer = new DictionaryAnswer();
    answer.add(7, 3, new ExecutionPlans.End(true, 5_000_000_001L), Arrays.asList(new byte[] {1, 2}, new byte[] {5}), new TreeSet<>(Arrays.asList(40L, 30L)));
    answer.add(8, 0, null, Collections.emptyList(), Collections.emptySet());
    answer.setOwners(new long[] {12, DictionaryAnswer.NO_OWNER});
    answer.stages.addAll(Arrays.asList(new byte[] {9}, null));
    DictionaryAnswer back = DictionaryAnswer.decode(answer.encode());
    DictionaryAnswer.Item first = back.items.get(0);
    assertEquals(7, first.executionId);
    assertEquals(3, first.first);
    assertTrue(first.over);
    assertTrue(first.failed);
    assertEquals(5_000_000_001L, first.endUnixNanos);
    assertArrayEquals(new byte[] {5}, first.dictionaries[1]);
    assertEquals(Collections.singleton(31L), first.unknown(new TreeSet<>(Arrays.asList(30L, 31L, 40L))));
    assertEquals(12, back.owner(0));
    assertEquals(DictionaryAnswer.NO_OWNER, back.owner(1));
    assertFalse(back.items.get(1).over);
    assertArrayEquals(new byte[] {9}, back.stages.get(0));
    assertEquals(null, back.stages.get(1));
  }

  @Test
  void whatHasNoRoomIsLeftToTheNextAnswer() {
    DictionaryAnswer answer = new DictionaryAnswer();
    answer.add(7, 3, null, Arrays.asList(new byte[DictionaryAnswer.MAX_BYTES - 1], new byte[] {1, 2}, new byte[] {5}), Collections.singleton(30L));
    answer.add(8, 0, null, Collections.singletonList(new byte[] {7}), Collections.emptySet());
    answer.add(9, 4, null, Collections.emptyList(), Collections.emptySet());
    DictionaryAnswer back = DictionaryAnswer.decode(answer.encode());
    assertEquals(2, back.items.get(0).dictionaries.length);
    assertTrue(back.items.get(0).more);
    assertArrayEquals(new long[] {30}, back.items.get(0).accumulators);
    assertEquals(0, back.items.get(1).dictionaries.length);
    assertTrue(back.items.get(1).more);
    assertFalse(back.items.get(2).more);
  }

  @Test
  void foreignMessagesAreRefusedWithTheReason() {
    assertMessage("not a message of planflame: java.lang.String", "hello");
    assertMessage("not a message of planflame: null", null);
    assertMessage("not a message of planflame: [Ljava.lang.Object;", new Object[] {"planflame", 2});
    assertMessage("message version 1, want 2: driver and executors run different jars", message(1, new long[0]));
    assertMessage("question names 1 executions and 0 updates", message(2, new long[1]));
  }

  private static Object message(int version, long[] executions) {
    return new Object[] {"planflame", version, executions, new int[0], new boolean[0], new long[0], new int[0]};
  }

  private static void assertMessage(String want, Object message) {
    String got = assertThrows(IllegalArgumentException.class, () -> DictionaryQuestion.decode(message)).getMessage();
    assertTrue(got.startsWith(want), got);
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The desk against a driver that answers what each test says; time is a number that the test advances. */
class DictionaryDeskTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final List<String> asked = new ArrayList<>();
  private final List<byte[]> driverHas = new ArrayList<>();
  private final Set<Long> driverKnows = new HashSet<>();
  private boolean over;
  private boolean unreachable;
  private final DictionaryDesk desk = new DictionaryDesk(this::answer);

  private DictionaryAnswer answer(DictionaryQuestion question) throws Exception {
    DictionaryAnswer answer = new DictionaryAnswer();
    for (DictionaryQuestion.Item item : question.items) {
      asked.add(item.executionId + " from " + item.from);
      answer.add(item.executionId, item.from, over, driverHas.subList(item.from, driverHas.size()), driverKnows);
    }
    if (unreachable) {
      throw new java.io.IOException("connection refused");
    }
    return answer;
  }

  private static Set<Long> ids(Long... ids) {
    return new HashSet<>(Arrays.asList(ids));
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.CALLS.clear();
  }

  @Test
  void asksOnceWhenThePlanKnowsTheStage() {
    driverHas.add("{}".getBytes(StandardCharsets.UTF_8));
    driverKnows.addAll(ids(3L, 5L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    desk.poll(60 * SECOND);
    assertEquals(Arrays.asList("9 from 0"), asked);
    assertEquals(Arrays.asList("dictionary 9 0 {}"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  @Test
  void asksForTheNextUpdateWhenAStageHasUnknownAccumulators() {
    driverHas.add("{}".getBytes(StandardCharsets.UTF_8));
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L, 4L), 0);
    desk.poll(0);
    desk.poll(SECOND / 100); // too early
    driverHas.add("[]".getBytes(StandardCharsets.UTF_8));
    driverKnows.addAll(ids(4L));
    desk.poll(SECOND);
    assertEquals(Arrays.asList("9 from 0", "9 from 1"), asked);
    assertEquals(Arrays.asList("dictionary 9 0 {}", "dictionary 9 1 []"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  @Test
  void givesUpOnAnUnreachableDriverAndCountsIt() {
    unreachable = true;
    desk.want(9, ids(3L), 0);
    for (int second = 0; second < 200; second++) {
      desk.poll(second * SECOND);
    }
    assertEquals(20, asked.size());
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
  }

  @Test
  void anExecutionThatIsOverUnseenIsCountedAtOnce() {
    over = true;
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
  }

  @Test
  void replayWritesEverythingAgain() {
    driverHas.add("{}".getBytes(StandardCharsets.UTF_8));
    desk.want(9, ids(), 0);
    desk.poll(0);
    desk.replay();
    assertEquals(Arrays.asList("dictionary 9 0 {}", "dictionary 9 0 {}"), NativeAgent.CALLS);
    assertTrue(asked.size() == 1);
  }

  @Test
  void anExecutionIsCountedOnceHoweverOftenItIsGivenUp() {
    over = true;
    for (long stage = 0; stage < 3; stage++) {
      desk.want(9, ids(stage), stage * SECOND);
      desk.poll(stage * SECOND);
    }
    desk.flush(9 * SECOND);
    assertEquals(3, asked.size());
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
  }

  @Test
  void oneQuestionNamesABoundedNumberOfExecutions() {
    for (long execution = 0; execution < DictionaryDesk.MAX_ASKED + 5; execution++) {
      desk.want(execution, ids(3L), 0);
    }
    desk.poll(0);
    assertEquals(DictionaryDesk.MAX_ASKED, asked.size());
    desk.poll(0);
    assertEquals(DictionaryDesk.MAX_ASKED + 5, asked.size(), "the others come next");
  }

  @Test
  void theLastLookAsksForAllAndCountsWhatIsMissing() {
    unreachable = true;
    desk.want(9, ids(3L), 0);
    desk.poll(0); // the next question would be due later
    desk.ending();
    desk.flush(1);
    desk.flush(2);
    assertEquals(Arrays.asList("9 from 0", "9 from 0"), asked);
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }
}

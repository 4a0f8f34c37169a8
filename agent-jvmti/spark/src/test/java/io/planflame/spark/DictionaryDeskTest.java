package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The desk against a driver that answers what each test says; time is a number that the test
 * advances.
 */
class DictionaryDeskTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final List<String> asked = new ArrayList<>();
  private final List<byte[]> driverHas = new ArrayList<>();
  private final Set<Long> driverKnows = new HashSet<>();
  private boolean over;
  private boolean unreachable;
  private long owner = DictionaryAnswer.NO_OWNER; // of every accumulator that is asked for
  private final DictionaryDesk desk = new DictionaryDesk(new DriverCall(this::answer, Runnable::run), false, this::settle);
  private boolean failed;
  private boolean rowsHaveRoom = true;

  private DictionaryAnswer answer(DictionaryQuestion question) throws Exception {
    DictionaryAnswer answer = new DictionaryAnswer();
    for (DictionaryQuestion.Item item : question.items) {
      ExecutionPlans.End end = over ? new ExecutionPlans.End(failed, 77) : null;
      if (item.endOnly) {
        asked.add(item.executionId + " over?");
        answer.add(item.executionId, 0, end, Collections.emptyList(), Collections.emptySet());
        continue;
      }
      asked.add(item.executionId + " from " + item.from);
      answer.add(item.executionId, item.from, end, driverHas.subList(item.from, driverHas.size()), driverKnows);
    }
    long[] owners = new long[question.homeless().length];
    Arrays.fill(owners, owner);
    answer.setOwners(owners);
    if (unreachable) {
      throw new java.io.IOException("connection refused");
    }
    return answer;
  }

  private boolean settle(long execution, long now) {
    NativeAgent.CALLS.add("settle " + execution);
    return rowsHaveRoom;
  }

  private static byte[] deflated(String text) {
    return Deflated.of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Five plans that the agent takes. Neither one answer nor the replays have room for more. */
  private static List<byte[]> large() {
    byte[] text = new byte[4_000_000];
    Random random = new Random(7);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) random.nextInt(128);
    }
    return Collections.nCopies(5, Deflated.of(text));
  }

  private static Set<Long> ids(Long... ids) {
    return new HashSet<>(Arrays.asList(ids));
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.reset();
  }

  @Test
  void asksOnceWhenThePlanKnowsTheStage() {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L, 5L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    desk.poll(SECOND / 100);
    assertEquals(Arrays.asList("9 from 0"), asked);
    assertEquals(Arrays.asList("dictionary 9 0 {}"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  @Test
  void getsThePlanOfAnotherExecutionWhoseCodeAStageRuns() {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    owner = 7;
    desk.want(9, ids(3L, 30L), 0);
    desk.poll(0); // 9 does not know 30
    desk.poll(SECOND); // 7 has it
    driverKnows.add(30L); // in 7, and for this test in 9
    desk.poll(2 * SECOND);
    assertEquals(Arrays.asList("9 from 0", "9 from 1", "9 over?", "7 from 0"), asked);
    assertEquals(Arrays.asList("dictionary 9 0 {}", "dictionary 7 0 {}"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  @Test
  void aStageOfNoExecutionAsksWhoseCodeItRuns() {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(30L));
    owner = 7;
    desk.want(-1, ids(30L), 0);
    assertTrue(desk.busy());
    desk.poll(0);
    desk.poll(SECOND);
    assertEquals(Arrays.asList("7 from 0"), asked);
    assertEquals(Arrays.asList("dictionary 7 0 {}"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  @Test
  void aDriverThatTakesItsTimeHoldsUpNobody() {
    List<Runnable> waiting = new ArrayList<>();
    DictionaryDesk slow = new DictionaryDesk(new DriverCall(this::answer, waiting::add), false, this::settle);
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    slow.want(9, ids(3L), 0);
    slow.poll(0);
    slow.want(10, ids(3L), SECOND);
    slow.poll(SECOND);
    assertEquals(1, waiting.size(), "one question at a time");
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
    assertTrue(slow.busy());
    waiting.remove(0).run();
    slow.poll(2 * SECOND);
    assertEquals(Arrays.asList("dictionary 9 0 {}"), NativeAgent.CALLS);
    slow.poll(3 * SECOND);
    waiting.remove(0).run();
    slow.poll(4 * SECOND);
    assertEquals("dictionary 10 0 {}", NativeAgent.CALLS.get(1));
    assertFalse(slow.busy());
  }

  @Test
  void theLastQuestionDoesNotWaitForOneThatIsOnItsWay() {
    DictionaryDesk slow = new DictionaryDesk(new DriverCall(this::answer, work -> { }), false, this::settle);
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    slow.want(9, ids(3L), 0);
    slow.poll(0);
    slow.flush(SECOND);
    assertEquals("dictionary 9 0 {}", NativeAgent.CALLS.get(0));
  }

  @Test
  void asksForTheNextUpdateWhenAStageHasUnknownAccumulators() {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L, 4L), 0);
    desk.poll(0);
    desk.poll(SECOND / 100); // too early
    driverHas.add(deflated("[]"));
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
    assertEquals(20, asked.stream().filter(a -> a.equals("9 from 0")).count());
    int asksNoMore = asked.size();
    assertTrue(asksNoMore < 50, asked.toString());
    desk.poll(1000 * SECOND);
    assertEquals(asksNoMore, asked.size());
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
  }

  @Test
  void anExecutionThatIsOverUnseenIsCountedAtOnce() {
    over = true;
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
  }

  /** Complete plans end the questions for plans, not the one whether it is over. */
  private void completeAt(long now) {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L), now);
    desk.poll(now);
    asked.clear();
    NativeAgent.CALLS.clear();
  }

  @Test
  void asksEverMoreSeldomWhetherItIsOver() {
    completeAt(0);
    List<Long> at = new ArrayList<>();
    for (long tenth = 0; tenth < 300; tenth++) {
      int before = asked.size();
      desk.poll(tenth * SECOND / 10);
      if (asked.size() > before) {
        at.add(tenth);
      }
    }
    assertEquals(Arrays.asList(4L, 12L, 28L, 60L, 110L, 160L, 210L, 260L), at);
    assertEquals(Collections.singleton("9 over?"), new HashSet<>(asked));
    assertFalse(desk.busy());
  }

  @Test
  void theEndIsWrittenOnceAfterTheRows() {
    completeAt(0);
    over = true;
    failed = true;
    for (long tenth = 0; tenth < 100; tenth++) {
      desk.poll(tenth * SECOND / 10);
    }
    assertEquals(Arrays.asList("9 over?"), asked);
    assertEquals(Arrays.asList("settle 9", "executionEnd 9 true 77"), NativeAgent.CALLS);
    desk.replay();
    desk.replayEnds();
    assertEquals(Arrays.asList("settle 9", "executionEnd 9 true 77", "dictionary 9 0 {}", "executionEnd 9 true 77"), NativeAgent.CALLS);
  }

  @Test
  void theEndWaitsForRoomForTheRows() {
    completeAt(0);
    over = true;
    rowsHaveRoom = false;
    desk.poll(SECOND);
    desk.poll(2 * SECOND);
    desk.poll(5 * SECOND / 2);
    assertEquals(Arrays.asList("settle 9"), NativeAgent.CALLS);
    rowsHaveRoom = true;
    desk.poll(3 * SECOND);
    desk.poll(4 * SECOND);
    assertEquals(Arrays.asList("settle 9", "settle 9", "executionEnd 9 false 77"), NativeAgent.CALLS);
  }

  @Test
  void withoutAReaderTheEndIsLeftToTheReplay() {
    completeAt(0);
    over = true;
    NativeAgent.sampling = false;
    NativeAgent.room = false;
    desk.poll(SECOND);
    desk.poll(2 * SECOND);
    desk.poll(9 * SECOND);
    assertEquals(Arrays.asList("settle 9", "executionEnd 9 false 77"), NativeAgent.CALLS);
    desk.replayEnds();
    assertEquals(3, NativeAgent.CALLS.size());
  }

  @Test
  void aNewStageMakesItAskSoonAgain() {
    completeAt(0);
    for (long second = 0; second < 30; second++) {
      desk.poll(second * SECOND);
    }
    asked.clear();
    desk.want(9, ids(3L), 30 * SECOND);
    desk.poll(30 * SECOND + SECOND / 5);
    assertEquals(Arrays.asList("9 over?"), asked);
  }

  @Test
  void theLastLookWritesTheEndAtOnce() {
    completeAt(0);
    over = true;
    desk.flush(1);
    assertEquals(Arrays.asList("settle 9", "executionEnd 9 false 77"), NativeAgent.CALLS);
  }

  @Test
  void aDriverInTheSameJvmIsAskedOften() {
    DictionaryDesk local = new DictionaryDesk(new DriverCall(this::answer, Runnable::run), true, this::settle);
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L));
    local.want(9, ids(3L), 0);
    assertTrue(local.awaitsEnds());
    for (long tenth = 0; tenth <= 100; tenth++) {
      local.poll(tenth * SECOND / 10);
    }
    assertEquals(51, asked.size(), "five times a second");
    over = true;
    local.hurryEnds(10 * SECOND + 1);
    assertFalse(local.awaitsEnds());
  }

  /**
   * Those that are over are forgotten first: a long query among many short ones keeps its plans and
   * gets its end. A new reader gets its plans last, as it may have no room for all.
   */
  @Test
  void aLongExecutionOutlivesManyShortOnes() {
    completeAt(0);
    over = true;
    for (long execution = 100; execution < 400; execution++) {
      desk.want(execution, ids(3L), SECOND / 10);
      desk.poll(SECOND / 10);
      desk.poll(SECOND / 2 - 1 - execution);
    }
    NativeAgent.CALLS.clear();
    desk.replay();
    assertTrue(NativeAgent.CALLS.contains("dictionary 9 0 {}"), NativeAgent.CALLS.toString());
    assertEquals(128, NativeAgent.CALLS.size());
    assertTrue(NativeAgent.CALLS.indexOf("dictionary 9 0 {}") > NativeAgent.CALLS.indexOf("dictionary 390 0 {}"), NativeAgent.CALLS.toString());
    assertTrue(desk.has(9));
    assertFalse(desk.has(100));
  }

  /**
   * Plans that are too large to keep are told once. The end of their execution is still asked for.
   */
  @Test
  void largePlansAreNotToldAgainAtEachStage() {
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L, 4L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    desk.want(9, ids(3L), SECOND);
    desk.poll(SECOND);
    assertEquals(Arrays.asList("9 from 0", "9 over?"), asked);
    desk.want(9, ids(4L), 2 * SECOND);
    desk.poll(2 * SECOND);
    assertEquals(Arrays.asList("9 from 0", "9 over?", "9 from 5"), asked);
    assertEquals(5, NativeAgent.CALLS.size());
  }

  @Test
  void aReplayGetsLargePlansAgain() {
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    NativeAgent.CALLS.clear();
    asked.clear();
    desk.replay();
    assertTrue(desk.has(9));
    assertEquals(0, NativeAgent.CALLS.size());
    desk.poll(SECOND);
    assertEquals(Arrays.asList("9 from 0"), asked);
    assertEquals(5, NativeAgent.CALLS.size());
  }

  @Test
  void aReplayCountsLargePlansOfAnExecutionThatIsOver() {
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L));
    over = true;
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    NativeAgent.CALLS.clear();
    desk.replay();
    desk.replay();
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
    assertFalse(desk.has(9));
    assertFalse(desk.busy());
  }

  /** The answer to a question from before the replay is not what the replay needs. */
  @Test
  void aReplayWhileTheDriverIsAskedAsksAgain() {
    List<Runnable> waiting = new ArrayList<>();
    DictionaryDesk slow = new DictionaryDesk(new DriverCall(this::answer, waiting::add), false, this::settle);
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L, 4L));
    slow.want(9, ids(3L), 0);
    slow.poll(0);
    waiting.remove(0).run();
    slow.poll(1); // takes the answer
    slow.want(9, ids(4L), 2);
    slow.poll(2);
    slow.replay();
    over = true;
    waiting.remove(0).run();
    slow.poll(3);
    slow.poll(4);
    waiting.remove(0).run();
    NativeAgent.CALLS.clear();
    slow.poll(5);
    assertEquals(Arrays.asList("9 from 0", "9 from 5", "9 from 0"), asked);
    assertEquals(5, NativeAgent.CALLS.size());
    assertTrue(NativeAgent.CALLS.get(0).startsWith("dictionary 9 0 "));
  }

  @Test
  void manyThatRunAreNotForgotten() {
    driverHas.add(deflated("{}"));
    driverKnows.addAll(ids(3L, 4L));
    for (long execution = 0; execution < 200; execution++) {
      desk.want(execution, ids(3L), 0);
      desk.poll(0);
    }
    asked.clear();
    desk.want(0, ids(4L), 0);
    desk.poll(0);
    assertEquals(Arrays.asList("0 from 1"), asked);
  }

  @Test
  void whatOneAnswerHasNoRoomForIsAskedForNext() {
    driverHas.addAll(large());
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    assertTrue(desk.busy());
    desk.poll(SECOND);
    assertFalse(desk.busy());
    desk.want(10, ids(3L), SECOND);
    desk.flush(SECOND);
    assertEquals(Arrays.asList("9 from 0", "9 from 5", "9 over?", "10 from 0", "9 over?", "10 from 5"), asked);
    assertEquals(20, NativeAgent.CALLS.size());
  }

  @Test
  void replayWritesEverythingAgain() {
    driverHas.add(deflated("{}"));
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
    assertEquals(Arrays.asList("dropped 0 1", "settle 9", "executionEnd 9 false 77"), NativeAgent.CALLS);
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
    assertEquals(Arrays.asList("9 from 0", "9 from 0", "9 over?"), asked);
    assertEquals(Arrays.asList("dropped 0 1"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  /** The driver keeps no plans of an execution that is over, if it has no room. */
  @Test
  void plansThatAreGoneBetweenTwoAnswersAreCounted() {
    driverHas.addAll(large());
    driverHas.addAll(large());
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L, 5L), 0);
    desk.poll(0);
    driverHas.subList(5, 10).clear();
    driverKnows.clear();
    over = true;
    desk.poll(SECOND);
    desk.poll(2 * SECOND);
    assertEquals(1, NativeAgent.CALLS.stream().filter("dropped 0 1"::equals).count());
  }

  @Test
  void aPlanThatTheAgentWouldNotTakeIsNotInflatedButCounted() {
    byte[] large = Deflated.of(new byte[(4 << 20) + 1]);
    driverHas.addAll(Arrays.asList(large, deflated("[]"), large));
    driverKnows.addAll(ids(3L));
    desk.want(9, ids(3L), 0);
    desk.poll(0);
    desk.replay();
    assertEquals(Arrays.asList("dropped 0 1", "dictionary 9 1 []", "dropped 0 1", "dictionary 9 1 []"), NativeAgent.CALLS);
  }
}

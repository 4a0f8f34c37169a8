package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StageInfoDeskTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final StageInfoDesk desk = new StageInfoDesk();

  @BeforeEach
  void forgetCalls() {
    NativeAgent.reset();
  }

  private List<Integer> due(long now) {
    DictionaryQuestion question = new DictionaryQuestion();
    desk.addDue(question, now, 3);
    return question.stages;
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void asksForEachStageOnceAndWritesItAgainForANewReader() {
    desk.want(7, 0);
    desk.want(8, 0);
    desk.want(7, 0); // another attempt
    assertEquals(Arrays.asList(7, 8), due(0));
    desk.take(Arrays.asList(7, 8), Arrays.asList(json("{7}"), null), 0);
    assertEquals(Collections.emptyList(), due(SECOND / 100), "not yet again");
    assertEquals(Collections.singletonList(8), due(SECOND));
    desk.take(Arrays.asList(8, 9), Arrays.asList(json("{8}"), json("{9}")), SECOND); // 9 was forgotten
    assertFalse(desk.busy());
    desk.replay();
    assertEquals(Arrays.asList("stageInfo 7 {7}", "stageInfo 8 {8}", "stageInfo 7 {7}", "stageInfo 8 {8}"), NativeAgent.CALLS);
  }

  @Test
  void aStageThatTheDriverNeverKnewIsCounted() {
    desk.want(7, 0);
    long now = 0;
    int questions = 0;
    for (; desk.busy(); now += 10 * SECOND) {
      assertEquals(Collections.singletonList(7), due(now));
      desk.take(due(now), Collections.emptyList(), now); // an older driver
      questions++;
    }
    assertEquals(8, questions);
    assertEquals(Collections.singletonList("dropped 0 1"), NativeAgent.CALLS);
    desk.want(9, now);
    desk.close();
    assertEquals(Arrays.asList("dropped 0 1", "dropped 0 1"), NativeAgent.CALLS);
  }

  @Test
  void boundsWhatItKeepsAndWhatItAsks() {
    for (int stage = 0; stage <= StageInfoDesk.KEPT; stage++) {
      desk.want(stage, 0);
    }
    assertEquals(Collections.singletonList("dropped 0 1"), NativeAgent.CALLS, "the oldest");
    assertEquals(Arrays.asList(1, 2, 3), due(0), "the others come with the next question");
    assertTrue(desk.busy());
  }
}

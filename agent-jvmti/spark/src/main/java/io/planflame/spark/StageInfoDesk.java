package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gets the names of stages that run here for no SQL execution and writes them. They go with the
 * questions for plans. A stage whose names the driver does not know yet is asked for again, ever
 * more seldom. One that it never knew is counted with the plans that could not be had. Poller
 * thread only.
 */
final class StageInfoDesk {
  private static final long FIRST_PAUSE_NANOS = 50_000_000L;
  private static final int MAX_FRUITLESS = 8; // some six seconds: the driver knows a stage before it runs, but for a full listener queue
  static final int KEPT = 1024; // for replays

  private static final class Stage {
    byte[] json; // null: not known yet
    boolean open = true;
    int fruitless;
    long due; // System.nanoTime
  }

  private final Map<Integer, Stage> stages = new LinkedHashMap<>();

  void want(int stageId, long now) {
    if (stages.containsKey(stageId)) {
      return; // another attempt
    }
    Stage stage = new Stage();
    stage.due = now;
    stages.put(stageId, stage);
    Iterator<Map.Entry<Integer, Stage>> oldest = stages.entrySet().iterator();
    while (stages.size() > KEPT) {
      close(oldest.next().getValue());
      oldest.remove();
    }
  }

  boolean busy() {
    return stages.values().stream().anyMatch(stage -> stage.open);
  }

  /** Adds the stages that are to be asked for at {@code now}, at most {@code most}. */
  void addDue(DictionaryQuestion question, long now, int most) {
    stages.forEach((id, stage) -> {
      if (stage.open && stage.due - now <= 0 && question.stages.size() < most) {
        question.stages.add(id);
      }
    });
  }

  /**
   * Takes the answer to a question: {@code json} is as long as {@code asked}, or empty if there is
   * none.
   */
  void take(List<Integer> asked, List<byte[]> json, long now) {
    for (int i = 0; i < asked.size(); i++) {
      Stage stage = stages.get(asked.get(i));
      if (stage == null || !stage.open) {
        continue; // forgotten meanwhile, and counted
      }
      byte[] names = i < json.size() ? json.get(i) : null;
      if (names != null) {
        stage.json = names;
        stage.open = false;
        NativeAgent.stageInfo(asked.get(i), names);
      } else if (++stage.fruitless >= MAX_FRUITLESS) {
        close(stage);
      } else {
        stage.due = now + (FIRST_PAUSE_NANOS << (stage.fruitless - 1));
      }
    }
  }

  /** All are due at {@code now}. */
  void hurry(long now) {
    stages.values().forEach(stage -> stage.due = now);
  }

  /** Nothing is asked for any more. */
  void close() {
    stages.values().forEach(StageInfoDesk::close);
  }

  private static void close(Stage stage) {
    if (stage.open) {
      stage.open = false;
      NativeAgent.dropped(0, 1);
    }
  }

  /** Writes all names again for a new reader. */
  void replay() {
    stages.forEach((id, stage) -> {
      if (stage.json != null) {
        NativeAgent.stageInfo(id, stage.json);
      }
    });
  }
}

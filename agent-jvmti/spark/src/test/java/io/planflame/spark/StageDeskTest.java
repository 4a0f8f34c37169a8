package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The desk without Spark: the accumulators of a task are what each test says. */
class StageDeskTest {
  private static final StageDesk.Observer NO_OWNER = (execution, set) -> { };

  private final AtomicInteger readings = new AtomicInteger();
  private final StageDesk desk = new StageDesk((metrics, ids) -> ids.add(1000L + readings.getAndIncrement()));

  private StageDesk.Witness offer(int stage) {
    return desk.offer(stage, 0, 1, 100, -1, null);
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.CALLS.clear();
  }

  @Test
  void takesTheFirstTasksOfAStageAndSomeSpreadOverItsPartitions() {
    List<Integer> taken = new ArrayList<>();
    for (int partition = 1; partition <= 100; partition++) { // 100 partitions: every sixth
      if (desk.offer(7, 0, partition, 100, 5, null) != null) {
        taken.add(partition);
      }
    }
    assertEquals(Arrays.asList(1, 2, 3, 4, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 96), taken);
  }

  @Test
  void tellsOnceOfAStageWithoutAPlan() {
    List<Integer> without = new ArrayList<>();
    StageDesk.Observer observer = new StageDesk.Observer() {
      @Override
      public void stage(long execution, Set<Long> accumulators) {}

      @Override
      public void withoutPlan(int stageId) {
        without.add(stageId);
      }
    };
    offer(7);
    desk.offer(7, 0, 2, 100, -1, null);
    desk.offer(8, 0, 1, 100, 5, null);
    desk.poll(observer);
    desk.poll(observer);
    assertEquals(Collections.singletonList(7), without);
  }

  @Test
  void writesAStageWhenItsSetHasGrown() {
    StageDesk.Witness witness = desk.offer(7, 2, 1, 100, 5, null);
    desk.poll(NO_OWNER);
    witness.ended();
    desk.poll(NO_OWNER);
    desk.poll(NO_OWNER);
    assertEquals(Arrays.asList("stage 7 2 5 [1000]", "stage 7 2 5 [1000, 1001]"), NativeAgent.CALLS);
    assertFalse(desk.busy());
  }

  /** All that a task has updated is read under a lock, for which the task itself must not wait. */
  @Test
  void onlyATaskThatHasEndedIsReadWhole() {
    List<String> did = new ArrayList<>();
    StageDesk both = new StageDesk(new StageDesk.Reader() {
      @Override
      public void collect(TaskMetrics metrics, Set<Long> ids) {
        did.add("some");
      }

      @Override
      public void collectAll(TaskMetrics metrics, Set<Long> ids) {
        did.add("all");
      }
    });
    StageDesk.Witness witness = both.offer(7, 0, 1, 100, 5, null);
    both.poll(NO_OWNER);
    witness.ended();
    both.poll(NO_OWNER);
    assertEquals(Arrays.asList("some", "all"), did);
    assertFalse(both.busy());
  }

  /** A stage whose plan a new reader does not get would only take room there. */
  @Test
  void replayWritesStagesOfPlansThatAreToldAgain() {
    desk.offer(7, 0, 1, 100, 5, null);
    desk.offer(8, 0, 1, 100, 6, null);
    offer(9);
    desk.poll(NO_OWNER);
    NativeAgent.CALLS.clear();
    desk.replay(execution -> execution == 6);
    assertEquals(Arrays.asList("stage 8 0 6 [1001]", "stage 9 0 -1 [1002]"), NativeAgent.CALLS);
  }

  /** A long task that updates nothing new is read ever more seldom, and at its end at once. */
  @Test
  void aTaskThatBringsNothingIsReadMoreSeldom() {
    AtomicInteger looked = new AtomicInteger();
    StageDesk quiet = new StageDesk((metrics, ids) -> looked.incrementAndGet());
    StageDesk.Witness witness = quiet.offer(7, 0, 1, 100, 5, null);
    List<Integer> read = new ArrayList<>();
    for (int poll = 0; poll < 64; poll++) {
      int before = looked.get();
      quiet.poll(NO_OWNER);
      if (looked.get() > before) {
        read.add(poll);
      }
    }
    assertEquals(Arrays.asList(0, 2, 6, 14, 30, 46, 62), read);
    witness.ended();
    quiet.poll(NO_OWNER);
    assertEquals(8, looked.get());
    assertFalse(quiet.busy());
  }

  @Test
  void aTaskThatFindsNoRoomIsCounted() {
    for (int stage = 0; stage < StageDesk.QUEUE; stage++) {
      assertNotNull(offer(stage));
    }
    for (int stage = StageDesk.QUEUE; stage < StageDesk.QUEUE + 3; stage++) {
      assertNull(offer(stage));
    }
    assertEquals(3, desk.refused().count());
    desk.poll(NO_OWNER);
    assertNotNull(offer(StageDesk.QUEUE + 3), "the poller made room");
    assertEquals(3, desk.refused().count());
  }

  @Test
  void onePollReadsABoundedNumberAndAllHaveTheirTurn() {
    int witnesses = 3 * StageDesk.READINGS + 5;
    for (int stage = 0; stage < witnesses; stage++) {
      offer(stage);
    }
    for (int poll = 1; poll <= 4; poll++) {
      desk.poll(NO_OWNER);
      assertEquals(poll * StageDesk.READINGS, readings.get());
    }
    long stages = NativeAgent.CALLS.stream().map(call -> call.split(" ")[1]).distinct().count();
    assertEquals(witnesses, stages, "each was read before any was read again");
  }

  @Test
  void whatThePollerKeepsIsBoundedToo() {
    StageDesk full = new StageDesk((metrics, ids) -> { }); // of tasks that never end
    int taken = 0;
    for (int stage = 0; stage < 4 * StageDesk.QUEUE; stage++) {
      taken += full.offer(stage, 0, 1, 100, -1, null) == null ? 0 : 1;
      full.poll(NO_OWNER);
    }
    assertEquals(2 * StageDesk.QUEUE, taken);
    assertEquals(2 * StageDesk.QUEUE, full.refused().count());
  }

  @Test
  void closedItReadsEachOnceMoreAndTakesNoMore() {
    for (int stage = 0; stage < 200; stage++) {
      offer(stage);
    }
    desk.close(NO_OWNER);
    assertEquals(200, readings.get());
    assertFalse(desk.busy());
    assertNull(offer(300));
    assertFalse(desk.busy(), "a task's metrics are not kept by an executor that has ended");
    assertEquals(0, desk.refused().count());
  }

  @Test
  void tasksOfferWhileThePollerReads() throws Exception {
    int threads = 8;
    int each = 5000;
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger running = new AtomicInteger(threads);
    CyclicBarrier start = new CyclicBarrier(threads + 1);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int thread = 0; thread < threads; thread++) {
      int first = thread * each;
      new Thread(() -> {
        try {
          start.await();
          for (int stage = first; stage < first + each; stage++) {
            StageDesk.Witness witness = desk.offer(stage, 0, 0, 100, -1, null); // partition 0 of each stage is always wanted
            if (witness != null) {
              taken.incrementAndGet();
              witness.ended();
            }
          }
        } catch (Throwable e) {
          failures.add(e);
        } finally {
          running.decrementAndGet();
        }
      }).start();
    }
    start.await();
    while (running.get() > 0) {
      desk.poll(NO_OWNER);
    }
    desk.close(NO_OWNER);
    assertEquals(Collections.emptyList(), failures);
    assertEquals(threads * each, taken.get() + desk.refused().count(), "taken or counted");
    assertTrue(readings.get() >= taken.get(), "each was read");
  }

  /**
   * A lock on the way of every task would be one that the poller, or a descheduled thread, can
   * hold.
   */
  @Test
  void nothingInItLocks() throws IllegalAccessException {
    for (Field field : StageDesk.class.getDeclaredFields()) {
      field.setAccessible(true);
      Object value = field.get(desk);
      assertFalse(value instanceof BlockingQueue || value instanceof Lock || value instanceof ReadWriteLock, field + " locks");
    }
  }
}

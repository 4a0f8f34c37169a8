package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.TaskAccumulators;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.Lock;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The desk without Spark: what a task did to which accumulator is what each test says. */
class RowDeskTest {
  private static final long SECOND = 1_000_000_000L;

  /** Accumulators below 100 are no sums. */
  private static final class Change {
    final long id;
    final long by;

    Change(long id, long by) {
      this.id = id;
      this.by = by;
    }
  }

  /** Of the task that is read next. */
  private List<Change> changes = new ArrayList<>();
  private int asked; // for the kind of an accumulator
  private boolean broken;

  private final RowDesk desk = new RowDesk(new RowDesk.Reader() {
    @Override
    public void visit(TaskMetrics metrics, TaskAccumulators.Visitor visitor) {
      for (Change change : changes) {
        visitor.visit(change, change.id);
        if (broken) {
          throw new IllegalStateException("of a new Spark");
        }
      }
    }

    @Override
    public boolean isSum(Object accumulator) {
      asked++;
      return ((Change) accumulator).id >= 100;
    }

    @Override
    public long sum(Object accumulator) {
      return ((Change) accumulator).by;
    }
  });

  private final TaskMetrics metrics = new TaskMetrics();

  private void task(int stage, long now, Change... did) {
    changes = Arrays.asList(did);
    desk.offer(stage, 2, 9, metrics);
    desk.poll(now);
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.reset();
    Complaints.forget();
  }

  @Test
  void addsUpAndWritesWhatCameSinceOnceASecond() {
    task(7, 0, new Change(300, 5), new Change(200, 7));
    task(7, SECOND / 2, new Change(300, 11));
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
    desk.poll(SECOND);
    task(7, 2 * SECOND, new Change(400, -13));
    desk.poll(9 * SECOND);
    desk.poll(20 * SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 2 [200, 7, 300, 16]", "rows 7 2 9 1 [400, -13]"), NativeAgent.CALLS);
  }

  @Test
  void whatIsNoSumIsLeftOutAndAskedForOnce() {
    task(7, 0, new Change(50, 1), new Change(100, 1));
    task(7, 1, new Change(50, 1), new Change(100, 1));
    desk.poll(SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 2 [100, 2]"), NativeAgent.CALLS);
    assertEquals(2, asked);
  }

  @Test
  void aTaskWithoutRowsCountsToo() {
    task(7, 0);
    desk.poll(SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 1 []"), NativeAgent.CALLS);
  }

  @Test
  void stagesAreToldApart() {
    task(7, 0, new Change(100, 1));
    task(8, 0, new Change(100, 3));
    desk.poll(SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 1]", "rows 8 2 9 1 [100, 3]"), NativeAgent.CALLS);
  }

  @Test
  void outsideAnExecutionNothingIsCounted() {
    desk.offer(7, 0, -1, metrics);
    desk.poll(0);
    desk.poll(SECOND);
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
  }

  @Test
  void withoutAReaderNothingIsRead() {
    NativeAgent.sampling = false;
    task(7, 0, new Change(100, 1));
    NativeAgent.sampling = true;
    task(7, 1, new Change(100, 3)); // the poller has not looked yet
    task(7, 2, new Change(100, 5));
    desk.poll(SECOND + 2);
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 5]"), NativeAgent.CALLS);
  }

  @Test
  void withoutAReaderNoTaskIsKeptAlive() {
    NativeAgent.sampling = false;
    desk.poll(0);
    for (int i = 0; i < EndedTasks.SLOTS + 3; i++) {
      desk.offer(7, 0, 9, metrics);
    }
    assertEquals(0, desk.refused().count(), "they are not in the queue");
    NativeAgent.sampling = true;
    desk.poll(SECOND);
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
  }

  @Test
  void whatFindsNoRoomComesWithTheNext() {
    NativeAgent.room = false;
    task(7, 0, new Change(100, 1));
    desk.poll(SECOND);
    desk.poll(SECOND + 1); // not again at once
    NativeAgent.room = true;
    task(7, 3 * SECOND / 2, new Change(100, 4));
    desk.poll(2 * SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 1]", "rows 7 2 9 2 [100, 5]"), NativeAgent.CALLS);
  }

  @Test
  void whatFindsNoRoomIsForgottenWhenTheReaderIsGone() {
    NativeAgent.room = false;
    task(7, 0, new Change(100, 1));
    task(8, 0, new Change(100, 1));
    NativeAgent.sampling = false;
    desk.poll(SECOND);
    NativeAgent.room = true;
    NativeAgent.sampling = true;
    desk.poll(5 * SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 1]", "droppedRows 1", "droppedRows 1"), NativeAgent.CALLS);
  }

  @Test
  void anExecutionIsSettledAtOnce() {
    changes = Arrays.asList(new Change(100, 1));
    desk.offer(7, 2, 9, metrics);
    desk.offer(8, 2, 10, metrics);
    assertEquals(true, desk.settle(9, 0));
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 1]"), NativeAgent.CALLS);
    NativeAgent.room = false;
    assertFalse(desk.settle(10, 0));
  }

  @Test
  void aTaskThatFindsNoRoomIsCounted() {
    for (int i = 0; i < EndedTasks.SLOTS + 3; i++) {
      desk.offer(7, 0, 9, metrics);
    }
    desk.poll(0);
    desk.poll(SECOND);
    assertEquals(3, desk.refused().count());
    assertEquals(Arrays.asList("droppedRows 3", "rows 7 0 9 1024 []"), NativeAgent.CALLS);
  }

  @Test
  void aTaskThatFindsNoRoomIsNotMissedWithoutAReader() {
    NativeAgent.sampling = false;
    for (int i = 0; i < EndedTasks.SLOTS + 3; i++) {
      desk.offer(7, 0, 9, metrics);
    }
    desk.poll(0);
    NativeAgent.sampling = true;
    desk.poll(SECOND);
    assertEquals(3, desk.refused().count());
    assertEquals(Collections.emptyList(), NativeAgent.CALLS);
  }

  @Test
  void aTaskThatCannotBeReadIsCounted() {
    broken = true;
    task(7, 0, new Change(100, 1), new Change(101, 1));
    broken = false;
    task(7, 1, new Change(101, 1));
    desk.poll(SECOND);
    assertEquals(Arrays.asList("droppedRows 1", "rows 7 2 9 2 [100, 1, 101, 1]"), NativeAgent.CALLS);
  }

  @Test
  void moreMetricsThanThereIsRoomForAreCounted() {
    List<Change> wide = new ArrayList<>();
    for (long id = 100; id < 100 + RowDesk.KEPT_METRICS + 5; id++) {
      wide.add(new Change(id, 1));
    }
    task(7, 0, wide.toArray(new Change[0]));
    task(8, 0, new Change(100, 3)); // the wide one makes room
    desk.poll(SECOND);
    assertEquals("droppedRows 1", NativeAgent.CALLS.get(0));
    assertEquals(1 + 2 * RowDesk.KEPT_METRICS, NativeAgent.CALLS.get(1).split(",").length + 1);
    assertEquals("rows 8 2 9 1 [100, 3]", NativeAgent.CALLS.get(2));
  }

  @Test
  void oldStagesAreWrittenBeforeTheyAreForgotten() {
    for (int stage = 0; stage < 300; stage++) {
      task(stage, 0, new Change(100, 1));
    }
    assertEquals(300 - 256, NativeAgent.CALLS.size());
    assertEquals("rows 0 2 9 1 [100, 1]", NativeAgent.CALLS.get(0));
    desk.poll(SECOND);
    assertEquals(300, NativeAgent.CALLS.size());
  }

  @Test
  void closedItWritesWhatItHasAndTakesNoMore() {
    changes = Arrays.asList(new Change(100, 1));
    desk.offer(7, 2, 9, metrics);
    desk.close(0);
    desk.offer(7, 2, 9, metrics);
    desk.poll(5 * SECOND);
    assertEquals(Arrays.asList("rows 7 2 9 1 [100, 1]"), NativeAgent.CALLS);
    assertEquals(0, desk.refused().count());
  }

  /**
   * A lock on the way of every task would be one that the poller, or a descheduled thread, can
   * hold.
   */
  @Test
  void nothingInItLocks() throws IllegalAccessException {
    for (Object object : new Object[] {desk, new EndedTasks()}) {
      for (Field field : object.getClass().getDeclaredFields()) {
        field.setAccessible(true);
        Object value = field.get(object);
        assertFalse(value instanceof BlockingQueue || value instanceof Lock, field + " locks");
      }
    }
  }
}

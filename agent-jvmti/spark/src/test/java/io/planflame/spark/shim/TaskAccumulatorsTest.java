package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.util.AccumulatorMetadata;
import org.apache.spark.util.AccumulatorV2;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Option;

class TaskAccumulatorsTest {
  /** A user's own: its methods expect no other thread than the task's. */
  private static final class Users extends LongAccumulator {
    private int calls;

    @Override
    public boolean isZero() {
      calls++;
      return false;
    }
  }

  private final TaskMetrics metrics = new TaskMetrics();
  private final Users users = new Users();
  private final Set<Long> ids = new TreeSet<>();

  private void register(AccumulatorV2<?, ?> accumulator, long id) {
    accumulator.metadata_$eq(new AccumulatorMetadata(id, Option.apply("rows"), false));
    metrics.registerAccumulator(accumulator);
  }

  @BeforeEach
  void updateOneMetric() {
    SQLMetric updated = new SQLMetric("sum", 0L);
    updated.add(7L);
    register(users, 3);
    register(updated, 5);
    register(new SQLMetric("sum", 0L), 6);
  }

  @Test
  void usersAccumulatorsAreLeftAlone() {
    TaskAccumulators.look(metrics, ids);
    assertEquals(Collections.singleton(5L), ids);
    ids.clear();
    TaskAccumulators.collect(metrics, ids);
    assertEquals(Collections.singleton(5L), ids);
    assertEquals(0, users.calls);
  }

  @Test
  void aSumIsAMetricOfSparks() {
    assertTrue(TaskAccumulators.isSum(new SQLMetric("sum", 0L)));
    assertFalse(TaskAccumulators.isSum(new SQLMetric("size", 0L)));
    assertFalse(TaskAccumulators.isSum(new LongAccumulator()));
  }

  /** The task of this test ends with the lock that it takes to register an accumulator. */
  @Test
  void aRunningTaskIsReadWithoutItsLock() throws Exception {
    Lock lock = (Lock) Members.readField(metrics, "writeLock");
    Thread task = new Thread(lock::lock);
    task.start();
    task.join();
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> TaskAccumulators.look(metrics, ids));
    assertEquals(Collections.singleton(5L), ids);
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.executor.TaskMetrics;
import org.junit.jupiter.api.Test;

class EndedTasksTest {
  private static final EndedTasks.Taker NOBODY = (stage, attempt, execution, metrics) -> { };

  private final EndedTasks tasks = new EndedTasks();
  private final TaskMetrics metrics = new TaskMetrics();

  @Test
  void comesOutAsItWentIn() {
    List<String> taken = new ArrayList<>();
    assertTrue(tasks.put(3, 5, 7, metrics));
    assertTrue(tasks.put(-1, -2, Long.MAX_VALUE, metrics));
    while (tasks.take((stage, attempt, execution, m) -> taken.add(stage + " " + attempt + " " + execution + " " + (m == metrics)))) {
      continue;
    }
    assertEquals(Arrays.asList("3 5 7 true", "-1 -2 9223372036854775807 true"), taken);
  }

  @Test
  void aFullOneRefusesAndRoundsOnForEver() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < EndedTasks.SLOTS; i++) {
        assertTrue(tasks.put(i, 0, 0, metrics));
      }
      assertFalse(tasks.put(0, 0, 0, metrics));
      for (int i = 0; i < EndedTasks.SLOTS; i++) {
        int want = i;
        assertTrue(tasks.take((stage, attempt, execution, m) -> assertEquals(want, stage)));
      }
      assertFalse(tasks.take(NOBODY));
    }
  }

  @Test
  void aTakerThatFailsDoesNotHoldUpTheNext() {
    tasks.put(1, 0, 0, metrics);
    tasks.put(2, 0, 0, metrics);
    assertThrows(IllegalStateException.class, () -> tasks.take((stage, attempt, execution, m) -> {
      throw new IllegalStateException();
    }));
    assertTrue(tasks.take((stage, attempt, execution, m) -> assertEquals(2, stage)));
  }

  @Test
  void whatWasTakenIsNotKeptAlive() throws InterruptedException {
    TaskMetrics mine = new TaskMetrics();
    WeakReference<TaskMetrics> seen = new WeakReference<>(mine);
    tasks.put(1, 0, 0, mine);
    tasks.take(NOBODY);
    mine = null;
    for (int i = 0; i < 100 && seen.get() != null; i++) {
      System.gc();
    }
    assertEquals(null, seen.get());
  }

  @Test
  void whatManyThreadsPutIsTakenOnceOrRefused() throws Exception {
    int threads = 8;
    int each = 50_000;
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger running = new AtomicInteger(threads);
    CyclicBarrier start = new CyclicBarrier(threads + 1);
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int thread = 0; thread < threads; thread++) {
      int number = thread;
      new Thread(() -> {
        try {
          start.await();
          for (int i = 0; i < each; i++) {
            if (!tasks.put(number * each + i, number, i, metrics)) {
              refused.incrementAndGet();
              Thread.yield();
            }
          }
        } catch (Throwable e) {
          failures.add(e);
        } finally {
          running.decrementAndGet();
        }
      }).start();
    }
    BitSet taken = new BitSet(threads * each);
    int[] wrong = new int[1];
    EndedTasks.Taker taker = (stage, attempt, execution, m) -> {
      wrong[0] += taken.get(stage) || m != metrics || stage != attempt * each + execution ? 1 : 0;
      taken.set(stage);
    };
    start.await();
    while (running.get() > 0) {
      tasks.take(taker);
    }
    while (tasks.take(taker)) {
      continue;
    }
    assertEquals(Collections.emptyList(), failures);
    assertEquals(0, wrong[0], "torn or taken twice");
    assertEquals(threads * each, taken.cardinality() + refused.get());
  }
}

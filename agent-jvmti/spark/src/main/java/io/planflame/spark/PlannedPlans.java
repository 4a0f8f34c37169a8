package io.planflame.spark;

import io.planflame.spark.shim.PlannedPlan;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last plans that sessions of this JVM have planned. Most are soon run by an SQL execution,
 * which claims them; one that is not may be an RDD's (df.rdd). Keeps no plan alive.
 * Thread-safe; nothing waits.
 */
final class PlannedPlans {
  static final int KEPT = 256;

  private final AtomicReferenceArray<WeakReference<PlannedPlan>> seen = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong count = new AtomicLong();

  /** From the thread that plans. */
  void see(Object plan) {
    try {
      long n = count.getAndIncrement();
      PlannedPlan planned = PlannedPlan.of(plan, -2 - n);
      if (planned != null) {
        seen.set((int) (n % KEPT), new WeakReference<>(planned));
      }
    } catch (Throwable e) {
      Complaints.once("look at a plan", e);
    }
  }

  /** Those that live and that no SQL execution has claimed, in no order. */
  List<PlannedPlan> unclaimed() {
    List<PlannedPlan> out = new ArrayList<>();
    for (int i = 0; i < KEPT; i++) {
      PlannedPlan planned = at(i);
      if (planned != null && !planned.isClaimed()) {
        out.add(planned);
      }
    }
    return out;
  }

  /** Whether an execution's id is a planned plan's. */
  static boolean has(long executionId) {
    return executionId <= -2;
  }

  /** The plan with an id, null if it is gone. */
  PlannedPlan of(long executionId) {
    PlannedPlan planned = at((int) ((-2 - executionId) % KEPT));
    return planned != null && planned.id == executionId ? planned : null;
  }

  private PlannedPlan at(int slot) {
    WeakReference<PlannedPlan> held = seen.get(slot);
    return held == null ? null : held.get();
  }
}

package io.planflame.spark.shim;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * What a reading of a physical plan saw, so that the next one need not be done while Spark has not
 * moved on. Spark's plan nodes do not change. But an AdaptiveSparkPlanExec (of the query, of a
 * subquery, of a cached table) replaces the plan that it holds, and its own text when that is the
 * final one. Keeps no plan alive. Not thread-safe.
 */
public final class PlanState {
  /** One AdaptiveSparkPlanExec as it was read. */
  private static final class Adaptive {
    final WeakReference<Object> node;
    final WeakReference<Object> held;
    final String text;

    Adaptive(Object node, Object held, String text) {
      this.node = new WeakReference<>(node);
      this.held = new WeakReference<>(held);
      this.text = text;
    }

    boolean isCurrent() {
      Object plan = node.get();
      return plan != null && PhysicalReader.adaptivePlan(plan) == held.get() && PhysicalReader.text(plan).equals(text);
    }
  }

  private final WeakReference<Object> root;
  private final List<Adaptive> adaptives = new ArrayList<>();

  /** @param root the plan that is about to be read, not null */
  public PlanState(Object root) {
    this.root = new WeakReference<>(root);
  }

  /** From the reader: an AdaptiveSparkPlanExec that held {@code held} and had {@code text}. */
  void add(Object node, Object held, String text) {
    adaptives.add(new Adaptive(node, held, text));
  }

  /** Whether a reading of {@code root} would find the very nodes of the last one. */
  public boolean isCurrent(Object root) {
    if (this.root.get() != root) {
      return false;
    }
    for (Adaptive adaptive : adaptives) {
      if (!adaptive.isCurrent()) {
        return false;
      }
    }
    return true;
  }
}

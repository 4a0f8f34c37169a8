package io.planflame.spark.shim;

import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * A rule of a session that changes no plan and shows each physical plan to an observer: after all
 * but whole-stage codegen has been planned.
 */
public final class PlanWatch extends ColumnarRule {
  private final Look look;

  /** @param observer is called by the thread that plans, and must not throw */
  public PlanWatch(Consumer<Object> observer) {
    this.look = new Look(observer);
  }

  @Override
  public Rule<SparkPlan> postColumnarTransitions() {
    return look;
  }

  private static final class Look extends Rule<SparkPlan> {
    private final Consumer<Object> observer;

    Look(Consumer<Object> observer) {
      this.observer = observer;
    }

    @Override
    public SparkPlan apply(SparkPlan plan) {
      observer.accept(plan);
      return plan;
    }
  }
}

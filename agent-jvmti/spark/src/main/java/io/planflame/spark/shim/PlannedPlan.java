package io.planflame.spark.shim;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import scala.Function0;

/**
 * A physical plan as {@link PlanWatch} saw it. Its leaves point to it by a tag, and no one else
 * does: it lives as long as the plan that Spark makes of it, which has the same leaves. The nodes
 * above them may be copies by then, with metrics of their own.
 */
public final class PlannedPlan {
  private static final TreeNodeTag<PlannedPlan> TAG = new TreeNodeTag<>("io.planflame.planned");
  private static final String ADAPTIVE = ".AdaptiveSparkPlanExec";
  private static final String STAGE = "QueryStageExec";

  private final Object plan;
  private volatile boolean claimed;

  /** Tells the executions without SQL apart, from -2 downward. */
  public final long id;

  private PlannedPlan(Object plan, long id) {
    this.plan = plan;
    this.id = id;
  }

  /**
   * From the thread that plans: tags the leaves of a plan. Null if it is a stage or a subquery of
   * AQE's, whose plan was seen as a whole.
   */
  public static PlannedPlan of(Object plan, long id) {
    List<Object> leaves = leaves(plan);
    for (Object leaf : leaves) {
      if (leaf.getClass().getName().endsWith(STAGE) || isAdaptive(leaf) && (Boolean) Members.call(leaf, "isSubquery")) {
        return null;
      }
    }
    if (isExchange(plan) && (Boolean) Members.call(Members.call(plan, "conf"), "adaptiveExecutionEnabled")) {
      return null;
    }
    PlannedPlan planned = new PlannedPlan(plan, id);
    for (Object leaf : leaves) {
      Members.call(leaf, "setTagValue", TAG, planned);
    }
    return planned;
  }

  /** An SQL execution runs {@code executed}: its plan is known by that. */
  public static void claim(Object executed) {
    for (Object leaf : leaves(executed)) {
      Object planned = Scala.orNull(Members.call(leaf, "getTagValue", TAG));
      if (planned != null) {
        ((PlannedPlan) planned).claimed = true;
      }
    }
  }

  /** Whether an SQL execution runs it. */
  public boolean isClaimed() {
    return claimed;
  }

  /** The QueryExecution whose plan it is; null if AQE has no part in it. */
  public Object queryExecution() {
    return isAdaptive(plan) ? Members.call(Members.call(plan, "context"), "qe") : null;
  }

  /** Whether Spark will not change it any more. */
  public boolean isFinal() {
    return !isAdaptive(plan) || (Boolean) Members.call(plan, "isFinalPlan");
  }

  /**
   * Without AQE, a plan like the one that Spark makes of it: with the same leaves and texts, and
   * whole-stage codegen.
   */
  public Object collapsed() throws ReflectiveOperationException {
    Class<?> type = Class.forName("org.apache.spark.sql.execution.CollapseCodegenStages", true, plan.getClass().getClassLoader());
    Object rule = type.getConstructor(AtomicInteger.class).newInstance(new AtomicInteger());
    Function0<Object> collapse = () -> Members.call(rule, "apply", plan);
    return Members.call(Members.singleton("org.apache.spark.sql.internal.SQLConf$"), "withExistingConf", Members.call(plan, "conf"), collapse);
  }

  private static List<Object> leaves(Object plan) {
    return Scala.list(Members.call(plan, "collectLeaves"));
  }

  private static boolean isAdaptive(Object plan) {
    return plan.getClass().getName().endsWith(ADAPTIVE);
  }

  private static boolean isExchange(Object plan) {
    return plan.getClass().getName().endsWith("ExchangeExec");
  }
}

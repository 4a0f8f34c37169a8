package io.planflame.spark.shim;

import io.planflame.identity.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Reads a physical plan, node by node, with the children that Spark's own
 * SparkPlanInfo.fromSparkPlan (3.5, 4.x) shows: AQE's current plan, the plan of a query stage, a
 * cached plan, subqueries. Starts nothing: never calls finalPhysicalPlan.
 */
public final class PhysicalReader {
  private static final String DISTRIBUTION = "requiredChildDistributionExpressions"; // which aggregates of other engines lack

  private final LogicalReader logical;
  private final List<PlanNode> nodes = new ArrayList<>();
  private final Map<Object, Object> identities = new IdentityHashMap<>();

  private final PlanState state;
  private final boolean initial; // AQE's plans as they were before anything ran

  private PhysicalReader(LogicalReader logical, PlanState state, boolean initial) {
    this.logical = logical;
    this.state = state;
    this.initial = initial;
  }

  /**
   * The nodes under {@code root} in pre-order, AQE's plans as they are now; links are read with
   * {@code logical}, {@code state} learns what was seen.
   */
  public static List<PlanNode> read(Object root, LogicalReader logical, PlanState state) {
    return read(root, logical, state, false);
  }

  /** The same with AQE's plans as they were before anything ran. */
  public static List<PlanNode> readInitial(Object root, LogicalReader logical, PlanState state) {
    return read(root, logical, state, true);
  }

  private static List<PlanNode> read(Object root, LogicalReader logical, PlanState state, boolean initial) {
    PhysicalReader reader = new PhysicalReader(logical, state, initial);
    reader.visit(root, -1, 0, false, -1);
    return reader.nodes;
  }

  /** The plan that an AdaptiveSparkPlanExec holds now. */
  static Object adaptivePlan(Object plan) {
    return Members.call(plan, "executedPlan");
  }

  /**
   * The plans directly under a plan as it is now, in reused exchanges too. A task may ask: all of
   * it has been computed before anything runs, so no lock of the plan is taken. Subqueries need not
   * be.
   */
  static List<Object> below(Object plan) {
    String simple = simpleName(plan);
    if (simple.equals("AdaptiveSparkPlanExec")) {
      return Collections.singletonList(adaptivePlan(plan));
    }
    return simple.equals("ReusedExchangeExec") ? Collections.singletonList(Members.call(plan, "child")) : children(plan, simple);
  }

  private static String simpleName(Object plan) {
    String name = plan.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private void visit(Object plan, int parent, int side, boolean subquery, int codegen) {
    int index = nodes.size();
    String simple = simpleName(plan);
    boolean region = simple.equals("WholeStageCodegenExec");
    int stageId = region ? (Integer) Members.call(plan, "codegenStageId") : -1;
    String text = text(plan);
    nodes.add(
        new PlanNode(
            identities.computeIfAbsent(plan, p -> new Object()), parent, side, plan.getClass().getName(), (String) Members.call(plan, "nodeName"), text, subquery, region ? -1 : codegen, stageId,
            mode(plan, simple), link(plan), metrics(plan), Details.of(plan, simple, logical.literalNames().pretty()), CostCounts.of(plan, simple)));
    int inside = region ? index : simple.equals("InputAdapter") ? -1 : codegen;
    int at = 0;
    for (Object child : children(plan, simple, text)) {
      visit(child, index, at++, false, inside);
    }
    for (Object child : subqueries(plan, simple)) {
      visit(child, index, at++, true, -1);
    }
  }

  private List<Object> children(Object plan, String simple, String text) {
    if (simple.equals("AdaptiveSparkPlanExec")) {
      return Collections.singletonList(adaptiveChild(plan, text));
    }
    return children(plan, simple);
  }

  private static List<Object> children(Object plan, String simple) {
    if (simple.endsWith("QueryStageExec")) {
      return Collections.singletonList(Members.call(plan, "plan"));
    }
    if (simple.equals("ReusedSubqueryExec")) {
      return Collections.singletonList(Members.call(plan, "child"));
    }
    if (simple.equals("InMemoryTableScanExec")) {
      return Collections.singletonList(Members.call(Members.call(plan, "relation"), "cachedPlan"));
    }
    return Scala.list(Members.call(plan, "children"));
  }

  private Object adaptiveChild(Object plan, String text) {
    Object held = initial ? Members.call(plan, "initialPlan") : adaptivePlan(plan);
    state.add(plan, held, text); // the text was read first: when it is older than what is held, the next reading finds out
    return held;
  }

  private static List<Object> subqueries(Object plan, String simple) {
    boolean replaced = simple.equals("AdaptiveSparkPlanExec") || simple.endsWith("QueryStageExec") || simple.equals("ReusedSubqueryExec")
        || simple.equals("InMemoryTableScanExec");
    return replaced ? Collections.emptyList() : Scala.list(Members.call(plan, "subqueries"));
  }

  /**
   * The text that Spark writes into the comments of generated code and into SparkPlanInfo,
   * truncated by the session's maxToStringFields.
   */
  static String text(Object plan) {
    Object fields = Members.call(Members.call(plan, "conf"), "maxToStringFields");
    return (String) Members.call(plan, "simpleString", fields);
  }

  private Tree link(Object plan) {
    Object link = Scala.orNull(Members.call(plan, "logicalLink"));
    return link == null ? null : logical.read(link);
  }

  private static List<PlanNode.Metric> metrics(Object plan) {
    List<PlanNode.Metric> out = new ArrayList<>();
    if (Members.callOr(plan, plan, "session") == null) {
      return out; // a copy that the plugin made (PlannedPlan.collapsed): it cannot have metrics, and Spark's own node has others
    }
    for (Map.Entry<Object, Object> entry : Scala.map(Members.call(plan, "metrics")).entrySet()) {
      Object metric = entry.getValue();
      Object shown = Scala.orNull(Members.call(metric, "name"));
      out.add(
          new PlanNode.Metric(
              (Long) Members.call(metric, "id"), shown == null ? (String) entry.getKey() : (String) shown,
              (String) Members.call(metric, "metricType")));
    }
    return out;
  }

  /**
   * Aggregates: the modes of their functions; without functions, whether they need a distribution.
   */
  private static String mode(Object plan, String simple) {
    if (!simple.endsWith("AggregateExec") || !Members.has(plan, "aggregateExpressions", 0) || !Members.has(plan, DISTRIBUTION, 0)) {
      return "";
    }
    TreeSet<String> modes = new TreeSet<>();
    for (Object expression : Scala.list(Members.call(plan, "aggregateExpressions"))) {
      modes.add(String.valueOf(Members.call(expression, "mode")).toLowerCase(Locale.ROOT));
    }
    if (modes.isEmpty()) {
      return Scala.orNull(Members.call(plan, DISTRIBUTION)) == null ? "partial" : "final";
    }
    return String.join("+", modes);
  }
}

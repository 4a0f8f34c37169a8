package io.planflame.spark;

import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.LogicalReader;
import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.PhysicalReader;
import io.planflame.spark.shim.PlanNode;
import io.planflame.spark.shim.PlanState;
import io.planflame.spark.shim.Scala;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeAndComment;
import scala.Tuple2;

/**
 * Writes, for an execution that is over, what the Go side judges. That is the plan dictionary as
 * the plugin writes it, and three texts of every whole-stage class. The first is its own, the
 * second the signed one ({@link Signatures}). The third has one constant or operator of one plan
 * node changed ({@link Mutations}). For py4j; not thread-safe.
 */
public final class LineOracle extends SparkListener {
  private static final Pattern CLASS = Pattern.compile("class (\\w+) extends");

  private final SparkContext context;
  private final List<Set<Long>> stages = new CopyOnWriteArrayList<>(); // accumulators of completed stages, in order
  private final int mutations;
  private long executions;

  /** @param mutations how many mutations of one plan node are written at most */
  public LineOracle(SparkContext context, int mutations) {
    this.context = context;
    this.mutations = mutations;
    context.addSparkListener(this);
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    Set<Long> ids = new TreeSet<>();
    for (Object id : Scala.map(Members.call(event.stageInfo(), "accumulables")).keySet()) {
      ids.add((Long) id);
    }
    stages.add(ids);
  }

  /** Forgets the stages so far: call it before each execution. */
  public void reset() {
    Members.call(Members.call(context, "listenerBus"), "waitUntilEmpty");
    stages.clear();
  }

  /**
   * Examines the execution that has run since {@link #reset}.
   *
   * @param queryExecution of the DataFrame whose action has run
   * @return whole-stage classes written
   */
  public int examine(Object queryExecution, String query, String file) throws IOException {
    Members.call(Members.call(context, "listenerBus"), "waitUntilEmpty");
    Object executed = Executions.executed(queryExecution);
    if (executed == null) {
      throw new IllegalStateException("examine " + query + ": it has not run");
    }
    ExecutionPlans plans = new ExecutionPlans(executions++, "");
    if (!plans.observe(queryExecution)) {
      throw new IllegalStateException("examine " + query + ": its plan cannot be read");
    }
    PlanWalk walk = new PlanWalk(executed, PhysicalReader.read(executed, new LogicalReader(new HashSet<>()), new PlanState(executed)));
    Json json = new Json().open('{').key("query").value(query).key("spark").value(context.version()).key("plans").open('[');
    for (byte[] update : plans.since(0)) {
      json.raw(new String(inflated(update), StandardCharsets.UTF_8));
    }
    json.close(']').key("units").open('[');
    int units = 0;
    for (WholeStageCodegenExec whole : walk.wholes()) {
      unit(json, walk, whole);
      units++;
    }
    json.close(']').close('}');
    Path path = Paths.get(file);
    Files.write(path, json.utf8());
    return units;
  }

  private static byte[] inflated(byte[] update) {
    try {
      return Deflated.text(update, 1 << 30);
    } catch (DataFormatException e) {
      throw new IllegalStateException("read a plan's update", e);
    }
  }

  private void unit(Json json, PlanWalk walk, WholeStageCodegenExec whole) {
    CodeAndComment plain = generate(whole);
    Signatures.begin();
    Map<Object, Integer> owners;
    CodeAndComment signed;
    try {
      signed = generate(whole);
    } finally {
      owners = Signatures.end();
    }
    json.open('{').key("whole").value(walk.index(whole)).key("class").value(className(plain)).key("body").value(plain.body());
    json.key("comments").open('{');
    for (Map.Entry<Object, Object> comment : new TreeMap<>(Scala.map(plain.comment())).entrySet()) {
      json.key((String) comment.getKey()).value((String) comment.getValue());
    }
    json.close('}').key("accumulators").open('[');
    for (Long id : accumulators(walk, whole)) {
      json.value(id);
    }
    json.close(']').key("signed").value(signed.body()).key("owners").open('[');
    int[] nodes = new int[owners.size()];
    for (Map.Entry<Object, Integer> owner : owners.entrySet()) {
      nodes[owner.getValue()] = walk.index(owner.getKey());
    }
    for (int node : nodes) {
      json.value(node);
    }
    json.close(']').key("mutations").open('[');
    for (Object operator : walk.fused(whole)) {
      for (Mutations.Mutation m : Mutations.of((SparkPlan) operator, mutations)) {
        mutation(json, walk, whole, (SparkPlan) operator, m);
      }
    }
    json.close(']').close('}');
  }

  private static void mutation(Json json, PlanWalk walk, WholeStageCodegenExec whole, SparkPlan operator, Mutations.Mutation m) {
    json.open('{').key("node").value(walk.index(operator)).key("what").value(m.what);
    try {
      String body = generate((WholeStageCodegenExec) Mutations.replace(whole, operator, m.apply(operator))).body();
      json.key("body").value(body);
    } catch (RuntimeException e) {
      json.key("refused").value(String.valueOf(e)); // Spark does not accept the changed expression here; counted
    }
    json.close('}');
  }

  /**
   * The accumulators of the first stage that updated the unit's own metric; none if it did not run.
   */
  private Set<Long> accumulators(PlanWalk walk, WholeStageCodegenExec whole) {
    for (PlanNode.Metric metric : walk.node(whole).metrics) {
      for (Set<Long> stage : stages) {
        if (stage.contains(metric.id)) {
          return stage;
        }
      }
    }
    return Collections.emptySet();
  }

  private static CodeAndComment generate(WholeStageCodegenExec whole) {
    return (CodeAndComment) ((Tuple2<?, ?>) whole.doCodeGen())._2();
  }

  private static String className(CodeAndComment code) {
    Matcher m = CLASS.matcher(code.body());
    if (!m.find()) {
      throw new IllegalStateException("generated code has no class");
    }
    return m.group(1);
  }

  /** A physical plan in the order in which {@link PhysicalReader} reads it. */
  private static final class PlanWalk {
    private final List<PlanNode> nodes;
    private final Map<Object, Integer> indices = new IdentityHashMap<>();
    private final List<WholeStageCodegenExec> wholes = new ArrayList<>();
    private int next;

    PlanWalk(Object root, List<PlanNode> nodes) {
      this.nodes = nodes;
      visit(root);
      if (next != nodes.size()) {
        throw new IllegalStateException("the plan has " + next + " nodes, the plugin reads " + nodes.size());
      }
    }

    private void visit(Object plan) {
      String className = plan.getClass().getName();
      if (next >= nodes.size() || !nodes.get(next).className.equals(className)) {
        throw new IllegalStateException("node " + next + " is a " + className + ", the plugin reads another");
      }
      boolean again = indices.putIfAbsent(plan, next) != null;
      next++;
      if (plan instanceof WholeStageCodegenExec && !again) {
        wholes.add((WholeStageCodegenExec) plan);
      }
      for (Object child : children(plan, className.substring(className.lastIndexOf('.') + 1))) {
        visit(child);
      }
    }

    /** As PhysicalReader's, children and subqueries. */
    private static List<Object> children(Object plan, String simple) {
      switch (simple) {
        case "AdaptiveSparkPlanExec": return Collections.singletonList(Members.call(plan, "executedPlan"));
        case "ReusedSubqueryExec": return Collections.singletonList(Members.call(plan, "child"));
        case "InMemoryTableScanExec": return Collections.singletonList(Members.call(Members.call(plan, "relation"), "cachedPlan"));
        default:
          if (simple.endsWith("QueryStageExec")) {
            return Collections.singletonList(Members.call(plan, "plan"));
          }
          List<Object> out = Scala.list(Members.call(plan, "children"));
          out.addAll(Scala.list(Members.call(plan, "subqueries")));
          return out;
      }
    }

    /** Different whole-stage nodes, in pre-order. */
    List<WholeStageCodegenExec> wholes() {
      return wholes;
    }

    /** Position of a plan node, -1 for one that is not in the plan. */
    int index(Object plan) {
      return indices.getOrDefault(plan, -1);
    }

    PlanNode node(Object plan) {
      return nodes.get(index(plan));
    }

    /** The operators fused into a whole-stage node, in pre-order, input adapters among them. */
    List<Object> fused(Object whole) {
      List<Object> out = new ArrayList<>();
      for (Object child : Scala.list(Members.call(whole, "children"))) {
        addFused(child, index(whole), out);
      }
      return out;
    }

    private void addFused(Object plan, int whole, List<Object> out) {
      if (node(plan).codegen != whole) {
        return;
      }
      out.add(plan);
      for (Object child : Scala.list(Members.call(plan, "children"))) {
        addFused(child, whole, out);
      }
    }
  }
}

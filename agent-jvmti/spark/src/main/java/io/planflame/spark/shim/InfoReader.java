package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a SparkPlanInfo, the picture of a plan that Spark's events carry. It has no classes and no
 * logical links: what is known of a node with the same text from a physical plan that could be read
 * fills them in. Spark 4.3 shows below the scan of an RDD the plan that made it; that one is
 * another execution's, and left out.
 */
public final class InfoReader {
  private final Map<String, PlanNode> known;
  private final List<PlanNode> nodes = new ArrayList<>();

  private InfoReader(Map<String, PlanNode> known) {
    this.known = known;
  }

  /** The nodes of {@code info} in pre-order; {@code known} holds nodes read before, by text. */
  public static List<PlanNode> read(Object info, Map<String, PlanNode> known) {
    InfoReader reader = new InfoReader(known);
    reader.visit(info, -1, 0, -1);
    return reader.nodes;
  }

  /** The accumulators of all nodes of {@code info}. */
  public static Set<Long> accumulators(Object info) {
    Set<Long> out = new HashSet<>();
    collect(info, out);
    return out;
  }

  private static void collect(Object info, Set<Long> out) {
    for (Object metric : Scala.list(Members.call(info, "metrics"))) {
      out.add((Long) Members.call(metric, "accumulatorId"));
    }
    for (Object child : children(info)) {
      collect(child, out);
    }
  }

  private void visit(Object info, int parent, int side, int codegen) {
    int index = nodes.size();
    String name = (String) Members.call(info, "nodeName");
    String text = (String) Members.call(info, "simpleString");
    int stageId = stageId(name);
    PlanNode like = known.get(text);
    nodes.add(
        new PlanNode(
            info, parent, side, like == null ? guessClass(name) : like.className, name, text, like != null && like.subquery,
            stageId >= 0 ? -1 : codegen, stageId, like == null ? "" : like.mode, null, metrics(info), "", like == null ? Collections.emptyMap() : like.counts));
    int inside = stageId >= 0 ? index : name.equals("InputAdapter") ? -1 : codegen;
    int at = 0;
    for (Object child : children(info)) {
      visit(child, index, at++, inside);
    }
  }

  private static List<Object> children(Object info) {
    boolean scansRdd = ((String) Members.call(info, "nodeName")).startsWith("Scan ExistingRDD");
    return scansRdd ? Collections.emptyList() : Scala.list(Members.call(info, "children"));
  }

  /** 3 for "WholeStageCodegen (3)", -1 for any other node. */
  static int stageId(String nodeName) {
    if (!nodeName.startsWith("WholeStageCodegen")) {
      return -1;
    }
    String digits = nodeName.replaceAll("[^0-9]", "");
    return digits.isEmpty() || digits.length() > 9 ? 0 : Integer.parseInt(digits);
  }

  private static String guessClass(String nodeName) {
    String word = nodeName.replaceAll("[ (].*", "");
    return "org.apache.spark.sql.execution." + word + (word.equals("InputAdapter") ? "" : "Exec");
  }

  private static List<PlanNode.Metric> metrics(Object info) {
    List<PlanNode.Metric> out = new ArrayList<>();
    for (Object metric : Scala.list(Members.call(info, "metrics"))) {
      out.add(
          new PlanNode.Metric(
              (Long) Members.call(metric, "accumulatorId"), (String) Members.call(metric, "name"),
              (String) Members.call(metric, "metricType")));
    }
    return out;
  }
}

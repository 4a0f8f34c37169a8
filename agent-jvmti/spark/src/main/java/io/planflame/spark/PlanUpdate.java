package io.planflame.spark;

import io.planflame.identity.Identity;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One update of an execution's plan, named and ready to be written as the JSON that FORMAT.md
 * draws.
 */
final class PlanUpdate {
  final List<PlanNode> nodes;
  final List<PlanNames.Named> names;

  PlanUpdate(List<PlanNode> nodes, List<PlanNames.Named> names) {
    this.nodes = nodes;
    this.names = names;
  }

  /** The same without the logical trees, which only naming needs. */
  PlanUpdate withoutLinks() {
    List<PlanNode> bare = new ArrayList<>();
    for (PlanNode node : nodes) {
      bare.add(node.withoutLink());
    }
    return new PlanUpdate(bare, names);
  }

  /** The accumulators of all nodes. */
  Set<Long> accumulators() {
    Set<Long> out = new TreeSet<>();
    for (PlanNode node : nodes) {
      for (PlanNode.Metric metric : node.metrics) {
        out.add(metric.id);
      }
    }
    return out;
  }

  /** Whether the other update says the same of every node. */
  boolean sameAs(PlanUpdate other) {
    if (other == null || nodes.size() != other.nodes.size() || !accumulators().equals(other.accumulators())) {
      return false;
    }
    for (int i = 0; i < nodes.size(); i++) {
      PlanNode a = nodes.get(i);
      PlanNode b = other.nodes.get(i);
      if (a.parent != b.parent || a.codegen != b.codegen || !a.className.equals(b.className) || !a.text.equals(b.text)
          || !names.get(i).operator.equals(other.names.get(i).operator)) {
        return false;
      }
    }
    return true;
  }

  /** The dictionary JSON, UTF-8. */
  byte[] json(long executionId, int update, Identity identity, String queryName, String description, String callSite) {
    Json json = new Json().open('{')
        .key("version").value(1)
        .key("execution_id").value(executionId)
        .key("update").value(update)
        .key("identity").value(Identity.VERSION)
        .key("query").value(identity == null ? "" : identity.query())
        .key("query_name").value(queryName)
        .key("plan").value(identity == null ? "" : identity.plan())
        .key("description").value(description)
        .key("call_site").value(callSite)
        .key("nodes").open('[');
    for (int i = 0; i < nodes.size(); i++) {
      node(json, nodes.get(i), names.get(i));
    }
    return json.close(']').close('}').utf8();
  }

  private static void node(Json json, PlanNode node, PlanNames.Named named) {
    json.open('{')
        .key("parent").value(node.parent)
        .key("class").value(node.className)
        .key("name").value(node.name)
        .key("text").value(node.text)
        .key("operator").value(named.operator)
        .key("operator_name").value(named.operatorName)
        .key("line").value(named.line)
        .key("role").value(named.role)
        .key("mode").value(node.mode)
        .key("codegen").value(node.codegen);
    if (!node.counts.isEmpty()) {
      json.key("counts").open('{');
      node.counts.forEach((name, count) -> json.key(name).value(count));
      json.close('}');
    }
    if (node.codegenStageId >= 0) {
      json.key("codegen_stage_id").value(node.codegenStageId);
    }
    json.key("stage").value(named.stage).key("subquery").value(node.subquery).key("metrics").open('[');
    for (PlanNode.Metric metric : node.metrics) {
      json.open('{').key("id").value(metric.id).key("name").value(metric.name).key("type").value(metric.type).close('}');
    }
    json.close(']').close('}');
  }
}

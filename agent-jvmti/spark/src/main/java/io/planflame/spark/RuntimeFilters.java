package io.planflame.spark;

import io.planflame.identity.Roles;
import io.planflame.spark.shim.PlanNode;
import java.util.List;

/**
 * Tells the operators of a plan that only serve a runtime filter (a bloom filter, partition
 * pruning) from the query's own. Spark injects them as subqueries that read one side of a join once
 * more, and decides by size and by version whether it does. The query's own operators must have the
 * same names either way. Immutable.
 */
final class RuntimeFilters {
  private final int[] subquery; // the root of the innermost subquery that a node lies in, -1 none
  private final boolean[] bloom;
  private final boolean[] pruning;

  RuntimeFilters(List<PlanNode> nodes) {
    subquery = new int[nodes.size()];
    bloom = new boolean[nodes.size()];
    pruning = new boolean[nodes.size()];
    for (int i = 0; i < nodes.size(); i++) {
      PlanNode node = nodes.get(i);
      subquery[i] = node.subquery ? i : node.parent < 0 ? -1 : subquery[node.parent];
      if (subquery[i] >= 0 && node.link != null && Roles.buildsBloomFilter(Roles.of(node.simpleClass()), node.link)) {
        bloom[subquery[i]] = true;
      }
      if (subquery[i] >= 0 && (node.simpleClass().startsWith("SubqueryBroadcast") || node.simpleClass().startsWith("SubqueryAdaptiveBroadcast"))) {
        pruning[subquery[i]] = true;
      }
    }
    for (int i = 0; i < nodes.size(); i++) { // parents come first: what serves a servant serves too
      bloom[i] = inherits(bloom, i, nodes.get(i).parent);
      pruning[i] = inherits(pruning, i, nodes.get(i).parent);
    }
  }

  private boolean inherits(boolean[] serves, int index, int parent) {
    return subquery[index] >= 0 && serves[subquery[index]] || parent >= 0 && serves[parent];
  }

  /** Whether the node's work goes into a bloom filter. */
  boolean buildsBloomFilter(int index) {
    return bloom[index];
  }

  /** Whether the node is the query's own: neither for a bloom filter nor for partition pruning. */
  boolean isOwn(int index) {
    return !bloom[index] && !pruning[index];
  }
}

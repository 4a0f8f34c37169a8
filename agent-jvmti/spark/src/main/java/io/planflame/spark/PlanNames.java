package io.planflame.spark;

import io.planflame.identity.Identity;
import io.planflame.identity.Roles;
import io.planflame.identity.Twins;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives the nodes of a physical plan their stable names. A node with a logical link is named from
 * it; one without (an exchange, a sort for a join) is called after the nearest named operator that
 * it works for. Twins are numbered among the query's own operators first, then among the operators
 * of runtime filters. One object names all trees of an execution. Not thread-safe.
 */
final class PlanNames {
  /** The names of one node. */
  static final class Named {
    /** See {@link Roles}; empty for a wrapper, like the next two. */
    String role = "";
    String operator = "";
    String operatorName = ""; // set by OperatorNames
    String stage = "";

    /** The user's own line, "" if Spark does not know it. */
    String line = "";
    boolean linked;
    String words = "";
    String alias = "";
  }

  private final Identity identity;
  private final Twins twins = new Twins();
  private final OperatorNames people = new OperatorNames();

  PlanNames(Identity identity) {
    this.identity = identity;
  }

  /** The names of {@code nodes}, index by index. */
  List<Named> name(List<PlanNode> nodes) {
    Set<String> texts = new HashSet<>();
    List<Named> out = new ArrayList<>();
    for (PlanNode node : nodes) {
      texts.add(node.text);
      out.add(new Named());
    }
    twins.begin(texts);
    RuntimeFilters filters = new RuntimeFilters(nodes);
    for (boolean own : new boolean[] {true, false}) {
      for (int i = 0; i < nodes.size(); i++) {
        if (filters.isOwn(i) == own) {
          nameFromLink(nodes.get(i), out.get(i), filters.buildsBloomFilter(i));
        }
      }
    }
    for (boolean own : new boolean[] {true, false}) {
      for (int i = 0; i < nodes.size(); i++) {
        if (filters.isOwn(i) == own && !out.get(i).linked && !out.get(i).role.equals(Roles.WRAPPER)) {
          nameFromNeighbour(nodes, out, i);
        }
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      out.get(i).stage = stage(nodes, out, i);
    }
    twins.end();
    people.name(nodes, out);
    return out;
  }

  private void nameFromLink(PlanNode node, Named named, boolean forBloomFilter) {
    named.role = Roles.of(node.simpleClass());
    if (named.role.equals(Roles.WRAPPER) || node.link == null) {
      return;
    }
    boolean mayBeAdded = named.role.equals(Roles.SORT) || isExchange(named.role);
    if (mayBeAdded && !Roles.stemsFrom(named.role, node.link) || named.role.equals("columnar-to-row")) {
      return;
    }
    Identity.Origin origin = identity.origin(named.role, node.link);
    named.operator = forBloomFilter
        ? twins.number(Identity.bloomFilterName(named.role, origin.name()), "bloom filter: " + origin.arguments(), origin.tree(), node.text)
        : twins.number(origin.name(), origin.arguments(), origin.tree(), node.text);
    named.linked = true;
    named.words = forBloomFilter ? (origin.words() + " for a bloom filter").trim() : origin.words();
    named.alias = origin.alias();
    named.line = origin.line();
  }

  private void nameFromNeighbour(List<PlanNode> nodes, List<Named> out, int index) {
    Named named = out.get(index);
    int side = 0;
    int neighbour = -1;
    if (!named.role.equals("columnar-to-row")) {
      int child = index;
      for (int at = nodes.get(index).parent; at >= 0 && neighbour < 0; at = nodes.get(at).parent) {
        if (out.get(at).linked) {
          neighbour = at;
          side = nodes.get(child).side;
        }
        child = at;
      }
    }
    boolean consumer = neighbour >= 0;
    if (!consumer) {
      neighbour = linkedBelow(nodes, out, index);
    }
    String who = neighbour < 0 ? "" : out.get(neighbour).operator;
    String name = Identity.neighbourName(named.role, who, consumer ? side : -1);
    named.operator = twins.number(name, name, nodes.get(index).identity, nodes.get(index).text);
  }

  private static int linkedBelow(List<PlanNode> nodes, List<Named> out, int index) {
    for (int i = index + 1; i < nodes.size() && isBelow(nodes, i, index); i++) {
      if (out.get(i).linked) {
        return i;
      }
    }
    return -1;
  }

  static boolean isBelow(List<PlanNode> nodes, int index, int ancestor) {
    int at = index;
    while (at > ancestor) {
      at = nodes.get(at).parent;
    }
    return at == ancestor;
  }

  /**
   * The place of a node's stage: {@code result} at the top, else what ends the stage and for whom,
   * e.g. {@code exchange>aggregate@3fa91c20}. An exchange belongs to the stage that it ends.
   */
  private static String stage(List<PlanNode> nodes, List<Named> out, int index) {
    int at = index;
    while (at >= 0) {
      String role = out.get(at).role;
      boolean subquery = nodes.get(at).subquery;
      if (isExchange(role) || subquery) {
        return (isExchange(role) ? role : "subquery") + ">" + consumer(nodes, out, at);
      }
      at = nodes.get(at).parent;
    }
    return "result";
  }

  private static String consumer(List<PlanNode> nodes, List<Named> out, int index) {
    int child = index;
    for (int at = nodes.get(index).parent; at >= 0; at = nodes.get(at).parent) {
      if (out.get(at).linked) {
        int side = nodes.get(child).side;
        return out.get(at).operator + (side > 0 ? "/" + (side + 1) : "");
      }
      child = at;
    }
    return "result";
  }

  private static boolean isExchange(String role) {
    return role.equals(Roles.EXCHANGE) || role.equals(Roles.BROADCAST);
  }
}

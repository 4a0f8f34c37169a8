package io.planflame.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The canonical text of logical plans. Projections vanish into the definitions of their columns;
 * views, aliases and hints vanish; CTEs are inlined; filters and inner joins melt into blocks of
 * inputs and conjuncts, both sorted. Not thread-safe.
 */
final class Plans {
  private final Terms terms;
  private final Map<Long, Tree> ctes = new HashMap<>();
  private final Set<Long> open = new HashSet<>(); // CTEs being inlined: a recursive one ends here

  /** Filters and inner joins melted together. */
  private static final class Block {
    final List<String> inputs = new ArrayList<>();
    final TreeSet<String> conjuncts = new TreeSet<>();

    String text() {
      Collections.sort(inputs);
      if (conjuncts.isEmpty() && inputs.size() == 1) {
        return inputs.get(0);
      }
      return "block(" + String.join(",", inputs) + "|" + String.join(",", conjuncts) + ")";
    }
  }

  /** @param subqueries whether a subquery expression's own plan belongs to the text */
  Plans(boolean subqueries) {
    terms = new Terms(this, subqueries);
  }

  Terms terms() {
    return terms;
  }

  /** The canonical text of a whole query: its plan and what it returns. */
  String ofRoot(Tree root) {
    String plan = of(root);
    return plan + "->" + terms.sorted(root.output);
  }

  /** The canonical text of a plan; the columns that it defines are known from then on. */
  String of(Tree tree) {
    return block(tree).text();
  }

  private Block block(Tree tree) {
    Block block = new Block();
    collect(tree, block);
    return block;
  }

  private void collect(Tree tree, Block block) {
    if (Kinds.WRAPPERS.contains(tree.kind) && !tree.children.isEmpty()) {
      collect(tree.children.get(0), block);
      passOn(tree, tree.children.get(0));
      return;
    }
    switch (tree.kind) {
      case "Project":
        collect(tree.children.get(0), block);
        terms.defineAliases(tree.arg("projectList"));
        return;
      case "Filter":
        collect(tree.children.get(0), block);
        block.conjuncts.addAll(terms.conjuncts(tree.arg("condition")));
        return;
      case "Join":
        if (Kinds.isInner(tree)) {
          collect(tree.children.get(0), block);
          collect(tree.children.get(1), block);
          block.conjuncts.addAll(terms.conjuncts(tree.arg("condition")));
          return;
        }
        block.inputs.add(outerJoin(tree));
        return;
      case "WithCTE":
        for (Tree definition : tree.children.subList(1, tree.children.size())) {
          ctes.put(definition.id, definition);
        }
        collect(tree.children.get(0), block);
        return;
      case "CTERelationRef":
        reference(tree, block);
        return;
      default:
        block.inputs.add(node(tree));
    }
  }

  private void reference(Tree tree, Block block) {
    Tree definition = ctes.get(tree.id);
    if (definition == null || !open.add(tree.id)) {
      block.inputs.add("recursion");
      return;
    }
    collect(definition, block);
    open.remove(tree.id);
    passOn(tree, definition);
  }

  /** The outputs of {@code tree} stand for the outputs of {@code child}, position by position. */
  private void passOn(Tree tree, Tree child) {
    if (tree.output.size() == child.output.size()) {
      for (int i = 0; i < tree.output.size(); i++) {
        if (tree.output.get(i).id != child.output.get(i).id) {
          terms.define(tree.output.get(i).id, terms.text(child.output.get(i)));
        }
      }
    }
  }

  private String outerJoin(Tree tree) {
    String left = of(tree.children.get(0));
    String right = of(tree.children.get(1));
    String on = String.join(",", terms.conjuncts(tree.arg("condition")));
    String text = tree.text.equals("RightOuter")
        ? "join:leftouter(" + right + ";" + left + "|" + on + ")"
        : "join:" + tree.text.toLowerCase(java.util.Locale.ROOT) + "(" + left + ";" + right + "|" + on + ")";
    defineOutput(tree, "exists#" + Hash.of(text, 12)); // an existence join's flag
    return text;
  }

  private String node(Tree tree) {
    switch (tree.kind) {
      case "Aggregate":
        return aggregate(tree);
      case "Distinct":
        String distinct = of(tree.children.get(0));
        return "aggregate(" + terms.sorted(tree.output) + ";;" + distinct + ")";
      case "Sort":
        return "sort(" + of(tree.children.get(0)) + ";" + terms.ordered(tree.arg("order")) + ")";
      case "GlobalLimit":
      case "LocalLimit":
      case "Limit":
        Tree below = tree.children.get(0);
        return Kinds.isLimit(below.kind) ? node(below) : "limit(" + of(below) + ")";
      case "Window":
        String windowed = of(tree.children.get(0));
        terms.defineAliases(tree.arg("windowExpressions"));
        return "window(" + windowed + ";" + terms.sorted(tree.arg("windowExpressions")) + ")";
      default:
        return tree.children.isEmpty() ? leaf(tree) : generic(tree);
    }
  }

  private String aggregate(Tree tree) {
    String child = of(tree.children.get(0));
    String text = "aggregate(" + terms.sorted(tree.arg("groupingExpressions")) + ";"
        + String.join(",", terms.aggregateCalls(tree.arg("aggregateExpressions"))) + ";" + child + ")";
    terms.defineAliases(tree.arg("aggregateExpressions"));
    return text;
  }

  private String leaf(Tree tree) {
    String name = "leaf:" + tree.source;
    String prefix = Hash.of(tree.source, 6) + ".";
    for (Term column : tree.output) {
      terms.define(column.id, prefix + column.text.toLowerCase(java.util.Locale.ROOT));
    }
    return name;
  }

  private String generic(Tree tree) {
    List<String> children = new ArrayList<>();
    for (Tree child : tree.children) {
      String plan = of(child);
      children.add(tree.children.size() == 1 ? plan : plan + "->" + terms.ordered(child.output));
    }
    if (tree.kind.equals("Union")) {
      Collections.sort(children);
    }
    List<Term> all = new ArrayList<>();
    for (List<Term> arg : tree.args.values()) {
      all.addAll(arg);
    }
    String text = tree.kind.toLowerCase(java.util.Locale.ROOT) + "(" + String.join(";", children) + "|" + terms.sorted(all) + ")";
    defineOutput(tree, tree.kind.toLowerCase(java.util.Locale.ROOT) + "#" + Hash.of(text, 12));
    return text;
  }

  /** Columns that a node makes by itself are known by the node and their position. */
  private void defineOutput(Tree tree, String name) {
    for (int i = 0; i < tree.output.size(); i++) {
      if (!terms.isDefined(tree.output.get(i).id)) {
        terms.define(tree.output.get(i).id, name + "." + i);
      }
    }
  }
}

package io.planflame.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The names that a query gives its inputs: {@code l2} for the second {@code lineitem}. For people
 * only. Not thread-safe.
 */
final class Aliases {
  private final Map<Long, Long> passedOn = new HashMap<>(); // :: column → the column that it renames
  private final Map<Long, String> byColumn = new HashMap<>(); // :: column of a leaf → alias, the outermost wins

  /** @param analyzed the analyzed plan: the optimizer drops aliases */
  Aliases(Tree analyzed) {
    collect(analyzed);
  }

  /** The alias of the leaf {@code tree}, "" if it has none besides its own label. */
  String of(Tree tree) {
    for (Term column : tree.output) {
      String alias = byColumn.get(column.id);
      if (alias != null) {
        return alias.equals(tree.label) ? "" : alias;
      }
    }
    return "";
  }

  private void collect(Tree tree) {
    for (Tree child : tree.children) {
      collect(child);
    }
    for (List<Term> terms : tree.args.values()) {
      subqueries(terms);
    }
    for (Term term : tree.arg("projectList")) {
      if (term.kind.equals("Alias") && Terms.passesColumn(term)) {
        passedOn.put(term.id, column(term));
      }
    }
    if (tree.kind.equals("SubqueryAlias") && !tree.label.isEmpty()) {
      for (Term column : tree.output) {
        byColumn.put(source(column.id), tree.label);
      }
    }
  }

  private void subqueries(List<Term> terms) {
    for (Term term : terms) {
      if (term.plan != null) {
        collect(term.plan);
      }
      subqueries(term.children);
    }
  }

  private static long column(Term term) {
    Term at = term;
    while (!at.kind.equals("AttributeReference")) {
      at = at.children.get(0);
    }
    return at.id;
  }

  private long source(long id) {
    long at = id;
    for (int steps = 0; passedOn.containsKey(at) && steps < 64; steps++) { // ids cannot be in a circle, but a plan is not ours
      at = passedOn.get(at);
    }
    return at;
  }
}

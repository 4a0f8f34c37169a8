package io.planflame.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The user's lines of a plan's nodes, by what the optimizer keeps of them: the columns that they
 * make, their arguments. The optimized plan's own nodes are not asked, since a rule gives the nodes
 * that it moves the origin of another. Lines take no part in any identity. Not thread-safe.
 */
final class UserLines {
  private static final String SEVERAL = "";

  private final Terms terms;
  private final Map<Long, String> byColumn = new HashMap<>(); // :: alias → line, as analyzed
  private final Map<String, String> byFunction = new HashMap<>(); // :: name of a Python function → line of the column that it makes
  private final Map<Long, String> copies = new HashMap<>(); // :: alias that a join may have copied → its text
  private final Map<String, String> byText = new HashMap<>(); // :: text of another alias → line
  private final Map<String, String> byArguments = new HashMap<>(); // :: key → line of the call that made the node

  /** @param terms knows the columns that {@code analyzed} defines */
  UserLines(Tree analyzed, Terms terms) {
    this.terms = terms;
    collect(analyzed, Collections.emptySet());
    copies.forEach((column, text) -> byColumn.put(column, byText.getOrDefault(text, byColumn.get(column))));
  }

  /**
   * @param joins the lines of the joins above, which copy what both of their sides have: the copy
   *     has the join's line
   */
  private void collect(Tree tree, Set<String> joins) {
    for (List<Term> arguments : tree.args.values()) {
      for (Term term : arguments) {
        if (term.kind.equals("Alias")) {
          String own = within(term, false);
          column(term, own.isEmpty() ? tree.line : own, joins);
        }
      }
    }
    if (!tree.line.isEmpty()) {
      for (String key : keys(tree)) {
        byArguments.merge(key, tree.line, (was, now) -> was.equals(now) ? was : SEVERAL);
      }
    }
    Set<String> below = joins;
    if (tree.kind.equals("Join") && !tree.line.isEmpty()) {
      below = new HashSet<>(joins);
      below.add(tree.line);
    }
    for (Tree child : tree.children) {
      collect(child, below);
    }
  }

  private void column(Term alias, String line, Set<String> joins) {
    if (line.isEmpty()) {
      return;
    }
    byColumn.putIfAbsent(alias.id, line);
    functions(alias, line);
    if (joins.contains(line)) {
      copies.put(alias.id, terms.text(alias));
    } else {
      byText.putIfAbsent(terms.text(alias), line);
    }
  }

  private void functions(Term term, String line) {
    if (term.kind.startsWith("PythonUD")) {
      byFunction.merge(term.text, line, (was, now) -> was.equals(now) ? was : SEVERAL);
    }
    for (Term child : term.children) {
      functions(child, line);
    }
  }

  /**
   * What a node is known by in both plans; none of a leaf, which no expression of the user's makes.
   */
  private List<String> keys(Tree tree) {
    List<String> out = new ArrayList<>();
    switch (tree.kind) {
      case "Filter":
      case "Join":
        for (String conjunct : terms.conjuncts(tree.arg("condition"))) {
          out.add("if " + conjunct);
        }
        return out;
      case "Aggregate":
        out.add("aggregate " + Roles.arguments("aggregate", tree, terms));
        out.add("group " + terms.sorted(tree.arg("groupingExpressions")));
        return out;
      case "Distinct":
        return Collections.singletonList("group " + terms.sorted(tree.output));
      case "Deduplicate":
        return Collections.singletonList("group " + Roles.arguments("aggregate", tree, terms));
      default:
        String arguments = Roles.arguments("", tree, terms);
        return arguments.isEmpty() || tree.children.isEmpty() ? out : Collections.singletonList(tree.kind + " " + arguments);
    }
  }

  /**
   * The line of a node: of the first of its terms that has one, else of the call that made it; ""
   * if neither is known.
   */
  String of(Tree tree) {
    String line = of(Roles.spoken(tree));
    for (String key : line.isEmpty() ? keys(tree) : Collections.<String>emptyList()) {
      line = byArguments.getOrDefault(key, "");
      if (!line.isEmpty()) {
        return line;
      }
    }
    return line;
  }

  /** The line of the first of {@code terms} that has one, "" if none has. */
  String of(List<Term> terms) {
    for (Term term : terms) {
      String line = term.kind.equals("Alias") ? byColumn.getOrDefault(term.id, "") : "";
      if (line.isEmpty()) {
        line = within(term, true);
      }
      if (!line.isEmpty()) {
        return line;
      }
    }
    return "";
  }

  /**
   * The line of a term or of the first part of it that has one. A column's own does not count: it
   * may be of an earlier call that named it. An alias's counts last: the call that names an
   * expression may be a later one.
   *
   * @param functions a Python function without a line has the one of the columns that it makes
   */
  private String within(Term term, boolean functions) {
    boolean names = term.kind.equals("Alias");
    if (!term.line.isEmpty() && !names && !term.kind.equals("AttributeReference")) {
      return term.line;
    }
    if (functions && byFunction.containsKey(term.text) && term.kind.startsWith("PythonUD")) {
      return byFunction.get(term.text);
    }
    for (Term child : term.children) {
      String line = within(child, functions);
      if (!line.isEmpty()) {
        return line;
      }
    }
    return names ? term.line : "";
  }
}

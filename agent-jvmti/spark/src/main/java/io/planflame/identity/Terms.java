package io.planflame.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The canonical text of expressions. Literals are {@code ?}, casts and aliases vanish, and operands
 * that may be swapped are sorted. A column stands for the expression that defines it, so that it
 * does not matter in which projection that was written. Remembers the definitions it has been told
 * of. Not thread-safe.
 */
final class Terms {
  /**
   * A definition longer than this stands as its hash: definitions of definitions would grow without
   * bound.
   */
  private static final int MAX_INLINE = 160;

  private final Map<Long, String> definitions = new HashMap<>();
  private final Map<Long, Term> commonExpressions = new HashMap<>();
  private final Plans plans;
  private final boolean subqueries;

  Terms(Plans plans, boolean subqueries) {
    this.plans = plans;
    this.subqueries = subqueries;
  }

  /**
   * From now on column {@code id} stands for {@code text}, unless it stands for something already.
   */
  void define(long id, String text) {
    if (id != Term.NO_ID) {
      definitions.putIfAbsent(id, text.length() > MAX_INLINE ? "#" + Hash.of(text, 12) : text);
    }
  }

  boolean isDefined(long id) {
    return definitions.containsKey(id);
  }

  /** Defines every alias among {@code outputs}. */
  void defineAliases(List<Term> outputs) {
    for (Term term : outputs) {
      if (term.kind.equals("Alias")) {
        define(term.id, text(term.children.get(0)));
      }
    }
  }

  /** The canonical texts of {@code terms}, sorted, without repetition. */
  String sorted(List<Term> terms) {
    TreeSet<String> out = new TreeSet<>();
    for (Term term : terms) {
      out.add(text(term));
    }
    return String.join(",", out);
  }

  /** The canonical texts of {@code terms} in their order. */
  String ordered(List<Term> terms) {
    List<String> out = new ArrayList<>();
    for (Term term : terms) {
      out.add(text(term));
    }
    return String.join(",", out);
  }

  /** The conjuncts of a predicate, without those that Spark adds by itself. */
  TreeSet<String> conjuncts(List<Term> predicates) {
    TreeSet<String> out = new TreeSet<>();
    for (Term predicate : predicates) {
      conjuncts(predicate, out);
    }
    return out;
  }

  private void conjuncts(Term term, TreeSet<String> out) {
    if (term.kind.equals("And")) {
      for (Term child : term.children) {
        conjuncts(child, out);
      }
    } else if (term.kind.equals("Between")) {
      out.add(order("LessThanOrEqual", text(term.children.get(1)), text(term.children.get(0))));
      out.add(order("LessThanOrEqual", text(term.children.get(0)), text(term.children.get(2))));
    } else if (term.kind.equals("With")) {
      conjuncts(body(term), out);
    } else if (!Kinds.IMPLIED.contains(term.kind)) {
      String text = text(term);
      if (!text.equals("?")) { // WHERE true
        out.add(text);
      }
    }
  }

  /** The aggregate calls in {@code terms}, sorted. */
  TreeSet<String> aggregateCalls(List<Term> terms) {
    TreeSet<String> out = new TreeSet<>();
    for (Term term : terms) {
      aggregateCalls(term, out);
    }
    return out;
  }

  private void aggregateCalls(Term term, TreeSet<String> out) {
    if (term.kind.equals("AggregateExpression")) {
      out.add(text(term));
      return;
    }
    for (Term child : term.children) {
      aggregateCalls(child, out);
    }
  }

  static boolean isTransparent(Term term) {
    return Kinds.TRANSPARENT.contains(term.kind) && !term.children.isEmpty();
  }

  /** Whether a projected term only passes a column on. */
  static boolean passesColumn(Term term) {
    return term.kind.equals("AttributeReference") || (isTransparent(term) && passesColumn(term.children.get(0)));
  }

  /** The canonical text of one expression. */
  String text(Term term) {
    String kind = term.kind;
    if (isTransparent(term)) {
      return text(term.children.get(0));
    }
    if (Kinds.CONSTANTS.contains(kind)) {
      return "?";
    }
    if (Kinds.COMMUTATIVE.contains(kind)) {
      return commutative(term);
    }
    switch (kind) {
      case "AttributeReference":
        String definition = definitions.get(term.id);
        return definition != null ? definition : term.text.toLowerCase(Locale.ROOT);
      case "With":
        return text(body(term));
      case "CommonExpressionRef":
        Term common = commonExpressions.get(term.id);
        return common == null ? "common" : text(common);
      case "Between":
        return "and(" + String.join(",", conjuncts(Collections.singletonList(term))) + ")";
      case "GreaterThan":
        return comparison("LessThan", term.children.get(1), term.children.get(0));
      case "GreaterThanOrEqual":
        return comparison("LessThanOrEqual", term.children.get(1), term.children.get(0));
      case "LessThan":
      case "LessThanOrEqual":
        return comparison(kind, term.children.get(0), term.children.get(1));
      case "In":
      case "InSet":
        return "in(" + text(term.children.get(0)) + ";" + sorted(term.children.subList(1, term.children.size())) + ")";
      default:
        return function(term);
    }
  }

  private String function(Term term) {
    List<String> operands = new ArrayList<>();
    boolean constant = !term.children.isEmpty() && term.plan == null && !Kinds.NEVER_CONSTANT.contains(term.kind);
    for (Term child : term.children) {
      String operand = text(child);
      constant &= operand.equals("?");
      operands.add(operand);
    }
    if (constant) {
      return "?";
    }
    if (Kinds.SYMMETRIC.contains(term.kind)) {
      Collections.sort(operands);
    }
    String name = term.kind.toLowerCase(Locale.ROOT) + (term.text.isEmpty() ? "" : ":" + term.text.toLowerCase(Locale.ROOT));
    String subquery = term.plan == null || !subqueries ? "" : "{" + plans.of(term.plan) + "}";
    return name + "(" + String.join(",", operands) + ")" + subquery;
  }

  private String commutative(Term term) {
    List<String> operands = new ArrayList<>();
    flatten(term, term.kind, operands);
    Collections.sort(operands);
    if (term.kind.equals("And") || term.kind.equals("Or")) {
      operands = new ArrayList<>(new TreeSet<>(operands));
      if (operands.size() == 1) {
        return operands.get(0);
      }
    }
    boolean constant = true;
    for (String operand : operands) {
      constant &= operand.equals("?");
    }
    return constant ? "?" : term.kind.toLowerCase(Locale.ROOT) + "(" + String.join(",", operands) + ")";
  }

  private void flatten(Term term, String kind, List<String> out) {
    if (term.kind.equals(kind)) {
      for (Term child : term.children) {
        flatten(child, kind, out);
      }
    } else if (kind.equals("And")) {
      out.addAll(conjuncts(Collections.singletonList(term)));
    } else if (isTransparent(term) && !term.kind.equals("Alias")) {
      flatten(term.children.get(0), kind, out); // a cast between two additions regroups like none
    } else {
      out.add(text(term));
    }
  }

  private String comparison(String kind, Term left, Term right) {
    return order(kind, text(left), text(right));
  }

  private static String order(String kind, String left, String right) {
    return left.equals("?") && right.equals("?") ? "?" : kind.toLowerCase(Locale.ROOT) + "(" + left + "," + right + ")";
  }

  /** With(child, definitions…): remembers the definitions, returns the child. */
  private Term body(Term with) {
    for (Term definition : with.children.subList(1, with.children.size())) {
      commonExpressions.putIfAbsent(definition.id, definition);
    }
    return with.children.get(0);
  }
}

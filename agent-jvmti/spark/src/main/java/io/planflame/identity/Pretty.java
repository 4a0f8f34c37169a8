package io.planflame.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Expressions as people read them, without literals: {@code sum(l_extendedprice * (? -
 * l_discount))}.
 */
public final class Pretty {
  /**
   * Column names of users, and Spark's own for a function of one column; Spark's names for other
   * expressions hold literals.
   */
  private static final Pattern NAME = Pattern.compile("[\\w$ ]+|\\w+\\((DISTINCT )?[\\w$.*]+\\)");

  private static final Map<String, String> INFIX = new HashMap<>();

  static {
    String[] pairs = {"Add", "+", "Subtract", "-", "Multiply", "*", "Divide", "/", "Remainder", "%", "EqualTo", "=", "EqualNullSafe", "<=>",
      "LessThan", "<", "LessThanOrEqual", "<=", "GreaterThan", ">", "GreaterThanOrEqual", ">=", "And", "AND", "Or", "OR"};
    for (int i = 0; i < pairs.length; i += 2) {
      INFIX.put(pairs[i], pairs[i + 1]);
    }
  }

  private final Set<Long> literalNames;

  /** @param literalNames ids of columns whose names hold a literal; the set may still grow */
  public Pretty(Set<Long> literalNames) {
    this.literalNames = literalNames;
  }

  /** Reports whether a column's name alone tells of no literal. */
  public static boolean isPlain(String name) {
    return NAME.matcher(name).matches();
  }

  /** The name of a column; {@code expr} if it may hold a literal. */
  public String column(long id, String name) {
    return isPlain(name) && !literalNames.contains(id) ? name : "expr";
  }

  /**
   * A comma-separated list, cut at about {@code limit} characters at a term's border where
   * possible.
   */
  String list(List<Term> terms, int limit) {
    StringBuilder out = new StringBuilder();
    for (Term term : terms) {
      String text = of(term);
      if (text.isEmpty()) {
        continue;
      }
      if (out.length() > 0) {
        if (out.length() + text.length() > limit) {
          return out.append(", …").toString();
        }
        out.append(", ");
      }
      out.append(text);
    }
    return out.length() > limit ? out.substring(0, limit - 1) + "…" : out.toString();
  }

  /** One expression. */
  String of(Term term) {
    if (Kinds.CONSTANTS.contains(term.kind)) {
      return "?";
    }
    if (Terms.isTransparent(term)) {
      return of(term.children.get(0));
    }
    String infix = INFIX.get(term.kind);
    if (infix != null && term.children.size() == 2) {
      return operand(term, 0) + " " + infix + " " + operand(term, 1);
    }
    switch (term.kind) {
      case "AttributeReference":
        return column(term.id, term.text);
      case "In":
      case "InSet":
        return of(term.children.get(0)) + " in (?)";
      case "With":
      case "WindowExpression": // the window's own arguments are the node's
        return of(term.children.get(0));
      case "Count":
        return term.children.stream().allMatch(c -> Kinds.CONSTANTS.contains(c.kind)) ? "count(*)" : call(term);
      case "BloomFilterMightContain":
        return columns(term.children.get(1)) + " in a bloom filter";
      case "DynamicPruningSubquery":
      case "DynamicPruningExpression":
        return "dynamic pruning";
      case "AggregateExpression":
        return term.text.isEmpty() ? of(term.children.get(0)) : of(term.children.get(0)).replaceFirst("\\(", "(" + term.text + " ");
      case "SortOrder":
        return of(term.children.get(0)) + (term.text.startsWith("Desc") ? " DESC" : "");
      case "IsNotNull":
        return of(term.children.get(0)) + " is not null";
      default:
        return call(term);
    }
  }

  private String call(Term term) {
    if (term.children.isEmpty() && term.plan == null) {
      return term.text.isEmpty() ? term.kind.toLowerCase(Locale.ROOT) + "()" : term.text;
    }
    List<String> operands = new ArrayList<>();
    for (Term child : term.children) {
      operands.add(of(child));
    }
    String name = term.kind.endsWith("UDF") && !term.text.isEmpty() ? term.text : term.kind.toLowerCase(Locale.ROOT);
    return name + "(" + String.join(", ", operands) + ")";
  }

  /** The columns in an expression. */
  private String columns(Term term) {
    if (term.kind.equals("AttributeReference")) {
      return of(term);
    }
    List<String> out = new ArrayList<>();
    for (Term child : term.children) {
      String text = columns(child);
      if (!text.isEmpty() && !out.contains(text)) {
        out.add(text);
      }
    }
    return String.join(", ", out);
  }

  private String operand(Term term, int index) {
    Term child = term.children.get(index);
    while (Terms.isTransparent(child)) {
      child = child.children.get(0);
    }
    String text = of(child);
    return INFIX.containsKey(child.kind) ? "(" + text + ")" : text;
  }
}

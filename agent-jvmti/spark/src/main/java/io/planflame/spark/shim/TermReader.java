package io.planflame.spark.shim;

import io.planflame.identity.Term;
import io.planflame.identity.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns Catalyst's expressions into neutral terms. Terms do not have the values of literals.
 * One reader serves one reading: the same expression becomes the same term. Not thread-safe.
 */
final class TermReader {
  private static final String PLAN_EXPRESSION = "org.apache.spark.sql.catalyst.expressions.PlanExpression";
  private static final String RUNTIME_REPLACEABLE = "org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable";

  private static final ClassValue<Set<String>> ANCESTORS =
      new ClassValue<Set<String>>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
          Set<String> names = new HashSet<>();
          collect(type, names);
          return names;
        }
      };

  private final LogicalReader plans;
  private final Map<Object, Term> terms = new IdentityHashMap<>();

  TermReader(LogicalReader plans) {
    this.plans = plans;
  }

  /** The simple class name, without a Scala object's dollar. */
  static String kind(Object node) {
    String name = node.getClass().getName();
    String simple = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$', name.length() - 2)) + 1);
    return simple.endsWith("$") ? simple.substring(0, simple.length() - 1) : simple;
  }

  List<Term> all(List<Object> expressions) {
    List<Term> out = new ArrayList<>();
    for (Object expression : expressions) {
      out.add(read(expression));
    }
    return out;
  }

  Term read(Object expression) {
    Term term = terms.get(expression);
    if (term == null) {
      term = readAnywhere(expression).at(Lines.of(expression));
      terms.put(expression, term);
    }
    return term;
  }

  private Term readAnywhere(Object expression) {
    String kind = kind(expression);
    if (kind.equals("Between")) { // Spark 4.x; in 3.5 the parser makes two comparisons of it
      return new Term(kind, "", Term.NO_ID, all(Arrays.asList(
          Members.call(expression, "input"), Members.call(expression, "lower"), Members.call(expression, "upper"))), null);
    }
    if (kind.equals("OuterReference")) { // a leaf to Catalyst
      return read(Members.call(expression, "e"));
    }
    if (isA(expression.getClass(), RUNTIME_REPLACEABLE)) {
      return read(Members.call(expression, "replacement"));
    }
    Tree plan = null;
    if (isA(expression.getClass(), PLAN_EXPRESSION)) {
      Object inner = Members.call(expression, "plan");
      plan = inner.getClass().getName().contains(".execution.") && !Members.has(inner, "maxRows", 0) ? null : plans.read(inner);
    }
    List<Term> children = all(Scala.list(Members.call(expression, "children")));
    Term term = new Term(kind, text(expression, kind), id(expression, kind), children, plan);
    if (kind.equals("Alias")) {
      plans.literalNames().see(term.id(), term.text(), expression);
    }
    return term;
  }

  /** The expression id of an attribute or alias. */
  static long exprId(Object named) {
    return (Long) Members.call(Members.call(named, "exprId"), "id");
  }

  private static long id(Object expression, String kind) {
    switch (kind) {
      case "AttributeReference":
      case "Alias":
        return exprId(expression);
      case "CommonExpressionDef":
      case "CommonExpressionRef":
        return (Long) Members.call(Members.call(expression, "id"), "id");
      default:
        return Term.NO_ID;
    }
  }

  /** What tells two expressions of a kind apart besides their operands. */
  private static String text(Object expression, String kind) {
    switch (kind) {
      case "AttributeReference":
      case "Alias":
      case "PythonUDF":
      case "PythonUDAF":
        return String.valueOf(Members.call(expression, "name"));
      case "ScalaUDF":
        Object name = Scala.orNull(Members.call(expression, "udfName"));
        return name == null ? "" : String.valueOf(name);
      case "AggregateExpression":
        return Boolean.TRUE.equals(Members.call(expression, "isDistinct")) ? "distinct" : "";
      case "SortOrder":
        return kind(Members.call(expression, "direction")) + " " + kind(Members.call(expression, "nullOrdering"));
      case "StaticInvoke":
      case "Invoke":
        return String.valueOf(Members.call(expression, "functionName"));
      case "GetStructField":
        Object field = Scala.orNull(Members.call(expression, "name"));
        return field == null ? String.valueOf(Members.call(expression, "ordinal")) : String.valueOf(field);
      default:
        return "";
    }
  }

  private static boolean isA(Class<?> type, String name) {
    return ANCESTORS.get(type).contains(name);
  }

  /** The names of a class and all that it extends or implements. */
  private static void collect(Class<?> type, Set<String> names) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      names.add(at.getName());
      for (Class<?> i : at.getInterfaces()) {
        collect(i, names);
      }
    }
  }
}

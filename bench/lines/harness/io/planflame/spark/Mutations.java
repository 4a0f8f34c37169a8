package io.planflame.spark;

import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Function1;
import scala.runtime.AbstractPartialFunction;

/**
 * Changes of one expression of one physical node that leave its output, and so every other node, as
 * they are.
 */
final class Mutations {
  private static final String EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions.";

  /** Comparisons and arithmetic that generate the same code but for one word. */
  private static final String[][] TWINS = {
    {"LessThan", "GreaterThan"}, {"LessThanOrEqual", "GreaterThanOrEqual"}, {"Add", "Subtract"},
  };

  private Mutations() {}

  /** One change: an expression of the node, and what stands in its place. */
  static final class Mutation {
    final String what;
    private final Expression from;
    private final Expression to;

    Mutation(Expression from, Expression to) {
      this.what = from + " -> " + to;
      this.from = from;
      this.to = to;
    }

    /** A copy of the node with the change. */
    SparkPlan apply(SparkPlan node) {
      return (SparkPlan) Members.call(node, "transformExpressionsDown", new Replacement(from, to));
    }
  }

  private static final class Replacement extends AbstractPartialFunction<Expression, Expression> {
    private final Expression from;
    private final Expression to;

    Replacement(Expression from, Expression to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public boolean isDefinedAt(Expression e) {
      return e == from;
    }

    @Override
    public <A extends Expression, B> B applyOrElse(A e, Function1<A, B> otherwise) {
      @SuppressWarnings("unchecked")
      B replaced = e == from ? (B) to : otherwise.apply(e);
      return replaced;
    }
  }

  /** The first {@code most} changes of a node. */
  static List<Mutation> of(SparkPlan node, int most) {
    List<Mutation> out = new ArrayList<>();
    for (Object expression : Scala.list(Members.call(node, "expressions"))) {
      collect((Expression) expression, most, out);
    }
    return out;
  }

  private static void collect(Expression e, int most, List<Mutation> out) {
    if (out.size() >= most) {
      return;
    }
    Expression other = other(e);
    if (other != null) {
      out.add(new Mutation(e, other));
    }
    for (Object child : Scala.list(Members.call(e, "children"))) {
      collect((Expression) child, most, out);
    }
  }

  /** Something else of the same type in the place of an expression, null if there is nothing. */
  private static Expression other(Expression e) {
    if (e instanceof Literal) {
      Object value = otherValue(((Literal) e).value());
      return value == null ? null : new Literal(value, e.dataType());
    }
    String name = e.getClass().getName();
    for (String[] twins : TWINS) {
      for (int i = 0; i < 2; i++) {
        if (name.equals(EXPRESSIONS + twins[i])) {
          return twin(e, EXPRESSIONS + twins[1 - i]);
        }
      }
    }
    return null;
  }

  private static Object otherValue(Object value) {
    if (value instanceof Integer) {
      return (Integer) value + 1;
    }
    if (value instanceof Long) {
      return (Long) value + 1;
    }
    if (value instanceof Double) {
      return (Double) value + 1;
    }
    if (value instanceof Boolean) {
      return !(Boolean) value;
    }
    return value instanceof UTF8String ? UTF8String.fromString(value + "_") : null;
  }

  /**
   * The other class's constructor takes the same arguments, which are the elements of the case
   * class.
   */
  private static Expression twin(Expression e, String className) {
    try {
      Class<?> type = Class.forName(className, true, Members.loader());
      Object[] arguments = Scala.elements(e).toArray();
      for (java.lang.reflect.Constructor<?> c : type.getConstructors()) {
        if (c.getParameterCount() == arguments.length) {
          return (Expression) c.newInstance(arguments);
        }
      }
      return null;
    } catch (ReflectiveOperationException | IllegalArgumentException err) {
      throw new IllegalStateException("make a " + className + " of " + e, err);
    }
  }

  /**
   * The tree under {@code at} with {@code to} in the place of {@code from}; all other nodes are
   * shared or copied as they are.
   */
  static SparkPlan replace(SparkPlan at, SparkPlan from, SparkPlan to) {
    if (at == from) {
      return to;
    }
    List<SparkPlan> children = new ArrayList<>();
    boolean changed = false;
    for (Object child : Scala.list(Members.call(at, "children"))) {
      SparkPlan replaced = replace((SparkPlan) child, from, to);
      changed |= replaced != child;
      children.add(replaced);
    }
    return changed ? (SparkPlan) Members.call(at, "withNewChildren", Lists.of(children)) : at;
  }
}

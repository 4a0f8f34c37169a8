package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** Real plans are in test/e2e/names_test.go; these are the limits, and types that its job lacks. */
class CostCountsTest {
  /** An expression with the members that the plugin calls by name. */
  public static class Node {
    private final Object type;
    private final Object[] children;

    Node(Object type, Object... children) {
      this.type = type;
      this.children = children;
    }

    public Object children() {
      return seq(children);
    }

    public Object dataType() {
      if (type == null) {
        throw new UnsupportedOperationException("unresolved");
      }
      return type;
    }
  }

  public static final class AttributeReference extends Node {
    AttributeReference(Object type) {
      super(type);
    }
  }

  public static final class Add extends Node {
    Add(Object type, Object... children) {
      super(type, children);
    }
  }

  public static final class Sum extends Node {
    Sum(Object type, Object... children) {
      super(type, children);
    }
  }

  public static final class Like extends Node {
    Like(Object... children) {
      super(new LongType(), children);
    }
  }

  public static final class In extends Node {
    In(Object... children) {
      super(new LongType(), children);
    }
  }

  public static final class LongType {}

  public static final class StringType {}

  public static final class ArrayType {}

  public static final class DecimalType {
    private final int precision;

    DecimalType(int precision) {
      this.precision = precision;
    }

    public int precision() {
      return precision;
    }
  }

  /** An aggregate with the members that the plugin calls by name. */
  public static final class Aggregate {
    private final List<Object> output = new ArrayList<>();
    private final List<Object> keys = new ArrayList<>();
    private final List<Object> expressions = new ArrayList<>();

    public Object output() {
      return seq(output.toArray());
    }

    public Object groupingExpressions() {
      return seq(keys.toArray());
    }

    public Object expressions() {
      return seq(expressions.toArray());
    }
  }

  private static Object seq(Object... all) {
    scala.collection.immutable.List<Object> out = List$.MODULE$.empty();
    for (int i = all.length - 1; i >= 0; i--) {
      out = out.$colon$colon(all[i]);
    }
    return out;
  }

  private static Aggregate aggregate() {
    Aggregate out = new Aggregate();
    AttributeReference price = new AttributeReference(new DecimalType(12));
    AttributeReference name = new AttributeReference(new StringType());
    Collections.addAll(out.output, name, new AttributeReference(new DecimalType(22)), new AttributeReference(new ArrayType()), new AttributeReference(new LongType()));
    Collections.addAll(out.keys, name, new AttributeReference(new LongType()));
    out.expressions.add(new Sum(new DecimalType(22), new Add(new DecimalType(13), price, price)));
    out.expressions.add(new Like(name, new Node(null))); // a literal's type is not asked for
    out.expressions.add(new In(name, new Node(null), new Node(null)));
    out.expressions.add(new In(new AttributeReference(new DecimalType(12)), new Node(null)));
    return out;
  }

  @Test
  void countsClassesTypesAndKeys() {
    Map<String, Integer> want = new TreeMap<>();
    want.put("width", 4);
    want.put("text_width", 1);
    want.put("decimal_width", 1);
    want.put("nested_width", 1);
    want.put("keys", 2);
    want.put("text_keys", 1);
    want.put("columns", 5);
    want.put("calls", 5);
    want.put("sums", 1);
    want.put("decimal_sums", 1);
    want.put("arithmetic", 1);
    want.put("long_decimal_arithmetic", 1);
    want.put("like", 1);
    want.put("comparisons", 2);
    want.put("text_comparisons", 1);
    assertEquals(want, CostCounts.of(aggregate(), "HashAggregateExec"));
  }

  @Test
  void wrappersHaveNone() {
    for (String wrapper : new String[] {"WholeStageCodegenExec", "InputAdapter", "AdaptiveSparkPlanExec", "ShuffleQueryStageExec"}) {
      assertEquals(Collections.emptyMap(), CostCounts.of(aggregate(), wrapper), wrapper);
    }
  }

  @Test
  void keyWithoutATypeIsAKey() {
    Aggregate plan = new Aggregate();
    plan.keys.add(new Node(null));
    assertEquals(Collections.singletonMap("keys", 1), CostCounts.of(plan, "HashAggregateExec"));
  }

  @Test
  void nodeThatIsNotUnderstoodHasNone() {
    Aggregate plan = aggregate();
    plan.expressions.add("no expression");
    assertEquals(Collections.emptyMap(), CostCounts.of(plan, "HashAggregateExec"));
  }

  @Test
  void countsAreBounded() {
    Aggregate plan = new Aggregate();
    Node deep = new AttributeReference(new LongType());
    for (int i = 0; i < 2 * CostCounts.MAX_COUNTED; i++) {
      deep = new Add(new LongType(), deep);
      plan.output.add(deep);
      plan.keys.add(deep);
    }
    plan.expressions.add(deep);
    Map<String, Integer> got = CostCounts.of(plan, "HashAggregateExec");
    for (String name : new String[] {"width", "keys", "arithmetic", "calls"}) {
      assertEquals(CostCounts.MAX_COUNTED, got.get(name), name);
    }
  }
}

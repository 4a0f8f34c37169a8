package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.immutable.List$;

class LiteralNamesTest {
  /** An expression or a plan, called like Spark's. */
  public static class Node {
    private final Object[] children;

    Node(Object... children) {
      this.children = children;
    }

    public Object children() {
      return list(children);
    }
  }

  public static final class Literal extends Node {
    private final Object value;

    Literal(Object value) {
      this.value = value;
    }

    public Object value() {
      return value;
    }
  }

  public static class AttributeReference extends Node {
    private final String name;
    private final long id;

    AttributeReference(String name, long id, Object... children) {
      super(children);
      this.name = name;
      this.id = id;
    }

    public String name() {
      return name;
    }

    public Object exprId() {
      return this;
    }

    public long id() {
      return id;
    }
  }

  public static final class Alias extends AttributeReference {
    Alias(Object child, String name, long id) {
      super(name, id, child);
    }
  }

  public static final class OneRowRelation extends Node {
    public Object output() {
      return list();
    }
  }

  public static final class Project extends Node {
    private final Alias column;

    Project(Alias column, Object child) {
      super(child);
      this.column = column;
    }

    public Object projectList() {
      return list(column);
    }

    public Object output() {
      return list(new AttributeReference(column.name(), column.id()));
    }
  }

  private static Object list(Object... values) {
    scala.collection.immutable.List<Object> out = List$.MODULE$.empty();
    for (int i = values.length - 1; i >= 0; i--) {
      out = out.$colon$colon(values[i]);
    }
    return out;
  }

  private final Set<Long> found = new HashSet<>();

  /** Of {@code when(flag, literal).otherwise(x) as name}. */
  private boolean isFound(Object literal, String name) {
    Object expression = new Node(new AttributeReference("flag", 1), new Node(new Literal(literal)), new AttributeReference("x", 2));
    new LiteralNames(found).see(9, name, new Alias(expression, name, 9));
    return found.contains(9L);
  }

  @ParameterizedTest
  @CsvSource({
    "acme, CASE WHEN flag THEN acme ELSE x END, true",
    "acme, acme, true",
    "John Smith, CASE WHEN flag THEN John Smith END, true",
    "' acme ', CASE WHEN flag THEN  acme END, true",
    "acme, channel, false",
    "a, channel, false",
    "'', channel, false",
    "' ', total sales, false",
    "acme, CASE WHEN (flag = acme) THEN x END, false", // Pretty hides it anyway
  })
  void aNameHoldsTextAsAWord(String literal, String name, boolean holds) {
    assertEquals(holds, isFound(UTF8String.fromString(literal), name));
  }

  @ParameterizedTest
  @CsvSource({"5, 5, true", "5, my_udf(5), true", "5, q5, false", "5, sum_5, false", "1, count(1), false", "15, 5, false"})
  void aNameHoldsANumberAsAWord(int literal, String name, boolean holds) {
    assertEquals(holds, isFound(literal, name));
  }

  @Test
  void nullIsNoLiteralToHide() {
    assertEquals(false, isFound(null, "CASE WHEN flag THEN NULL END"));
  }

  /** Spark renames a column by an alias of the same name, and takes a parent's name from it. */
  @Test
  void aNameThatHoldsSuchANameIsFoundToo() {
    Object inner = new Project(new Alias(new Literal(5), "5", 11), new OneRowRelation());
    Object copy = new Project(new Alias(new AttributeReference("5", 11), "5", 12), inner);
    Object computed = new Project(new Alias(new Node(new AttributeReference("5", 12)), "abs(5)", 13), copy);
    new LogicalReader(found).read(new Project(new Alias(new AttributeReference("abs(5)", 13), "size", 14), computed));
    assertEquals(new HashSet<>(Arrays.asList(11L, 12L, 13L)), found);
  }

  @Test
  void aPivotNamesItsColumnsAfterValues() {
    Object sums = new AttributeReference("__pivot_sum(price) AS `sum(price)`", 3);
    new LiteralNames(found).see(9, "acme", new Alias(new Node(sums, new Literal(0)), "acme", 9));
    assertEquals(Collections.singleton(9L), found);
  }
}

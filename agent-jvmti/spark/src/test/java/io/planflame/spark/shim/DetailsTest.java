package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.planflame.identity.Pretty;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** Details become names of operators, which leave the node: they must have no literals. */
class DetailsTest {
  /** A column with the members that the plugin calls by name. */
  public static class AttributeReference {
    private final String name;
    private final long id;

    AttributeReference(String name) {
      this(name, 0);
    }

    AttributeReference(String name, long id) {
      this.name = name;
      this.id = id;
    }

    public Object exprId() {
      return this;
    }

    public long id() {
      return id;
    }

    public String name() {
      return name;
    }
  }

  public static final class Literal {}

  public static final class Alias extends AttributeReference {
    private final Object child;

    Alias(Object child, String name) {
      super(name);
      this.child = child;
    }

    public Object child() {
      return child;
    }
  }

  /** A node with these columns. */
  public static final class Node {
    private final Object[] columns;

    Node(Object... columns) {
      this.columns = columns;
    }

    public Object logicalLink() {
      return scala.None$.MODULE$;
    }

    public Object projectList() {
      return output();
    }

    public Object output() {
      scala.collection.immutable.List<Object> out = List$.MODULE$.empty();
      for (int i = columns.length - 1; i >= 0; i--) {
        out = out.$colon$colon(columns[i]);
      }
      return out;
    }
  }

  private static final Object ID = new AttributeReference("id");
  private static final Object LITERAL = new AttributeReference("acme", 5);
  private static final Object COMPUTED = new AttributeReference("CASE WHEN (ssn = 123-45-6789) THEN 1 END");

  private static String details(Node node, String simple) {
    return Details.of(node, simple, new Pretty(Collections.singleton(5L)));
  }

  @Test
  void aProjectionNamesColumnsWithoutLiterals() {
    Node project = new Node(ID, COMPUTED, LITERAL, new Alias(new Literal(), "acme"), new Alias(ID, "sku"));
    assertEquals("id, expr, expr, sku", details(project, "ProjectExec"));
  }

  @Test
  void aScanNamesColumnsWithoutLiterals() {
    assertEquals("id, expr, expr", details(new Node(ID, COMPUTED, LITERAL), "InMemoryTableScanExec"));
    assertEquals("", details(new Node(new AttributeReference("John Smith")), "LocalTableScanExec"));
  }

  @Test
  void anotherNodeHasNoDetails() {
    assertEquals("", details(new Node(ID), "SortExec"));
  }
}

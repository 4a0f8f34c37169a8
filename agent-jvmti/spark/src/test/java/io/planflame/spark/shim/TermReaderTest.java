package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashSet;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

class TermReaderTest {
  /** A column, called like Spark's. */
  public static final class AttributeReference {
    public Object exprId() {
      return this;
    }

    public long id() {
      return 3;
    }

    public String name() {
      return "x";
    }

    public Object children() {
      return List$.MODULE$.empty();
    }
  }

  @Test
  void theSameExpressionIsTheSameTerm() {
    TermReader terms = new TermReader(new LogicalReader(new HashSet<>()));
    Object column = new AttributeReference();
    assertEquals("x", terms.read(column).text());
    assertEquals(3, terms.read(column).id());
    assertSame(terms.read(column), terms.read(column));
    assertNotSame(terms.read(column), terms.read(new AttributeReference()), "an equal one may stand on another line");
  }
}

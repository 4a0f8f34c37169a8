package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class MembersTest {
  /** As a node of a plan is. */
  public abstract static class Node {
    public abstract Object children();

    public String text(int most) {
      return "node " + most;
    }

    /** As a companion object's forwarder is. */
    public static String apply() {
      return "the node's";
    }
  }

  public static class Filter extends Node implements Callable<String> {
    @Override
    public String children() {
      return "scan";
    }

    @Override
    public String call() {
      return "called";
    }

    public String own() {
      return "condition";
    }
  }

  public static final class Having extends Filter {
    @Override
    public String children() {
      return "aggregate";
    }

    @Override
    public String text(int most) {
      return "having " + most;
    }

    public static String apply() {
      return "its own";
    }
  }

  @Test
  void whatOverridesAMethodIsCalled() {
    assertEquals("scan", Members.call(new Filter(), "children"));
    assertEquals("aggregate", Members.call(new Having(), "children"));
    assertEquals("node 7", Members.call(new Filter(), "text", 7));
    assertEquals("having 25", Members.call(new Having(), "text", 25));
    assertEquals("condition", Members.call(new Having(), "own"));
    assertEquals("called", Members.call(new Having(), "call"));
  }

  @Test
  void nothingOverridesAStaticMethod() {
    assertEquals("its own", Members.call(new Having(), "apply"));
    assertEquals("the node's", Members.call(new Filter(), "apply"));
  }

  @Test
  void whatIsMissingIsNamed() {
    assertFalse(Members.has(new Filter(), "text", 0));
    assertTrue(Members.has(new Filter(), "text", 1));
    assertEquals("none", Members.callOr("none", new Filter(), "parent"));
    Members.NoSuchMember e = assertThrows(Members.NoSuchMember.class, () -> Members.call(new Filter(), "parent"));
    assertEquals("io.planflame.spark.shim.MembersTest$Filter has no member parent", e.getMessage());
  }
}

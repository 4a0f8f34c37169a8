package io.planflame.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class TwinsTest {
  private final Twins twins = new Twins();
  private final Object n1 = new Object();
  private final Object n2 = new Object();

  private void begin(String... texts) {
    twins.begin(new HashSet<>(Arrays.asList(texts)));
  }

  @Test
  void secondOfANameIsNumberedAndPartialAndFinalShareOne() {
    begin("scan#1", "scan#2", "partial", "final");
    assertEquals("scan@a", twins.number("scan@a", "scan()", n1, "scan#1"));
    assertEquals("scan@a~2", twins.number("scan@a", "scan()", n2, "scan#2"));
    assertEquals("aggregate@b", twins.number("aggregate@b", "aggregate()", n1, "partial"));
    assertEquals("aggregate@b", twins.number("aggregate@b", "aggregate()", n1, "final"));
  }

  @Test
  void laterTreesAreMappedBackByText() {
    begin("scan#1", "scan#2");
    twins.number("scan@a", "scan()", n1, "scan#1");
    twins.number("scan@a", "scan()", n2, "scan#2");
    twins.end();
    begin("scan#2"); // the first one is gone: its exchange was reused
    assertEquals("scan@a~2", twins.number("scan@a", "scan()", new Object(), "scan#2"));
    twins.end();
    begin("scan#9", "scan#2"); // a copy with new ids, and the old second one behind it
    assertEquals("scan@a", twins.number("scan@a", "scan()", new Object(), "scan#9"));
    assertEquals("scan@a~2", twins.number("scan@a", "scan()", new Object(), "scan#2"));
  }

  @Test
  void operatorWhoseSourcesWereReplacedIsFoundByItsArguments() {
    begin("agg#1");
    twins.number("aggregate@b", "aggregate(sum)", n1, "agg#1");
    twins.end();
    begin("agg#2");
    assertEquals("aggregate@b", twins.number("aggregate@over-local-relation", "aggregate(sum)", n2, "agg#2"));
    assertEquals("aggregate@c", twins.number("aggregate@c", "aggregate(max)", n2, "agg#3"));
  }
}

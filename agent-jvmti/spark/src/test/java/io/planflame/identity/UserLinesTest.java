package io.planflame.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class UserLinesTest {
  private static Term function(String name, String line) {
    return new Term("PythonUDF", name, Term.NO_ID, Collections.singletonList(Term.column("x", 1)), null).at(line);
  }

  private static Tree project(Tree child, Term... columns) {
    return new Tree.Builder("Project").arg("projectList", Arrays.asList(columns)).children(Collections.singletonList(child)).build();
  }

  @Test
  void theFirstLineThatIsKnownCounts() {
    Tree leaf = new Tree.Builder("LogicalRelation").output(Collections.singletonList(Term.column("x", 1))).build();
    Tree analyzed = project(project(leaf,
        Term.alias(Term.of("Add", Term.column("x", 1), Term.literal()).at("etl.py:3"), "a", 10),
        Term.alias(function("slow", ""), "b", 11).at("etl.py:4"),
        Term.alias(function("twice", ""), "c", 12).at("etl.py:5")),
        Term.alias(function("twice", ""), "d", 13).at("etl.py:6"));
    UserLines lines = new UserLines(analyzed);
    Term plain = Term.of("IsNotNull", Term.column("x", 1));
    assertEquals("", lines.of(Collections.singletonList(plain)));
    assertEquals("etl.py:8", lines.of(Arrays.asList(plain, Term.of("Not", plain.at("etl.py:8")), plain.at("etl.py:9"))));
    // The optimizer has made another expression of the column; its id tells.
    assertEquals("etl.py:3", lines.of(Collections.singletonList(Term.alias(Term.literal(), "a", 10))));
    // A Python function stands in a node of its own, without the column that it makes.
    assertEquals("etl.py:4", lines.of(Collections.singletonList(function("slow", ""))));
    assertEquals("", lines.of(Collections.singletonList(function("twice", ""))), "one of two");
    assertEquals("etl.py:7", lines.of(Collections.singletonList(function("slow", "etl.py:7"))));
  }

  @Test
  void linesTakeNoPartInIdentity() {
    Tree leaf = new Tree.Builder("LogicalRelation").source("table:t").output(Collections.singletonList(Term.column("x", 1))).build();
    Term condition = Term.of("LessThan", Term.column("x", 1), Term.literal());
    Tree without = Plan.filter(leaf, condition);
    Tree with = Plan.filter(leaf, condition.at("etl.py:3"));
    assertEquals(new Identity(without, without).query(), new Identity(with, with).query());
    Identity.Origin origin = new Identity(with, with).origin("filter", with);
    assertEquals(new Identity(without, without).origin("filter", without).name(), origin.name());
    assertEquals("etl.py:3", origin.line());
  }
}

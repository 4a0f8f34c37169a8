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
    UserLines lines = new UserLines(analyzed, new Plans(false).terms());
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

  private static Tree at(String line, String kind, String argument, Tree child, Term... terms) {
    return new Tree.Builder(kind).line(line).arg(argument, Arrays.asList(terms)).output(child.output).children(Collections.singletonList(child)).build();
  }

  @Test
  void theCallThatMadeANodeTellsItsLine() {
    Term x = Term.column("x", 1);
    Term y = Term.column("y", 2);
    Tree leaf = Plan.leaf("table:t", x, y);
    Term big = Term.of("GreaterThan", x, Term.literal());
    Term small = Term.of("LessThan", y, Term.literal());
    Tree first = at("etl.py:4", "Filter", "condition", leaf, big);
    Tree column = at("etl.py:5", "Project", "projectList", first, Term.alias(Term.of("Add", x, y), "z", 3));
    Tree second = at("etl.py:6", "Filter", "condition", column, small);
    Tree distinct = at("etl.py:7", "Deduplicate", "keys", second, x);
    Tree sorted = at("etl.py:8", "Sort", "order", distinct, Term.of("SortOrder", x.at("etl.py:2")));
    Identity identity = new Identity(sorted, sorted);

    // The optimizer moves a filter below a projection, and gives what it moves the origin of
    // another node.
    Tree pushed = at("etl.py:6", "Project", "projectList", at("etl.py:5", "Filter", "condition", leaf, small), Term.alias(Term.of("Add", x, y), "z", 3));
    assertEquals("etl.py:5", identity.origin("project", pushed).line());
    Term renamed = Term.alias(Term.of("Add", x, y), "z", 3).at("etl.py:9"); // a rule that merges projections makes aliases of the upper one's origin
    assertEquals("etl.py:5", identity.origin("project", Plan.project(leaf, renamed)).line());
    assertEquals("etl.py:6", identity.origin("filter", pushed.children().get(0)).line());
    assertEquals("etl.py:4", identity.origin("filter", Plan.filter(leaf, Plan.and(Term.of("IsNotNull", x), big))).line());
    Term any = Term.alias(Term.of("AggregateExpression", Term.of("First", y)), "y", 9);
    assertEquals("etl.py:7", identity.origin("aggregate", Plan.aggregate(leaf, x, x, any)).line());
    assertEquals("etl.py:8", identity.origin("sort", sorted).line(), "not where the column was named first");
    assertEquals("", identity.origin("scan", leaf).line());
  }

  @Test
  void theCopyThatASelfJoinMakesKeepsTheLineOfWhatIsCopied() {
    Term x = Term.column("x", 1);
    Term copied = Term.column("x", 5);
    Term left = Term.alias(Term.of("Remainder", x, Term.literal()), "rest", 2);
    Term right = Term.alias(Term.of("Remainder", copied, Term.literal()), "rest", 6);
    Term own = Term.alias(Term.of("Add", copied, Term.literal()), "next", 7);
    Tree join = new Tree.Builder("Join").line("etl.py:9").text("Inner").children(Arrays.asList(
        at("etl.py:7", "Project", "projectList", Plan.leaf("table:t", x), left),
        at("etl.py:9", "Project", "projectList", Plan.leaf("table:t", copied), right, own))).build();
    Identity identity = new Identity(join, join);
    assertEquals("etl.py:7", identity.origin("project", join.children().get(0)).line());
    assertEquals("etl.py:7", identity.origin("project", Plan.project(join.children().get(1), right)).line());
    assertEquals("etl.py:9", identity.origin("project", Plan.project(join.children().get(1), own)).line(), "on the line of the join");
  }

  @Test
  void twoCallsWithOneArgumentHaveNoLine() {
    Term x = Term.column("x", 1);
    Term big = Term.of("GreaterThan", x, Term.literal());
    Tree twice = at("etl.py:5", "Filter", "condition", at("etl.py:4", "Filter", "condition", Plan.leaf("table:t", x), big), big);
    assertEquals("", new Identity(twice, twice).origin("filter", twice).line());
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

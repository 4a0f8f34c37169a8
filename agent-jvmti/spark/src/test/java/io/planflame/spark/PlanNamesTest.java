package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.identity.Identity;
import io.planflame.identity.Term;
import io.planflame.identity.Tree;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A sort-merge join of two tables, whose exchanges and sorts have no logical node, under a partial
 * and a final aggregate.
 */
class PlanNamesTest {
  private final List<PlanNode> nodes = new ArrayList<>();

  private int add(int parent, int side, String simpleClass, Tree link) {
    nodes.add(new PlanNode(new Object(), parent, side, "org.apache.spark.sql.execution." + simpleClass, simpleClass,
        simpleClass + " #" + nodes.size(), simpleClass.startsWith("Subquery"), -1, -1, "", link, Collections.emptyList(), "", Collections.emptyMap()));
    return nodes.size() - 1;
  }

  @Test
  void exchangesAndSortsAreCalledAfterWhomTheyWorkFor() {
    Term x = Term.column("x", 1);
    Term y = Term.column("y", 2);
    Tree left = new Tree.Builder("LogicalRelation").source("table:a").label("a").output(Arrays.asList(x)).build();
    Tree right = new Tree.Builder("LogicalRelation").source("table:b").label("b").output(Arrays.asList(y)).build();
    Tree join = new Tree.Builder("Join").text("Inner").arg("condition", Arrays.asList(Term.of("EqualTo", x, y)))
        .output(Arrays.asList(x, y)).children(Arrays.asList(left, right)).build();
    Term count = Term.alias(Term.of("AggregateExpression", Term.of("Count", Term.literal())), "n", 3);
    Tree aggregate = new Tree.Builder("Aggregate").arg("groupingExpressions", Arrays.asList(x))
        .arg("aggregateExpressions", Arrays.asList(x, count)).output(Arrays.asList(x, Term.column("n", 3)))
        .children(Collections.singletonList(join)).build();

    int top = add(-1, 0, "aggregate.HashAggregateExec", aggregate);
    int shuffle = add(top, 0, "exchange.ShuffleExchangeExec", null);
    int partial = add(shuffle, 0, "aggregate.HashAggregateExec", aggregate);
    int smj = add(partial, 0, "joins.SortMergeJoinExec", join);
    int[] sort = new int[2];
    int[] exchange = new int[2];
    int[] scan = new int[2];
    for (int side = 0; side < 2; side++) {
      sort[side] = add(smj, side, "SortExec", null);
      exchange[side] = add(sort[side], 0, "exchange.ShuffleExchangeExec", null);
      scan[side] = add(exchange[side], 0, "FileSourceScanExec", side == 0 ? left : right);
    }
    List<PlanNames.Named> named = new PlanNames(new Identity(aggregate, aggregate)).name(nodes);

    assertEquals(named.get(top).operator, named.get(partial).operator, "partial and final are one operator");
    assertEquals("HashAggregate x, count(*)", named.get(top).operatorName);
    assertEquals("Exchange a, b → aggregate", named.get(shuffle).operatorName);
    assertEquals("Exchange a → join, left", named.get(exchange[0]).operatorName);
    assertEquals("Exchange b → join, right", named.get(exchange[1]).operatorName);
    assertEquals("Sort b → join, right", named.get(sort[1]).operatorName);
    assertNotEquals(named.get(exchange[0]).operator, named.get(exchange[1]).operator, "the two sides of a join");
    assertTrue(named.get(sort[0]).operator.startsWith("sort@"));
    assertEquals("result", named.get(top).stage);
    assertEquals("exchange>" + named.get(top).operator, named.get(smj).stage);
    assertEquals("exchange>" + named.get(top).operator, named.get(shuffle).stage, "an exchange belongs to the stage that it ends");
    assertEquals("exchange>" + named.get(smj).operator, named.get(scan[0]).stage);
    assertEquals("exchange>" + named.get(smj).operator + "/2", named.get(scan[1]).stage);
  }

  /**
   * The filter side of a join: Filter over a scan, with or without a bloom filter of the other
   * side, whose subquery comes first.
   */
  private List<PlanNames.Named> joinWith(String subqueryClass, Term aggregated) {
    nodes.clear();
    Term x = Term.column("x", 1);
    Term y = Term.column("y", 2);
    Tree left = new Tree.Builder("LogicalRelation").source("table:a").label("a").output(Arrays.asList(x)).build();
    Tree right = new Tree.Builder("LogicalRelation").source("table:b").label("b").output(Arrays.asList(y)).build();
    Tree join = new Tree.Builder("Join").text("Inner").arg("condition", Arrays.asList(Term.of("EqualTo", x, y)))
        .output(Arrays.asList(x, y)).children(Arrays.asList(left, right)).build();
    int smj = add(-1, 0, "joins.SortMergeJoinExec", join);
    int probe = add(smj, 0, "FileSourceScanExec", left);
    if (subqueryClass != null) {
      int root = add(probe, 1, subqueryClass, null);
      Tree again = new Tree.Builder("LogicalRelation").source("table:b").label("b").output(Arrays.asList(y)).build();
      Tree aggregate = new Tree.Builder("Aggregate").arg("groupingExpressions", Collections.emptyList())
          .arg("aggregateExpressions", Arrays.asList(Term.alias(Term.of("AggregateExpression", aggregated), "f", 3)))
          .output(Arrays.asList(Term.column("f", 3))).children(Arrays.asList(again)).build();
      int top = add(root, 0, "aggregate.ObjectHashAggregateExec", aggregate);
      add(add(top, 0, "exchange.ShuffleExchangeExec", null), 0, "FileSourceScanExec", again);
    }
    add(smj, 1, "FileSourceScanExec", right);
    return new PlanNames(new Identity(join, null)).name(nodes);
  }

  @Test
  void anInjectedBloomFilterLeavesTheQuerysOwnNamesAlone() {
    List<PlanNames.Named> plain = joinWith(null, null);
    Term column = Term.column("y", 2);
    List<PlanNames.Named> bloom = joinWith("SubqueryExec", Term.of("BloomFilterAggregate", column));
    List<PlanNames.Named> pruning = joinWith("SubqueryBroadcastExec", Term.of("Max", column));
    List<PlanNames.Named> scalar = joinWith("SubqueryExec", Term.of("Max", column));
    String scan = plain.get(2).operator;
    assertTrue(scan.matches("scan@[0-9a-f]{8}"), scan);
    for (int i = 0; i < 2; i++) {
      assertEquals(plain.get(i).operator, bloom.get(i).operator);
      assertEquals(plain.get(i).operator, pruning.get(i).operator);
    }
    assertEquals(scan, bloom.get(6).operator);
    assertNotEquals(scan, bloom.get(5).operator);
    assertTrue(bloom.get(5).operator.matches("scan@[0-9a-f]{8}"), bloom.get(5).operator);
    assertEquals("Scan b for a bloom filter", bloom.get(5).operatorName.replace("FileSourceScan", "Scan"));
    assertEquals(scan, pruning.get(6).operator);
    assertEquals(scan + "~2", pruning.get(5).operator, "what pruning reads again");
    assertEquals(scan, scalar.get(5).operator, "a subquery of the query's own is numbered where it stands");
    assertEquals(scan + "~2", scalar.get(6).operator);
  }
}

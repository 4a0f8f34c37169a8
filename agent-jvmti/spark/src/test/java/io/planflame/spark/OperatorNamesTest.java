package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.planflame.identity.Identity;
import io.planflame.identity.Term;
import io.planflame.identity.Tree;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OperatorNamesTest {
  private final List<PlanNode> nodes = new ArrayList<>();

  private int add(int parent, int side, String simpleClass, Tree link, String details) {
    nodes.add(new PlanNode(new Object(), parent, side, "org.apache.spark.sql.execution." + simpleClass, simpleClass, simpleClass + " #" + nodes.size(),
        false, -1, -1, "", link, Collections.emptyList(), details, Collections.emptyMap()));
    return nodes.size() - 1;
  }

  private static Tree table(String name, long id) {
    return new Tree.Builder("LogicalRelation").source("table:" + name).label(name).output(Arrays.asList(Term.column(name + "_id", id))).build();
  }

  private static Tree over(String kind, Tree... children) {
    return new Tree.Builder(kind).output(children[0].children().isEmpty() ? Arrays.asList(Term.column("any", 90)) : Collections.emptyList())
        .children(Arrays.asList(children)).build();
  }

  private static Tree join(String type, Tree left, Tree right, long leftId, long rightId) {
    return new Tree.Builder("Join").text(type).arg("condition", Arrays.asList(Term.of("EqualTo", Term.column("k", leftId), Term.column("k", rightId))))
        .children(Arrays.asList(left, right)).build();
  }

  private static List<String> names(PlanNames names, List<PlanNode> nodes) {
    return names.name(nodes).stream().map(named -> named.operatorName).collect(Collectors.toList());
  }

  @Test
  void aNodeWithoutWordsSaysWhatItPutsOut() {
    Tree orders = table("orders", 1);
    Tree project = new Tree.Builder("Project").arg("projectList", Arrays.asList(Term.column("sku", 1), Term.column("day", 2)))
        .children(Arrays.asList(orders)).build();
    int write = add(-1, 0, "command.DataWritingCommandExec", project, "parquet clean by day");
    int files = add(write, 0, "datasources.WriteFilesExec", project, "parquet by day");
    int shown = add(files, 0, "ProjectExec", project, "sku, day");
    int none = add(shown, 0, "ProjectExec", over("Project", project), "");
    int limit = add(none, 0, "CollectLimitExec", over("GlobalLimit", orders), "");
    int union = add(limit, 0, "UnionExec", over("Union", orders, table("returns", 5)), "");
    add(union, 0, "FileSourceScanExec", orders, "sku, day");
    add(union, 1, "FileSourceScanExec", table("returns", 5), "sku, day");
    assertEquals(
        Arrays.asList("Write parquet clean by day", "WriteFiles parquet clean by day", "Project sku, day", "Project orders, returns",
            "CollectLimit orders, returns", "Union orders, returns", "FileSourceScan orders", "FileSourceScan returns"),
        names(new PlanNames(new Identity(project, null)), nodes));
  }

  /** A local table has no words: its columns may be called after literals. */
  @Test
  void aSourceWithoutWordsLeavesNoGap() {
    Tree left = new Tree.Builder("LocalRelation").output(Arrays.asList(Term.column("k", 1))).build();
    Tree right = new Tree.Builder("LocalRelation").output(Arrays.asList(Term.column("k", 2))).build();
    Tree inner = join("Inner", left, right, 1, 2);
    int top = add(-1, 0, "joins.SortMergeJoinExec", inner, "");
    add(add(top, 0, "exchange.ShuffleExchangeExec", null, ""), 0, "LocalTableScanExec", left, "");
    add(add(top, 1, "exchange.ShuffleExchangeExec", null, ""), 0, "LocalTableScanExec", right, "");
    assertEquals(
        Arrays.asList("SortMergeJoin k = k", "Exchange → join, left", "LocalTableScan → join, left", "Exchange → join, right",
            "LocalTableScan → join, right"),
        names(new PlanNames(new Identity(inner, null)), nodes));
  }

  /**
   * lineitem l1 join lineitem l2, joined again with each side's own filter: as far as words go all
   * are alike.
   */
  @Test
  void twinsHaveNamesOfTheirOwnAndKeepThem() {
    Tree one = table("lineitem", 1);
    Tree two = table("lineitem", 2);
    Tree three = table("lineitem", 3);
    Tree semi = join("LeftSemi", one, two, 1, 2);
    Tree anti = join("LeftAnti", semi, three, 1, 3);
    Tree analyzed = join("LeftAnti",
        join("LeftSemi", new Tree.Builder("SubqueryAlias").label("l1").output(one.output()).children(Arrays.asList(one)).build(), two, 1, 2), three, 1, 3);
    int top = add(-1, 0, "joins.SortMergeJoinExec", anti, "");
    int inner = add(top, 0, "joins.SortMergeJoinExec", semi, "");
    add(add(inner, 0, "exchange.ShuffleExchangeExec", null, ""), 0, "FileSourceScanExec", one, "");
    add(add(inner, 1, "exchange.ShuffleExchangeExec", null, ""), 0, "FileSourceScanExec", two, "");
    add(add(top, 1, "exchange.ShuffleExchangeExec", null, ""), 0, "FileSourceScanExec", three, "");
    PlanNames names = new PlanNames(new Identity(analyzed, anti));
    List<String> first = Arrays.asList("SortMergeJoin k = k, left anti", "SortMergeJoin k = k, left semi",
        "Exchange lineitem l1 → join, left", "FileSourceScan lineitem l1", "Exchange lineitem → join, right", "FileSourceScan lineitem",
        "Exchange lineitem #2 → join, right", "FileSourceScan lineitem #2");
    assertEquals(first, names(names, nodes));

    // AQE broadcasts the last table: its join has another class, the rest of its name stays.
    List<PlanNode> later = new ArrayList<>(nodes);
    nodes.clear();
    add(-1, 0, "joins.BroadcastHashJoinExec", anti, "");
    List<PlanNode> replanned = new ArrayList<>(later);
    replanned.set(0, nodes.get(0));
    List<String> second = new ArrayList<>(first);
    second.set(0, "BroadcastHashJoin k = k, left anti");
    assertEquals(second, names(names, replanned));
  }
}

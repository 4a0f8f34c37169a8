package io.planflame.identity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an operator is there for, independent of the physical class that does it; and which logical
 * node and arguments make it up.
 */
public final class Roles {
  public static final String SCAN = "scan";
  public static final String EXCHANGE = "exchange";
  public static final String BROADCAST = "broadcast";
  public static final String SORT = "sort";

  /** A node that only wraps others: it has no name. */
  public static final String WRAPPER = "";

  private static final Map<String, String> BY_CLASS = new HashMap<>();
  private static final Map<String, List<String>> KINDS = new HashMap<>();

  static {
    role("filter", "FilterExec");
    role("project", "ProjectExec");
    role("aggregate", "HashAggregateExec", "ObjectHashAggregateExec", "SortAggregateExec", "MergingSessionsExec", "UpdatingSessionsExec");
    role("join", "BroadcastHashJoinExec", "SortMergeJoinExec", "ShuffledHashJoinExec", "BroadcastNestedLoopJoinExec",
        "CartesianProductExec", "StreamingSymmetricHashJoinExec", "PythonArrowJoinExec");
    role(SORT, "SortExec");
    role("topk", "TakeOrderedAndProjectExec");
    role("limit", "GlobalLimitExec", "LocalLimitExec", "CollectLimitExec", "CollectTailExec", "BaseLimitExec", "GlobalLimitAndOffsetExec");
    role("window", "WindowExec", "WindowGroupLimitExec", "WindowInPandasExec", "ArrowWindowPythonExec");
    role("generate", "GenerateExec");
    role("expand", "ExpandExec");
    role("union", "UnionExec");
    role("sample", "SampleExec");
    role("python", "BatchEvalPythonExec", "ArrowEvalPythonExec", "BatchEvalPythonUDTFExec", "ArrowEvalPythonUDTFExec", "MapInPandasExec",
        "PythonMapInArrowExec", "MapInArrowExec", "FlatMapGroupsInPandasExec", "FlatMapGroupsInArrowExec", "AggregateInPandasExec",
        "ArrowAggregatePythonExec", "FlatMapCoGroupsInPandasExec", "FlatMapCoGroupsInArrowExec");
    role("map", "MapElementsExec", "MapPartitionsExec", "MapGroupsExec", "AppendColumnsExec", "CoGroupExec", "DeserializeToObjectExec",
        "SerializeFromObjectExec", "FlatMapGroupsInRExec", "MapPartitionsInRWithArrowExec");
    role("write", "DataWritingCommandExec", "ExecutedCommandExec", "WriteFilesExec", "AppendDataExec", "OverwriteByExpressionExec",
        "CreateTableAsSelectExec", "AtomicCreateTableAsSelectExec", "ReplaceTableAsSelectExec", "WriteToDataSourceV2Exec", "StreamSink");
    role(EXCHANGE, "ShuffleExchangeExec", "ShuffleExchangeLike");
    role(BROADCAST, "BroadcastExchangeExec", "BroadcastExchangeLike");
    role("columnar-to-row", "ColumnarToRowExec", "RowToColumnarExec");
    role(SCAN, "FileSourceScanExec", "BatchScanExec", "RowDataSourceScanExec", "InMemoryTableScanExec", "LocalTableScanExec", "RangeExec",
        "RDDScanExec", "ExternalRDDScanExec", "HiveTableScanExec", "OneRowRelationExec", "MicroBatchScanExec", "ContinuousScanExec",
        "StreamSourceScanExec");
    role(WRAPPER, "WholeStageCodegenExec", "InputAdapter", "AQEShuffleReadExec", "SubqueryExec", "SubqueryBroadcastExec",
        "SubqueryAdaptiveBroadcastExec", "ReusedExchangeExec", "ReusedSubqueryExec", "AdaptiveSparkPlanExec", "ShuffleQueryStageExec",
        "BroadcastQueryStageExec", "TableCacheQueryStageExec", "ResultQueryStageExec", "CommandResultExec", "EmptyRelationExec",
        "CollectMetricsExec");
    role("watermark", "EventTimeWatermarkExec", "UpdateEventTimeColumnExec");

    kinds("filter", "Filter");
    kinds("project", "Project");
    kinds("aggregate", "Aggregate", "Distinct", "Deduplicate");
    kinds("join", "Join", "AsOfJoin");
    kinds(SORT, "Sort");
    kinds("topk", "Sort");
    kinds("limit", "GlobalLimit", "LocalLimit", "Offset", "Tail");
    kinds("window", "Window", "WindowGroupLimit");
    kinds("generate", "Generate");
    kinds("expand", "Expand");
    kinds("union", "Union");
    kinds("watermark", "EventTimeWatermark", "UpdateEventTimeWatermarkColumn");
    kinds(EXCHANGE, "Repartition", "RepartitionByExpression", "RebalancePartitions");
  }

  private Roles() {}

  /**
   * The role of a physical operator by its simple class name; a class that is not known is its own
   * role, in lower case.
   */
  public static String of(String simpleClassName) {
    String role = BY_CLASS.get(simpleClassName);
    return role != null ? role : simpleClassName.replaceAll("(Exec)?\\$?$", "").toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * Whether {@code link} (or what it wraps) is a node that an operator of {@code role} can stem
   * from.
   */
  public static boolean stemsFrom(String role, Tree link) {
    List<String> kinds = KINDS.get(role);
    return kinds == null || kinds.contains(find(role, link).kind);
  }

  /**
   * Whether an operator of {@code role} with this link aggregates a bloom filter, which only
   * Spark's optimizer asks for.
   */
  public static boolean buildsBloomFilter(String role, Tree link) {
    return role.equals("aggregate") && mentions(find(role, link).arg("aggregateExpressions"), "BloomFilterAggregate");
  }

  private static boolean mentions(List<Term> terms, String kind) {
    for (Term term : terms) {
      if (term.kind.equals(kind) || mentions(term.children, kind)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The node that an operator of {@code role} stems from: at or below its link, for Spark links
   * whole groups of operators to the topmost.
   */
  static Tree resolve(String role, Tree link) {
    if (role.equals(SCAN)) {
      Tree at = link;
      while (at.children.size() == 1) {
        at = at.children.get(0);
      }
      return at;
    }
    return find(role, link);
  }

  private static Tree find(String role, Tree link) {
    List<String> kinds = KINDS.get(role);
    if (kinds != null) {
      for (Tree at = link; ; at = at.children.get(0)) {
        if (kinds.contains(at.kind)) {
          return at;
        }
        if (at.children.size() != 1) {
          break;
        }
      }
    }
    return link;
  }

  /** The normalized arguments of a node, as far as an operator of {@code role} works on them. */
  static String arguments(String role, Tree tree, Terms terms) {
    switch (tree.kind) {
      case "Filter":
        return String.join(",", terms.conjuncts(tree.arg("condition")));
      case "Project":
        return terms.sorted(computed(tree.arg("projectList")));
      case "Aggregate":
        return terms.sorted(tree.arg("groupingExpressions")) + ";" + String.join(",", terms.aggregateCalls(tree.arg("aggregateExpressions")));
      case "Join":
        return tree.text.toLowerCase(java.util.Locale.ROOT) + ";" + String.join(",", terms.conjuncts(tree.arg("condition")));
      case "Sort":
        return terms.ordered(tree.arg("order"));
      default:
        return terms.sorted(all(tree));
    }
  }

  /** The same for people; "" for a node without arguments, or only constant ones. */
  static String words(Tree tree, Pretty pretty, int limit) {
    String words = tree.children.isEmpty() ? tree.label : pretty.list(spoken(tree), limit);
    return words.matches("[?, …]*") ? "" : words;
  }

  /** What there is to say of a node's arguments. */
  static List<Term> spoken(Tree tree) {
    switch (tree.kind) {
      case "Filter":
      case "Join":
        List<Term> asked = conditions(tree.arg("condition"), false);
        return asked.isEmpty() ? conditions(tree.arg("condition"), true) : asked;
      case "Project":
        return computed(tree.arg("projectList"));
      case "Aggregate":
        List<Term> terms = new ArrayList<>(tree.arg("groupingExpressions"));
        terms.addAll(computed(tree.arg("aggregateExpressions")));
        return terms;
      default:
        return all(tree);
    }
  }

  /** {@code left outer}, {@code inner}. */
  static String joinType(Tree join) {
    return join.text.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * The conjuncts of conditions; without {@code implied} only those that say more than "is not
   * null".
   */
  private static List<Term> conditions(List<Term> predicates, boolean implied) {
    List<Term> out = new ArrayList<>();
    for (Term predicate : predicates) {
      if (predicate.kind.equals("And")) {
        out.addAll(conditions(predicate.children, implied));
      } else if (implied || !Kinds.IMPLIED.contains(predicate.kind)) {
        out.add(predicate);
      }
    }
    return out;
  }

  private static List<Term> computed(List<Term> projected) {
    List<Term> out = new ArrayList<>();
    for (Term term : projected) {
      if (!Terms.passesColumn(term)) {
        out.add(term);
      }
    }
    return out;
  }

  private static List<Term> all(Tree tree) {
    List<Term> out = new ArrayList<>();
    for (List<Term> terms : tree.args.values()) {
      out.addAll(terms);
    }
    return Collections.unmodifiableList(out);
  }

  private static void role(String role, String... classes) {
    for (String name : classes) {
      BY_CLASS.put(name, role);
    }
  }

  private static void kinds(String role, String... kinds) {
    KINDS.put(role, Arrays.asList(kinds));
  }
}

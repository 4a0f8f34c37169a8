package io.planflame.spark.shim;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts what the cost of a row of a physical node depends on: classes of its expressions, types of
 * its output columns, its keys. The names are those in FORMAT.md. No name of a user and no literal
 * is in them.
 */
final class CostCounts {
  /** Expressions, columns and keys of a node that are counted; a wider node gets these counts. */
  static final int MAX_COUNTED = 1000;

  private static final Map<String, String> CLASSES = new HashMap<>(); // :: expression's kind → name

  static {
    name("arithmetic", "Add Subtract Multiply Divide IntegralDivide Remainder Pmod UnaryMinus Abs Round BRound CheckOverflow");
    name("like", "Like ILike RLike LikeAll LikeAny NotLikeAll NotLikeAny Contains StartsWith EndsWith RegExpReplace RegExpExtract RegExpExtractAll RegExpInStr");
    name("comparisons", "EqualTo EqualNullSafe LessThan LessThanOrEqual GreaterThan GreaterThanOrEqual In InSet");
    name("cases", "CaseWhen If Coalesce NaNvl");
    name("hashes", "Md5 Sha1 Sha2 Crc32 Murmur3Hash XxHash64 HiveHash");
    name("casts", "Cast");
    name("udfs", "ScalaUDF ScalaUDAF ScalaAggregator PythonUDF PythonUDAF HiveSimpleUDF HiveGenericUDF HiveUDAFFunction MapElements");
    name("sums", "Sum Average StddevSamp StddevPop VarianceSamp VariancePop Corr CovSample CovPopulation Skewness Kurtosis");
    name("counts", "Count Min Max First Last");
  }

  /** Expressions that cost nothing of their own. */
  private static final Set<String> FREE = new HashSet<>(Arrays.asList(
      "Alias", "AggregateExpression", "SortOrder", "KnownNotNull", "KnownFloatingPointNormalized", "HashPartitioning", "RangePartitioning", "WindowSpecDefinition",
      "SpecifiedWindowFrame"));

  /** Names of which each type is counted, too. */
  private static final Set<String> TYPED = new HashSet<>(Arrays.asList("arithmetic", "casts", "sums"));

  private final Map<String, Integer> counts = new TreeMap<>();

  private CostCounts() {}

  private static void name(String name, String kinds) {
    Arrays.stream(kinds.split(" ")).forEach(kind -> CLASSES.put(kind, name));
  }

  /** The counts of a node that are not 0, by name; none of a wrapper or an unknown node. */
  static Map<String, Integer> of(Object plan, String simple) {
    if (simple.equals("WholeStageCodegenExec") || simple.equals("InputAdapter") || simple.equals("AdaptiveSparkPlanExec") || simple.endsWith("QueryStageExec")) {
      return Collections.emptyMap();
    }
    CostCounts out = new CostCounts();
    try {
      out.output(Scala.list(Members.callOr(null, plan, "output")));
      out.keys(plan, simple);
      out.expressions(Scala.list(Members.callOr(null, plan, "expressions")));
    } catch (IllegalStateException | Members.NoSuchMember unknown) { // a node of somebody else's, or of another Spark line
      return Collections.emptyMap();
    }
    return out.counts;
  }

  private void add(String name) {
    counts.merge(name, 1, Integer::sum);
  }

  private void output(List<Object> columns) {
    for (Object column : first(columns)) {
      add("width");
      typed(column, "_width");
    }
  }

  private void keys(Object plan, String simple) {
    for (String member : new String[] {"groupingExpressions", "leftKeys", "sortOrder", "partitionSpec", "orderSpec"}) {
      keys(Members.callOr(null, plan, member));
    }
    if (simple.equals("ShuffleExchangeExec")) {
      keys(Members.callOr(null, Members.call(plan, "outputPartitioning"), "expressions"));
    }
  }

  private void keys(Object expressions) {
    for (Object key : first(Scala.list(expressions))) {
      add("keys");
      typed(key, "_keys");
    }
  }

  private static List<Object> first(List<Object> all) {
    return all.subList(0, Math.min(all.size(), MAX_COUNTED));
  }

  /** Counts an expression by its type, if the type makes it more expensive than a number. */
  private void typed(Object expression, String name) {
    String type = type(expression);
    if (!type.isEmpty()) {
      add(type + name);
    }
  }

  /**
   * {@code decimal} of more digits than a long has, {@code long_decimal} of fewer, {@code text} or
   * bytes, {@code nested} for an array, a map or a structure. It is "" for any other type, and for
   * an expression without one, such as a window's frame.
   */
  private static String type(Object expression) {
    Object type;
    try {
      type = Members.callOr(null, expression, "dataType");
    } catch (IllegalStateException none) {
      return "";
    }
    switch (type == null ? "" : TermReader.kind(type)) {
      case "DecimalType":
        return (Integer) Members.call(type, "precision") > 18 ? "decimal" : "long_decimal";
      case "StringType":
      case "CharType":
      case "VarcharType":
      case "BinaryType":
        return "text";
      case "ArrayType":
      case "MapType":
      case "StructType":
      case "VariantType":
        return "nested";
      default:
        return "";
    }
  }

  private void expressions(List<Object> roots) {
    Deque<Object> open = new ArrayDeque<>(first(roots));
    for (int n = 0; n < MAX_COUNTED && !open.isEmpty(); n++) {
      Object expression = open.pop();
      List<Object> children = Scala.list(Members.call(expression, "children"));
      count(expression, TermReader.kind(expression), children);
      children.forEach(open::push);
    }
  }

  private void count(Object expression, String kind, List<Object> children) {
    if (kind.equals("AttributeReference")) {
      add("columns");
      return;
    }
    if (children.isEmpty() || FREE.contains(kind)) {
      return;
    }
    add("calls");
    String name = CLASSES.get(kind);
    if (name == null) {
      String type = type(expression);
      if (type.equals("text") || type.equals("nested")) {
        add(type.equals("text") ? "texts" : "arrays");
      }
      return;
    }
    add(name);
    if (TYPED.contains(name)) {
      typed(expression, "_" + name);
    }
    if (name.equals("comparisons") && type(children.get(0)).equals("text")) {
      add("text_comparisons");
    }
  }
}

package io.planflame.identity;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Which kinds of Catalyst nodes and expressions carry no identity, and which need care. Names are
 * simple class names of 3.5 and 4.x.
 */
final class Kinds {
  /** Plan nodes that only wrap their child. */
  static final Set<String> WRAPPERS =
      set("SubqueryAlias", "View", "ResolvedHint", "UnresolvedHint", "CTERelationDef", "ReturnAnswer", "RebalancePartitions",
          "LogicalQueryStage", "WithWindowDefinition");

  /** Expressions that only wrap their first child: representation, nullability, names. */
  static final Set<String> TRANSPARENT =
      set("Alias", "Cast", "AnsiCast", "UpCast", "PromotePrecision", "CheckOverflow", "CheckOverflowInSum", "CheckOverflowInTableInsert",
          "MakeDecimal", "UnscaledValue", "KnownNotNull", "KnownNullable", "KnownFloatingPointNormalized", "NormalizeNaNAndZero",
          "TempResolvedColumn", "CommonExpressionDef", "ToPrettyString");

  /** Predicates that the optimizer or the analyzer adds by itself. */
  static final Set<String> IMPLIED =
      set("IsNotNull", "BloomFilterMightContain", "DynamicPruningSubquery", "DynamicPruningExpression", "InBloomFilter");

  /** Leaves whose value is a constant of the run. */
  static final Set<String> CONSTANTS =
      set("Literal", "CurrentDate", "CurrentTimestamp", "Now", "CurrentUser", "CurrentCatalog", "CurrentDatabase", "CurrentTimeZone",
          "LocalTimestamp", "CurrentTime");

  /** Functions that constant folding must not take for constants though all their arguments are. */
  static final Set<String> NEVER_CONSTANT =
      set("Rand", "Randn", "Uuid", "Shuffle", "MonotonicallyIncreasingID", "SparkPartitionID", "InputFileName", "ScalaUDF", "PythonUDF",
          "AggregateExpression", "Count", "Sum", "Max", "Min", "Average", "First", "Last", "RaiseError", "Explode", "PosExplode",
          "Inline", "Stack", "WindowExpression", "Rank", "RowNumber", "DenseRank", "PercentRank", "NTile", "CumeDist", "Lag", "Lead");

  /** Functions whose operands may be swapped and regrouped. */
  static final Set<String> COMMUTATIVE = set("And", "Or", "Add", "Multiply", "BitwiseAnd", "BitwiseOr", "BitwiseXor");

  /** Functions of two operands that may be swapped. */
  static final Set<String> SYMMETRIC = set("EqualTo", "EqualNullSafe");

  private Kinds() {}

  static boolean isLimit(String kind) {
    return kind.equals("GlobalLimit") || kind.equals("LocalLimit") || kind.equals("Limit");
  }

  /** A join whose condition may as well stand in a filter above it. */
  static boolean isInner(Tree join) {
    return join.text.equals("Inner") || join.text.equals("Cross");
  }

  private static Set<String> set(String... names) {
    return new HashSet<>(Arrays.asList(names));
  }
}

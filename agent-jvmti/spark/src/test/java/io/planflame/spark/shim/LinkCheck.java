package io.planflame.spark.shim;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks up, in the Spark on its class path, every member that the shim calls by name. Exits with 1
 * and a line for each that is missing. Run by it/link.sh against each Spark line; no Spark is
 * started.
 */
public final class LinkCheck {
  private static final String SQL = "org.apache.spark.sql.";
  private static final String CATALYST = SQL + "catalyst.";
  private static final String EXPRESSIONS = CATALYST + "expressions.";
  private static final String LOGICAL = CATALYST + "plans.logical.";
  private static final String EXECUTION = SQL + "execution.";

  /** Class, then methods as name/arguments, fields as .name; a | b means that either will do. */
  private static final String[][] MEMBERS = {
    {"org.apache.spark.SparkContext", "listenerBus/0", "conf/0", "listJars/0"},
    {"org.apache.spark.scheduler.LiveListenerBus", "addToQueue/2"},
    {"org.apache.spark.scheduler.SparkListenerJobStart", "stageInfos/0", "properties/0"},
    {"org.apache.spark.scheduler.StageInfo", "stageId/0", "name/0", "details/0", "parentIds/0", "rddInfos/0"},
    {"org.apache.spark.scheduler.TaskInfo", "accumulables/0"},
    {"org.apache.spark.storage.RDDInfo", "name/0", "callSite/0"},
    {"org.apache.spark.executor.TaskMetrics", "withExternalAccums/1|externalAccums/0", "executorCpuTime/0", "executorDeserializeCpuTime/0", "jvmGCTime/0"},
    {"org.apache.spark.executor.TaskMetrics", "inputMetrics/0", "shuffleReadMetrics/0", ".tempShuffleReadMetrics", "._externalAccums"},
    {"org.apache.spark.executor.TempShuffleReadMetrics", "recordsRead/0"},
    {"org.apache.spark.rdd.InputFileBlockHolder$", ".inputBlock"},
    {"org.apache.spark.rdd.InputFileBlockHolder$FileBlock", "filePath/0", "startOffset/0"},
    {"org.apache.spark.SparkEnv", ".closureSerializer"},
    {"org.apache.spark.rdd.MapPartitionsRDD", ".f", ".prev"},
    {"org.apache.spark.rdd.ZippedPartitionsRDD2", ".f", ".rdd1", ".rdd2"},
    {"org.apache.spark.ShuffleDependency", "shuffleId/0"},
    {EXECUTION + "ShuffledRowRDD", "dependency/0"},
    {EXECUTION + "exchange.ReusedExchangeExec", "child/0"},
    {"org.apache.spark.util.collection.CompactBuffer", "size/0"},
    {"org.apache.spark.TaskContextImpl", ".onCompleteCallbacks"},
    {"scala.collection.mutable.ArrayBuffer", "length/0", "apply/1"},
    {"org.apache.spark.util.AccumulatorV2", "id/0", "isZero/0", "name/0", "value/0"},
    {"org.apache.spark.metrics.source.CodegenMetrics$", "METRIC_COMPILATION_TIME/0"},
    {"com.codahale.metrics.Histogram", "getCount/0"},
    {"org.apache.spark.util.NonFateSharingCache", "cache/0"},
    {EXPRESSIONS + "codegen.CodeGenerator$", ".cache"},
    {EXPRESSIONS + "UnsafeRow", "numFields/0", "isNullAt/1", "getLong/1", "getSizeInBytes/0", "getUTF8String/1", "getInt/1", "getShort/1", "getByte/1", "getBoolean/1", "getDouble/1", "getFloat/1"},
    {"org.apache.spark.unsafe.types.UTF8String", "substring/2", "copy/0", "numBytes/0"},
    {EXPRESSIONS + "codegen.CodeAndComment", "body/0", "comment/0"},
    {EXECUTION + "SQLExecution$", "getQueryExecution/1"},
    {EXECUTION + "QueryExecution", ".analyzed|.lazyAnalyzed", ".optimizedPlan|.lazyOptimizedPlan", ".executedPlan|.lazyExecutedPlan"},
    {EXECUTION + "metric.SQLMetric", "id/0", "metricType/0"},
    {CATALYST + "trees.TreeNode", "children/0", "nodeName/0", "simpleString/1"},
    {CATALYST + "trees.TreeNode", "origin/0"},
    {CATALYST + "trees.Origin", "context/0"}, // its stackTrace and pysparkErrorContext are there from 4.0 on
    {CATALYST + "trees.TreeNode", "collectLeaves/0", "setTagValue/2", "getTagValue/1"},
    {EXECUTION + "SparkPlan", "logicalLink/0", "metrics/0", "subqueries/0", "conf/0", "session/0", "output/0", "expressions/0"},
    {EXECUTION + "ProjectExec", "projectList/0"},
    {EXECUTION + "SortExec", "sortOrder/0"},
    {EXECUTION + "joins.BaseJoinExec", "leftKeys/0"},
    {EXECUTION + "exchange.ShuffleExchangeExec", "outputPartitioning/0", ".shuffleDependency"},
    {EXECUTION + "window.WindowExec", "partitionSpec/0", "orderSpec/0"},
    {CATALYST + "plans.physical.HashPartitioning", "expressions/0"},
    {SQL + "types.DecimalType", "precision/0"},
    {EXECUTION + "CollapseCodegenStages", "apply/1"},
    {SQL + "internal.SQLConf", "maxToStringFields/0", "adaptiveExecutionEnabled/0"},
    {SQL + "internal.SQLConf$", "withExistingConf/2"},
    {SQL + "SparkSessionExtensions", "injectColumnar/1"},
    {EXECUTION + "WholeStageCodegenExec", "codegenStageId/0"},
    {EXECUTION + "adaptive.AdaptiveSparkPlanExec", "executedPlan/0", "initialPlan/0", "context/0", "isSubquery/0", "isFinalPlan/0"},
    {EXECUTION + "adaptive.AdaptiveExecutionContext", "qe/0"},
    {EXECUTION + "adaptive.QueryStageExec", "plan/0"},
    {EXECUTION + "ReusedSubqueryExec", "child/0"},
    {EXECUTION + "columnar.InMemoryTableScanExec", "relation/0"},
    {EXECUTION + "columnar.InMemoryRelation", "cachedPlan/0"},
    {EXECUTION + "aggregate.HashAggregateExec", "groupingExpressions/0", "aggregateExpressions/0", "requiredChildDistributionExpressions/0"},
    {LOGICAL + "LogicalPlan", "output/0", "schema/0", "expressions/0"},
    {LOGICAL + "WithCTE", "plan/0", "cteDefs/0"},
    {LOGICAL + "CTERelationDef", "id/0"},
    {LOGICAL + "CTERelationRef", "cteId/0"},
    {LOGICAL + "SubqueryAlias", "alias/0"},
    {LOGICAL + "View", "desc/0"},
    {LOGICAL + "Join", "joinType/0", "condition/0"},
    {LOGICAL + "Project", "projectList/0"},
    {LOGICAL + "Filter", "condition/0"},
    {LOGICAL + "Sort", "order/0"},
    {LOGICAL + "Aggregate", "groupingExpressions/0", "aggregateExpressions/0"},
    {LOGICAL + "Window", "windowExpressions/0", "partitionSpec/0", "orderSpec/0"},
    {EXPRESSIONS + "AttributeReference", "name/0", "exprId/0", "dataType/0"},
    {EXPRESSIONS + "Alias", "child/0"},
    {EXPRESSIONS + "Literal", "value/0"},
    {EXPRESSIONS + "ExprId", "id/0"},
    {EXPRESSIONS + "OuterReference", "e/0"},
    {EXPRESSIONS + "RuntimeReplaceable", "replacement/0"},
    {EXPRESSIONS + "PlanExpression", "plan/0"},
    {EXPRESSIONS + "ScalaUDF", "udfName/0"},
    {EXPRESSIONS + "SortOrder", "direction/0", "nullOrdering/0"},
    {EXPRESSIONS + "aggregate.AggregateExpression", "isDistinct/0", "mode/0"},
    {EXPRESSIONS + "objects.StaticInvoke", "functionName/0"},
    {EXECUTION + "command.DataWritingCommandExec", "cmd/0"},
    {EXECUTION + "datasources.InsertIntoHadoopFsRelationCommand", "outputPath/0", "catalogTable/0", "fileFormat/0", "partitionColumns/0"},
    {EXECUTION + "datasources.WriteFilesExec", "fileFormat/0", "partitionColumns/0"},
    {EXECUTION + "datasources.v2.DataSourceV2Relation", "table/0", "identifier/0"},
    {EXECUTION + "datasources.LogicalRelation", "relation/0", "catalogTable/0"},
    {EXECUTION + "datasources.HadoopFsRelation", "fileFormat/0", "location/0", "schema/0"},
    {EXECUTION + "ui.SparkListenerSQLExecutionStart", "executionId/0", "description/0", "details/0", "modifiedConfigs/0", "sparkPlanInfo/0"},
    {EXECUTION + "ui.SparkListenerSQLAdaptiveExecutionUpdate", "executionId/0", "sparkPlanInfo/0"},
    {EXECUTION + "ui.SparkListenerSQLExecutionEnd", "executionId/0", "qe/0", "time/0", "errorMessage/0"},
    {EXECUTION + "SparkPlanInfo", "nodeName/0", "simpleString/0", "children/0", "metrics/0"},
    {EXECUTION + "metric.SQLMetricInfo", "name/0", "accumulatorId/0", "metricType/0"},
  };

  private LinkCheck() {}

  public static void main(String[] args) {
    List<String> missing = new ArrayList<>();
    int members = 0;
    for (String[] row : MEMBERS) {
      for (int i = 1; i < row.length; i++) {
        members++;
        String failure = check(row[0], row[i]);
        if (failure != null) {
          missing.add(failure);
        }
      }
    }
    try {
      members++;
      new PlanWatch(plan -> {}).postColumnarTransitions().ruleName();
    } catch (LinkageError e) {
      missing.add("PlanWatch: " + e);
    }
    missing.forEach(line -> System.out.println("MISSING " + line));
    System.out.println("Spark " + org.apache.spark.package$.MODULE$.SPARK_VERSION() + ", Scala " + scala.util.Properties.versionNumberString()
        + ": " + (members - missing.size()) + " of " + members + " members");
    System.exit(missing.isEmpty() ? 0 : 1);
  }

  private static String check(String className, String alternatives) {
    Class<?> type;
    try {
      type = Class.forName(className, false, LinkCheck.class.getClassLoader());
      for (String member : alternatives.split("\\|")) {
        if (member.startsWith(".") ? hasField(type, member.substring(1)) : hasMethod(type, member)) {
          return null;
        }
      }
      return className + " " + alternatives;
    } catch (ClassNotFoundException | LinkageError e) {
      return className + ": " + e;
    }
  }

  private static boolean hasMethod(Class<?> type, String member) {
    String[] parts = member.split("/");
    for (Method method : type.getMethods()) {
      if (method.getName().equals(parts[0]) && method.getParameterCount() == Integer.parseInt(parts[1])) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasField(Class<?> type, String name) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (java.lang.reflect.Field field : at.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}

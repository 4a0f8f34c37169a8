package attribution

import "strings"

// ruleKind is what a frame's class says about a stack.
type ruleKind uint8

const (
	ruleNone       ruleKind = iota // nothing is known of the class: walk on, but the stack is not the framework's
	ruleNeutral                    // a helper of whoever calls it: walk on
	ruleWholeStage                 // a whole-stage class
	ruleExpression                 // another generated class: walk on
	rulePlanBase                   // SparkPlan: a helper of all operators, but for packing rows for the driver
	ruleScan
	ruleCache // a cached table, read or built
	ruleShuffleRead
	ruleShuffleWrite
	ruleBroadcast
	rulePython
	ruleState  // a streaming query's state store
	ruleEngine // a native engine
	ruleWrite  // writing a table or file
	ruleCollect
	ruleCodegen
	ruleLoading     // class loading; a stack that compiles or deserialises is that instead
	ruleDeserialize // of objects; whose, says what is found further on
	ruleTaskRun     // ResultTask, ShuffleMapTask, TaskRunner: the root of a task
	ruleFramework
	rulePhysical // a physical operator without codegen
)

// rule is what is known of a class; physical names the operator's class, simple.
type rule struct {
	class    string
	kind     ruleKind
	physical []string
}

// prefixRule applies to the classes whose names begin with prefix; of several the longest.
type prefixRule struct {
	prefix string
	kind   ruleKind
}

const sqlx = "org.apache.spark.sql.execution."

// prefixRules are in no order. Classes as in Spark 3.5 to 4.3.
var prefixRules = []prefixRule{
	// Helpers that belong to whoever calls them.
	{"java.", ruleNeutral}, {"javax.", ruleNeutral}, {"jdk.", ruleNeutral}, {"sun.", ruleNeutral}, {"com.sun.", ruleNeutral}, {"scala.", ruleNeutral},
	{"org.apache.spark.util.", ruleNeutral}, {"org.apache.spark.memory.", ruleNeutral}, {"org.apache.spark.unsafe.", ruleNeutral},
	{"org.apache.spark.storage.", ruleNeutral}, {"org.apache.spark.io.", ruleNeutral}, {"org.apache.spark.internal.", ruleNeutral},
	{"org.apache.spark.network.", ruleNeutral}, {"org.apache.spark.serializer.", ruleNeutral}, {"org.apache.spark.rdd.", ruleNeutral},
	{"org.apache.spark.metrics.", ruleNeutral}, {"org.apache.spark.InterruptibleIterator", ruleNeutral}, {"org.apache.spark.TaskContext", ruleNeutral},
	{"org.apache.spark.BarrierTaskContext", ruleNeutral}, {"org.apache.spark.SparkEnv", ruleNeutral}, {"org.apache.spark.Partitioner", ruleNeutral},
	{"org.apache.spark.HashPartitioner", ruleNeutral}, {"org.apache.spark.MapOutputTracker", ruleShuffleRead}, {"org.apache.spark.Dependency", ruleNeutral},
	{"io.netty.", ruleNeutral}, {"com.esotericsoftware.kryo.", ruleNeutral}, {"com.github.luben.zstd.", ruleNeutral}, {"net.jpountz.", ruleNeutral}, {"org.xerial.snappy.", ruleNeutral},
	{"org.apache.commons.", ruleNeutral}, {"org.slf4j.", ruleNeutral}, {"org.apache.logging.", ruleNeutral}, {"com.google.common.", ruleNeutral}, {"org.sparkproject.", ruleNeutral}, {"io.planflame.", ruleNeutral},
	{"org.apache.spark.sql.execution.WholeStageCodegen", ruleNeutral}, {"org.apache.spark.sql.execution.BufferedRowIterator", ruleNeutral},
	{"org.apache.spark.sql.execution.metric.", ruleNeutral}, {"org.apache.spark.sql.execution.SQLExecutionRDD", ruleNeutral},
	{"org.apache.spark.sql.execution.SparkPlan", rulePlanBase}, {"org.apache.spark.sql.execution.SQLExecution", ruleNeutral}, {"org.apache.spark.sql.internal.", ruleNeutral},
	{"org.apache.spark.sql.execution.InputAdapter", ruleNeutral}, {"org.apache.spark.sql.execution.UnsafeRowSerializer", ruleNeutral},
	// Scans and what they use.
	{sqlx + "datasources.", ruleScan}, {sqlx + "FileSourceScan", ruleScan}, {sqlx + "DataSourceScan", ruleScan}, {sqlx + "RowDataSourceScan", ruleScan},
	{sqlx + "columnar.", ruleCache}, {sqlx + "streaming.sources.", ruleScan}, {sqlx + "streaming.state.", ruleState}, {"org.rocksdb.", ruleNeutral}, {"org.apache.spark.rdd.NewHadoopRDD", ruleScan}, {"org.apache.spark.rdd.HadoopRDD", ruleScan},
	{"org.apache.spark.sql.hive.HadoopTableReader", ruleScan}, {"org.apache.spark.sql.kafka010.", ruleScan}, {"org.apache.spark.sql.avro.AvroFileFormat", ruleScan},
	// Writers.
	{sqlx + "datasources.FileFormatDataWriter", ruleWrite}, {sqlx + "datasources.FileFormatWriter", ruleWrite}, {sqlx + "datasources.SingleDirectoryDataWriter", ruleWrite},
	{sqlx + "datasources.BaseDynamicPartitionDataWriter", ruleWrite}, {sqlx + "datasources.DynamicPartition", ruleWrite}, {sqlx + "datasources.WriteFiles", ruleWrite},
	{sqlx + "datasources.EmptyDirectoryDataWriter", ruleWrite}, {sqlx + "datasources.BasicWriteTaskStatsTracker", ruleWrite}, {sqlx + "datasources.OutputWriter", ruleWrite},
	{sqlx + "datasources.parquet.ParquetOutputWriter", ruleWrite}, {sqlx + "datasources.parquet.ParquetWriteSupport", ruleWrite}, {sqlx + "datasources.orc.OrcOutputWriter", ruleWrite},
	{sqlx + "datasources.orc.OrcSerializer", ruleWrite}, {sqlx + "datasources.csv.CsvOutputWriter", ruleWrite}, {sqlx + "datasources.json.JsonOutputWriter", ruleWrite},
	{sqlx + "datasources.text.TextOutputWriter", ruleWrite}, {sqlx + "datasources.v2.DataWritingSparkTask", ruleWrite}, {sqlx + "datasources.v2.WritingSparkTask", ruleWrite},
	{sqlx + "datasources.v2.DeltaWritingSparkTask", ruleWrite}, {sqlx + "datasources.v2.FileWriterFactory", ruleWrite}, {sqlx + "datasources.noop.", ruleWrite},
	{sqlx + "streaming.sources.MemoryDataWriter", ruleWrite}, {sqlx + "streaming.sources.MemoryWriter", ruleWrite}, {sqlx + "streaming.sources.Foreach", ruleWrite},
	{sqlx + "streaming.sources.PackedRow", ruleWrite}, {sqlx + "streaming.sources.RealTimeRowWriter", ruleWrite}, {sqlx + "streaming.sources.MicroBatchWriterFactory", ruleWrite},
	{"org.apache.spark.sql.hive.execution.HiveOutputWriter", ruleWrite}, {"org.apache.spark.internal.io.", ruleWrite}, {sqlx + "datasources.SQLHadoopMapReduceCommitProtocol", ruleWrite},
	{sqlx + "datasources.v2.V2TableWriteExec", ruleWrite}, {sqlx + "datasources.v2.V2ExistingTableWriteExec", ruleWrite},
	// Shuffles. A row serializer's reading side is an iterator that stands alone in the stack.
	{"org.apache.spark.shuffle.", ruleShuffleWrite}, {"org.apache.spark.util.collection.ExternalSorter", ruleShuffleWrite},
	{sqlx + "exchange.", ruleShuffleWrite}, {sqlx + "ShuffledRowRDD", ruleShuffleRead},
	{"org.apache.spark.shuffle.BlockStoreShuffleReader", ruleShuffleRead}, {"org.apache.spark.storage.ShuffleBlockFetcherIterator", ruleShuffleRead},
	{"org.apache.spark.storage.BufferReleasingInputStream", ruleShuffleRead}, {"org.apache.spark.storage.PushBasedFetchHelper", ruleShuffleRead},
	{sqlx + "UnsafeRowSerializerInstance$$anon$2", ruleShuffleRead}, {"org.apache.spark.rdd.ShuffledRDD", ruleShuffleRead}, {"org.apache.spark.rdd.CoGroupedRDD", ruleShuffleRead},
	{"org.apache.spark.broadcast.", ruleBroadcast},
	// Python and native engines.
	{"org.apache.spark.api.python.", rulePython}, {sqlx + "python.", rulePython}, {"net.razorvine.pickle.", ruleNeutral}, {"org.apache.arrow.", ruleNeutral},
	{"org.apache.spark.sql.execution.arrow.", ruleNeutral},
	{"org.apache.comet.", ruleEngine}, {"org.apache.spark.sql.comet.", ruleEngine}, {"org.apache.gluten.", ruleEngine}, {"io.glutenproject.", ruleEngine},
	{"org.apache.spark.sql.catalyst.expressions.codegen.", ruleCodegen}, {"org.codehaus.janino.", ruleCodegen}, {"org.codehaus.commons.", ruleCodegen},
	{"org.apache.spark.sql.catalyst.expressions.CodeGeneratorWithInterpretedFallback", ruleCodegen},
	// Written into rows by generated code, although their package says code generation.
	{"org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter", ruleNeutral}, {"org.apache.spark.sql.catalyst.expressions.codegen.UnsafeArrayWriter", ruleNeutral},
	{"org.apache.spark.sql.catalyst.expressions.codegen.UnsafeWriter", ruleNeutral}, {"org.apache.spark.sql.catalyst.expressions.codegen.BufferHolder", ruleNeutral},
	{"org.apache.spark.sql.catalyst.expressions.codegen.UTF8StringBuilder", ruleNeutral},
	// The JVM's own work on a task's thread.
	{"java.lang.ClassLoader", ruleLoading}, {"jdk.internal.loader.", ruleLoading}, {"java.net.URLClassLoader", ruleLoading}, {"java.lang.invoke.MethodHandleNatives", ruleLoading}, {"java.lang.invoke.InnerClassLambdaMetafactory", ruleLoading},
	{"java.lang.invoke.InvokerBytecodeGenerator", ruleLoading}, {"java.lang.invoke.ClassSpecializer", ruleLoading}, {"java.lang.invoke.BootstrapMethodInvoker", ruleLoading},
	{"java.lang.invoke.MethodHandles$Lookup$ClassDefiner", ruleLoading},
	{"org.apache.spark.util.ParentClassLoader", ruleLoading}, {"org.apache.spark.util.MutableURLClassLoader", ruleLoading}, {"org.apache.spark.util.ChildFirstURLClassLoader", ruleLoading},
	{"org.apache.spark.executor.ExecutorClassLoader", ruleLoading},
	{"java.io.ObjectInputStream", ruleDeserialize}, {"org.apache.spark.serializer.JavaDeserializationStream", ruleDeserialize},
	{"org.apache.spark.serializer.KryoDeserializationStream", ruleDeserialize},
	// The framework around a task.
	{"org.apache.spark.executor.", ruleFramework}, {"org.apache.spark.scheduler.", ruleFramework}, {"org.apache.spark.executor.Executor$TaskRunner", ruleTaskRun},
	{"org.apache.spark.scheduler.ResultTask", ruleTaskRun}, {"org.apache.spark.scheduler.ShuffleMapTask", ruleTaskRun}, {"org.apache.spark.scheduler.Task$", ruleTaskRun},
	{"org.apache.spark.executor.TaskMetrics", ruleNeutral}, {"org.apache.spark.executor.InputMetrics", ruleNeutral}, {"org.apache.spark.executor.ShuffleReadMetrics", ruleNeutral},
	{"org.apache.spark.executor.ShuffleWriteMetrics", ruleNeutral}, {"org.apache.spark.executor.TempShuffleReadMetrics", ruleNeutral}, {"org.apache.spark.executor.OutputMetrics", ruleNeutral},
}

// physicalClasses are classes that work for physical operators of another name; longest prefix
// first is not needed, they exclude one another.
var physicalClasses = []struct {
	prefix   string
	physical []string
}{
	{sqlx + "aggregate.TungstenAggregationIterator", []string{"HashAggregateExec"}},
	{sqlx + "aggregate.ObjectAggregationIterator", []string{"ObjectHashAggregateExec"}},
	{sqlx + "aggregate.ObjectAggregationMap", []string{"ObjectHashAggregateExec"}},
	{sqlx + "aggregate.SortBasedAggregationIterator", []string{"SortAggregateExec"}},
	{sqlx + "aggregate.SortBasedAggregator", []string{"ObjectHashAggregateExec"}},
	{sqlx + "joins.SortMergeJoinScanner", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.SortMergeFullOuterJoinScanner", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.OneSideOuterIterator", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.LeftOuterIterator", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.RightOuterIterator", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.FullOuterIterator", []string{"SortMergeJoinExec"}},
	{sqlx + "joins.UnsafeCartesianRDD", []string{"CartesianProductExec"}},
	{sqlx + "joins.HashJoin", []string{"BroadcastHashJoinExec", "ShuffledHashJoinExec"}},
	{sqlx + "window.WindowGroupLimit", []string{"WindowGroupLimitExec"}},
	{sqlx + "window.SimpleLimitIterator", []string{"WindowGroupLimitExec"}},
	{sqlx + "window.RankLimitIterator", []string{"WindowGroupLimitExec"}},
	{sqlx + "window.DenseRankLimitIterator", []string{"WindowGroupLimitExec"}},
	{sqlx + "window.GroupedLimitIterator", []string{"WindowGroupLimitExec"}},
	{sqlx + "window.", []string{"WindowExec"}},
	{sqlx + "BaseLimit", []string{"LocalLimitExec", "GlobalLimitExec"}},
	{sqlx + "LazyIterator", []string{"GenerateExec"}},
	{sqlx + "joins.SortMergeAsOfJoinScanner", []string{"SortMergeAsOfJoinExec"}},
	{sqlx + "aggregate.UpdatingSessionsIterator", []string{"UpdatingSessionsExec"}},
	{sqlx + "aggregate.MergingSessionsIterator", []string{"MergingSessionsExec"}},
	{sqlx + "RowToColumnConverter", []string{"RowToColumnarExec"}},
	{sqlx + "GroupedIterator", []string{"MapGroupsExec", "FlatMapGroupsWithStateExec"}},
	{sqlx + "CoGroupedIterator", []string{"CoGroupExec"}},
}

// ruleFor says what is known of a class. Callers keep the answer.
func ruleFor(class string) rule {
	if rest, ok := strings.CutPrefix(class, generatedPrefix); ok {
		if rest == "" {
			return rule{kind: ruleCodegen} // the factory around a generated class: making an instance
		}
		if isWholeStage(strings.TrimPrefix(rest, "$")) {
			return rule{kind: ruleWholeStage}
		}
		return rule{kind: ruleExpression}
	}
	for _, p := range physicalClasses {
		if strings.HasPrefix(class, p.prefix) {
			return rule{kind: rulePhysical, physical: p.physical}
		}
	}
	best := prefixRule{}
	for _, r := range prefixRules {
		if len(r.prefix) > len(best.prefix) && strings.HasPrefix(class, r.prefix) {
			best = r
		}
	}
	if best.kind == ruleShuffleWrite && strings.HasPrefix(class, "org.apache.spark.shuffle.") {
		if simple := class[strings.LastIndexByte(class, '.')+1:]; strings.Contains(simple, "Reader") || strings.Contains(simple, "Fetch") {
			best.kind = ruleShuffleRead // of a remote shuffle service
		}
	}
	if best.kind == ruleNone {
		if operator := operatorClass(class); operator != "" {
			return rule{kind: rulePhysical, physical: []string{operator}}
		}
	}
	return rule{kind: best.kind}
}

// operatorClass is the simple name of the physical operator that a class belongs to by its own
// name: FilterExec of `org.apache.spark.sql.execution.FilterExec$$anon$1` and of
// `…FilterEvaluatorFactory$FilterPartitionEvaluator`.
func operatorClass(class string) string {
	simple := class[strings.LastIndexByte(class, '.')+1:]
	simple, _, _ = strings.Cut(simple, "$")
	if strings.HasSuffix(simple, "Exec") {
		return simple
	}
	for _, suffix := range []string{"EvaluatorFactory", "EvaluatorFactoryBase", "Evaluator"} {
		if name, ok := strings.CutSuffix(simple, suffix); ok && name != "" {
			return name + "Exec"
		}
	}
	return ""
}

// helperFrame says whether a frame of an operator's class is a helper that generated code calls,
// not the operator's own loop: a method of the class itself (or its companion object) that is no
// lambda. Spark 4.3 moved code out of generated text this way (ColumnarToRowExec.advanceBatch,
// SortExec.recordSortMetrics); 3.5 has HashAggregateExec.finishAggregate.
func helperFrame(f *Frame) bool {
	simple := f.Class[strings.LastIndexByte(f.Class, '.')+1:]
	return strings.HasSuffix(strings.TrimSuffix(simple, "$"), "Exec") && !strings.Contains(f.Method, "$anonfun$")
}

// nativeRule says what a symbol of libjvm on a task's thread is for.
func nativeRule(symbol string) Bucket {
	switch {
	case strings.Contains(symbol, "CompilationPolicy"), strings.Contains(symbol, "CompileBroker"), strings.Contains(symbol, "TieredThresholdPolicy"):
		return BucketJIT
	case strings.Contains(symbol, "SystemDictionary"), strings.Contains(symbol, "ClassFileParser"), strings.Contains(symbol, "InstanceKlass::link"):
		return BucketClassLoading
	case strings.Contains(symbol, "G1CollectedHeap::do_collection"), strings.Contains(symbol, "G1CollectedHeap::try_collect"), strings.Contains(symbol, "VM_GenCollect"):
		return BucketGC
	}
	return BucketNone
}

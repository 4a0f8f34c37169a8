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
	{sqlx + "window.BaseLimitIterator", []string{"WindowGroupLimitExec"}},
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

// helperFrame reports whether a frame of an operator's class is a helper that generated code calls,
// not the operator's own loop. A helper is a method of the class itself (or its companion object)
// that is no lambda. Spark 4.3 moved code out of generated text this way
// (ColumnarToRowExec.advanceBatch, SortExec.recordSortMetrics); 3.5 has
// HashAggregateExec.finishAggregate.
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

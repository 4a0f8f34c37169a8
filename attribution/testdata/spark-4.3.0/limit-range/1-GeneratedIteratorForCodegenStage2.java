public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage2(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage2 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean range_initRange_0;
private long range_nextIndex_0;
private TaskContext range_taskContext_0;
private InputMetrics range_inputMetrics_0;
private long range_batchEnd_0;
private long range_numElementsTodo_0;
private org.apache.spark.sql.execution.joins.LongHashedRelation bhj_relation_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] range_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[5];

public GeneratedIteratorForCodegenStage2(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

range_taskContext_0 = TaskContext.get();
range_inputMetrics_0 = range_taskContext_0.taskMetrics().inputMetrics();
range_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);

bhj_relation_0 = (org.apache.spark.sql.execution.joins.LongHashedRelation) org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
.buildReadOnlyRelation(((org.apache.spark.broadcast.TorrentBroadcast) references[2] /* broadcast */));

range_mutableStateArray_0[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
range_mutableStateArray_0[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);

}

private void range_initRange_1(int idx) {
java.math.BigInteger index = java.math.BigInteger.valueOf(idx);
java.math.BigInteger numSlice = java.math.BigInteger.valueOf(2L);
java.math.BigInteger numElement = java.math.BigInteger.valueOf(100000L);
java.math.BigInteger step = java.math.BigInteger.valueOf(1L);
java.math.BigInteger start = java.math.BigInteger.valueOf(0L);
long partitionEnd;

java.math.BigInteger st = index.multiply(numElement).divide(numSlice).multiply(step).add(start);
if (st.compareTo(java.math.BigInteger.valueOf(Long.MAX_VALUE)) > 0) {
range_nextIndex_0 = Long.MAX_VALUE;
} else if (st.compareTo(java.math.BigInteger.valueOf(Long.MIN_VALUE)) < 0) {
range_nextIndex_0 = Long.MIN_VALUE;
} else {
range_nextIndex_0 = st.longValue();
}
range_batchEnd_0 = range_nextIndex_0;

java.math.BigInteger end = index.add(java.math.BigInteger.ONE).multiply(numElement).divide(numSlice)
.multiply(step).add(start);
if (end.compareTo(java.math.BigInteger.valueOf(Long.MAX_VALUE)) > 0) {
partitionEnd = Long.MAX_VALUE;
} else if (end.compareTo(java.math.BigInteger.valueOf(Long.MIN_VALUE)) < 0) {
partitionEnd = Long.MIN_VALUE;
} else {
partitionEnd = end.longValue();
}

java.math.BigInteger startToEnd = java.math.BigInteger.valueOf(partitionEnd).subtract(
java.math.BigInteger.valueOf(range_nextIndex_0));
range_numElementsTodo_0  = startToEnd.divide(step).longValue();
if (range_numElementsTodo_0 < 0) {
range_numElementsTodo_0 = 0;
} else if (startToEnd.remainder(step).compareTo(java.math.BigInteger.valueOf(0L)) != 0) {
range_numElementsTodo_0++;
}
}

private void bhj_doConsume_0(long bhj_expr_0_0) throws java.io.IOException {
// generate join key for stream side
/*bhj_c_1*/
boolean bhj_isNull_1 = false;
long bhj_value_1 = -1L;

bhj_value_1 = (long)(bhj_expr_0_0 % 50L);
// find matches from HashedRelation
UnsafeRow bhj_buildRow_0 = bhj_isNull_1 ? null: (UnsafeRow)bhj_relation_0.getValue(bhj_value_1);
if (bhj_buildRow_0 != null) {
{
((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
long project_value_0 = -1L;

project_value_0 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(bhj_expr_0_0, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[4] /* errCtx */));
range_mutableStateArray_0[4].reset();

range_mutableStateArray_0[4].write(0, project_value_0);
append((range_mutableStateArray_0[4].getRow()));

}
}

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*bhj_c_0*/
/*filter_c_0*/
/*range_c_0*/
// initialize Range
if (!range_initRange_0) {
range_initRange_0 = true;
range_initRange_1(partitionIndex);
}

while (true) {
if (range_nextIndex_0 == range_batchEnd_0) {
long range_nextBatchTodo_0;
if (range_numElementsTodo_0 > 1000L) {
range_nextBatchTodo_0 = 1000L;
range_numElementsTodo_0 -= 1000L;
} else {
range_nextBatchTodo_0 = range_numElementsTodo_0;
range_numElementsTodo_0 = 0;
if (range_nextBatchTodo_0 == 0) break;
}
range_batchEnd_0 += range_nextBatchTodo_0 * 1L;
}

int range_localEnd_0 = (int)((range_batchEnd_0 - range_nextIndex_0) / 1L);
for (int range_localIdx_0 = 0; range_localIdx_0 < range_localEnd_0; range_localIdx_0++) {
long range_value_0 = ((long)range_localIdx_0 * 1L) + range_nextIndex_0;

/*wholestagecodegen_c_3*/
do {
/*filter_c_2*/
boolean filter_isNull_0 = true;
boolean filter_value_0 = false;
/*filter_c_1*/
boolean filter_isNull_1 = false;
long filter_value_1 = -1L;

filter_value_1 = (long)(range_value_0 % 3L);
if (!filter_isNull_1) {
filter_isNull_0 = false; // resultCode could change nullability.
filter_value_0 = filter_value_1 == 1L;

}
if (filter_isNull_0 || !filter_value_0) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numOutputRows */).add(1);

/*wholestagecodegen_c_2*/
bhj_doConsume_0(range_value_0);

} while (false);

if (shouldStop()) {
range_nextIndex_0 = range_value_0 + 1L;
((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */).add(range_localIdx_0 + 1);
range_inputMetrics_0.incRecordsRead(range_localIdx_0 + 1);
return;
}

}
range_nextIndex_0 = range_batchEnd_0;
((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */).add(range_localEnd_0);
range_inputMetrics_0.incRecordsRead(range_localEnd_0);
range_taskContext_0.killTaskIfInterrupted();
}
}

}
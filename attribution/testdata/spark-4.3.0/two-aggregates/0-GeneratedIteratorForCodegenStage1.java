public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private boolean hashAgg_initAgg_1;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_1;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_1;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_1;
private boolean range_initRange_0;
private long range_nextIndex_0;
private TaskContext range_taskContext_0;
private InputMetrics range_inputMetrics_0;
private long range_batchEnd_0;
private long range_numElementsTodo_0;
private boolean hashAgg_hashAgg_isNull_4_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] range_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[9];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

range_taskContext_0 = TaskContext.get();
range_inputMetrics_0 = range_taskContext_0.taskMetrics().inputMetrics();
range_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
range_mutableStateArray_0[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
range_mutableStateArray_0[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[5] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[6] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[7] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
range_mutableStateArray_0[8] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);

}

private void hashAgg_doAggregateWithKeysOutput_1(UnsafeRow hashAgg_keyTerm_1, UnsafeRow hashAgg_bufferTerm_1)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[14] /* numOutputRows */).add(1);

/*hashAgg_c_15*/
boolean hashAgg_isNull_18 = hashAgg_keyTerm_1.isNullAt(0);
long hashAgg_value_18 = hashAgg_isNull_18 ?
-1L : (hashAgg_keyTerm_1.getLong(0));
/*hashAgg_c_16*/
long hashAgg_value_19 = hashAgg_bufferTerm_1.getLong(0);

/*wholestagecodegen_c_0*/
range_mutableStateArray_0[8].reset();

range_mutableStateArray_0[8].zeroOutNullBytes();

range_mutableStateArray_0[8].writeNullable(0, hashAgg_value_18, hashAgg_isNull_18);

range_mutableStateArray_0[8].write(1, hashAgg_value_19);
append((range_mutableStateArray_0[8].getRow()));

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[11] /* numOutputRows */).add(1);

/*hashAgg_c_8*/
boolean hashAgg_isNull_7 = hashAgg_keyTerm_0.isNullAt(0);
long hashAgg_value_7 = hashAgg_isNull_7 ?
-1L : (hashAgg_keyTerm_0.getLong(0));
/*hashAgg_c_9*/
boolean hashAgg_isNull_8 = hashAgg_bufferTerm_0.isNullAt(0);
long hashAgg_value_8 = hashAgg_isNull_8 ?
-1L : (hashAgg_bufferTerm_0.getLong(0));

/*hashAgg_c_14*/
hashAgg_doConsume_1(hashAgg_value_8, hashAgg_isNull_8);

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*hashAgg_c_1*/
if (!hashAgg_initAgg_1) {
hashAgg_initAgg_1 = true;

hashAgg_hashMap_1 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[5] /* plan */).createHashMap();
long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_1(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[13] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_mapIter_1.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_mapIter_1.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_mapIter_1.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);
if (shouldStop()) return;
}
hashAgg_mapIter_1.close();
if (hashAgg_sorter_1 == null) {
hashAgg_hashMap_1.free();
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void range_initRange_1(int idx) {
java.math.BigInteger index = java.math.BigInteger.valueOf(idx);
java.math.BigInteger numSlice = java.math.BigInteger.valueOf(1L);
java.math.BigInteger numElement = java.math.BigInteger.valueOf(1000L);
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

private void hashAgg_doConsume_1(long hashAgg_expr_0_1, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_1 = null;

// generate grouping key
range_mutableStateArray_0[7].reset();

range_mutableStateArray_0[7].zeroOutNullBytes();

range_mutableStateArray_0[7].writeNullable(0, hashAgg_expr_0_1, hashAgg_exprIsNull_0_0);
int hashAgg_unsafeRowKeyHash_1 = (range_mutableStateArray_0[7].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_1 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((range_mutableStateArray_0[7].getRow()), hashAgg_unsafeRowKeyHash_1);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_1 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_1 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(range_mutableStateArray_0[7].getRow()), hashAgg_unsafeRowKeyHash_1);
if (hashAgg_unsafeRowAggBuffer_1 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_12*/
/*hashAgg_c_11*/
long hashAgg_value_16 = hashAgg_unsafeRowAggBuffer_1.getLong(0);

long hashAgg_value_15 = -1L;

hashAgg_value_15 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_16, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[12] /* errCtx */));
/*hashAgg_c_13*/
hashAgg_unsafeRowAggBuffer_1.setLong(0, hashAgg_value_15);

}

private void hashAgg_doConsume_0(long hashAgg_expr_0_0, long hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
range_mutableStateArray_0[4].reset();

range_mutableStateArray_0[4].zeroOutNullBytes();

range_mutableStateArray_0[4].writeNullable(0, hashAgg_expr_1_0, hashAgg_exprIsNull_1_0);
int hashAgg_unsafeRowKeyHash_0 = (range_mutableStateArray_0[4].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_1.getAggregationBufferFromUnsafeRow((range_mutableStateArray_0[4].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_1 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_1, hashAgg_sorter_1);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_1.getAggregationBufferFromUnsafeRow(
(range_mutableStateArray_0[4].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_4*/
/*hashAgg_c_3*/
hashAgg_hashAgg_isNull_4_0 = true;
long hashAgg_value_4 = -1L;

/*hashAgg_c_2*/
boolean hashAgg_isNull_5 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
long hashAgg_value_5 = hashAgg_isNull_5 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(0));

if (!hashAgg_isNull_5 && (hashAgg_hashAgg_isNull_4_0 ||
hashAgg_value_5 > hashAgg_value_4)) {
hashAgg_hashAgg_isNull_4_0 = false;
hashAgg_value_4 = hashAgg_value_5;
}

if (!false && (hashAgg_hashAgg_isNull_4_0 ||
hashAgg_expr_0_0 > hashAgg_value_4)) {
hashAgg_hashAgg_isNull_4_0 = false;
hashAgg_value_4 = hashAgg_expr_0_0;
}
/*hashAgg_c_5*/
hashAgg_unsafeRowAggBuffer_0.setLong(0, hashAgg_value_4);

}

private void project_doConsume_0(long project_expr_0_0) throws java.io.IOException {
// common sub-expressions

/*hashAgg_c_6*/
/*project_c_1*/
boolean project_isNull_2 = false;
long project_value_2 = -1L;

project_value_2 = (long)(project_expr_0_0 % 10L);

hashAgg_doConsume_0(project_expr_0_0, project_value_2, project_isNull_2);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[15] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_mapIter_0.next()) {
UnsafeRow hashAgg_aggKey_1 = (UnsafeRow) hashAgg_mapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_1 = (UnsafeRow) hashAgg_mapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_1(hashAgg_aggKey_1, hashAgg_aggBuffer_1);
if (shouldStop()) return;
}
hashAgg_mapIter_0.close();
if (hashAgg_sorter_0 == null) {
hashAgg_hashMap_0.free();
}
}

private void hashAgg_doAggregateWithKeys_1(int partitionIndex) throws java.io.IOException {
/*project_c_0*/
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

/*hashAgg_c_7*/
project_doConsume_0(range_value_0);

// shouldStop check is eliminated
}
range_nextIndex_0 = range_batchEnd_0;
((org.apache.spark.sql.execution.metric.SQLMetric) references[10] /* numOutputRows */).add(range_localEnd_0);
range_inputMetrics_0.incRecordsRead(range_localEnd_0);
range_taskContext_0.killTaskIfInterrupted();
}

hashAgg_mapIter_1 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[5] /* plan */).finishAggregate(hashAgg_hashMap_1, hashAgg_sorter_1, ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[9] /* numTasksFallBacked */));
}

}
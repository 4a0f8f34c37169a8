public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage2(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage2 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] hashAgg_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage2(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
hashAgg_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
hashAgg_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numOutputRows */).add(1);

/*hashAgg_c_6*/
boolean hashAgg_isNull_5 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_5 = hashAgg_isNull_5 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_7*/
long hashAgg_value_6 = hashAgg_bufferTerm_0.getLong(0);

/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_0[1].reset();

hashAgg_mutableStateArray_0[1].zeroOutNullBytes();

hashAgg_mutableStateArray_0[1].writeNullable(0, hashAgg_value_5, hashAgg_isNull_5);

hashAgg_mutableStateArray_0[1].write(1, hashAgg_value_6);
append((hashAgg_mutableStateArray_0[1].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_5*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
UTF8String inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getUTF8String(0));
/*inputadapter_c_2*/
long inputadapter_value_1 = inputadapter_row_0.getLong(1);

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1);
// shouldStop check is eliminated
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, UTF8String hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, long hashAgg_expr_1_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
hashAgg_mutableStateArray_0[0].reset();

hashAgg_mutableStateArray_0[0].zeroOutNullBytes();

hashAgg_mutableStateArray_0[0].writeNullable(0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);
int hashAgg_unsafeRowKeyHash_0 = (hashAgg_mutableStateArray_0[0].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_3*/
/*hashAgg_c_2*/
long hashAgg_value_3 = hashAgg_unsafeRowAggBuffer_0.getLong(0);

long hashAgg_value_2 = -1L;

hashAgg_value_2 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_3, hashAgg_expr_1_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[5] /* errCtx */));
/*hashAgg_c_4*/
hashAgg_unsafeRowAggBuffer_0.setLong(0, hashAgg_value_2);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_mapIter_0.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_mapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_mapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);
if (shouldStop()) return;
}
hashAgg_mapIter_0.close();
if (hashAgg_sorter_0 == null) {
hashAgg_hashMap_0.free();
}
}

}
public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.execution.joins.LongHashedRelation bhj_relation_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] bhj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[5];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];

bhj_relation_0 = (org.apache.spark.sql.execution.joins.LongHashedRelation) org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
.buildReadOnlyRelation(((org.apache.spark.broadcast.TorrentBroadcast) references[5] /* broadcast */));

bhj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(4, 32);
bhj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);
bhj_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);
bhj_mutableStateArray_0[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
bhj_mutableStateArray_0[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* numOutputRows */).add(1);

/*hashAgg_c_15*/
boolean hashAgg_isNull_15 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_15 = hashAgg_isNull_15 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_16*/
boolean hashAgg_isNull_16 = hashAgg_bufferTerm_0.isNullAt(0);
Decimal hashAgg_value_16 = hashAgg_isNull_16 ?
null : (hashAgg_bufferTerm_0.getDecimal(0, 25, 2));
/*hashAgg_c_17*/
boolean hashAgg_value_17 = hashAgg_bufferTerm_0.getBoolean(1);

/*wholestagecodegen_c_0*/
bhj_mutableStateArray_0[4].reset();

bhj_mutableStateArray_0[4].zeroOutNullBytes();

bhj_mutableStateArray_0[4].writeNullable(0, hashAgg_value_15, hashAgg_isNull_15);

bhj_mutableStateArray_0[4].writeNullable(1, hashAgg_value_16, hashAgg_isNull_16, 25, 2);

bhj_mutableStateArray_0[4].write(2, hashAgg_value_17);
append((bhj_mutableStateArray_0[4].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*project_c_0*/
/*bhj_c_0*/
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_14*/
/*inputadapter_c_1*/
long inputadapter_value_0 = inputadapter_row_0.getLong(0);

// generate join key for stream side

// find matches from HashedRelation
UnsafeRow bhj_buildRow_0 = false ? null: (UnsafeRow)bhj_relation_0.getValue(inputadapter_value_0);
if (bhj_buildRow_0 != null) {
{
((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numOutputRows */).add(1);

/*hashAgg_c_13*/
// common sub-expressions

/*hashAgg_c_12*/
/*project_c_1*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
Decimal inputadapter_value_1 = inputadapter_isNull_1 ?
null : (inputadapter_row_0.getDecimal(1, 15, 2));
/*project_c_2*/
/*bhj_c_2*/
boolean bhj_isNull_2 = bhj_buildRow_0.isNullAt(1);
UTF8String bhj_value_2 = bhj_isNull_2 ?
null : (bhj_buildRow_0.getUTF8String(1));

hashAgg_doConsume_0(inputadapter_value_1, inputadapter_isNull_1, bhj_value_2, bhj_isNull_2);

}
}
// shouldStop check is eliminated
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_10*/
/*hashAgg_c_6*/
boolean hashAgg_isNull_6 = false;
Decimal hashAgg_value_6 = null;
if (!false && hashAgg_exprIsNull_0_0) {
/*hashAgg_c_2*/
boolean hashAgg_isNull_7 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_7 = hashAgg_isNull_7 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 25, 2));
hashAgg_isNull_6 = hashAgg_isNull_7;
hashAgg_value_6 = hashAgg_value_7;
} else {
/*hashAgg_c_5*/
boolean hashAgg_isNull_8 = true;
Decimal hashAgg_value_8 = null;
/*hashAgg_c_3*/
boolean hashAgg_isNull_9 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_9 = hashAgg_isNull_9 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 25, 2));
if (!hashAgg_isNull_9) {
/*hashAgg_c_4*/
boolean hashAgg_isNull_10 = false;
Decimal hashAgg_value_10 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_0 = hashAgg_expr_0_0.clone();
hashAgg_tmpDecimal_0.changePrecision(25, 2);
hashAgg_value_10 = hashAgg_tmpDecimal_0;
}

hashAgg_isNull_8 = false; // resultCode could change nullability.
hashAgg_value_8 = hashAgg_value_9.$plus(hashAgg_value_10);

}
hashAgg_isNull_6 = hashAgg_isNull_8;
hashAgg_value_6 = hashAgg_value_8;
}
/*hashAgg_c_9*/
boolean hashAgg_value_14 = hashAgg_unsafeRowAggBuffer_0.getBoolean(1);
boolean hashAgg_value_13 = false;

if (hashAgg_value_14) {
/*hashAgg_c_8*/
hashAgg_value_13 = hashAgg_exprIsNull_0_0;
}
/*hashAgg_c_11*/
if (!hashAgg_isNull_6) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, hashAgg_value_6, 25);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, null, 25);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(1, hashAgg_value_13);
}

private void hashAgg_doConsume_0(Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, UTF8String hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
bhj_mutableStateArray_0[3].reset();

bhj_mutableStateArray_0[3].zeroOutNullBytes();

bhj_mutableStateArray_0[3].writeNullable(0, hashAgg_expr_1_0, hashAgg_exprIsNull_1_0);
int hashAgg_unsafeRowKeyHash_0 = (bhj_mutableStateArray_0[3].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((bhj_mutableStateArray_0[3].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(bhj_mutableStateArray_0[3].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
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
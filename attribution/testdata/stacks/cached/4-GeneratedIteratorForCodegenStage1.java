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
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] hashAgg_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
hashAgg_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
hashAgg_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(4, 64);

}

private void hashAgg_doAggregateWithKeys_0() throws java.io.IOException {
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_16*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
Decimal inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getDecimal(0, 15, 2));
/*inputadapter_c_2*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
UTF8String inputadapter_value_1 = inputadapter_isNull_1 ?
null : (inputadapter_row_0.getUTF8String(1));

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1, inputadapter_isNull_1);
// shouldStop check is eliminated
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, UTF8String hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
hashAgg_mutableStateArray_0[0].reset();

hashAgg_mutableStateArray_0[0].zeroOutNullBytes();

if (hashAgg_exprIsNull_1_0) {
hashAgg_mutableStateArray_0[0].setNullAt(0);
} else {
hashAgg_mutableStateArray_0[0].write(0, hashAgg_expr_1_0);
}
int hashAgg_unsafeRowKeyHash_0 = (hashAgg_mutableStateArray_0[0].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
if (hashAgg_sorter_0 == null) {
hashAgg_sorter_0 = hashAgg_hashMap_0.destructAndCreateExternalSorter();
} else {
hashAgg_sorter_0.merge(hashAgg_hashMap_0.destructAndCreateExternalSorter());
}

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw new org.apache.spark.memory.SparkOutOfMemoryError("No enough memory for aggregation");
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_count_0(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_0(hashAgg_unsafeRowAggBuffer_0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);

}

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
/*hashAgg_c_14*/
/*hashAgg_c_8*/
boolean hashAgg_isNull_7 = false;
Decimal hashAgg_value_7 = null;
if (!false && hashAgg_exprIsNull_0_0) {
/*hashAgg_c_4*/
boolean hashAgg_isNull_8 = hashAgg_unsafeRowAggBuffer_0.isNullAt(1);
Decimal hashAgg_value_8 = hashAgg_isNull_8 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(1, 25, 2));
hashAgg_isNull_7 = hashAgg_isNull_8;
hashAgg_value_7 = hashAgg_value_8;
} else {
/*hashAgg_c_7*/
boolean hashAgg_isNull_9 = true;
Decimal hashAgg_value_9 = null;
/*hashAgg_c_5*/
boolean hashAgg_isNull_10 = hashAgg_unsafeRowAggBuffer_0.isNullAt(1);
Decimal hashAgg_value_10 = hashAgg_isNull_10 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(1, 25, 2));
if (!hashAgg_isNull_10) {
/*hashAgg_c_6*/
boolean hashAgg_isNull_11 = false;
Decimal hashAgg_value_11 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_0 = hashAgg_expr_0_0.clone();
hashAgg_tmpDecimal_0.changePrecision(25, 2);
hashAgg_value_11 = hashAgg_tmpDecimal_0;
}

hashAgg_isNull_9 = false; // resultCode could change nullability.
hashAgg_value_9 = hashAgg_value_10.$plus(hashAgg_value_11);

}
hashAgg_isNull_7 = hashAgg_isNull_9;
hashAgg_value_7 = hashAgg_value_9;
}
/*hashAgg_c_11*/
boolean hashAgg_value_15 = hashAgg_unsafeRowAggBuffer_0.getBoolean(2);
boolean hashAgg_value_14 = false;

if (hashAgg_value_15) {
/*hashAgg_c_10*/
hashAgg_value_14 = hashAgg_exprIsNull_0_0;
}
/*hashAgg_c_15*/
if (!hashAgg_isNull_7) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(1, hashAgg_value_7, 25);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(1, null, 25);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(2, hashAgg_value_14);
}

private void hashAgg_doAggregate_count_0(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_12*/
/*hashAgg_c_2*/
long hashAgg_value_5 = hashAgg_unsafeRowAggBuffer_0.getLong(0);

long hashAgg_value_4 = -1L;

hashAgg_value_4 = hashAgg_value_5 + 1L;
/*hashAgg_c_13*/
hashAgg_unsafeRowAggBuffer_0.setLong(0, hashAgg_value_4);
}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* numOutputRows */).add(1);

/*hashAgg_c_17*/
boolean hashAgg_isNull_16 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_16 = hashAgg_isNull_16 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_18*/
long hashAgg_value_17 = hashAgg_bufferTerm_0.getLong(0);
/*hashAgg_c_19*/
boolean hashAgg_isNull_18 = hashAgg_bufferTerm_0.isNullAt(1);
Decimal hashAgg_value_18 = hashAgg_isNull_18 ?
null : (hashAgg_bufferTerm_0.getDecimal(1, 25, 2));
/*hashAgg_c_20*/
boolean hashAgg_value_19 = hashAgg_bufferTerm_0.getBoolean(2);

/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_0[1].reset();

hashAgg_mutableStateArray_0[1].zeroOutNullBytes();

if (hashAgg_isNull_16) {
hashAgg_mutableStateArray_0[1].setNullAt(0);
} else {
hashAgg_mutableStateArray_0[1].write(0, hashAgg_value_16);
}

hashAgg_mutableStateArray_0[1].write(1, hashAgg_value_17);

if (hashAgg_isNull_18) {
hashAgg_mutableStateArray_0[1].write(2, (Decimal) null, 25, 2);
} else {
hashAgg_mutableStateArray_0[1].write(2, hashAgg_value_18, 25, 2);
}

hashAgg_mutableStateArray_0[1].write(3, hashAgg_value_19);
append((hashAgg_mutableStateArray_0[1].getRow()));

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0();
((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
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
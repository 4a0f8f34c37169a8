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
private int columnartorow_batchIdx_0;
private int columnartorow_batchIdx_1;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[2];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[4];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[2];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[13];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
wholestagecodegen_init_0_0();
wholestagecodegen_init_0_1();

}

private void wholestagecodegen_init_0_1() {
columnartorow_mutableStateArray_3[8] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[9] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[10] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[11] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[12] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 32);

}

private void hashAgg_doAggregate_sum_1(org.apache.spark.sql.types.Decimal hashAgg_expr_1_1, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_1, boolean hashAgg_exprIsNull_1_1) throws java.io.IOException {
/*hashAgg_c_25*/
/*hashAgg_c_21*/
boolean hashAgg_isNull_21 = false;
Decimal hashAgg_value_21 = null;
if (!false && hashAgg_exprIsNull_1_1) {
/*hashAgg_c_17*/
boolean hashAgg_isNull_22 = hashAgg_unsafeRowAggBuffer_1.isNullAt(0);
Decimal hashAgg_value_22 = hashAgg_isNull_22 ?
null : (hashAgg_unsafeRowAggBuffer_1.getDecimal(0, 25, 2));
hashAgg_isNull_21 = hashAgg_isNull_22;
hashAgg_value_21 = hashAgg_value_22;
} else {
/*hashAgg_c_20*/
boolean hashAgg_isNull_23 = true;
Decimal hashAgg_value_23 = null;
/*hashAgg_c_18*/
boolean hashAgg_isNull_24 = hashAgg_unsafeRowAggBuffer_1.isNullAt(0);
Decimal hashAgg_value_24 = hashAgg_isNull_24 ?
null : (hashAgg_unsafeRowAggBuffer_1.getDecimal(0, 25, 2));
if (!hashAgg_isNull_24) {
/*hashAgg_c_19*/
boolean hashAgg_isNull_25 = false;
Decimal hashAgg_value_25 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_1 = hashAgg_expr_1_1.clone();
hashAgg_tmpDecimal_1.changePrecision(25, 2);
hashAgg_value_25 = hashAgg_tmpDecimal_1;
}

hashAgg_isNull_23 = false; // resultCode could change nullability.
hashAgg_value_23 = hashAgg_value_24.$plus(hashAgg_value_25);

}
hashAgg_isNull_21 = hashAgg_isNull_23;
hashAgg_value_21 = hashAgg_value_23;
}
/*hashAgg_c_24*/
boolean hashAgg_value_29 = hashAgg_unsafeRowAggBuffer_1.getBoolean(1);
boolean hashAgg_value_28 = false;

if (hashAgg_value_29) {
/*hashAgg_c_23*/
hashAgg_value_28 = hashAgg_exprIsNull_1_1;
}
/*hashAgg_c_26*/
if (!hashAgg_isNull_21) {
hashAgg_unsafeRowAggBuffer_1.setDecimal(0, hashAgg_value_21, 25);
} else {
hashAgg_unsafeRowAggBuffer_1.setDecimal(0, null, 25);
}

hashAgg_unsafeRowAggBuffer_1.setBoolean(1, hashAgg_value_28);
}

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.types.Decimal hashAgg_expr_1_0) throws java.io.IOException {
/*hashAgg_c_10*/
/*hashAgg_c_6*/
boolean hashAgg_isNull_6 = false;
Decimal hashAgg_value_6 = null;
if (!false && hashAgg_exprIsNull_1_0) {
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
Decimal hashAgg_tmpDecimal_0 = hashAgg_expr_1_0.clone();
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
hashAgg_value_13 = hashAgg_exprIsNull_1_0;
}
/*hashAgg_c_11*/
if (!hashAgg_isNull_6) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, hashAgg_value_6, 25);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, null, 25);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(1, hashAgg_value_13);
}

private void wholestagecodegen_init_0_0() {
columnartorow_mutableStateArray_0[0] = inputs[0];
columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[5] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_0[1] = inputs[0];
columnartorow_mutableStateArray_3[6] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[7] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[17] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
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

private void hashAgg_unionChildProcess_1(int partitionIndex) throws java.io.IOException {
/*project_c_2*/
/*filter_c_3*/
/*columnartorow_c_3*/
if (columnartorow_mutableStateArray_1[1] == null) {
columnartorow_nextBatch_1();
}
while ( columnartorow_mutableStateArray_1[1] != null) {
int columnartorow_numRows_1 = columnartorow_mutableStateArray_1[1].numRows();
int columnartorow_localEnd_1 = columnartorow_numRows_1 - columnartorow_batchIdx_1;
for (int columnartorow_localIdx_1 = 0; columnartorow_localIdx_1 < columnartorow_localEnd_1; columnartorow_localIdx_1++) {
int columnartorow_rowIdx_1 = columnartorow_batchIdx_1 + columnartorow_localIdx_1;
/*hashAgg_c_30*/
do {
/*columnartorow_c_5*/
boolean columnartorow_isNull_5 = columnartorow_mutableStateArray_2[3].isNullAt(columnartorow_rowIdx_1);
Decimal columnartorow_value_5 = columnartorow_isNull_5 ? null : (columnartorow_mutableStateArray_2[3].getDecimal(columnartorow_rowIdx_1, 15, 2));

/*filter_c_4*/
boolean filter_value_10 = !columnartorow_isNull_5;
if (!filter_value_10) continue;

/*filter_c_5*/
boolean filter_value_11 = false;
filter_value_11 = columnartorow_value_5.compare(((Decimal) references[15] /* literal */)) > 0;
if (!filter_value_11) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[14] /* numOutputRows */).add(1);

/*hashAgg_c_29*/
// common sub-expressions

/*hashAgg_c_28*/
((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* numOutputRows */).add(1L);

/*hashAgg_c_27*/
/*union_c_2*/
/*columnartorow_c_4*/
boolean columnartorow_isNull_4 = columnartorow_mutableStateArray_2[2].isNullAt(columnartorow_rowIdx_1);
long columnartorow_value_4 = columnartorow_isNull_4 ? -1L : (columnartorow_mutableStateArray_2[2].getLong(columnartorow_rowIdx_1));

hashAgg_doConsume_1(columnartorow_value_4, columnartorow_isNull_4, columnartorow_value_5, false);

} while (false);
// shouldStop check is eliminated
}
columnartorow_batchIdx_1 = columnartorow_numRows_1;
columnartorow_nextBatch_1();
}
// clean up resources
if (columnartorow_mutableStateArray_1[1] != null) {
columnartorow_mutableStateArray_1[1].close();
}

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[16] /* numOutputRows */).add(1);

/*hashAgg_c_31*/
boolean hashAgg_isNull_30 = hashAgg_keyTerm_0.isNullAt(0);
long hashAgg_value_30 = hashAgg_isNull_30 ?
-1L : (hashAgg_keyTerm_0.getLong(0));
/*hashAgg_c_32*/
boolean hashAgg_isNull_31 = hashAgg_bufferTerm_0.isNullAt(0);
Decimal hashAgg_value_31 = hashAgg_isNull_31 ?
null : (hashAgg_bufferTerm_0.getDecimal(0, 25, 2));
/*hashAgg_c_33*/
boolean hashAgg_value_32 = hashAgg_bufferTerm_0.getBoolean(1);

/*wholestagecodegen_c_0*/
columnartorow_mutableStateArray_3[12].reset();

columnartorow_mutableStateArray_3[12].zeroOutNullBytes();

columnartorow_mutableStateArray_3[12].writeNullable(0, hashAgg_value_30, hashAgg_isNull_30);

columnartorow_mutableStateArray_3[12].writeNullable(1, hashAgg_value_31, hashAgg_isNull_31, 25, 2);

columnartorow_mutableStateArray_3[12].write(2, hashAgg_value_32);
append((columnartorow_mutableStateArray_3[12].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*union_c_0*/
int union_unionChildIdx_0 = ((int[]) ((int[]) references[6] /* partitionToChild */))[partitionIndex];
switch (union_unionChildIdx_0) {
case 0: {
hashAgg_unionChildProcess_0(partitionIndex);
break;
}
case 1: {
hashAgg_unionChildProcess_1(partitionIndex);
break;
}
default:
throw new java.lang.IllegalStateException(
"UnionExec: Unexpected childIndex=" + union_unionChildIdx_0);
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void hashAgg_doConsume_1(long hashAgg_expr_0_1, boolean hashAgg_exprIsNull_0_1, Decimal hashAgg_expr_1_1, boolean hashAgg_exprIsNull_1_1) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_1 = null;

// generate grouping key
columnartorow_mutableStateArray_3[11].reset();

columnartorow_mutableStateArray_3[11].zeroOutNullBytes();

columnartorow_mutableStateArray_3[11].writeNullable(0, hashAgg_expr_0_1, hashAgg_exprIsNull_0_1);
int hashAgg_unsafeRowKeyHash_1 = (columnartorow_mutableStateArray_3[11].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_1 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((columnartorow_mutableStateArray_3[11].getRow()), hashAgg_unsafeRowKeyHash_1);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_1 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_1 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(columnartorow_mutableStateArray_3[11].getRow()), hashAgg_unsafeRowKeyHash_1);
if (hashAgg_unsafeRowAggBuffer_1 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_1(hashAgg_expr_1_1, hashAgg_unsafeRowAggBuffer_1, hashAgg_exprIsNull_1_1);

}

private void hashAgg_doConsume_0(long hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
columnartorow_mutableStateArray_3[5].reset();

columnartorow_mutableStateArray_3[5].zeroOutNullBytes();

columnartorow_mutableStateArray_3[5].writeNullable(0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);
int hashAgg_unsafeRowKeyHash_0 = (columnartorow_mutableStateArray_3[5].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((columnartorow_mutableStateArray_3[5].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(columnartorow_mutableStateArray_3[5].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_1_0, hashAgg_expr_1_0);

}

private void hashAgg_unionChildProcess_0(int partitionIndex) throws java.io.IOException {
/*project_c_0*/
/*filter_c_0*/
/*columnartorow_c_0*/
if (columnartorow_mutableStateArray_1[0] == null) {
columnartorow_nextBatch_0();
}
while ( columnartorow_mutableStateArray_1[0] != null) {
int columnartorow_numRows_0 = columnartorow_mutableStateArray_1[0].numRows();
int columnartorow_localEnd_0 = columnartorow_numRows_0 - columnartorow_batchIdx_0;
for (int columnartorow_localIdx_0 = 0; columnartorow_localIdx_0 < columnartorow_localEnd_0; columnartorow_localIdx_0++) {
int columnartorow_rowIdx_0 = columnartorow_batchIdx_0 + columnartorow_localIdx_0;
/*hashAgg_c_15*/
do {
/*columnartorow_c_2*/
boolean columnartorow_isNull_1 = columnartorow_mutableStateArray_2[1].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_1 = columnartorow_isNull_1 ? null : (columnartorow_mutableStateArray_2[1].getDecimal(columnartorow_rowIdx_0, 15, 2));

/*filter_c_1*/
boolean filter_value_2 = !columnartorow_isNull_1;
if (!filter_value_2) continue;

/*filter_c_2*/
boolean filter_value_3 = false;
filter_value_3 = columnartorow_value_1.compare(((Decimal) references[11] /* literal */)) > 0;
if (!filter_value_3) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[10] /* numOutputRows */).add(1);

/*hashAgg_c_14*/
// common sub-expressions

/*hashAgg_c_13*/
((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* numOutputRows */).add(1L);

/*hashAgg_c_12*/
/*union_c_1*/
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
long columnartorow_value_0 = columnartorow_isNull_0 ? -1L : (columnartorow_mutableStateArray_2[0].getLong(columnartorow_rowIdx_0));

hashAgg_doConsume_0(columnartorow_value_0, columnartorow_isNull_0, columnartorow_value_1, false);

} while (false);
// shouldStop check is eliminated
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}

}

private void columnartorow_nextBatch_1() throws java.io.IOException {
columnartorow_mutableStateArray_1[1] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[1], columnartorow_mutableStateArray_1[1], ((org.apache.spark.sql.execution.metric.SQLMetric) references[13] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[12] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[1] != null) {
columnartorow_batchIdx_1 = 0;
columnartorow_mutableStateArray_2[2] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[1].column(0);
columnartorow_mutableStateArray_2[3] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[1].column(1);

}
}

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[9] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);
columnartorow_mutableStateArray_2[1] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(1);

}
}
}
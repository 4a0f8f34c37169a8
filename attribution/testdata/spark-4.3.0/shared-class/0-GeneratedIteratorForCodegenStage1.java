public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private boolean hashAgg_bufIsNull_0;
private boolean hashAgg_bufIsNull_1;
private boolean hashAgg_bufValue_0;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private Decimal[] hashAgg_mutableStateArray_0 = new Decimal[1];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[2];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[5];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

columnartorow_mutableStateArray_0[0] = inputs[0];
columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);

}

private void hashAgg_doAggregateWithoutKey_0(int partitionIndex) throws java.io.IOException {
// initialize aggregation buffer
hashAgg_bufIsNull_0 = false;
hashAgg_mutableStateArray_0[0] = ((Decimal) references[0] /* literal */);
hashAgg_bufIsNull_1 = false;
hashAgg_bufValue_0 = true;

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
/*hashAgg_c_12*/
do {
/*columnartorow_c_2*/
boolean columnartorow_isNull_1 = columnartorow_mutableStateArray_2[1].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_1 = columnartorow_isNull_1 ? null : (columnartorow_mutableStateArray_2[1].getDecimal(columnartorow_rowIdx_0, 15, 2));

/*filter_c_1*/
boolean filter_value_2 = !columnartorow_isNull_1;
if (!filter_value_2) continue;

/*filter_c_2*/
boolean filter_value_3 = false;
filter_value_3 = columnartorow_value_1.compare(((Decimal) references[4] /* literal */)) > 0;
if (!filter_value_3) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* numOutputRows */).add(1);

/*hashAgg_c_11*/
// common sub-expressions

/*hashAgg_c_10*/
/*project_c_1*/
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_0 = columnartorow_isNull_0 ? null : (columnartorow_mutableStateArray_2[0].getDecimal(columnartorow_rowIdx_0, 15, 2));

hashAgg_doConsume_0(columnartorow_value_0, columnartorow_isNull_0);

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

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
/*hashAgg_c_7*/
/*hashAgg_c_8*/
/*hashAgg_c_4*/
boolean hashAgg_isNull_5 = false;
Decimal hashAgg_value_5 = null;
if (!false && hashAgg_exprIsNull_0_0) {
hashAgg_isNull_5 = hashAgg_bufIsNull_0;
hashAgg_value_5 = hashAgg_mutableStateArray_0[0];
} else {
/*hashAgg_c_3*/
boolean hashAgg_isNull_7 = true;
Decimal hashAgg_value_7 = null;

if (!hashAgg_bufIsNull_0) {
/*hashAgg_c_2*/
boolean hashAgg_isNull_9 = false;
Decimal hashAgg_value_9 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_0 = hashAgg_expr_0_0.clone();
hashAgg_tmpDecimal_0.changePrecision(25, 2);
hashAgg_value_9 = hashAgg_tmpDecimal_0;
}

hashAgg_isNull_7 = false; // resultCode could change nullability.
hashAgg_value_7 = hashAgg_mutableStateArray_0[0].$plus(hashAgg_value_9);

}
hashAgg_isNull_5 = hashAgg_isNull_7;
hashAgg_value_5 = hashAgg_value_7;
}
/*hashAgg_c_6*/
boolean hashAgg_value_12 = false;

if (hashAgg_bufValue_0) {
/*hashAgg_c_5*/
hashAgg_value_12 = hashAgg_exprIsNull_0_0;
}
/*hashAgg_c_9*/
hashAgg_bufIsNull_0 = hashAgg_isNull_5;
hashAgg_mutableStateArray_0[0] = hashAgg_value_5;

hashAgg_bufIsNull_1 = false;
hashAgg_bufValue_0 = hashAgg_value_12;
}

private void hashAgg_doConsume_0(Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
// do aggregate
// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
while (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithoutKey_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);

// output the result

((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* numOutputRows */).add(1);
/*wholestagecodegen_c_0*/
columnartorow_mutableStateArray_3[4].reset();

columnartorow_mutableStateArray_3[4].zeroOutNullBytes();

columnartorow_mutableStateArray_3[4].writeNullable(0, hashAgg_mutableStateArray_0[0], hashAgg_bufIsNull_0, 25, 2);

columnartorow_mutableStateArray_3[4].write(1, hashAgg_bufValue_0);
append((columnartorow_mutableStateArray_3[4].getRow()));
}
}

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);
columnartorow_mutableStateArray_2[1] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(1);

}
}
}
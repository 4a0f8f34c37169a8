public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.execution.joins.LongHashedRelation bhj_relation_0;
private org.apache.spark.sql.execution.joins.LongHashedRelation bhj_relation_1;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[2];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[7];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
wholestagecodegen_init_0_0();
wholestagecodegen_init_0_1();

}

private void wholestagecodegen_init_0_1() {
columnartorow_mutableStateArray_3[5] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(5, 64);
columnartorow_mutableStateArray_3[6] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);

}

private void bhj_doConsume_0(long bhj_expr_0_0, Decimal bhj_expr_1_0) throws java.io.IOException {
// generate join key for stream side

// find matches from HashedRelation
UnsafeRow bhj_buildRow_0 = false ? null: (UnsafeRow)bhj_relation_0.getValue(bhj_expr_0_0);
if (bhj_buildRow_0 != null) {
/*bhj_c_5*/
Decimal bhj_value_6 = bhj_buildRow_0.getDecimal(3, 15, 2);

/*bhj_c_8*/
boolean bhj_isNull_8 = false;
Decimal bhj_value_8 = null;
if (!false) {
Decimal bhj_tmpDecimal_0 = bhj_expr_1_0.clone();
bhj_tmpDecimal_0.changePrecision(17, 2);
bhj_value_8 = bhj_tmpDecimal_0;
}
/*bhj_c_7*/
Decimal bhj_value_10 = null;
bhj_value_10 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(bhj_value_6.$times(((Decimal) references[6] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[5] /* errCtx */));
boolean bhj_value_7 = false;
bhj_value_7 = bhj_value_8.compare(bhj_value_10) > 0;
if (!(false || !bhj_value_7))
{
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* numOutputRows */).add(1);

/*wholestagecodegen_c_3*/
// common sub-expressions

/*wholestagecodegen_c_2*/
/*project_c_3*/
/*bhj_c_4*/
long bhj_value_5 = bhj_buildRow_0.getLong(2);

// generate join key for stream side

// find matches from HashedRelation
UnsafeRow bhj_buildRow_1 = false ? null: (UnsafeRow)bhj_relation_1.getValue(bhj_value_5);
if (bhj_buildRow_1 != null) {
{
((org.apache.spark.sql.execution.metric.SQLMetric) references[9] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_4*/
/*project_c_2*/
/*bhj_c_3*/
boolean bhj_isNull_4 = bhj_buildRow_0.isNullAt(1);
UTF8String bhj_value_4 = bhj_isNull_4 ?
null : (bhj_buildRow_0.getUTF8String(1));
/*project_c_5*/
/*bhj_c_10*/
boolean bhj_isNull_21 = bhj_buildRow_1.isNullAt(1);
UTF8String bhj_value_21 = bhj_isNull_21 ?
null : (bhj_buildRow_1.getUTF8String(1));
columnartorow_mutableStateArray_3[6].reset();

columnartorow_mutableStateArray_3[6].zeroOutNullBytes();

columnartorow_mutableStateArray_3[6].writeNullable(0, bhj_value_4, bhj_isNull_4);

columnartorow_mutableStateArray_3[6].writeNullable(1, bhj_value_21, bhj_isNull_21);

columnartorow_mutableStateArray_3[6].write(2, bhj_expr_1_0, 15, 2);
append((columnartorow_mutableStateArray_3[6].getRow()));

}
}

}
}

}

private void wholestagecodegen_init_0_0() {
columnartorow_mutableStateArray_0[0] = inputs[0];

columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);

bhj_relation_0 = (org.apache.spark.sql.execution.joins.LongHashedRelation) org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
.buildReadOnlyRelation(((org.apache.spark.broadcast.TorrentBroadcast) references[4] /* broadcast */));

columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(6, 32);
columnartorow_mutableStateArray_3[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 32);

bhj_relation_1 = (org.apache.spark.sql.execution.joins.LongHashedRelation) org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
.buildReadOnlyRelation(((org.apache.spark.broadcast.TorrentBroadcast) references[8] /* broadcast */));

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*bhj_c_0*/
/*project_c_1*/
/*bhj_c_1*/
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
/*wholestagecodegen_c_5*/
do {
/*columnartorow_c_2*/
boolean columnartorow_isNull_1 = columnartorow_mutableStateArray_2[1].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_1 = columnartorow_isNull_1 ? null : (columnartorow_mutableStateArray_2[1].getDecimal(columnartorow_rowIdx_0, 15, 2));

/*filter_c_1*/
boolean filter_value_2 = !columnartorow_isNull_1;
if (!filter_value_2) continue;

/*filter_c_2*/
boolean filter_value_3 = false;
filter_value_3 = columnartorow_value_1.compare(((Decimal) references[3] /* literal */)) > 0;
if (!filter_value_3) continue;

/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
long columnartorow_value_0 = columnartorow_isNull_0 ? -1L : (columnartorow_mutableStateArray_2[0].getLong(columnartorow_rowIdx_0));

/*filter_c_3*/
boolean filter_value_8 = !columnartorow_isNull_0;
if (!filter_value_8) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* numOutputRows */).add(1);

/*wholestagecodegen_c_4*/
bhj_doConsume_0(columnartorow_value_0, columnartorow_value_1);

} while (false);
if (shouldStop()) { columnartorow_batchIdx_0 = columnartorow_rowIdx_0 + 1; return; }
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}
}

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);
columnartorow_mutableStateArray_2[1] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(1);

}
}
}
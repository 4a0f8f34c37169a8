public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean sort_needToSort_0;
private org.apache.spark.sql.execution.UnsafeExternalRowSorter sort_sorter_0;
private org.apache.spark.executor.TaskMetrics sort_metrics_0;
private scala.collection.Iterator<InternalRow> sort_sortedIter_0;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[2];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[3];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
sort_needToSort_0 = true;
sort_sorter_0 = ((org.apache.spark.sql.execution.SortExec) references[0] /* plan */).createSorter();
sort_metrics_0 = org.apache.spark.TaskContext.get().taskMetrics();

columnartorow_mutableStateArray_0[0] = inputs[0];
columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);

}

private void sort_addToSorter_0(int partitionIndex) throws java.io.IOException {
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
/*sort_c_3*/
do {
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_0 = columnartorow_isNull_0 ? null : (columnartorow_mutableStateArray_2[0].getDecimal(columnartorow_rowIdx_0, 15, 2));

/*filter_c_1*/
boolean filter_value_2 = !columnartorow_isNull_0;
if (!filter_value_2) continue;

/*filter_c_2*/
boolean filter_value_3 = false;
filter_value_3 = columnartorow_value_0.compare(((Decimal) references[4] /* literal */)) < 0;
if (!filter_value_3) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* numOutputRows */).add(1);

/*sort_c_2*/
// common sub-expressions

/*sort_c_1*/
/*project_c_2*/
/*columnartorow_c_2*/
boolean columnartorow_isNull_1 = columnartorow_mutableStateArray_2[1].isNullAt(columnartorow_rowIdx_0);
UTF8String columnartorow_value_1 = columnartorow_isNull_1 ? null : (columnartorow_mutableStateArray_2[1].getUTF8String(columnartorow_rowIdx_0));
Object project_arg_0 = columnartorow_isNull_1 ? null : ((scala.Function1[]) references[5] /* converters */)[0].apply(columnartorow_value_1);

Long project_result_0 = null;
try {
project_result_0 = (Long)((scala.Function1[]) references[5] /* converters */)[1].apply(((scala.Function1) references[6] /* udf */).apply(project_arg_0));
} catch (Throwable e) {
org.apache.spark.unsafe.Platform.throwException(
QueryExecutionErrors.failedExecuteUserDefinedFunctionError(
"slow (ToScalaUDF$$$Lambda$3122/0x00007ff7fd032748)", "string", "bigint", e));
}

boolean project_isNull_0 = project_result_0 == null;
long project_value_0 = -1L;
if (!project_isNull_0) {
project_value_0 = project_result_0;
}
columnartorow_mutableStateArray_3[2].reset();

columnartorow_mutableStateArray_3[2].zeroOutNullBytes();

columnartorow_mutableStateArray_3[2].writeNullable(0, project_value_0, project_isNull_0);
sort_sorter_0.insertRow((UnsafeRow)(columnartorow_mutableStateArray_3[2].getRow()));

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

protected void processNext() throws java.io.IOException {
/*sort_c_0*/
if (sort_needToSort_0) {
long sort_spillSizeBefore_0 = sort_metrics_0.memoryBytesSpilled();
sort_addToSorter_0(partitionIndex);
sort_sortedIter_0 = sort_sorter_0.sort();
org.apache.spark.sql.execution.SortExec.recordSortMetrics(
sort_sorter_0, sort_metrics_0, sort_spillSizeBefore_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[9] /* sortTime */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* spillSize */));
sort_needToSort_0 = false;
}

while ( sort_sortedIter_0.hasNext()) {
UnsafeRow sort_outputRow_0 = (UnsafeRow)sort_sortedIter_0.next();

/*wholestagecodegen_c_0*/
append(sort_outputRow_0);

if (shouldStop()) return;
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
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
private long hashAgg_bufValue_0;
private hashAgg_FastHashMap_0 hashAgg_fastHashMap_0;
private org.apache.spark.unsafe.KVIterator<UnsafeRow, UnsafeRow> hashAgg_fastHashMapIter_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[1];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[5];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

columnartorow_mutableStateArray_0[0] = inputs[0];
columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
columnartorow_mutableStateArray_3[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);

}

public class hashAgg_FastHashMap_0
extends org.apache.spark.sql.execution.aggregate.RowBasedAggregateHashMap {
public hashAgg_FastHashMap_0(
org.apache.spark.memory.TaskMemoryManager taskMemoryManager,
InternalRow emptyAggregationBuffer) {
super(((org.apache.spark.sql.types.StructType) references[1] /* keySchemaTerm */), ((org.apache.spark.sql.types.StructType) references[2] /* valueSchemaTerm */), taskMemoryManager, emptyAggregationBuffer,
1 << 16, 1, 32);
}

public org.apache.spark.sql.catalyst.expressions.UnsafeRow findOrInsert(UTF8String hashAgg_key_0) {
long h = hash(hashAgg_key_0);
int step = 0;
int idx = (int) h & (numBuckets - 1);
while (step < maxSteps) {
// Return bucket index if it's either an empty slot or already contains the key
if (buckets[idx] == -1) {
if (numRows < capacity && !isBatchFull) {
rowWriter.reset();
rowWriter.zeroOutNullBytes();
rowWriter.write(0, hashAgg_key_0);
return appendCurrentKey(idx);
} else {
// No more space
return null;
}
} else if (equals(idx, hashAgg_key_0)) {
return batch.getValueRow(buckets[idx]);
}
idx = (idx + 1) & (numBuckets - 1);
step++;
}
// Didn't find it
return null;
}

private boolean equals(int idx, UTF8String hashAgg_key_0) {
UnsafeRow row = batch.getKeyRow(buckets[idx]);
return (row.getUTF8String(0).binaryEquals(hashAgg_key_0));
}

private long hash(UTF8String hashAgg_key_0) {
long hashAgg_hash_0 = 0;

int hashAgg_result_0 = 0;
byte[] hashAgg_bytes_0 = hashAgg_key_0.getBytes();
for (int i = 0; i < hashAgg_bytes_0.length; i++) {
int hashAgg_hash_1 = hashAgg_bytes_0[i];
hashAgg_result_0 = (hashAgg_result_0 ^ (0x9e3779b9)) + hashAgg_hash_1 + (hashAgg_result_0 << 6) + (hashAgg_result_0 >>> 2);
}

hashAgg_hash_0 = (hashAgg_hash_0 ^ (0x9e3779b9)) + hashAgg_result_0 + (hashAgg_hash_0 << 6) + (hashAgg_hash_0 >>> 2);

return hashAgg_hash_0;
}

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[10] /* numOutputRows */).add(1);

/*hashAgg_c_7*/
boolean hashAgg_isNull_7 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_8 = hashAgg_isNull_7 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_8*/
long hashAgg_value_9 = hashAgg_bufferTerm_0.getLong(0);

/*wholestagecodegen_c_0*/
columnartorow_mutableStateArray_3[4].reset();

columnartorow_mutableStateArray_3[4].zeroOutNullBytes();

columnartorow_mutableStateArray_3[4].writeNullable(0, hashAgg_value_8, hashAgg_isNull_7);

columnartorow_mutableStateArray_3[4].write(1, hashAgg_value_9);
append((columnartorow_mutableStateArray_3[4].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*project_c_0*/
/*columnartorow_c_0*/
if (columnartorow_mutableStateArray_1[0] == null) {
columnartorow_nextBatch_0();
}
while ( columnartorow_mutableStateArray_1[0] != null) {
int columnartorow_numRows_0 = columnartorow_mutableStateArray_1[0].numRows();
int columnartorow_localEnd_0 = columnartorow_numRows_0 - columnartorow_batchIdx_0;
for (int columnartorow_localIdx_0 = 0; columnartorow_localIdx_0 < columnartorow_localEnd_0; columnartorow_localIdx_0++) {
int columnartorow_rowIdx_0 = columnartorow_batchIdx_0 + columnartorow_localIdx_0;
/*hashAgg_c_6*/
// common sub-expressions

/*hashAgg_c_5*/
/*project_c_3*/
boolean project_isNull_0 = true;
UTF8String project_value_0 = null;
/*project_c_2*/
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
UTF8String columnartorow_value_0 = columnartorow_isNull_0 ? null : (columnartorow_mutableStateArray_2[0].getUTF8String(columnartorow_rowIdx_0));
boolean project_isNull_1 = columnartorow_isNull_0;
byte[] project_value_1 = null;
if (!columnartorow_isNull_0) {
project_value_1 = columnartorow_value_0.getBytes();
}
if (!project_isNull_1) {
project_isNull_0 = false; // resultCode could change nullability.

if (512 == 224) {
project_value_0 = UTF8String.fromString(org.apache.spark.network.util.JavaUtils.digestToHexString("SHA-224", project_value_1));
} else if (512 == 256 || 512 == 0) {
project_value_0 = UTF8String.fromString(org.apache.spark.network.util.JavaUtils.sha256Hex(project_value_1));
} else if (512 == 384) {
project_value_0 = UTF8String.fromString(org.apache.spark.network.util.JavaUtils.digestToHexString("SHA-384", project_value_1));
} else if (512 == 512) {
project_value_0 = UTF8String.fromString(org.apache.spark.network.util.JavaUtils.digestToHexString("SHA-512", project_value_1));
} else {
project_isNull_0 = true;
}

}

hashAgg_doConsume_0(project_value_0, project_isNull_0);
// shouldStop check is eliminated
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}

hashAgg_fastHashMapIter_0 = hashAgg_fastHashMap_0.rowIterator();
hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numTasksFallBacked */));

}

private void hashAgg_doConsume_0(UTF8String hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;
UnsafeRow hashAgg_fastAggBuffer_0 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_fastAggBuffer_0 = hashAgg_fastHashMap_0.findOrInsert(
hashAgg_expr_0_0);
}
// Cannot find the key in fast hash map, try regular hash map.
if (hashAgg_fastAggBuffer_0 == null) {
// generate grouping key
columnartorow_mutableStateArray_3[3].reset();

columnartorow_mutableStateArray_3[3].zeroOutNullBytes();

columnartorow_mutableStateArray_3[3].writeNullable(0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);
int hashAgg_unsafeRowKeyHash_0 = (columnartorow_mutableStateArray_3[3].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((columnartorow_mutableStateArray_3[3].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(columnartorow_mutableStateArray_3[3].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

}

// Updates the proper row buffer
if (hashAgg_fastAggBuffer_0 != null) {
hashAgg_unsafeRowAggBuffer_0 = hashAgg_fastAggBuffer_0;
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_3*/
/*hashAgg_c_2*/
long hashAgg_value_6 = hashAgg_unsafeRowAggBuffer_0.getLong(0);

long hashAgg_value_5 = -1L;

hashAgg_value_5 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_6, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[9] /* errCtx */));
/*hashAgg_c_4*/
hashAgg_unsafeRowAggBuffer_0.setLong(0, hashAgg_value_5);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;
hashAgg_fastHashMap_0 = new hashAgg_FastHashMap_0(((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).getTaskContext().taskMemoryManager(), ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).getEmptyAggregationBuffer());

((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).addFastHashMapCloseHook(hashAgg_fastHashMap_0);

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[11] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_fastHashMapIter_0.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_fastHashMapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_fastHashMapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);

if (shouldStop()) return;
}
hashAgg_fastHashMap_0.close();

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

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);

}
}
}
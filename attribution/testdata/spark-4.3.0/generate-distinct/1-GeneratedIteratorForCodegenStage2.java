public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage2(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage2 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private hashAgg_FastHashMap_0 hashAgg_fastHashMap_0;
private org.apache.spark.unsafe.KVIterator<UnsafeRow, UnsafeRow> hashAgg_fastHashMapIter_0;
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
hashAgg_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);

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
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* numOutputRows */).add(1);

/*wholestagecodegen_c_0*/
/*hashAgg_c_2*/
UTF8String hashAgg_value_2 = hashAgg_keyTerm_0.getUTF8String(0);
hashAgg_mutableStateArray_0[1].reset();

hashAgg_mutableStateArray_0[1].write(0, hashAgg_value_2);
append((hashAgg_mutableStateArray_0[1].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_1*/
/*inputadapter_c_1*/
UTF8String inputadapter_value_0 = inputadapter_row_0.getUTF8String(0);

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0);
// shouldStop check is eliminated
}

hashAgg_fastHashMapIter_0 = hashAgg_fastHashMap_0.rowIterator();
hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numTasksFallBacked */));

}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, UTF8String hashAgg_expr_0_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;
UnsafeRow hashAgg_fastAggBuffer_0 = null;

if (!false) {
hashAgg_fastAggBuffer_0 = hashAgg_fastHashMap_0.findOrInsert(
hashAgg_expr_0_0);
}
// Cannot find the key in fast hash map, try regular hash map.
if (hashAgg_fastAggBuffer_0 == null) {
// generate grouping key
hashAgg_mutableStateArray_0[0].reset();

hashAgg_mutableStateArray_0[0].write(0, hashAgg_expr_0_0);
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

}

// Updates the proper row buffer
if (hashAgg_fastAggBuffer_0 != null) {
hashAgg_unsafeRowAggBuffer_0 = hashAgg_fastAggBuffer_0;
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

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
((org.apache.spark.sql.execution.metric.SQLMetric) references[8] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
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

}
public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
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
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] project_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[4];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
project_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
project_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
project_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
project_mutableStateArray_0[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);

}

public class hashAgg_FastHashMap_0 {
private org.apache.spark.sql.catalyst.expressions.RowBasedKeyValueBatch batch;
private int[] buckets;
private int capacity = 1 << 16;
private double loadFactor = 0.5;
private int numBuckets = (int) (capacity / loadFactor);
private int maxSteps = 2;
private int numRows = 0;
private Object emptyVBase;
private long emptyVOff;
private int emptyVLen;
private boolean isBatchFull = false;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter agg_rowWriter;

public hashAgg_FastHashMap_0(
org.apache.spark.memory.TaskMemoryManager taskMemoryManager,
InternalRow emptyAggregationBuffer) {
batch = org.apache.spark.sql.catalyst.expressions.RowBasedKeyValueBatch
.allocate(((org.apache.spark.sql.types.StructType) references[1] /* keySchemaTerm */), ((org.apache.spark.sql.types.StructType) references[2] /* valueSchemaTerm */), taskMemoryManager, capacity);

final UnsafeProjection valueProjection = UnsafeProjection.create(((org.apache.spark.sql.types.StructType) references[2] /* valueSchemaTerm */));
final byte[] emptyBuffer = valueProjection.apply(emptyAggregationBuffer).getBytes();

emptyVBase = emptyBuffer;
emptyVOff = Platform.BYTE_ARRAY_OFFSET;
emptyVLen = emptyBuffer.length;

agg_rowWriter = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(
1, 0);

buckets = new int[numBuckets];
java.util.Arrays.fill(buckets, -1);
}

public org.apache.spark.sql.catalyst.expressions.UnsafeRow findOrInsert(int hashAgg_key_0) {
long h = hash(hashAgg_key_0);
int step = 0;
int idx = (int) h & (numBuckets - 1);
while (step < maxSteps) {
// Return bucket index if it's either an empty slot or already contains the key
if (buckets[idx] == -1) {
if (numRows < capacity && !isBatchFull) {
agg_rowWriter.reset();
agg_rowWriter.zeroOutNullBytes();
agg_rowWriter.write(0, hashAgg_key_0);
org.apache.spark.sql.catalyst.expressions.UnsafeRow agg_result
= agg_rowWriter.getRow();
Object kbase = agg_result.getBaseObject();
long koff = agg_result.getBaseOffset();
int klen = agg_result.getSizeInBytes();

UnsafeRow vRow
= batch.appendRow(kbase, koff, klen, emptyVBase, emptyVOff, emptyVLen);
if (vRow == null) {
isBatchFull = true;
} else {
buckets[idx] = numRows++;
}
return vRow;
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

private boolean equals(int idx, int hashAgg_key_0) {
UnsafeRow row = batch.getKeyRow(buckets[idx]);
return (row.getInt(0) == hashAgg_key_0);
}

private long hash(int hashAgg_key_0) {
long hashAgg_hash_0 = 0;

int hashAgg_result_0 = hashAgg_key_0;
hashAgg_hash_0 = (hashAgg_hash_0 ^ (0x9e3779b9)) + hashAgg_result_0 + (hashAgg_hash_0 << 6) + (hashAgg_hash_0 >>> 2);

return hashAgg_hash_0;
}

public org.apache.spark.unsafe.KVIterator<UnsafeRow, UnsafeRow> rowIterator() {
return batch.rowIterator();
}

public void close() {
batch.close();
}

}

private void hashAgg_doAggregateWithKeys_0() throws java.io.IOException {
/*project_c_0*/
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_6*/
// common sub-expressions

/*hashAgg_c_5*/
/*project_c_1*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
int inputadapter_value_1 = inputadapter_isNull_1 ?
-1 : (inputadapter_row_0.getInt(1));

hashAgg_doConsume_0(inputadapter_value_1, inputadapter_isNull_1);
// shouldStop check is eliminated
}

hashAgg_fastHashMapIter_0 = hashAgg_fastHashMap_0.rowIterator();
hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numTasksFallBacked */));

}

private void hashAgg_doConsume_0(int hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;
UnsafeRow hashAgg_fastAggBuffer_0 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_fastAggBuffer_0 = hashAgg_fastHashMap_0.findOrInsert(
hashAgg_expr_0_0);
}
// Cannot find the key in fast hash map, try regular hash map.
if (hashAgg_fastAggBuffer_0 == null) {
// generate grouping key
project_mutableStateArray_0[2].reset();

project_mutableStateArray_0[2].zeroOutNullBytes();

if (hashAgg_exprIsNull_0_0) {
project_mutableStateArray_0[2].setNullAt(0);
} else {
project_mutableStateArray_0[2].write(0, hashAgg_expr_0_0);
}
int hashAgg_unsafeRowKeyHash_0 = (project_mutableStateArray_0[2].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((project_mutableStateArray_0[2].getRow()), hashAgg_unsafeRowKeyHash_0);
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
(project_mutableStateArray_0[2].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw new org.apache.spark.memory.SparkOutOfMemoryError("No enough memory for aggregation");
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

hashAgg_value_5 = hashAgg_value_6 + 1L;
/*hashAgg_c_4*/
hashAgg_unsafeRowAggBuffer_0.setLong(0, hashAgg_value_5);

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* numOutputRows */).add(1);

/*hashAgg_c_7*/
boolean hashAgg_isNull_7 = hashAgg_keyTerm_0.isNullAt(0);
int hashAgg_value_8 = hashAgg_isNull_7 ?
-1 : (hashAgg_keyTerm_0.getInt(0));
/*hashAgg_c_8*/
long hashAgg_value_9 = hashAgg_bufferTerm_0.getLong(0);

/*wholestagecodegen_c_0*/
project_mutableStateArray_0[3].reset();

project_mutableStateArray_0[3].zeroOutNullBytes();

if (hashAgg_isNull_7) {
project_mutableStateArray_0[3].setNullAt(0);
} else {
project_mutableStateArray_0[3].write(0, hashAgg_value_8);
}

project_mutableStateArray_0[3].write(1, hashAgg_value_9);
append((project_mutableStateArray_0[3].getRow()));

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;
hashAgg_fastHashMap_0 = new hashAgg_FastHashMap_0(((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).getTaskContext().taskMemoryManager(), ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).getEmptyAggregationBuffer());

((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).getTaskContext().addTaskCompletionListener(
new org.apache.spark.util.TaskCompletionListener() {
@Override
public void onTaskCompletion(org.apache.spark.TaskContext context) {
hashAgg_fastHashMap_0.close();
}
});

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0();
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
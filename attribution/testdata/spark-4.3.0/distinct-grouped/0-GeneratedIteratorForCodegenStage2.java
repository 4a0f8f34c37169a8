public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage2(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage2 extends org.apache.spark.sql.execution.BufferedRowIterator {
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
private boolean hashAgg_initAgg_1;
private hashAgg_FastHashMap_1 hashAgg_fastHashMap_1;
private org.apache.spark.unsafe.KVIterator<UnsafeRow, UnsafeRow> hashAgg_fastHashMapIter_1;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_1;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_1;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_1;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] hashAgg_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[5];

public GeneratedIteratorForCodegenStage2(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
hashAgg_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);
hashAgg_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);
hashAgg_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);
hashAgg_mutableStateArray_0[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 64);
hashAgg_mutableStateArray_0[4] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);

}

public class hashAgg_FastHashMap_0
extends org.apache.spark.sql.execution.aggregate.RowBasedAggregateHashMap {
public hashAgg_FastHashMap_0(
org.apache.spark.memory.TaskMemoryManager taskMemoryManager,
InternalRow emptyAggregationBuffer) {
super(((org.apache.spark.sql.types.StructType) references[1] /* keySchemaTerm */), ((org.apache.spark.sql.types.StructType) references[2] /* valueSchemaTerm */), taskMemoryManager, emptyAggregationBuffer,
1 << 16, 2, 64);
}

public org.apache.spark.sql.catalyst.expressions.UnsafeRow findOrInsert(UTF8String hashAgg_key_0, UTF8String hashAgg_key_1) {
long h = hash(hashAgg_key_0, hashAgg_key_1);
int step = 0;
int idx = (int) h & (numBuckets - 1);
while (step < maxSteps) {
// Return bucket index if it's either an empty slot or already contains the key
if (buckets[idx] == -1) {
if (numRows < capacity && !isBatchFull) {
rowWriter.reset();
rowWriter.zeroOutNullBytes();
rowWriter.write(0, hashAgg_key_0);
rowWriter.write(1, hashAgg_key_1);
return appendCurrentKey(idx);
} else {
// No more space
return null;
}
} else if (equals(idx, hashAgg_key_0, hashAgg_key_1)) {
return batch.getValueRow(buckets[idx]);
}
idx = (idx + 1) & (numBuckets - 1);
step++;
}
// Didn't find it
return null;
}

private boolean equals(int idx, UTF8String hashAgg_key_0, UTF8String hashAgg_key_1) {
UnsafeRow row = batch.getKeyRow(buckets[idx]);
return (row.getUTF8String(0).binaryEquals(hashAgg_key_0)) && (row.getUTF8String(1).binaryEquals(hashAgg_key_1));
}

private long hash(UTF8String hashAgg_key_0, UTF8String hashAgg_key_1) {
long hashAgg_hash_0 = 0;

int hashAgg_result_0 = 0;
byte[] hashAgg_bytes_0 = hashAgg_key_0.getBytes();
for (int i = 0; i < hashAgg_bytes_0.length; i++) {
int hashAgg_hash_1 = hashAgg_bytes_0[i];
hashAgg_result_0 = (hashAgg_result_0 ^ (0x9e3779b9)) + hashAgg_hash_1 + (hashAgg_result_0 << 6) + (hashAgg_result_0 >>> 2);
}

hashAgg_hash_0 = (hashAgg_hash_0 ^ (0x9e3779b9)) + hashAgg_result_0 + (hashAgg_hash_0 << 6) + (hashAgg_hash_0 >>> 2);

int hashAgg_result_1 = 0;
byte[] hashAgg_bytes_1 = hashAgg_key_1.getBytes();
for (int i = 0; i < hashAgg_bytes_1.length; i++) {
int hashAgg_hash_2 = hashAgg_bytes_1[i];
hashAgg_result_1 = (hashAgg_result_1 ^ (0x9e3779b9)) + hashAgg_hash_2 + (hashAgg_result_1 << 6) + (hashAgg_result_1 >>> 2);
}

hashAgg_hash_0 = (hashAgg_hash_0 ^ (0x9e3779b9)) + hashAgg_result_1 + (hashAgg_hash_0 << 6) + (hashAgg_hash_0 >>> 2);

return hashAgg_hash_0;
}

}

public class hashAgg_FastHashMap_1
extends org.apache.spark.sql.execution.aggregate.RowBasedAggregateHashMap {
public hashAgg_FastHashMap_1(
org.apache.spark.memory.TaskMemoryManager taskMemoryManager,
InternalRow emptyAggregationBuffer) {
super(((org.apache.spark.sql.types.StructType) references[8] /* keySchemaTerm */), ((org.apache.spark.sql.types.StructType) references[9] /* valueSchemaTerm */), taskMemoryManager, emptyAggregationBuffer,
1 << 16, 3, 64);
}

public org.apache.spark.sql.catalyst.expressions.UnsafeRow findOrInsert(UTF8String hashAgg_key_2, UTF8String hashAgg_key_3, long hashAgg_key_4) {
long h = hash(hashAgg_key_2, hashAgg_key_3, hashAgg_key_4);
int step = 0;
int idx = (int) h & (numBuckets - 1);
while (step < maxSteps) {
// Return bucket index if it's either an empty slot or already contains the key
if (buckets[idx] == -1) {
if (numRows < capacity && !isBatchFull) {
rowWriter.reset();
rowWriter.zeroOutNullBytes();
rowWriter.write(0, hashAgg_key_2);
rowWriter.write(1, hashAgg_key_3);
rowWriter.write(2, hashAgg_key_4);
return appendCurrentKey(idx);
} else {
// No more space
return null;
}
} else if (equals(idx, hashAgg_key_2, hashAgg_key_3, hashAgg_key_4)) {
return batch.getValueRow(buckets[idx]);
}
idx = (idx + 1) & (numBuckets - 1);
step++;
}
// Didn't find it
return null;
}

private boolean equals(int idx, UTF8String hashAgg_key_2, UTF8String hashAgg_key_3, long hashAgg_key_4) {
UnsafeRow row = batch.getKeyRow(buckets[idx]);
return (row.getUTF8String(0).binaryEquals(hashAgg_key_2)) && (row.getUTF8String(1).binaryEquals(hashAgg_key_3)) && (row.getLong(2) == hashAgg_key_4);
}

private long hash(UTF8String hashAgg_key_2, UTF8String hashAgg_key_3, long hashAgg_key_4) {
long hashAgg_hash_3 = 0;

int hashAgg_result_2 = 0;
byte[] hashAgg_bytes_2 = hashAgg_key_2.getBytes();
for (int i = 0; i < hashAgg_bytes_2.length; i++) {
int hashAgg_hash_4 = hashAgg_bytes_2[i];
hashAgg_result_2 = (hashAgg_result_2 ^ (0x9e3779b9)) + hashAgg_hash_4 + (hashAgg_result_2 << 6) + (hashAgg_result_2 >>> 2);
}

hashAgg_hash_3 = (hashAgg_hash_3 ^ (0x9e3779b9)) + hashAgg_result_2 + (hashAgg_hash_3 << 6) + (hashAgg_hash_3 >>> 2);

int hashAgg_result_3 = 0;
byte[] hashAgg_bytes_3 = hashAgg_key_3.getBytes();
for (int i = 0; i < hashAgg_bytes_3.length; i++) {
int hashAgg_hash_5 = hashAgg_bytes_3[i];
hashAgg_result_3 = (hashAgg_result_3 ^ (0x9e3779b9)) + hashAgg_hash_5 + (hashAgg_result_3 << 6) + (hashAgg_result_3 >>> 2);
}

hashAgg_hash_3 = (hashAgg_hash_3 ^ (0x9e3779b9)) + hashAgg_result_3 + (hashAgg_hash_3 << 6) + (hashAgg_hash_3 >>> 2);

long hashAgg_result_4 = hashAgg_key_4;
hashAgg_hash_3 = (hashAgg_hash_3 ^ (0x9e3779b9)) + hashAgg_result_4 + (hashAgg_hash_3 << 6) + (hashAgg_hash_3 >>> 2);

return hashAgg_hash_3;
}

}

private void hashAgg_doAggregateWithKeysOutput_1(UnsafeRow hashAgg_keyTerm_1, UnsafeRow hashAgg_bufferTerm_1)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[17] /* numOutputRows */).add(1);

/*hashAgg_c_13*/
boolean hashAgg_isNull_27 = hashAgg_keyTerm_1.isNullAt(0);
UTF8String hashAgg_value_28 = hashAgg_isNull_27 ?
null : (hashAgg_keyTerm_1.getUTF8String(0));
/*hashAgg_c_14*/
boolean hashAgg_isNull_28 = hashAgg_keyTerm_1.isNullAt(1);
UTF8String hashAgg_value_29 = hashAgg_isNull_28 ?
null : (hashAgg_keyTerm_1.getUTF8String(1));
/*hashAgg_c_15*/
long hashAgg_value_30 = hashAgg_bufferTerm_1.getLong(0);

/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_0[4].reset();

hashAgg_mutableStateArray_0[4].zeroOutNullBytes();

hashAgg_mutableStateArray_0[4].writeNullable(0, hashAgg_value_28, hashAgg_isNull_27);

hashAgg_mutableStateArray_0[4].writeNullable(1, hashAgg_value_29, hashAgg_isNull_28);

hashAgg_mutableStateArray_0[4].write(2, hashAgg_value_30);
append((hashAgg_mutableStateArray_0[4].getRow()));

}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[14] /* numOutputRows */).add(1);

/*hashAgg_c_12*/
/*hashAgg_c_3*/
boolean hashAgg_isNull_7 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_8 = hashAgg_isNull_7 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_4*/
boolean hashAgg_isNull_8 = hashAgg_keyTerm_0.isNullAt(1);
UTF8String hashAgg_value_9 = hashAgg_isNull_8 ?
null : (hashAgg_keyTerm_0.getUTF8String(1));
/*hashAgg_c_5*/
boolean hashAgg_isNull_9 = hashAgg_keyTerm_0.isNullAt(2);
long hashAgg_value_10 = hashAgg_isNull_9 ?
-1L : (hashAgg_keyTerm_0.getLong(2));

hashAgg_doConsume_1(hashAgg_value_8, hashAgg_isNull_7, hashAgg_value_9, hashAgg_isNull_8, hashAgg_value_10, hashAgg_isNull_9);

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*hashAgg_c_1*/
if (!hashAgg_initAgg_1) {
hashAgg_initAgg_1 = true;
hashAgg_fastHashMap_1 = new hashAgg_FastHashMap_1(((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[7] /* plan */).getTaskContext().taskMemoryManager(), ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[7] /* plan */).getEmptyAggregationBuffer());

((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[7] /* plan */).addFastHashMapCloseHook(hashAgg_fastHashMap_1);

hashAgg_hashMap_1 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[7] /* plan */).createHashMap();
long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_1(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[16] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_fastHashMapIter_1.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_fastHashMapIter_1.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_fastHashMapIter_1.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);

if (shouldStop()) return;
}
hashAgg_fastHashMap_1.close();

while ( hashAgg_mapIter_1.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_mapIter_1.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_mapIter_1.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);
if (shouldStop()) return;
}
hashAgg_mapIter_1.close();
if (hashAgg_sorter_1 == null) {
hashAgg_hashMap_1.free();
}

hashAgg_fastHashMapIter_0 = hashAgg_fastHashMap_0.rowIterator();
hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numTasksFallBacked */));

}

private void hashAgg_doConsume_1(UTF8String hashAgg_expr_0_1, boolean hashAgg_exprIsNull_0_1, UTF8String hashAgg_expr_1_1, boolean hashAgg_exprIsNull_1_1, long hashAgg_expr_2_1, boolean hashAgg_exprIsNull_2_1) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_1 = null;
UnsafeRow hashAgg_fastAggBuffer_1 = null;

if (!hashAgg_exprIsNull_0_1 && !hashAgg_exprIsNull_1_1) {
hashAgg_fastAggBuffer_1 = hashAgg_fastHashMap_0.findOrInsert(
hashAgg_expr_0_1, hashAgg_expr_1_1);
}
// Cannot find the key in fast hash map, try regular hash map.
if (hashAgg_fastAggBuffer_1 == null) {
// generate grouping key
hashAgg_mutableStateArray_0[3].reset();

hashAgg_mutableStateArray_0[3].zeroOutNullBytes();

hashAgg_mutableStateArray_0[3].writeNullable(0, hashAgg_expr_0_1, hashAgg_exprIsNull_0_1);

hashAgg_mutableStateArray_0[3].writeNullable(1, hashAgg_expr_1_1, hashAgg_exprIsNull_1_1);
int hashAgg_unsafeRowKeyHash_1 = (hashAgg_mutableStateArray_0[3].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_1 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((hashAgg_mutableStateArray_0[3].getRow()), hashAgg_unsafeRowKeyHash_1);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_1 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_1 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(hashAgg_mutableStateArray_0[3].getRow()), hashAgg_unsafeRowKeyHash_1);
if (hashAgg_unsafeRowAggBuffer_1 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

}

// Updates the proper row buffer
if (hashAgg_fastAggBuffer_1 != null) {
hashAgg_unsafeRowAggBuffer_1 = hashAgg_fastAggBuffer_1;
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_10*/
/*hashAgg_c_9*/
boolean hashAgg_isNull_20 = false;
long hashAgg_value_21 = -1L;
if (!false && hashAgg_exprIsNull_2_1) {
/*hashAgg_c_6*/
long hashAgg_value_24 = hashAgg_unsafeRowAggBuffer_1.getLong(0);
hashAgg_isNull_20 = false;
hashAgg_value_21 = hashAgg_value_24;
} else {
/*hashAgg_c_8*/
long hashAgg_value_26 = hashAgg_unsafeRowAggBuffer_1.getLong(0);

long hashAgg_value_25 = -1L;

hashAgg_value_25 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_26, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[15] /* errCtx */));
hashAgg_isNull_20 = false;
hashAgg_value_21 = hashAgg_value_25;
}
/*hashAgg_c_11*/
hashAgg_unsafeRowAggBuffer_1.setLong(0, hashAgg_value_21);

}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, UTF8String hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, UTF8String hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, long hashAgg_expr_2_0, boolean hashAgg_exprIsNull_2_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;
UnsafeRow hashAgg_fastAggBuffer_0 = null;

if (!hashAgg_exprIsNull_0_0 && !hashAgg_exprIsNull_1_0 && !hashAgg_exprIsNull_2_0) {
hashAgg_fastAggBuffer_0 = hashAgg_fastHashMap_1.findOrInsert(
hashAgg_expr_0_0, hashAgg_expr_1_0, hashAgg_expr_2_0);
}
// Cannot find the key in fast hash map, try regular hash map.
if (hashAgg_fastAggBuffer_0 == null) {
// generate grouping key
hashAgg_mutableStateArray_0[0].reset();

hashAgg_mutableStateArray_0[0].zeroOutNullBytes();

hashAgg_mutableStateArray_0[0].writeNullable(0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);

hashAgg_mutableStateArray_0[0].writeNullable(1, hashAgg_expr_1_0, hashAgg_exprIsNull_1_0);

hashAgg_mutableStateArray_0[0].writeNullable(2, hashAgg_expr_2_0, hashAgg_exprIsNull_2_0);
int hashAgg_unsafeRowKeyHash_0 = (hashAgg_mutableStateArray_0[0].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_1.getAggregationBufferFromUnsafeRow((hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_1 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_1, hashAgg_sorter_1);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_1.getAggregationBufferFromUnsafeRow(
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
((org.apache.spark.sql.execution.metric.SQLMetric) references[18] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_fastHashMapIter_0.next()) {
UnsafeRow hashAgg_aggKey_1 = (UnsafeRow) hashAgg_fastHashMapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_1 = (UnsafeRow) hashAgg_fastHashMapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_1(hashAgg_aggKey_1, hashAgg_aggBuffer_1);

if (shouldStop()) return;
}
hashAgg_fastHashMap_0.close();

while ( hashAgg_mapIter_0.next()) {
UnsafeRow hashAgg_aggKey_1 = (UnsafeRow) hashAgg_mapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_1 = (UnsafeRow) hashAgg_mapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_1(hashAgg_aggKey_1, hashAgg_aggBuffer_1);
if (shouldStop()) return;
}
hashAgg_mapIter_0.close();
if (hashAgg_sorter_0 == null) {
hashAgg_hashMap_0.free();
}
}

private void hashAgg_doAggregateWithKeys_1(int partitionIndex) throws java.io.IOException {
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_2*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
UTF8String inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getUTF8String(0));
/*inputadapter_c_2*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
UTF8String inputadapter_value_1 = inputadapter_isNull_1 ?
null : (inputadapter_row_0.getUTF8String(1));
/*inputadapter_c_3*/
boolean inputadapter_isNull_2 = inputadapter_row_0.isNullAt(2);
long inputadapter_value_2 = inputadapter_isNull_2 ?
-1L : (inputadapter_row_0.getLong(2));

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1, inputadapter_isNull_1, inputadapter_value_2, inputadapter_isNull_2);
// shouldStop check is eliminated
}

hashAgg_fastHashMapIter_1 = hashAgg_fastHashMap_1.rowIterator();
hashAgg_mapIter_1 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[7] /* plan */).finishAggregate(hashAgg_hashMap_1, hashAgg_sorter_1, ((org.apache.spark.sql.execution.metric.SQLMetric) references[10] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[11] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[12] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[13] /* numTasksFallBacked */));

}

}
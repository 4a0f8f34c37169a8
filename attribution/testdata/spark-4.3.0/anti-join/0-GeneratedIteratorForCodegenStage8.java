public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage8(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage8 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private boolean hashAgg_bufIsNull_0;
private long hashAgg_bufValue_0;
private scala.collection.Iterator smj_streamedInput_0;
private scala.collection.Iterator smj_bufferedInput_0;
private InternalRow smj_streamedRow_0;
private InternalRow smj_bufferedRow_0;
private long smj_value_2;
private org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray smj_matches_0;
private long smj_value_3;
private boolean hashAgg_initJoin_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] smj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage8(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

smj_streamedInput_0 = inputs[0];
smj_bufferedInput_0 = inputs[1];
smj_matches_0 = new org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray(2147483632, 9223372036854775807L, 2147483647, 9223372036854775807L);
smj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
smj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);

}

private void hashAgg_doAggregateWithoutKey_0(int partitionIndex) throws java.io.IOException {
// initialize aggregation buffer
hashAgg_bufIsNull_0 = false;
hashAgg_bufValue_0 = 0L;

/*project_c_0*/
/*smj_c_0*/
if (!hashAgg_initJoin_0) {
hashAgg_initJoin_0 = true;
org.apache.spark.sql.execution.joins.JoinHelper.recordSpillSizeOnTaskCompletion(smj_matches_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* spillSize */));
}

while (smj_streamedInput_0.hasNext()) {
smj_findNextJoinRows_0(smj_streamedInput_0, smj_bufferedInput_0);

boolean smj_isNull_2 = false;
long smj_value_4 = -1L;

boolean smj_isNull_3 = false;
Decimal smj_value_5 = null;

smj_isNull_3 = smj_streamedRow_0.isNullAt(1);
smj_value_5 = smj_isNull_3 ? null : (smj_streamedRow_0.getDecimal(1, 15, 2));

scala.collection.Iterator<UnsafeRow> smj_iterator_0 = smj_matches_0.generateIterator();

boolean hashAgg_hasMatchedRow_0 = false;

while (!hashAgg_hasMatchedRow_0 && smj_iterator_0.hasNext()) {
InternalRow smj_bufferedRow_1 = (InternalRow) smj_iterator_0.next();
/*smj_c_4*/
boolean smj_isNull_5 = smj_bufferedRow_1.isNullAt(1);
Decimal smj_value_7 = smj_isNull_5 ?
null : (smj_bufferedRow_1.getDecimal(1, 15, 2));
if (smj_bufferedRow_1 != null) {
/*smj_c_7*/
boolean smj_isNull_6 = true;
boolean smj_value_8 = false;
/*smj_c_5*/
boolean smj_isNull_7 = smj_isNull_5;
Decimal smj_value_9 = null;
if (!smj_isNull_5) {
Decimal smj_tmpDecimal_0 = smj_value_7.clone();
smj_tmpDecimal_0.changePrecision(19, 6);
smj_value_9 = smj_tmpDecimal_0;
}
if (!smj_isNull_7) {
/*smj_c_6*/
boolean smj_isNull_9 = false;
Decimal smj_value_11 = null;
if (false) {
smj_isNull_9 = true;
} else {
if (smj_isNull_3) {
smj_isNull_9 = true;
} else {
Decimal smj_decimalValue_0 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(
smj_value_5.div(((Decimal) references[1] /* literal */), 6), 19, 6,
((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[2] /* errCtx */));
smj_value_11 = smj_decimalValue_0;

}
}
if (!smj_isNull_9) {
smj_isNull_6 = false; // resultCode could change nullability.
smj_value_8 = smj_value_9.compare(smj_value_11) > 0;

}

}
if (smj_isNull_6 || !smj_value_8) {
continue;
}
}
hashAgg_hasMatchedRow_0 = true;
}

if (!hashAgg_hasMatchedRow_0) {
// load all values of streamed row, because the values not in join condition are not
// loaded yet.
smj_isNull_2 = smj_streamedRow_0.isNullAt(0);
smj_value_4 = smj_isNull_2 ? -1L : (smj_streamedRow_0.getLong(0));

((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */).add(1);

/*hashAgg_c_6*/
// common sub-expressions

/*hashAgg_c_5*/
hashAgg_doConsume_0();

}
if (shouldStop()) return;
}
((org.apache.spark.sql.execution.joins.SortMergeJoinExec) references[4] /* plan */).cleanupResources();

}

private boolean smj_findNextJoinRows_0(
scala.collection.Iterator streamedIter,
scala.collection.Iterator bufferedIter) {
smj_streamedRow_0 = null;
int comp = 0;
while (smj_streamedRow_0 == null) {
if (!streamedIter.hasNext()) return false;
smj_streamedRow_0 = (InternalRow) streamedIter.next();
/*smj_c_1*/
boolean smj_isNull_0 = smj_streamedRow_0.isNullAt(0);
long smj_value_0 = smj_isNull_0 ?
-1L : (smj_streamedRow_0.getLong(0));
if (smj_isNull_0) {
if (!smj_matches_0.isEmpty()) {
smj_matches_0.clear();
}
return false;

}
if (!smj_matches_0.isEmpty()) {
comp = (smj_value_0 > smj_value_3 ? 1 : smj_value_0 < smj_value_3 ? -1 : 0);

if (comp == 0) {
return true;
}
smj_matches_0.clear();
}

do {
if (smj_bufferedRow_0 == null) {
if (!bufferedIter.hasNext()) {
smj_value_3 = smj_value_0;
return !smj_matches_0.isEmpty();
}
smj_bufferedRow_0 = (InternalRow) bufferedIter.next();
/*smj_c_2*/
boolean smj_isNull_1 = smj_bufferedRow_0.isNullAt(0);
long smj_value_1 = smj_isNull_1 ?
-1L : (smj_bufferedRow_0.getLong(0));
if (smj_isNull_1) {
smj_bufferedRow_0 = null;
continue;
}
smj_value_2 = smj_value_1;
}

comp = (smj_value_0 > smj_value_2 ? 1 : smj_value_0 < smj_value_2 ? -1 : 0);

if (comp > 0) {
smj_bufferedRow_0 = null;
} else if (comp < 0) {
if (!smj_matches_0.isEmpty()) {
smj_value_3 = smj_value_0;
return true;
} else {
return false;
}
} else {
smj_matches_0.add((UnsafeRow) smj_bufferedRow_0);
smj_bufferedRow_0 = null;
}
} while (smj_streamedRow_0 != null);
}
return false; // unreachable
}

private void hashAgg_doConsume_0() throws java.io.IOException {
// do aggregate
// common sub-expressions

// evaluate aggregate functions and update aggregation buffers

/*hashAgg_c_2*/
/*hashAgg_c_3*/
/*hashAgg_c_1*/
long hashAgg_value_1 = -1L;

hashAgg_value_1 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_bufValue_0, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[3] /* errCtx */));
/*hashAgg_c_4*/
hashAgg_bufIsNull_0 = false;
hashAgg_bufValue_0 = hashAgg_value_1;

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
while (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithoutKey_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[7] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);

// output the result

((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numOutputRows */).add(1);
/*wholestagecodegen_c_0*/
smj_mutableStateArray_0[1].reset();

smj_mutableStateArray_0[1].zeroOutNullBytes();

smj_mutableStateArray_0[1].write(0, hashAgg_bufValue_0);
append((smj_mutableStateArray_0[1].getRow()));
}
}

}
public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage5(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage5 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private scala.collection.Iterator smj_streamedInput_0;
private scala.collection.Iterator smj_bufferedInput_0;
private InternalRow smj_streamedRow_0;
private InternalRow smj_bufferedRow_0;
private long smj_value_2;
private org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray smj_matches_0;
private long smj_value_3;
private boolean wholestagecodegen_cleanedFlag_0;
private boolean wholestagecodegen_initJoin_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] smj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage5(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
smj_streamedInput_0 = inputs[0];
smj_bufferedInput_0 = inputs[1];

smj_matches_0 = new org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray(2147483632, 9223372036854775807L, 2147483647, 9223372036854775807L);
smj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(7, 64);
smj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 64);
wholestagecodegen_cleanedFlag_0 = false;

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
long smj_value_0 = smj_streamedRow_0.getLong(0);

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
long smj_value_1 = smj_bufferedRow_0.getLong(0);

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
smj_streamedRow_0 = null;
}
} else {
smj_matches_0.add((UnsafeRow) smj_bufferedRow_0);
smj_bufferedRow_0 = null;
}
} while (smj_streamedRow_0 != null);
}
return false; // unreachable
}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*smj_c_0*/
if (!wholestagecodegen_initJoin_0) {
wholestagecodegen_initJoin_0 = true;
org.apache.spark.sql.execution.joins.JoinHelper.recordSpillSizeOnTaskCompletion(smj_matches_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* spillSize */));
}

if(wholestagecodegen_cleanedFlag_0) {
return;
}

while (smj_findNextJoinRows_0(smj_streamedInput_0, smj_bufferedInput_0)) {
long smj_value_4 = -1L;
Decimal smj_value_5 = null;

boolean smj_isNull_2 = false;
Decimal smj_value_6 = null;

boolean smj_isNull_3 = false;
UTF8String smj_value_7 = null;

boolean smj_loaded_0 = false;
smj_value_5 = smj_streamedRow_0.getDecimal(1, 15, 2);

scala.collection.Iterator<UnsafeRow> smj_iterator_0 = smj_matches_0.generateIterator();

while (smj_iterator_0.hasNext()) {
InternalRow smj_bufferedRow_1 = (InternalRow) smj_iterator_0.next();
/*smj_c_4*/
Decimal smj_value_9 = smj_bufferedRow_1.getDecimal(1, 15, 2);
if (smj_bufferedRow_1 != null) {
/*smj_c_6*/
boolean smj_value_11 = false;
smj_value_11 = smj_value_5.compare(smj_value_9) < 0;
if (false || !smj_value_11) {
continue;
}
}

if (!smj_loaded_0) {
smj_loaded_0 = true;
smj_value_4 = smj_streamedRow_0.getLong(0);
smj_isNull_2 = smj_streamedRow_0.isNullAt(2);
smj_value_6 = smj_isNull_2 ? null : (smj_streamedRow_0.getDecimal(2, 15, 2));
smj_isNull_3 = smj_streamedRow_0.isNullAt(3);
smj_value_7 = smj_isNull_3 ? null : (smj_streamedRow_0.getUTF8String(3));
}

/*smj_c_3*/
long smj_value_8 = smj_bufferedRow_1.getLong(0);
/*smj_c_5*/
boolean smj_isNull_6 = smj_bufferedRow_1.isNullAt(2);
UTF8String smj_value_10 = smj_isNull_6 ?
null : (smj_bufferedRow_1.getUTF8String(2));

((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
boolean project_isNull_2 = true;
Decimal project_value_2 = null;

if (!smj_isNull_2) {
project_isNull_2 = false; // resultCode could change nullability.
project_value_2 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(smj_value_6.$plus(smj_value_9), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[1] /* errCtx */));

}
smj_mutableStateArray_0[1].reset();

smj_mutableStateArray_0[1].zeroOutNullBytes();

smj_mutableStateArray_0[1].writeNullable(0, smj_value_10, smj_isNull_6);

smj_mutableStateArray_0[1].writeNullable(1, smj_value_7, smj_isNull_3);

smj_mutableStateArray_0[1].writeNullable(2, project_value_2, project_isNull_2, 16, 2);
append((smj_mutableStateArray_0[1].getRow()).copy());

}
if (shouldStop()) return;
}
wholestagecodegen_cleanedFlag_0 = true;
((org.apache.spark.sql.execution.joins.SortMergeJoinExec) references[2] /* plan */).cleanupResources();
}

}
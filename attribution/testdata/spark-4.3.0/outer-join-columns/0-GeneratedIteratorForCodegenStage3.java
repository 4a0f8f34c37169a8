public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private org.apache.spark.sql.execution.joins.HashedRelation shj_relation_0;
private boolean shj_keyIsUnique_0;
private scala.collection.Iterator shj_streamedInput_0;
private scala.collection.Iterator shj_buildInput_0;
private InternalRow shj_streamedRow_0;
private InternalRow shj_buildRow_0;
private org.apache.spark.util.collection.BitSet wholestagecodegen_matchedKeySet_0;
private org.apache.spark.util.collection.OpenHashSet wholestagecodegen_matchedRowSet_0;
private int wholestagecodegen_prevKeyIndex_0;
private int wholestagecodegen_valueIndex_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] shj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[3];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
shj_relation_0 = ((org.apache.spark.sql.execution.joins.ShuffledHashJoinExec) references[0] /* plan */).buildHashedRelation(inputs[1]);
shj_keyIsUnique_0 = shj_relation_0.keyIsUnique();
shj_streamedInput_0 = inputs[0];
shj_buildInput_0 = shj_relation_0.valuesWithKeyIndex();

shj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
shj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(4, 0);
shj_mutableStateArray_0[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 0);
wholestagecodegen_matchedKeySet_0 = new org.apache.spark.util.collection.BitSet(shj_relation_0.maxNumKeysIndex());
wholestagecodegen_matchedRowSet_0 = new org.apache.spark.util.collection.OpenHashSet(scala.reflect.ClassTag$.MODULE$.Long());
wholestagecodegen_prevKeyIndex_0 = -1;
wholestagecodegen_valueIndex_0 = -1;

}

private void shj_consumeOuterJoinRow_0() throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_2*/
boolean project_isNull_0 = true;
long project_value_0 = -1L;
/*project_c_1*/
boolean shj_isNull_6 = true;
long shj_value_6 = -1L;
if (shj_streamedRow_0 != null) {
/*shj_c_5*/
boolean shj_isNull_5 = shj_streamedRow_0.isNullAt(0);
long shj_value_5 = shj_isNull_5 ?
-1L : (shj_streamedRow_0.getLong(0));
shj_isNull_6 = shj_isNull_5;
shj_value_6 = shj_value_5;
}
if (!shj_isNull_6) {
project_isNull_0 = false; // resultCode could change nullability.

project_value_0 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(shj_value_6, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[2] /* errCtx */));

}
/*project_c_4*/
boolean project_isNull_3 = true;
Decimal project_value_3 = null;
/*project_c_3*/
boolean shj_isNull_12 = true;
Decimal shj_value_12 = null;
if (shj_buildRow_0 != null) {
/*shj_c_8*/
boolean shj_isNull_11 = shj_buildRow_0.isNullAt(1);
Decimal shj_value_11 = shj_isNull_11 ?
null : (shj_buildRow_0.getDecimal(1, 15, 2));
shj_isNull_12 = shj_isNull_11;
shj_value_12 = shj_value_11;
}
if (!shj_isNull_12) {
project_isNull_3 = false; // resultCode could change nullability.
project_value_3 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(shj_value_12.$times(((Decimal) references[4] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[3] /* errCtx */));

}
shj_mutableStateArray_0[2].reset();

shj_mutableStateArray_0[2].zeroOutNullBytes();

shj_mutableStateArray_0[2].writeNullable(0, project_value_0, project_isNull_0);

shj_mutableStateArray_0[2].writeNullable(1, project_value_3, project_isNull_3, 17, 2);
append((shj_mutableStateArray_0[2].getRow()).copy());

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*shj_c_0*/
if (shj_keyIsUnique_0) {
while (shj_streamedInput_0.hasNext()) {
shj_streamedRow_0 = (InternalRow) shj_streamedInput_0.next();

// generate join key for stream side

/*shj_c_2*/
boolean shj_isNull_1 = shj_streamedRow_0.isNullAt(1);
long shj_value_1 = shj_isNull_1 ?
-1L : (shj_streamedRow_0.getLong(1));

shj_mutableStateArray_0[0].reset();

shj_mutableStateArray_0[0].zeroOutNullBytes();

shj_mutableStateArray_0[0].writeNullable(0, shj_value_1, shj_isNull_1);

// find matches from HashedRelation
boolean wholestagecodegen_foundMatch_0 = false;
shj_buildRow_0 = null;
org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex wholestagecodegen_rowWithIndex_0 = (shj_mutableStateArray_0[0].getRow()).anyNull() ? null:
shj_relation_0.getValueWithKeyIndex((shj_mutableStateArray_0[0].getRow()));

if (wholestagecodegen_rowWithIndex_0 != null) {
shj_buildRow_0 = wholestagecodegen_rowWithIndex_0.getValue();
// check join condition
{
// set key index in matched keys set
wholestagecodegen_matchedKeySet_0.set(wholestagecodegen_rowWithIndex_0.getKeyIndex());
wholestagecodegen_foundMatch_0 = true;
}

if (!wholestagecodegen_foundMatch_0) {
shj_buildRow_0 = null;
}
}

if (wholestagecodegen_foundMatch_0 || true) {
shj_consumeOuterJoinRow_0();
}

if (shouldStop()) return;
}

shj_streamedRow_0 = null;

// find non-matched rows from HashedRelation
while (shj_buildInput_0.hasNext()) {
org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex wholestagecodegen_rowWithIndex_0 = (org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex) shj_buildInput_0.next();

// check if key index is not in matched keys set
if (!wholestagecodegen_matchedKeySet_0.get(wholestagecodegen_rowWithIndex_0.getKeyIndex())) {
shj_buildRow_0 = wholestagecodegen_rowWithIndex_0.getValue();
shj_consumeOuterJoinRow_0();
}

if (shouldStop()) return;
}

} else {
while (shj_streamedInput_0.hasNext()) {
shj_streamedRow_0 = (InternalRow) shj_streamedInput_0.next();

// generate join key for stream side

/*shj_c_2*/
boolean shj_isNull_1 = shj_streamedRow_0.isNullAt(1);
long shj_value_1 = shj_isNull_1 ?
-1L : (shj_streamedRow_0.getLong(1));

shj_mutableStateArray_0[0].reset();

shj_mutableStateArray_0[0].zeroOutNullBytes();

shj_mutableStateArray_0[0].writeNullable(0, shj_value_1, shj_isNull_1);

// find matches from HashedRelation
boolean wholestagecodegen_foundMatch_1 = false;
shj_buildRow_0 = null;
scala.collection.Iterator wholestagecodegen_buildIterator_0 = (shj_mutableStateArray_0[0].getRow()).anyNull() ? null:
shj_relation_0.getWithKeyIndex((shj_mutableStateArray_0[0].getRow()));

int wholestagecodegen_valueIndex_0 = -1;
while (wholestagecodegen_buildIterator_0 != null && wholestagecodegen_buildIterator_0.hasNext()) {
org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex wholestagecodegen_rowWithIndex_1 = (org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex) wholestagecodegen_buildIterator_0.next();
int wholestagecodegen_keyIndex_0 = wholestagecodegen_rowWithIndex_1.getKeyIndex();
shj_buildRow_0 = wholestagecodegen_rowWithIndex_1.getValue();
wholestagecodegen_valueIndex_0++;

// check join condition
{
// set row index in matched row set
wholestagecodegen_matchedRowSet_0.add((((long)wholestagecodegen_keyIndex_0) << 32) | wholestagecodegen_valueIndex_0);
wholestagecodegen_foundMatch_1 = true;
shj_consumeOuterJoinRow_0();
}
}

if (!wholestagecodegen_foundMatch_1) {
shj_buildRow_0 = null;
if (true) {
shj_consumeOuterJoinRow_0();
}
}

if (shouldStop()) return;
}

shj_streamedRow_0 = null;

// find non-matched rows from HashedRelation
while (shj_buildInput_0.hasNext()) {
org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex wholestagecodegen_rowWithIndex_1 = (org.apache.spark.sql.execution.joins.ValueRowWithKeyIndex) shj_buildInput_0.next();
int wholestagecodegen_keyIndex_0 = wholestagecodegen_rowWithIndex_1.getKeyIndex();
if (wholestagecodegen_prevKeyIndex_0 == -1 || wholestagecodegen_keyIndex_0 != wholestagecodegen_prevKeyIndex_0) {
wholestagecodegen_valueIndex_0 = 0;
wholestagecodegen_prevKeyIndex_0 = wholestagecodegen_keyIndex_0;
} else {
wholestagecodegen_valueIndex_0 += 1;
}

// check if row index is not in matched row set
if (!wholestagecodegen_matchedRowSet_0.contains((((long)wholestagecodegen_keyIndex_0) << 32) | wholestagecodegen_valueIndex_0)) {
shj_buildRow_0 = wholestagecodegen_rowWithIndex_1.getValue();
shj_consumeOuterJoinRow_0();
}

if (shouldStop()) return;
}

}
}

}
public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.execution.joins.HashedRelation shj_relation_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] shj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
inputadapter_input_0 = inputs[0];
shj_relation_0 = ((org.apache.spark.sql.execution.joins.ShuffledHashJoinExec) references[0] /* plan */).buildHashedRelation(inputs[1]);
shj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(4, 32);
shj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*shj_c_0*/
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*wholestagecodegen_c_2*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
long inputadapter_value_0 = inputadapter_isNull_0 ?
-1L : (inputadapter_row_0.getLong(0));

// generate join key for stream side

// find matches from HashRelation
scala.collection.Iterator shj_matches_0 = inputadapter_isNull_0 ?
null : (scala.collection.Iterator)shj_relation_0.get(inputadapter_value_0);
boolean shj_found_0 = false;
// the last iteration of this loop is to emit an empty row if there is no matched rows.
while (shj_matches_0 != null && shj_matches_0.hasNext() || !shj_found_0) {
UnsafeRow shj_matched_0 = shj_matches_0 != null && shj_matches_0.hasNext() ?
(UnsafeRow) shj_matches_0.next() : null;

shj_found_0 = true;
((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
boolean shj_isNull_4 = true;
UTF8String shj_value_4 = null;
if (shj_matched_0 != null) {
/*shj_c_2*/
boolean shj_isNull_3 = shj_matched_0.isNullAt(1);
UTF8String shj_value_3 = shj_isNull_3 ?
null : (shj_matched_0.getUTF8String(1));
shj_isNull_4 = shj_isNull_3;
shj_value_4 = shj_value_3;
}
/*project_c_2*/
Decimal inputadapter_value_1 = inputadapter_row_0.getDecimal(1, 15, 2);
shj_mutableStateArray_0[1].reset();

shj_mutableStateArray_0[1].zeroOutNullBytes();

shj_mutableStateArray_0[1].writeNullable(0, shj_value_4, shj_isNull_4);

shj_mutableStateArray_0[1].write(1, inputadapter_value_1, 15, 2);
append((shj_mutableStateArray_0[1].getRow()).copy());

}
if (shouldStop()) return;
}
}

}
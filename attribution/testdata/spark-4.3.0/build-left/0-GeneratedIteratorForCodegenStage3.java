public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage3(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage3 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.execution.joins.LongHashedRelation bhj_relation_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] bhj_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage3(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
inputadapter_input_0 = inputs[0];

bhj_relation_0 = (org.apache.spark.sql.execution.joins.LongHashedRelation) org.apache.spark.sql.execution.joins.BroadcastHashJoinExec
.buildReadOnlyRelation(((org.apache.spark.broadcast.TorrentBroadcast) references[0] /* broadcast */));

bhj_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(4, 32);
bhj_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(2, 32);

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*bhj_c_0*/
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*wholestagecodegen_c_2*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
long inputadapter_value_0 = inputadapter_isNull_0 ?
-1L : (inputadapter_row_0.getLong(0));

// generate join key for stream side

// find matches from HashedRelation
UnsafeRow bhj_buildRow_0 = inputadapter_isNull_0 ? null: (UnsafeRow)bhj_relation_0.getValue(inputadapter_value_0);
if (bhj_buildRow_0 != null) {
{
((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
boolean bhj_isNull_2 = bhj_buildRow_0.isNullAt(1);
UTF8String bhj_value_2 = bhj_isNull_2 ?
null : (bhj_buildRow_0.getUTF8String(1));
/*project_c_3*/
boolean project_isNull_1 = true;
Decimal project_value_1 = null;
/*project_c_2*/
/*inputadapter_c_2*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
Decimal inputadapter_value_1 = inputadapter_isNull_1 ?
null : (inputadapter_row_0.getDecimal(1, 15, 2));
if (!inputadapter_isNull_1) {
project_isNull_1 = false; // resultCode could change nullability.
project_value_1 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(inputadapter_value_1.$times(((Decimal) references[3] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[2] /* errCtx */));

}
bhj_mutableStateArray_0[1].reset();

bhj_mutableStateArray_0[1].zeroOutNullBytes();

bhj_mutableStateArray_0[1].writeNullable(0, bhj_value_2, bhj_isNull_2);

bhj_mutableStateArray_0[1].writeNullable(1, project_value_1, project_isNull_1, 17, 2);
append((bhj_mutableStateArray_0[1].getRow()));

}
}
if (shouldStop()) return;
}
}

}
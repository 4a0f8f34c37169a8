public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage4(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage4 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] project_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[1];

public GeneratedIteratorForCodegenStage4(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
inputadapter_input_0 = inputs[0];
project_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 32);

}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*wholestagecodegen_c_1*/
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
long inputadapter_value_0 = inputadapter_isNull_0 ?
-1L : (inputadapter_row_0.getLong(0));
/*project_c_2*/
int inputadapter_value_3 = inputadapter_row_0.getInt(3);
/*project_c_3*/
boolean inputadapter_isNull_4 = inputadapter_row_0.isNullAt(4);
Decimal inputadapter_value_4 = inputadapter_isNull_4 ?
null : (inputadapter_row_0.getDecimal(4, 25, 2));
project_mutableStateArray_0[0].reset();

project_mutableStateArray_0[0].zeroOutNullBytes();

if (inputadapter_isNull_0) {
project_mutableStateArray_0[0].setNullAt(0);
} else {
project_mutableStateArray_0[0].write(0, inputadapter_value_0);
}

project_mutableStateArray_0[0].write(1, inputadapter_value_3);

if (inputadapter_isNull_4) {
project_mutableStateArray_0[0].write(2, (Decimal) null, 25, 2);
} else {
project_mutableStateArray_0[0].write(2, inputadapter_value_4, 25, 2);
}
append((project_mutableStateArray_0[0].getRow()));
if (shouldStop()) return;
}
}

}
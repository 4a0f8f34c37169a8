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
private boolean hashAgg_bufIsNull_1;
private boolean hashAgg_bufValue_0;
private scala.collection.Iterator inputadapter_input_0;
private Decimal[] hashAgg_mutableStateArray_0 = new Decimal[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] hashAgg_mutableStateArray_1 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[1];

public GeneratedIteratorForCodegenStage2(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
hashAgg_mutableStateArray_1[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);

}

private void hashAgg_doAggregateWithoutKey_0(int partitionIndex) throws java.io.IOException {
// initialize aggregation buffer
hashAgg_bufIsNull_0 = false;
hashAgg_mutableStateArray_0[0] = ((Decimal) references[0] /* literal */);
hashAgg_bufIsNull_1 = false;
hashAgg_bufValue_0 = true;

/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_14*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
Decimal inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getDecimal(0, 25, 2));
/*inputadapter_c_2*/
boolean inputadapter_value_1 = inputadapter_row_0.getBoolean(1);

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1);
// shouldStop check is eliminated
}

}

private void hashAgg_doAggregate_sum_0(boolean hashAgg_expr_1_0, org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0) throws java.io.IOException {
/*hashAgg_c_11*/
/*hashAgg_c_12*/
/*hashAgg_c_9*/
boolean hashAgg_value_11 = false;
hashAgg_value_11 = !(hashAgg_bufValue_0);
boolean hashAgg_value_10 = false;

if (hashAgg_value_11) {
hashAgg_value_10 = hashAgg_bufIsNull_0;
}
boolean hashAgg_value_9 = true;

if (!hashAgg_value_10) {
/*hashAgg_c_6*/
boolean hashAgg_value_16 = false;
hashAgg_value_16 = !(hashAgg_expr_1_0);
boolean hashAgg_value_15 = false;

if (hashAgg_value_16) {
hashAgg_value_15 = hashAgg_exprIsNull_0_0;
}
hashAgg_value_9 = hashAgg_value_15;
}
boolean hashAgg_isNull_8 = false;
Decimal hashAgg_value_8 = null;
if (!false && hashAgg_value_9) {
hashAgg_isNull_8 = true;
hashAgg_value_8 = ((Decimal)null);
} else {
/*hashAgg_c_8*/
Decimal hashAgg_value_21 = null;
hashAgg_value_21 = hashAgg_mutableStateArray_0[0].$plus(hashAgg_expr_0_0);
hashAgg_isNull_8 = false;
hashAgg_value_8 = hashAgg_value_21;
}
/*hashAgg_c_10*/
boolean hashAgg_value_26 = false;

if (hashAgg_bufValue_0) {
hashAgg_value_26 = hashAgg_expr_1_0;
}
/*hashAgg_c_13*/
hashAgg_bufIsNull_0 = hashAgg_isNull_8;
hashAgg_mutableStateArray_0[0] = hashAgg_value_8;

hashAgg_bufIsNull_1 = false;
hashAgg_bufValue_0 = hashAgg_value_26;
}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, boolean hashAgg_expr_1_0) throws java.io.IOException {
// do aggregate
// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_expr_1_0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
while (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithoutKey_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);

// output the result
/*hashAgg_c_2*/
boolean hashAgg_isNull_2 = false;
Decimal hashAgg_value_2 = null;
if (!hashAgg_bufIsNull_1 && hashAgg_bufValue_0) {
hashAgg_isNull_2 = true;
hashAgg_value_2 = ((Decimal)null);
} else {
/*hashAgg_c_1*/
Decimal hashAgg_input_0 = hashAgg_bufIsNull_0 ? null : hashAgg_mutableStateArray_0[0];
Decimal hashAgg_value_5 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_0, 25, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[1] /* errCtx */));
boolean hashAgg_isNull_5 = hashAgg_value_5 == null;
hashAgg_isNull_2 = hashAgg_isNull_5;
hashAgg_value_2 = hashAgg_value_5;
}

((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* numOutputRows */).add(1);
/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_1[0].reset();

hashAgg_mutableStateArray_1[0].zeroOutNullBytes();

hashAgg_mutableStateArray_1[0].writeNullable(0, hashAgg_value_2, hashAgg_isNull_2, 25, 2);
append((hashAgg_mutableStateArray_1[0].getRow()));
}
}

}
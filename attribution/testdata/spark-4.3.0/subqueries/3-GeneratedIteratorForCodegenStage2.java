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
private long hashAgg_bufValue_0;
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
hashAgg_bufValue_0 = 0L;

/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_10*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
Decimal inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getDecimal(0, 25, 2));
/*inputadapter_c_2*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
long inputadapter_value_1 = inputadapter_isNull_1 ?
-1L : (inputadapter_row_0.getLong(1));

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1, inputadapter_isNull_1);
// shouldStop check is eliminated
}

}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, long hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0) throws java.io.IOException {
// do aggregate
// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_avg_0(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_exprIsNull_1_0, hashAgg_expr_1_0);

}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
while (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

long hashAgg_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithoutKey_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* aggTime */).add((System.nanoTime() - hashAgg_beforeAgg_0) / 1000000);

// output the result
/*hashAgg_c_4*/
boolean hashAgg_isNull_3 = true;
boolean hashAgg_value_3 = false;

if (!hashAgg_bufIsNull_1) {
hashAgg_isNull_3 = false; // resultCode could change nullability.
hashAgg_value_3 = hashAgg_bufValue_0 == 0L;

}
boolean hashAgg_isNull_2 = false;
Decimal hashAgg_value_2 = null;
if (!hashAgg_isNull_3 && hashAgg_value_3) {
hashAgg_isNull_2 = true;
hashAgg_value_2 = ((Decimal)null);
} else {
/*hashAgg_c_3*/
boolean hashAgg_isNull_9 = hashAgg_bufIsNull_1;
Decimal hashAgg_value_9 = null;
if (!hashAgg_bufIsNull_1) {
Decimal hashAgg_tmpDecimal_0 = Decimal.apply((long) hashAgg_bufValue_0);
hashAgg_tmpDecimal_0.changePrecision(20, 0);
hashAgg_value_9 = hashAgg_tmpDecimal_0;
}
boolean hashAgg_isNull_7 = hashAgg_bufIsNull_0;
Decimal hashAgg_value_7 = null;
if (hashAgg_bufIsNull_0) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[1] /* errCtx */), "try_avg");
} else {
hashAgg_value_7 = hashAgg_mutableStateArray_0[0].$div(hashAgg_value_9).toPrecision(
19, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[1] /* errCtx */));
hashAgg_isNull_7 = hashAgg_value_7 == null;
}
hashAgg_isNull_2 = hashAgg_isNull_7;
hashAgg_value_2 = hashAgg_value_7;
}

((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* numOutputRows */).add(1);
/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_1[0].reset();

hashAgg_mutableStateArray_1[0].zeroOutNullBytes();

hashAgg_mutableStateArray_1[0].writeNullable(0, hashAgg_value_2, hashAgg_isNull_2, 19, 6);
append((hashAgg_mutableStateArray_1[0].getRow()));
}
}

private void hashAgg_doAggregate_avg_0(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, boolean hashAgg_exprIsNull_1_0, long hashAgg_expr_1_0) throws java.io.IOException {
/*hashAgg_c_7*/
/*hashAgg_c_8*/
/*hashAgg_c_5*/
boolean hashAgg_isNull_12 = true;
Decimal hashAgg_value_12 = null;

if (!hashAgg_bufIsNull_0) {
if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_12 = false; // resultCode could change nullability.
hashAgg_value_12 = hashAgg_mutableStateArray_0[0].$plus(hashAgg_expr_0_0);

}

}
/*hashAgg_c_6*/
boolean hashAgg_isNull_15 = true;
long hashAgg_value_15 = -1L;

if (!hashAgg_bufIsNull_1) {
if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_15 = false; // resultCode could change nullability.

hashAgg_value_15 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_bufValue_0, hashAgg_expr_1_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[2] /* errCtx */));

}

}
/*hashAgg_c_9*/
hashAgg_bufIsNull_0 = hashAgg_isNull_12;
hashAgg_mutableStateArray_0[0] = hashAgg_value_12;

hashAgg_bufIsNull_1 = hashAgg_isNull_15;
hashAgg_bufValue_0 = hashAgg_value_15;
}

}
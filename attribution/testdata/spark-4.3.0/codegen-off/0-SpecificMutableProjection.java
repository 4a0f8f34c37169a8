public java.lang.Object generate(Object[] references) {
return new SpecificMutableProjection(references);
}

class SpecificMutableProjection extends org.apache.spark.sql.catalyst.expressions.codegen.BaseMutableProjection {

private Object[] references;
private InternalRow mutableRow;
private boolean globalIsNull_0;
private boolean isNull_21;
private boolean value_22;
private Decimal[] mutableStateArray_0 = new Decimal[1];

public SpecificMutableProjection(Object[] references) {
this.references = references;
mutableRow = new org.apache.spark.sql.catalyst.expressions.GenericInternalRow(2);


}

public void initialize(int partitionIndex) {

}

public org.apache.spark.sql.catalyst.expressions.codegen.BaseMutableProjection target(InternalRow row) {
mutableRow = row;
return this;
}

/* Provide immutable access to the last projected row. */
public InternalRow currentValue() {
return (InternalRow) mutableRow;
}

public java.lang.Object apply(java.lang.Object i) {
return apply((InternalRow) i);
}

public InternalRow apply(InternalRow i) {


/*c_16*/
Decimal value_18 = If_0(i);
isNull_21 = globalIsNull_0;
mutableStateArray_0[0] = value_18;

/*c_19*/
boolean value_20 = i.getBoolean(1);
boolean value_19 = false;

if (value_20) {
/*c_18*/
boolean value_21 = i.getBoolean(4);
value_19 = value_21;
}
value_22 = value_19;

// copy all the results into MutableRow

if (!isNull_21) {
mutableRow.setDecimal(0, mutableStateArray_0[0], 25);
} else {
mutableRow.setDecimal(0, null, 25);
}
mutableRow.setBoolean(1, value_22);
return mutableRow;
}


private Decimal If_0(InternalRow i) {
/*c_10*/
boolean value_4 = i.getBoolean(1);
boolean value_3 = false;
value_3 = !(value_4);
boolean value_2 = false;

if (value_3) {
/*c_3*/
boolean isNull_6 = i.isNullAt(0);
Decimal value_6 = isNull_6 ?
null : (i.getDecimal(0, 25, 2));
value_2 = isNull_6;
}
boolean value_1 = true;

if (!value_2) {
/*c_9*/
boolean value_9 = i.getBoolean(4);
boolean value_8 = false;
value_8 = !(value_9);
boolean value_7 = false;

if (value_8) {
/*c_8*/
boolean isNull_11 = i.isNullAt(3);
Decimal value_11 = isNull_11 ?
null : (i.getDecimal(3, 25, 2));
value_7 = isNull_11;
}
value_1 = value_7;
}
boolean isNull_0 = false;
Decimal value_0 = null;
if (!false && value_1) {

isNull_0 = true;
value_0 = ((Decimal)null);
} else {
/*c_15*/
boolean isNull_15 = i.isNullAt(0);
Decimal value_15 = isNull_15 ?
null : (i.getDecimal(0, 25, 2));
/*c_14*/
boolean isNull_17 = i.isNullAt(3);
Decimal value_17 = isNull_17 ?
null : (i.getDecimal(3, 25, 2));
Decimal value_13 = null;
value_13 = value_15.$plus(value_17);
isNull_0 = false;
value_0 = value_13;
}
globalIsNull_0 = isNull_0;
return value_0;
}

}
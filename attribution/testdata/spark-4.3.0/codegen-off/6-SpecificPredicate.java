public SpecificPredicate generate(Object[] references) {
return new SpecificPredicate(references);
}

class SpecificPredicate extends org.apache.spark.sql.catalyst.expressions.BasePredicate {
private final Object[] references;


public SpecificPredicate(Object[] references) {
this.references = references;

}

public void initialize(int partitionIndex) {

}

public boolean eval(InternalRow i) {

/*c_4*/
boolean isNull_2 = i.isNullAt(1);
Decimal value_2 = isNull_2 ?
null : (i.getDecimal(1, 15, 2));
boolean value_3 = !isNull_2;
boolean isNull_0 = false;
boolean value_0 = false;

if (!false && !value_3) {
} else {
/*c_3*/
boolean isNull_3 = true;
boolean value_4 = false;
/*c_2*/
boolean isNull_4 = i.isNullAt(1);
Decimal value_5 = isNull_4 ?
null : (i.getDecimal(1, 15, 2));
if (!isNull_4) {


isNull_3 = false; // resultCode could change nullability.
value_4 = value_5.compare(((Decimal) references[0] /* literal */)) > 0;

}
if (!isNull_3 && !value_4) {
} else if (!false && !isNull_3) {
value_0 = true;
} else {
isNull_0 = true;
}
}
return !isNull_0 && value_0;
}


}
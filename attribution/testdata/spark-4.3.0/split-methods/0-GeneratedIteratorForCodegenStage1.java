public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private int columnartorow_batchIdx_0;
private boolean hashAgg_subExprIsNull_0;
private boolean hashAgg_subExprIsNull_1;
private boolean hashAgg_subExprIsNull_2;
private boolean hashAgg_subExprIsNull_3;
private boolean hashAgg_subExprIsNull_4;
private boolean hashAgg_subExprIsNull_5;
private boolean hashAgg_subExprIsNull_6;
private boolean hashAgg_subExprIsNull_7;
private boolean hashAgg_subExprValue_0;
private boolean hashAgg_subExprValue_1;
private boolean hashAgg_subExprValue_2;
private boolean hashAgg_subExprValue_3;
private boolean hashAgg_subExprValue_4;
private boolean hashAgg_subExprValue_5;
private boolean hashAgg_subExprValue_6;
private boolean hashAgg_subExprValue_7;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private Decimal[] hashAgg_mutableStateArray_0 = new Decimal[8];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[3];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[4];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

columnartorow_mutableStateArray_0[0] = inputs[0];
columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 32);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(3, 32);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(33, 544);

}

private void hashAgg_doAggregate_avg_6(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_251*/
/*hashAgg_c_196*/
boolean hashAgg_isNull_260 = true;
Decimal hashAgg_value_260 = null;
/*hashAgg_c_192*/
boolean hashAgg_isNull_261 = hashAgg_unsafeRowAggBuffer_0.isNullAt(26);
Decimal hashAgg_value_261 = hashAgg_isNull_261 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(26, 26, 2));
if (!hashAgg_isNull_261) {
/*hashAgg_c_195*/
boolean hashAgg_isNull_263 = hashAgg_subExprIsNull_5;
Decimal hashAgg_value_263 = null;
if (!hashAgg_subExprIsNull_5) {
Decimal hashAgg_tmpDecimal_13 = hashAgg_mutableStateArray_0[5].clone();
hashAgg_tmpDecimal_13.changePrecision(26, 2);
hashAgg_value_263 = hashAgg_tmpDecimal_13;
}
Decimal hashAgg_value_262 = hashAgg_isNull_263 ? ((Decimal) references[97] /* literal */) : hashAgg_value_263;

hashAgg_isNull_260 = false; // resultCode could change nullability.
hashAgg_value_260 = hashAgg_value_261.$plus(hashAgg_value_262);

}
/*hashAgg_c_202*/
boolean hashAgg_isNull_265 = false;
long hashAgg_value_265 = -1L;
if (!false && hashAgg_subExprIsNull_5) {
/*hashAgg_c_199*/
boolean hashAgg_isNull_267 = hashAgg_unsafeRowAggBuffer_0.isNullAt(27);
long hashAgg_value_267 = hashAgg_isNull_267 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(27));
hashAgg_isNull_265 = hashAgg_isNull_267;
hashAgg_value_265 = hashAgg_value_267;
} else {
/*hashAgg_c_201*/
boolean hashAgg_isNull_268 = true;
long hashAgg_value_268 = -1L;
/*hashAgg_c_200*/
boolean hashAgg_isNull_269 = hashAgg_unsafeRowAggBuffer_0.isNullAt(27);
long hashAgg_value_269 = hashAgg_isNull_269 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(27));
if (!hashAgg_isNull_269) {
hashAgg_isNull_268 = false; // resultCode could change nullability.

hashAgg_value_268 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_269, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[98] /* errCtx */));

}
hashAgg_isNull_265 = hashAgg_isNull_268;
hashAgg_value_265 = hashAgg_value_268;
}
/*hashAgg_c_252*/
if (!hashAgg_isNull_260) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(26, hashAgg_value_260, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(26, null, 26);
}

if (!hashAgg_isNull_265) {
hashAgg_unsafeRowAggBuffer_0.setLong(27, hashAgg_value_265);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(27);
}
}

private void hashAgg_doAggregate_avg_7(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_255*/
/*hashAgg_c_218*/
boolean hashAgg_isNull_282 = true;
Decimal hashAgg_value_282 = null;
/*hashAgg_c_214*/
boolean hashAgg_isNull_283 = hashAgg_unsafeRowAggBuffer_0.isNullAt(30);
Decimal hashAgg_value_283 = hashAgg_isNull_283 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(30, 26, 2));
if (!hashAgg_isNull_283) {
/*hashAgg_c_217*/
boolean hashAgg_isNull_285 = hashAgg_subExprIsNull_3;
Decimal hashAgg_value_285 = null;
if (!hashAgg_subExprIsNull_3) {
Decimal hashAgg_tmpDecimal_15 = hashAgg_mutableStateArray_0[3].clone();
hashAgg_tmpDecimal_15.changePrecision(26, 2);
hashAgg_value_285 = hashAgg_tmpDecimal_15;
}
Decimal hashAgg_value_284 = hashAgg_isNull_285 ? ((Decimal) references[101] /* literal */) : hashAgg_value_285;

hashAgg_isNull_282 = false; // resultCode could change nullability.
hashAgg_value_282 = hashAgg_value_283.$plus(hashAgg_value_284);

}
/*hashAgg_c_224*/
boolean hashAgg_isNull_287 = false;
long hashAgg_value_287 = -1L;
if (!false && hashAgg_subExprIsNull_3) {
/*hashAgg_c_221*/
boolean hashAgg_isNull_289 = hashAgg_unsafeRowAggBuffer_0.isNullAt(31);
long hashAgg_value_289 = hashAgg_isNull_289 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(31));
hashAgg_isNull_287 = hashAgg_isNull_289;
hashAgg_value_287 = hashAgg_value_289;
} else {
/*hashAgg_c_223*/
boolean hashAgg_isNull_290 = true;
long hashAgg_value_290 = -1L;
/*hashAgg_c_222*/
boolean hashAgg_isNull_291 = hashAgg_unsafeRowAggBuffer_0.isNullAt(31);
long hashAgg_value_291 = hashAgg_isNull_291 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(31));
if (!hashAgg_isNull_291) {
hashAgg_isNull_290 = false; // resultCode could change nullability.

hashAgg_value_290 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_291, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[102] /* errCtx */));

}
hashAgg_isNull_287 = hashAgg_isNull_290;
hashAgg_value_287 = hashAgg_value_290;
}
/*hashAgg_c_256*/
if (!hashAgg_isNull_282) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(30, hashAgg_value_282, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(30, null, 26);
}

if (!hashAgg_isNull_287) {
hashAgg_unsafeRowAggBuffer_0.setLong(31, hashAgg_value_287);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(31);
}
}

private void hashAgg_doAggregate_avg_4(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_243*/
/*hashAgg_c_152*/
boolean hashAgg_isNull_216 = true;
Decimal hashAgg_value_216 = null;
/*hashAgg_c_148*/
boolean hashAgg_isNull_217 = hashAgg_unsafeRowAggBuffer_0.isNullAt(18);
Decimal hashAgg_value_217 = hashAgg_isNull_217 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(18, 26, 2));
if (!hashAgg_isNull_217) {
/*hashAgg_c_151*/
boolean hashAgg_isNull_219 = hashAgg_subExprIsNull_2;
Decimal hashAgg_value_219 = null;
if (!hashAgg_subExprIsNull_2) {
Decimal hashAgg_tmpDecimal_9 = hashAgg_mutableStateArray_0[2].clone();
hashAgg_tmpDecimal_9.changePrecision(26, 2);
hashAgg_value_219 = hashAgg_tmpDecimal_9;
}
Decimal hashAgg_value_218 = hashAgg_isNull_219 ? ((Decimal) references[89] /* literal */) : hashAgg_value_219;

hashAgg_isNull_216 = false; // resultCode could change nullability.
hashAgg_value_216 = hashAgg_value_217.$plus(hashAgg_value_218);

}
/*hashAgg_c_158*/
boolean hashAgg_isNull_221 = false;
long hashAgg_value_221 = -1L;
if (!false && hashAgg_subExprIsNull_2) {
/*hashAgg_c_155*/
boolean hashAgg_isNull_223 = hashAgg_unsafeRowAggBuffer_0.isNullAt(19);
long hashAgg_value_223 = hashAgg_isNull_223 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(19));
hashAgg_isNull_221 = hashAgg_isNull_223;
hashAgg_value_221 = hashAgg_value_223;
} else {
/*hashAgg_c_157*/
boolean hashAgg_isNull_224 = true;
long hashAgg_value_224 = -1L;
/*hashAgg_c_156*/
boolean hashAgg_isNull_225 = hashAgg_unsafeRowAggBuffer_0.isNullAt(19);
long hashAgg_value_225 = hashAgg_isNull_225 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(19));
if (!hashAgg_isNull_225) {
hashAgg_isNull_224 = false; // resultCode could change nullability.

hashAgg_value_224 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_225, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[90] /* errCtx */));

}
hashAgg_isNull_221 = hashAgg_isNull_224;
hashAgg_value_221 = hashAgg_value_224;
}
/*hashAgg_c_244*/
if (!hashAgg_isNull_216) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(18, hashAgg_value_216, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(18, null, 26);
}

if (!hashAgg_isNull_221) {
hashAgg_unsafeRowAggBuffer_0.setLong(19, hashAgg_value_221);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(19);
}
}

private void hashAgg_doAggregate_avg_5(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_247*/
/*hashAgg_c_174*/
boolean hashAgg_isNull_238 = true;
Decimal hashAgg_value_238 = null;
/*hashAgg_c_170*/
boolean hashAgg_isNull_239 = hashAgg_unsafeRowAggBuffer_0.isNullAt(22);
Decimal hashAgg_value_239 = hashAgg_isNull_239 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(22, 26, 2));
if (!hashAgg_isNull_239) {
/*hashAgg_c_173*/
boolean hashAgg_isNull_241 = hashAgg_subExprIsNull_6;
Decimal hashAgg_value_241 = null;
if (!hashAgg_subExprIsNull_6) {
Decimal hashAgg_tmpDecimal_11 = hashAgg_mutableStateArray_0[6].clone();
hashAgg_tmpDecimal_11.changePrecision(26, 2);
hashAgg_value_241 = hashAgg_tmpDecimal_11;
}
Decimal hashAgg_value_240 = hashAgg_isNull_241 ? ((Decimal) references[93] /* literal */) : hashAgg_value_241;

hashAgg_isNull_238 = false; // resultCode could change nullability.
hashAgg_value_238 = hashAgg_value_239.$plus(hashAgg_value_240);

}
/*hashAgg_c_180*/
boolean hashAgg_isNull_243 = false;
long hashAgg_value_243 = -1L;
if (!false && hashAgg_subExprIsNull_6) {
/*hashAgg_c_177*/
boolean hashAgg_isNull_245 = hashAgg_unsafeRowAggBuffer_0.isNullAt(23);
long hashAgg_value_245 = hashAgg_isNull_245 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(23));
hashAgg_isNull_243 = hashAgg_isNull_245;
hashAgg_value_243 = hashAgg_value_245;
} else {
/*hashAgg_c_179*/
boolean hashAgg_isNull_246 = true;
long hashAgg_value_246 = -1L;
/*hashAgg_c_178*/
boolean hashAgg_isNull_247 = hashAgg_unsafeRowAggBuffer_0.isNullAt(23);
long hashAgg_value_247 = hashAgg_isNull_247 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(23));
if (!hashAgg_isNull_247) {
hashAgg_isNull_246 = false; // resultCode could change nullability.

hashAgg_value_246 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_247, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[94] /* errCtx */));

}
hashAgg_isNull_243 = hashAgg_isNull_246;
hashAgg_value_243 = hashAgg_value_246;
}
/*hashAgg_c_248*/
if (!hashAgg_isNull_238) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(22, hashAgg_value_238, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(22, null, 26);
}

if (!hashAgg_isNull_243) {
hashAgg_unsafeRowAggBuffer_0.setLong(23, hashAgg_value_243);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(23);
}
}

private void hashAgg_doAggregate_sum_7(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_253*/
/*hashAgg_c_210*/
boolean hashAgg_isNull_271 = false;
Decimal hashAgg_value_271 = null;
if (!false && hashAgg_subExprValue_7) {
/*hashAgg_c_204*/
boolean hashAgg_isNull_272 = hashAgg_unsafeRowAggBuffer_0.isNullAt(28);
Decimal hashAgg_value_272 = hashAgg_isNull_272 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(28, 27, 2));
hashAgg_isNull_271 = hashAgg_isNull_272;
hashAgg_value_271 = hashAgg_value_272;
} else {
/*hashAgg_c_209*/
boolean hashAgg_isNull_273 = true;
Decimal hashAgg_value_273 = null;
/*hashAgg_c_205*/
boolean hashAgg_isNull_274 = hashAgg_unsafeRowAggBuffer_0.isNullAt(28);
Decimal hashAgg_value_274 = hashAgg_isNull_274 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(28, 27, 2));
if (!hashAgg_isNull_274) {
/*hashAgg_c_208*/
boolean hashAgg_isNull_277 = true;
Decimal hashAgg_value_277 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_277 = false; // resultCode could change nullability.
hashAgg_value_277 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[100] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[99] /* errCtx */));

}
boolean hashAgg_isNull_275 = false;
Decimal hashAgg_value_275 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_14 = hashAgg_value_277.clone();
hashAgg_tmpDecimal_14.changePrecision(27, 2);
hashAgg_value_275 = hashAgg_tmpDecimal_14;
}

hashAgg_isNull_273 = false; // resultCode could change nullability.
hashAgg_value_273 = hashAgg_value_274.$plus(hashAgg_value_275);

}
hashAgg_isNull_271 = hashAgg_isNull_273;
hashAgg_value_271 = hashAgg_value_273;
}
/*hashAgg_c_213*/
boolean hashAgg_value_281 = hashAgg_unsafeRowAggBuffer_0.getBoolean(29);
boolean hashAgg_value_280 = false;

if (hashAgg_value_281) {
/*hashAgg_c_212*/
hashAgg_value_280 = hashAgg_subExprValue_7;
}
/*hashAgg_c_254*/
if (!hashAgg_isNull_271) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(28, hashAgg_value_271, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(28, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(29, hashAgg_value_280);
}

private void hashAgg_doAggregate_sum_6(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_249*/
/*hashAgg_c_188*/
boolean hashAgg_isNull_249 = false;
Decimal hashAgg_value_249 = null;
if (!false && hashAgg_subExprValue_6) {
/*hashAgg_c_182*/
boolean hashAgg_isNull_250 = hashAgg_unsafeRowAggBuffer_0.isNullAt(24);
Decimal hashAgg_value_250 = hashAgg_isNull_250 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(24, 27, 2));
hashAgg_isNull_249 = hashAgg_isNull_250;
hashAgg_value_249 = hashAgg_value_250;
} else {
/*hashAgg_c_187*/
boolean hashAgg_isNull_251 = true;
Decimal hashAgg_value_251 = null;
/*hashAgg_c_183*/
boolean hashAgg_isNull_252 = hashAgg_unsafeRowAggBuffer_0.isNullAt(24);
Decimal hashAgg_value_252 = hashAgg_isNull_252 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(24, 27, 2));
if (!hashAgg_isNull_252) {
/*hashAgg_c_186*/
boolean hashAgg_isNull_255 = true;
Decimal hashAgg_value_255 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_255 = false; // resultCode could change nullability.
hashAgg_value_255 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[96] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[95] /* errCtx */));

}
boolean hashAgg_isNull_253 = false;
Decimal hashAgg_value_253 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_12 = hashAgg_value_255.clone();
hashAgg_tmpDecimal_12.changePrecision(27, 2);
hashAgg_value_253 = hashAgg_tmpDecimal_12;
}

hashAgg_isNull_251 = false; // resultCode could change nullability.
hashAgg_value_251 = hashAgg_value_252.$plus(hashAgg_value_253);

}
hashAgg_isNull_249 = hashAgg_isNull_251;
hashAgg_value_249 = hashAgg_value_251;
}
/*hashAgg_c_191*/
boolean hashAgg_value_259 = hashAgg_unsafeRowAggBuffer_0.getBoolean(25);
boolean hashAgg_value_258 = false;

if (hashAgg_value_259) {
/*hashAgg_c_190*/
hashAgg_value_258 = hashAgg_subExprValue_6;
}
/*hashAgg_c_250*/
if (!hashAgg_isNull_249) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(24, hashAgg_value_249, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(24, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(25, hashAgg_value_258);
}

private void hashAgg_doAggregate_sum_5(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_245*/
/*hashAgg_c_166*/
boolean hashAgg_isNull_227 = false;
Decimal hashAgg_value_227 = null;
if (!false && hashAgg_subExprValue_5) {
/*hashAgg_c_160*/
boolean hashAgg_isNull_228 = hashAgg_unsafeRowAggBuffer_0.isNullAt(20);
Decimal hashAgg_value_228 = hashAgg_isNull_228 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(20, 27, 2));
hashAgg_isNull_227 = hashAgg_isNull_228;
hashAgg_value_227 = hashAgg_value_228;
} else {
/*hashAgg_c_165*/
boolean hashAgg_isNull_229 = true;
Decimal hashAgg_value_229 = null;
/*hashAgg_c_161*/
boolean hashAgg_isNull_230 = hashAgg_unsafeRowAggBuffer_0.isNullAt(20);
Decimal hashAgg_value_230 = hashAgg_isNull_230 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(20, 27, 2));
if (!hashAgg_isNull_230) {
/*hashAgg_c_164*/
boolean hashAgg_isNull_233 = true;
Decimal hashAgg_value_233 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_233 = false; // resultCode could change nullability.
hashAgg_value_233 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[92] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[91] /* errCtx */));

}
boolean hashAgg_isNull_231 = false;
Decimal hashAgg_value_231 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_10 = hashAgg_value_233.clone();
hashAgg_tmpDecimal_10.changePrecision(27, 2);
hashAgg_value_231 = hashAgg_tmpDecimal_10;
}

hashAgg_isNull_229 = false; // resultCode could change nullability.
hashAgg_value_229 = hashAgg_value_230.$plus(hashAgg_value_231);

}
hashAgg_isNull_227 = hashAgg_isNull_229;
hashAgg_value_227 = hashAgg_value_229;
}
/*hashAgg_c_169*/
boolean hashAgg_value_237 = hashAgg_unsafeRowAggBuffer_0.getBoolean(21);
boolean hashAgg_value_236 = false;

if (hashAgg_value_237) {
/*hashAgg_c_168*/
hashAgg_value_236 = hashAgg_subExprValue_5;
}
/*hashAgg_c_246*/
if (!hashAgg_isNull_227) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(20, hashAgg_value_227, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(20, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(21, hashAgg_value_236);
}

private void hashAgg_doAggregate_sum_4(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_241*/
/*hashAgg_c_144*/
boolean hashAgg_isNull_205 = false;
Decimal hashAgg_value_205 = null;
if (!false && hashAgg_subExprValue_0) {
/*hashAgg_c_138*/
boolean hashAgg_isNull_206 = hashAgg_unsafeRowAggBuffer_0.isNullAt(16);
Decimal hashAgg_value_206 = hashAgg_isNull_206 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(16, 27, 2));
hashAgg_isNull_205 = hashAgg_isNull_206;
hashAgg_value_205 = hashAgg_value_206;
} else {
/*hashAgg_c_143*/
boolean hashAgg_isNull_207 = true;
Decimal hashAgg_value_207 = null;
/*hashAgg_c_139*/
boolean hashAgg_isNull_208 = hashAgg_unsafeRowAggBuffer_0.isNullAt(16);
Decimal hashAgg_value_208 = hashAgg_isNull_208 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(16, 27, 2));
if (!hashAgg_isNull_208) {
/*hashAgg_c_142*/
boolean hashAgg_isNull_211 = true;
Decimal hashAgg_value_211 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_211 = false; // resultCode could change nullability.
hashAgg_value_211 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[88] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[87] /* errCtx */));

}
boolean hashAgg_isNull_209 = false;
Decimal hashAgg_value_209 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_8 = hashAgg_value_211.clone();
hashAgg_tmpDecimal_8.changePrecision(27, 2);
hashAgg_value_209 = hashAgg_tmpDecimal_8;
}

hashAgg_isNull_207 = false; // resultCode could change nullability.
hashAgg_value_207 = hashAgg_value_208.$plus(hashAgg_value_209);

}
hashAgg_isNull_205 = hashAgg_isNull_207;
hashAgg_value_205 = hashAgg_value_207;
}
/*hashAgg_c_147*/
boolean hashAgg_value_215 = hashAgg_unsafeRowAggBuffer_0.getBoolean(17);
boolean hashAgg_value_214 = false;

if (hashAgg_value_215) {
/*hashAgg_c_146*/
hashAgg_value_214 = hashAgg_subExprValue_0;
}
/*hashAgg_c_242*/
if (!hashAgg_isNull_205) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(16, hashAgg_value_205, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(16, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(17, hashAgg_value_214);
}

private void hashAgg_doAggregate_sum_3(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_237*/
/*hashAgg_c_122*/
boolean hashAgg_isNull_183 = false;
Decimal hashAgg_value_183 = null;
if (!false && hashAgg_subExprValue_1) {
/*hashAgg_c_116*/
boolean hashAgg_isNull_184 = hashAgg_unsafeRowAggBuffer_0.isNullAt(12);
Decimal hashAgg_value_184 = hashAgg_isNull_184 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(12, 27, 2));
hashAgg_isNull_183 = hashAgg_isNull_184;
hashAgg_value_183 = hashAgg_value_184;
} else {
/*hashAgg_c_121*/
boolean hashAgg_isNull_185 = true;
Decimal hashAgg_value_185 = null;
/*hashAgg_c_117*/
boolean hashAgg_isNull_186 = hashAgg_unsafeRowAggBuffer_0.isNullAt(12);
Decimal hashAgg_value_186 = hashAgg_isNull_186 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(12, 27, 2));
if (!hashAgg_isNull_186) {
/*hashAgg_c_120*/
boolean hashAgg_isNull_189 = true;
Decimal hashAgg_value_189 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_189 = false; // resultCode could change nullability.
hashAgg_value_189 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[84] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[83] /* errCtx */));

}
boolean hashAgg_isNull_187 = false;
Decimal hashAgg_value_187 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_6 = hashAgg_value_189.clone();
hashAgg_tmpDecimal_6.changePrecision(27, 2);
hashAgg_value_187 = hashAgg_tmpDecimal_6;
}

hashAgg_isNull_185 = false; // resultCode could change nullability.
hashAgg_value_185 = hashAgg_value_186.$plus(hashAgg_value_187);

}
hashAgg_isNull_183 = hashAgg_isNull_185;
hashAgg_value_183 = hashAgg_value_185;
}
/*hashAgg_c_125*/
boolean hashAgg_value_193 = hashAgg_unsafeRowAggBuffer_0.getBoolean(13);
boolean hashAgg_value_192 = false;

if (hashAgg_value_193) {
/*hashAgg_c_124*/
hashAgg_value_192 = hashAgg_subExprValue_1;
}
/*hashAgg_c_238*/
if (!hashAgg_isNull_183) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(12, hashAgg_value_183, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(12, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(13, hashAgg_value_192);
}

private void hashAgg_doAggregate_sum_2(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_233*/
/*hashAgg_c_100*/
boolean hashAgg_isNull_161 = false;
Decimal hashAgg_value_161 = null;
if (!false && hashAgg_subExprValue_2) {
/*hashAgg_c_94*/
boolean hashAgg_isNull_162 = hashAgg_unsafeRowAggBuffer_0.isNullAt(8);
Decimal hashAgg_value_162 = hashAgg_isNull_162 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(8, 27, 2));
hashAgg_isNull_161 = hashAgg_isNull_162;
hashAgg_value_161 = hashAgg_value_162;
} else {
/*hashAgg_c_99*/
boolean hashAgg_isNull_163 = true;
Decimal hashAgg_value_163 = null;
/*hashAgg_c_95*/
boolean hashAgg_isNull_164 = hashAgg_unsafeRowAggBuffer_0.isNullAt(8);
Decimal hashAgg_value_164 = hashAgg_isNull_164 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(8, 27, 2));
if (!hashAgg_isNull_164) {
/*hashAgg_c_98*/
boolean hashAgg_isNull_167 = true;
Decimal hashAgg_value_167 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_167 = false; // resultCode could change nullability.
hashAgg_value_167 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[80] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[79] /* errCtx */));

}
boolean hashAgg_isNull_165 = false;
Decimal hashAgg_value_165 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_4 = hashAgg_value_167.clone();
hashAgg_tmpDecimal_4.changePrecision(27, 2);
hashAgg_value_165 = hashAgg_tmpDecimal_4;
}

hashAgg_isNull_163 = false; // resultCode could change nullability.
hashAgg_value_163 = hashAgg_value_164.$plus(hashAgg_value_165);

}
hashAgg_isNull_161 = hashAgg_isNull_163;
hashAgg_value_161 = hashAgg_value_163;
}
/*hashAgg_c_103*/
boolean hashAgg_value_171 = hashAgg_unsafeRowAggBuffer_0.getBoolean(9);
boolean hashAgg_value_170 = false;

if (hashAgg_value_171) {
/*hashAgg_c_102*/
hashAgg_value_170 = hashAgg_subExprValue_2;
}
/*hashAgg_c_234*/
if (!hashAgg_isNull_161) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(8, hashAgg_value_161, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(8, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(9, hashAgg_value_170);
}

private void hashAgg_doAggregate_sum_1(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_229*/
/*hashAgg_c_78*/
boolean hashAgg_isNull_139 = false;
Decimal hashAgg_value_139 = null;
if (!false && hashAgg_subExprValue_4) {
/*hashAgg_c_72*/
boolean hashAgg_isNull_140 = hashAgg_unsafeRowAggBuffer_0.isNullAt(4);
Decimal hashAgg_value_140 = hashAgg_isNull_140 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(4, 27, 2));
hashAgg_isNull_139 = hashAgg_isNull_140;
hashAgg_value_139 = hashAgg_value_140;
} else {
/*hashAgg_c_77*/
boolean hashAgg_isNull_141 = true;
Decimal hashAgg_value_141 = null;
/*hashAgg_c_73*/
boolean hashAgg_isNull_142 = hashAgg_unsafeRowAggBuffer_0.isNullAt(4);
Decimal hashAgg_value_142 = hashAgg_isNull_142 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(4, 27, 2));
if (!hashAgg_isNull_142) {
/*hashAgg_c_76*/
boolean hashAgg_isNull_145 = true;
Decimal hashAgg_value_145 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_145 = false; // resultCode could change nullability.
hashAgg_value_145 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[76] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[75] /* errCtx */));

}
boolean hashAgg_isNull_143 = false;
Decimal hashAgg_value_143 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_2 = hashAgg_value_145.clone();
hashAgg_tmpDecimal_2.changePrecision(27, 2);
hashAgg_value_143 = hashAgg_tmpDecimal_2;
}

hashAgg_isNull_141 = false; // resultCode could change nullability.
hashAgg_value_141 = hashAgg_value_142.$plus(hashAgg_value_143);

}
hashAgg_isNull_139 = hashAgg_isNull_141;
hashAgg_value_139 = hashAgg_value_141;
}
/*hashAgg_c_81*/
boolean hashAgg_value_149 = hashAgg_unsafeRowAggBuffer_0.getBoolean(5);
boolean hashAgg_value_148 = false;

if (hashAgg_value_149) {
/*hashAgg_c_80*/
hashAgg_value_148 = hashAgg_subExprValue_4;
}
/*hashAgg_c_230*/
if (!hashAgg_isNull_139) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(4, hashAgg_value_139, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(4, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(5, hashAgg_value_148);
}

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_225*/
/*hashAgg_c_56*/
boolean hashAgg_isNull_117 = false;
Decimal hashAgg_value_117 = null;
if (!false && hashAgg_subExprValue_3) {
/*hashAgg_c_50*/
boolean hashAgg_isNull_118 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_118 = hashAgg_isNull_118 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 27, 2));
hashAgg_isNull_117 = hashAgg_isNull_118;
hashAgg_value_117 = hashAgg_value_118;
} else {
/*hashAgg_c_55*/
boolean hashAgg_isNull_119 = true;
Decimal hashAgg_value_119 = null;
/*hashAgg_c_51*/
boolean hashAgg_isNull_120 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_120 = hashAgg_isNull_120 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 27, 2));
if (!hashAgg_isNull_120) {
/*hashAgg_c_54*/
boolean hashAgg_isNull_123 = true;
Decimal hashAgg_value_123 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_123 = false; // resultCode could change nullability.
hashAgg_value_123 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[72] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[71] /* errCtx */));

}
boolean hashAgg_isNull_121 = false;
Decimal hashAgg_value_121 = null;
if (!false) {
Decimal hashAgg_tmpDecimal_0 = hashAgg_value_123.clone();
hashAgg_tmpDecimal_0.changePrecision(27, 2);
hashAgg_value_121 = hashAgg_tmpDecimal_0;
}

hashAgg_isNull_119 = false; // resultCode could change nullability.
hashAgg_value_119 = hashAgg_value_120.$plus(hashAgg_value_121);

}
hashAgg_isNull_117 = hashAgg_isNull_119;
hashAgg_value_117 = hashAgg_value_119;
}
/*hashAgg_c_59*/
boolean hashAgg_value_127 = hashAgg_unsafeRowAggBuffer_0.getBoolean(1);
boolean hashAgg_value_126 = false;

if (hashAgg_value_127) {
/*hashAgg_c_58*/
hashAgg_value_126 = hashAgg_subExprValue_3;
}
/*hashAgg_c_226*/
if (!hashAgg_isNull_117) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, hashAgg_value_117, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(1, hashAgg_value_126);
}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[104] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
}
// output the result

while ( hashAgg_mapIter_0.next()) {
UnsafeRow hashAgg_aggKey_0 = (UnsafeRow) hashAgg_mapIter_0.getKey();
UnsafeRow hashAgg_aggBuffer_0 = (UnsafeRow) hashAgg_mapIter_0.getValue();
hashAgg_doAggregateWithKeysOutput_0(hashAgg_aggKey_0, hashAgg_aggBuffer_0);
if (shouldStop()) return;
}
hashAgg_mapIter_0.close();
if (hashAgg_sorter_0 == null) {
hashAgg_hashMap_0.free();
}
}

private void hashAgg_subExpr_3(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_28*/
boolean hashAgg_isNull_70 = true;
Decimal hashAgg_value_70 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_70 = false; // resultCode could change nullability.
hashAgg_value_70 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[46] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[45] /* errCtx */));

}
hashAgg_subExprIsNull_3 = hashAgg_isNull_70;
hashAgg_mutableStateArray_0[3] = hashAgg_value_70;
}

private void hashAgg_subExpr_2(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_27*/
boolean hashAgg_isNull_67 = true;
Decimal hashAgg_value_67 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_67 = false; // resultCode could change nullability.
hashAgg_value_67 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[44] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[43] /* errCtx */));

}
hashAgg_subExprIsNull_2 = hashAgg_isNull_67;
hashAgg_mutableStateArray_0[2] = hashAgg_value_67;
}

private void hashAgg_subExpr_5(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_30*/
boolean hashAgg_isNull_76 = true;
Decimal hashAgg_value_76 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_76 = false; // resultCode could change nullability.
hashAgg_value_76 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[50] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[49] /* errCtx */));

}
hashAgg_subExprIsNull_5 = hashAgg_isNull_76;
hashAgg_mutableStateArray_0[5] = hashAgg_value_76;
}

private void hashAgg_subExpr_4(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_29*/
boolean hashAgg_isNull_73 = true;
Decimal hashAgg_value_73 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_73 = false; // resultCode could change nullability.
hashAgg_value_73 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[48] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[47] /* errCtx */));

}
hashAgg_subExprIsNull_4 = hashAgg_isNull_73;
hashAgg_mutableStateArray_0[4] = hashAgg_value_73;
}

private void hashAgg_subExpr_1(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_26*/
boolean hashAgg_isNull_64 = true;
Decimal hashAgg_value_64 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_64 = false; // resultCode could change nullability.
hashAgg_value_64 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[42] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[41] /* errCtx */));

}
hashAgg_subExprIsNull_1 = hashAgg_isNull_64;
hashAgg_mutableStateArray_0[1] = hashAgg_value_64;
}

private void hashAgg_subExpr_0(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_25*/
boolean hashAgg_isNull_61 = true;
Decimal hashAgg_value_61 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_61 = false; // resultCode could change nullability.
hashAgg_value_61 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[40] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[39] /* errCtx */));

}
hashAgg_subExprIsNull_0 = hashAgg_isNull_61;
hashAgg_mutableStateArray_0[0] = hashAgg_value_61;
}

private void hashAgg_doConsume_0(Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, UTF8String hashAgg_expr_2_0, boolean hashAgg_exprIsNull_2_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
columnartorow_mutableStateArray_3[2].reset();

columnartorow_mutableStateArray_3[2].zeroOutNullBytes();

columnartorow_mutableStateArray_3[2].writeNullable(0, hashAgg_expr_2_0, hashAgg_exprIsNull_2_0);
int hashAgg_unsafeRowKeyHash_0 = (columnartorow_mutableStateArray_3[2].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((columnartorow_mutableStateArray_3[2].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(columnartorow_mutableStateArray_3[2].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

hashAgg_subExpr_10(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_4(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_5(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_3(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_6(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_9(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_14(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_15(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_1(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_7(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_11(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_2(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_8(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_13(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_0(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_unsafeRowAggBuffer_0);

hashAgg_subExpr_12(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_0(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_1(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_1(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_2(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_2(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_3(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_3(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_4(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_4(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_5(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_5(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_6(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_6(hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_7(hashAgg_expr_0_0, hashAgg_exprIsNull_0_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_7(hashAgg_unsafeRowAggBuffer_0);

}

private void hashAgg_doAggregate_avg_2(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_235*/
/*hashAgg_c_108*/
boolean hashAgg_isNull_172 = true;
Decimal hashAgg_value_172 = null;
/*hashAgg_c_104*/
boolean hashAgg_isNull_173 = hashAgg_unsafeRowAggBuffer_0.isNullAt(10);
Decimal hashAgg_value_173 = hashAgg_isNull_173 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(10, 26, 2));
if (!hashAgg_isNull_173) {
/*hashAgg_c_107*/
boolean hashAgg_isNull_175 = hashAgg_subExprIsNull_1;
Decimal hashAgg_value_175 = null;
if (!hashAgg_subExprIsNull_1) {
Decimal hashAgg_tmpDecimal_5 = hashAgg_mutableStateArray_0[1].clone();
hashAgg_tmpDecimal_5.changePrecision(26, 2);
hashAgg_value_175 = hashAgg_tmpDecimal_5;
}
Decimal hashAgg_value_174 = hashAgg_isNull_175 ? ((Decimal) references[81] /* literal */) : hashAgg_value_175;

hashAgg_isNull_172 = false; // resultCode could change nullability.
hashAgg_value_172 = hashAgg_value_173.$plus(hashAgg_value_174);

}
/*hashAgg_c_114*/
boolean hashAgg_isNull_177 = false;
long hashAgg_value_177 = -1L;
if (!false && hashAgg_subExprIsNull_1) {
/*hashAgg_c_111*/
boolean hashAgg_isNull_179 = hashAgg_unsafeRowAggBuffer_0.isNullAt(11);
long hashAgg_value_179 = hashAgg_isNull_179 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(11));
hashAgg_isNull_177 = hashAgg_isNull_179;
hashAgg_value_177 = hashAgg_value_179;
} else {
/*hashAgg_c_113*/
boolean hashAgg_isNull_180 = true;
long hashAgg_value_180 = -1L;
/*hashAgg_c_112*/
boolean hashAgg_isNull_181 = hashAgg_unsafeRowAggBuffer_0.isNullAt(11);
long hashAgg_value_181 = hashAgg_isNull_181 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(11));
if (!hashAgg_isNull_181) {
hashAgg_isNull_180 = false; // resultCode could change nullability.

hashAgg_value_180 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_181, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[82] /* errCtx */));

}
hashAgg_isNull_177 = hashAgg_isNull_180;
hashAgg_value_177 = hashAgg_value_180;
}
/*hashAgg_c_236*/
if (!hashAgg_isNull_172) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(10, hashAgg_value_172, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(10, null, 26);
}

if (!hashAgg_isNull_177) {
hashAgg_unsafeRowAggBuffer_0.setLong(11, hashAgg_value_177);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(11);
}
}

private void hashAgg_doAggregate_avg_3(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_239*/
/*hashAgg_c_130*/
boolean hashAgg_isNull_194 = true;
Decimal hashAgg_value_194 = null;
/*hashAgg_c_126*/
boolean hashAgg_isNull_195 = hashAgg_unsafeRowAggBuffer_0.isNullAt(14);
Decimal hashAgg_value_195 = hashAgg_isNull_195 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(14, 26, 2));
if (!hashAgg_isNull_195) {
/*hashAgg_c_129*/
boolean hashAgg_isNull_197 = hashAgg_subExprIsNull_0;
Decimal hashAgg_value_197 = null;
if (!hashAgg_subExprIsNull_0) {
Decimal hashAgg_tmpDecimal_7 = hashAgg_mutableStateArray_0[0].clone();
hashAgg_tmpDecimal_7.changePrecision(26, 2);
hashAgg_value_197 = hashAgg_tmpDecimal_7;
}
Decimal hashAgg_value_196 = hashAgg_isNull_197 ? ((Decimal) references[85] /* literal */) : hashAgg_value_197;

hashAgg_isNull_194 = false; // resultCode could change nullability.
hashAgg_value_194 = hashAgg_value_195.$plus(hashAgg_value_196);

}
/*hashAgg_c_136*/
boolean hashAgg_isNull_199 = false;
long hashAgg_value_199 = -1L;
if (!false && hashAgg_subExprIsNull_0) {
/*hashAgg_c_133*/
boolean hashAgg_isNull_201 = hashAgg_unsafeRowAggBuffer_0.isNullAt(15);
long hashAgg_value_201 = hashAgg_isNull_201 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(15));
hashAgg_isNull_199 = hashAgg_isNull_201;
hashAgg_value_199 = hashAgg_value_201;
} else {
/*hashAgg_c_135*/
boolean hashAgg_isNull_202 = true;
long hashAgg_value_202 = -1L;
/*hashAgg_c_134*/
boolean hashAgg_isNull_203 = hashAgg_unsafeRowAggBuffer_0.isNullAt(15);
long hashAgg_value_203 = hashAgg_isNull_203 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(15));
if (!hashAgg_isNull_203) {
hashAgg_isNull_202 = false; // resultCode could change nullability.

hashAgg_value_202 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_203, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[86] /* errCtx */));

}
hashAgg_isNull_199 = hashAgg_isNull_202;
hashAgg_value_199 = hashAgg_value_202;
}
/*hashAgg_c_240*/
if (!hashAgg_isNull_194) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(14, hashAgg_value_194, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(14, null, 26);
}

if (!hashAgg_isNull_199) {
hashAgg_unsafeRowAggBuffer_0.setLong(15, hashAgg_value_199);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(15);
}
}

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[6] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[5] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);
columnartorow_mutableStateArray_2[1] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(1);
columnartorow_mutableStateArray_2[2] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(2);

}
}

private void hashAgg_doAggregate_avg_0(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_227*/
/*hashAgg_c_64*/
boolean hashAgg_isNull_128 = true;
Decimal hashAgg_value_128 = null;
/*hashAgg_c_60*/
boolean hashAgg_isNull_129 = hashAgg_unsafeRowAggBuffer_0.isNullAt(2);
Decimal hashAgg_value_129 = hashAgg_isNull_129 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(2, 26, 2));
if (!hashAgg_isNull_129) {
/*hashAgg_c_63*/
boolean hashAgg_isNull_131 = hashAgg_subExprIsNull_7;
Decimal hashAgg_value_131 = null;
if (!hashAgg_subExprIsNull_7) {
Decimal hashAgg_tmpDecimal_1 = hashAgg_mutableStateArray_0[7].clone();
hashAgg_tmpDecimal_1.changePrecision(26, 2);
hashAgg_value_131 = hashAgg_tmpDecimal_1;
}
Decimal hashAgg_value_130 = hashAgg_isNull_131 ? ((Decimal) references[73] /* literal */) : hashAgg_value_131;

hashAgg_isNull_128 = false; // resultCode could change nullability.
hashAgg_value_128 = hashAgg_value_129.$plus(hashAgg_value_130);

}
/*hashAgg_c_70*/
boolean hashAgg_isNull_133 = false;
long hashAgg_value_133 = -1L;
if (!false && hashAgg_subExprIsNull_7) {
/*hashAgg_c_67*/
boolean hashAgg_isNull_135 = hashAgg_unsafeRowAggBuffer_0.isNullAt(3);
long hashAgg_value_135 = hashAgg_isNull_135 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(3));
hashAgg_isNull_133 = hashAgg_isNull_135;
hashAgg_value_133 = hashAgg_value_135;
} else {
/*hashAgg_c_69*/
boolean hashAgg_isNull_136 = true;
long hashAgg_value_136 = -1L;
/*hashAgg_c_68*/
boolean hashAgg_isNull_137 = hashAgg_unsafeRowAggBuffer_0.isNullAt(3);
long hashAgg_value_137 = hashAgg_isNull_137 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(3));
if (!hashAgg_isNull_137) {
hashAgg_isNull_136 = false; // resultCode could change nullability.

hashAgg_value_136 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_137, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[74] /* errCtx */));

}
hashAgg_isNull_133 = hashAgg_isNull_136;
hashAgg_value_133 = hashAgg_value_136;
}
/*hashAgg_c_228*/
if (!hashAgg_isNull_128) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(2, hashAgg_value_128, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(2, null, 26);
}

if (!hashAgg_isNull_133) {
hashAgg_unsafeRowAggBuffer_0.setLong(3, hashAgg_value_133);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(3);
}
}

private void hashAgg_doAggregate_avg_1(org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_231*/
/*hashAgg_c_86*/
boolean hashAgg_isNull_150 = true;
Decimal hashAgg_value_150 = null;
/*hashAgg_c_82*/
boolean hashAgg_isNull_151 = hashAgg_unsafeRowAggBuffer_0.isNullAt(6);
Decimal hashAgg_value_151 = hashAgg_isNull_151 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(6, 26, 2));
if (!hashAgg_isNull_151) {
/*hashAgg_c_85*/
boolean hashAgg_isNull_153 = hashAgg_subExprIsNull_4;
Decimal hashAgg_value_153 = null;
if (!hashAgg_subExprIsNull_4) {
Decimal hashAgg_tmpDecimal_3 = hashAgg_mutableStateArray_0[4].clone();
hashAgg_tmpDecimal_3.changePrecision(26, 2);
hashAgg_value_153 = hashAgg_tmpDecimal_3;
}
Decimal hashAgg_value_152 = hashAgg_isNull_153 ? ((Decimal) references[77] /* literal */) : hashAgg_value_153;

hashAgg_isNull_150 = false; // resultCode could change nullability.
hashAgg_value_150 = hashAgg_value_151.$plus(hashAgg_value_152);

}
/*hashAgg_c_92*/
boolean hashAgg_isNull_155 = false;
long hashAgg_value_155 = -1L;
if (!false && hashAgg_subExprIsNull_4) {
/*hashAgg_c_89*/
boolean hashAgg_isNull_157 = hashAgg_unsafeRowAggBuffer_0.isNullAt(7);
long hashAgg_value_157 = hashAgg_isNull_157 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(7));
hashAgg_isNull_155 = hashAgg_isNull_157;
hashAgg_value_155 = hashAgg_value_157;
} else {
/*hashAgg_c_91*/
boolean hashAgg_isNull_158 = true;
long hashAgg_value_158 = -1L;
/*hashAgg_c_90*/
boolean hashAgg_isNull_159 = hashAgg_unsafeRowAggBuffer_0.isNullAt(7);
long hashAgg_value_159 = hashAgg_isNull_159 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(7));
if (!hashAgg_isNull_159) {
hashAgg_isNull_158 = false; // resultCode could change nullability.

hashAgg_value_158 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_159, 1L, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[78] /* errCtx */));

}
hashAgg_isNull_155 = hashAgg_isNull_158;
hashAgg_value_155 = hashAgg_value_158;
}
/*hashAgg_c_232*/
if (!hashAgg_isNull_150) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(6, hashAgg_value_150, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(6, null, 26);
}

if (!hashAgg_isNull_155) {
hashAgg_unsafeRowAggBuffer_0.setLong(7, hashAgg_value_155);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(7);
}
}

private void hashAgg_subExpr_10(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_38*/
boolean hashAgg_isNull_94 = true;
Decimal hashAgg_value_94 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_94 = false; // resultCode could change nullability.
hashAgg_value_94 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[60] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[59] /* errCtx */));

}

hashAgg_subExprValue_2 = hashAgg_isNull_94;
}

private void hashAgg_subExpr_12(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_42*/
boolean hashAgg_isNull_102 = true;
Decimal hashAgg_value_102 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_102 = false; // resultCode could change nullability.
hashAgg_value_102 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[64] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[63] /* errCtx */));

}

hashAgg_subExprValue_4 = hashAgg_isNull_102;
}

private void hashAgg_subExpr_11(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_40*/
boolean hashAgg_isNull_98 = true;
Decimal hashAgg_value_98 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_98 = false; // resultCode could change nullability.
hashAgg_value_98 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[62] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[61] /* errCtx */));

}

hashAgg_subExprValue_3 = hashAgg_isNull_98;
}

private void hashAgg_subExpr_14(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_46*/
boolean hashAgg_isNull_110 = true;
Decimal hashAgg_value_110 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_110 = false; // resultCode could change nullability.
hashAgg_value_110 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[68] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[67] /* errCtx */));

}

hashAgg_subExprValue_6 = hashAgg_isNull_110;
}

private void hashAgg_subExpr_7(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_32*/
boolean hashAgg_isNull_82 = true;
Decimal hashAgg_value_82 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_82 = false; // resultCode could change nullability.
hashAgg_value_82 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[54] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[53] /* errCtx */));

}
hashAgg_subExprIsNull_7 = hashAgg_isNull_82;
hashAgg_mutableStateArray_0[7] = hashAgg_value_82;
}

private void hashAgg_subExpr_13(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_44*/
boolean hashAgg_isNull_106 = true;
Decimal hashAgg_value_106 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_106 = false; // resultCode could change nullability.
hashAgg_value_106 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[66] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[65] /* errCtx */));

}

hashAgg_subExprValue_5 = hashAgg_isNull_106;
}

private void hashAgg_subExpr_6(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_31*/
boolean hashAgg_isNull_79 = true;
Decimal hashAgg_value_79 = null;

if (!hashAgg_exprIsNull_1_0) {
hashAgg_isNull_79 = false; // resultCode could change nullability.
hashAgg_value_79 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_1_0.$plus(((Decimal) references[52] /* literal */)), 16, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[51] /* errCtx */));

}
hashAgg_subExprIsNull_6 = hashAgg_isNull_79;
hashAgg_mutableStateArray_0[6] = hashAgg_value_79;
}

private void hashAgg_subExpr_9(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_36*/
boolean hashAgg_isNull_90 = true;
Decimal hashAgg_value_90 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_90 = false; // resultCode could change nullability.
hashAgg_value_90 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[58] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[57] /* errCtx */));

}

hashAgg_subExprValue_1 = hashAgg_isNull_90;
}

private void hashAgg_subExpr_15(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_48*/
boolean hashAgg_isNull_114 = true;
Decimal hashAgg_value_114 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_114 = false; // resultCode could change nullability.
hashAgg_value_114 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[70] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[69] /* errCtx */));

}

hashAgg_subExprValue_7 = hashAgg_isNull_114;
}

private void hashAgg_subExpr_8(org.apache.spark.sql.types.Decimal hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) {
/*hashAgg_c_34*/
boolean hashAgg_isNull_86 = true;
Decimal hashAgg_value_86 = null;

if (!hashAgg_exprIsNull_0_0) {
hashAgg_isNull_86 = false; // resultCode could change nullability.
hashAgg_value_86 = org.apache.spark.sql.catalyst.expressions.CastUtils.changePrecisionExact(hashAgg_expr_0_0.$times(((Decimal) references[56] /* literal */)), 17, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[55] /* errCtx */));

}

hashAgg_subExprValue_0 = hashAgg_isNull_86;
}

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[103] /* numOutputRows */).add(1);

/*hashAgg_c_258*/
boolean hashAgg_isNull_293 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_293 = hashAgg_isNull_293 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_259*/
boolean hashAgg_isNull_294 = hashAgg_bufferTerm_0.isNullAt(0);
Decimal hashAgg_value_294 = hashAgg_isNull_294 ?
null : (hashAgg_bufferTerm_0.getDecimal(0, 27, 2));
/*hashAgg_c_260*/
boolean hashAgg_value_295 = hashAgg_bufferTerm_0.getBoolean(1);
/*hashAgg_c_261*/
boolean hashAgg_isNull_296 = hashAgg_bufferTerm_0.isNullAt(2);
Decimal hashAgg_value_296 = hashAgg_isNull_296 ?
null : (hashAgg_bufferTerm_0.getDecimal(2, 26, 2));
/*hashAgg_c_262*/
boolean hashAgg_isNull_297 = hashAgg_bufferTerm_0.isNullAt(3);
long hashAgg_value_297 = hashAgg_isNull_297 ?
-1L : (hashAgg_bufferTerm_0.getLong(3));
/*hashAgg_c_263*/
boolean hashAgg_isNull_298 = hashAgg_bufferTerm_0.isNullAt(4);
Decimal hashAgg_value_298 = hashAgg_isNull_298 ?
null : (hashAgg_bufferTerm_0.getDecimal(4, 27, 2));
/*hashAgg_c_264*/
boolean hashAgg_value_299 = hashAgg_bufferTerm_0.getBoolean(5);
/*hashAgg_c_265*/
boolean hashAgg_isNull_300 = hashAgg_bufferTerm_0.isNullAt(6);
Decimal hashAgg_value_300 = hashAgg_isNull_300 ?
null : (hashAgg_bufferTerm_0.getDecimal(6, 26, 2));
/*hashAgg_c_266*/
boolean hashAgg_isNull_301 = hashAgg_bufferTerm_0.isNullAt(7);
long hashAgg_value_301 = hashAgg_isNull_301 ?
-1L : (hashAgg_bufferTerm_0.getLong(7));
/*hashAgg_c_267*/
boolean hashAgg_isNull_302 = hashAgg_bufferTerm_0.isNullAt(8);
Decimal hashAgg_value_302 = hashAgg_isNull_302 ?
null : (hashAgg_bufferTerm_0.getDecimal(8, 27, 2));
/*hashAgg_c_268*/
boolean hashAgg_value_303 = hashAgg_bufferTerm_0.getBoolean(9);
/*hashAgg_c_269*/
boolean hashAgg_isNull_304 = hashAgg_bufferTerm_0.isNullAt(10);
Decimal hashAgg_value_304 = hashAgg_isNull_304 ?
null : (hashAgg_bufferTerm_0.getDecimal(10, 26, 2));
/*hashAgg_c_270*/
boolean hashAgg_isNull_305 = hashAgg_bufferTerm_0.isNullAt(11);
long hashAgg_value_305 = hashAgg_isNull_305 ?
-1L : (hashAgg_bufferTerm_0.getLong(11));
/*hashAgg_c_271*/
boolean hashAgg_isNull_306 = hashAgg_bufferTerm_0.isNullAt(12);
Decimal hashAgg_value_306 = hashAgg_isNull_306 ?
null : (hashAgg_bufferTerm_0.getDecimal(12, 27, 2));
/*hashAgg_c_272*/
boolean hashAgg_value_307 = hashAgg_bufferTerm_0.getBoolean(13);
/*hashAgg_c_273*/
boolean hashAgg_isNull_308 = hashAgg_bufferTerm_0.isNullAt(14);
Decimal hashAgg_value_308 = hashAgg_isNull_308 ?
null : (hashAgg_bufferTerm_0.getDecimal(14, 26, 2));
/*hashAgg_c_274*/
boolean hashAgg_isNull_309 = hashAgg_bufferTerm_0.isNullAt(15);
long hashAgg_value_309 = hashAgg_isNull_309 ?
-1L : (hashAgg_bufferTerm_0.getLong(15));
/*hashAgg_c_275*/
boolean hashAgg_isNull_310 = hashAgg_bufferTerm_0.isNullAt(16);
Decimal hashAgg_value_310 = hashAgg_isNull_310 ?
null : (hashAgg_bufferTerm_0.getDecimal(16, 27, 2));
/*hashAgg_c_276*/
boolean hashAgg_value_311 = hashAgg_bufferTerm_0.getBoolean(17);
/*hashAgg_c_277*/
boolean hashAgg_isNull_312 = hashAgg_bufferTerm_0.isNullAt(18);
Decimal hashAgg_value_312 = hashAgg_isNull_312 ?
null : (hashAgg_bufferTerm_0.getDecimal(18, 26, 2));
/*hashAgg_c_278*/
boolean hashAgg_isNull_313 = hashAgg_bufferTerm_0.isNullAt(19);
long hashAgg_value_313 = hashAgg_isNull_313 ?
-1L : (hashAgg_bufferTerm_0.getLong(19));
/*hashAgg_c_279*/
boolean hashAgg_isNull_314 = hashAgg_bufferTerm_0.isNullAt(20);
Decimal hashAgg_value_314 = hashAgg_isNull_314 ?
null : (hashAgg_bufferTerm_0.getDecimal(20, 27, 2));
/*hashAgg_c_280*/
boolean hashAgg_value_315 = hashAgg_bufferTerm_0.getBoolean(21);
/*hashAgg_c_281*/
boolean hashAgg_isNull_316 = hashAgg_bufferTerm_0.isNullAt(22);
Decimal hashAgg_value_316 = hashAgg_isNull_316 ?
null : (hashAgg_bufferTerm_0.getDecimal(22, 26, 2));
/*hashAgg_c_282*/
boolean hashAgg_isNull_317 = hashAgg_bufferTerm_0.isNullAt(23);
long hashAgg_value_317 = hashAgg_isNull_317 ?
-1L : (hashAgg_bufferTerm_0.getLong(23));
/*hashAgg_c_283*/
boolean hashAgg_isNull_318 = hashAgg_bufferTerm_0.isNullAt(24);
Decimal hashAgg_value_318 = hashAgg_isNull_318 ?
null : (hashAgg_bufferTerm_0.getDecimal(24, 27, 2));
/*hashAgg_c_284*/
boolean hashAgg_value_319 = hashAgg_bufferTerm_0.getBoolean(25);
/*hashAgg_c_285*/
boolean hashAgg_isNull_320 = hashAgg_bufferTerm_0.isNullAt(26);
Decimal hashAgg_value_320 = hashAgg_isNull_320 ?
null : (hashAgg_bufferTerm_0.getDecimal(26, 26, 2));
/*hashAgg_c_286*/
boolean hashAgg_isNull_321 = hashAgg_bufferTerm_0.isNullAt(27);
long hashAgg_value_321 = hashAgg_isNull_321 ?
-1L : (hashAgg_bufferTerm_0.getLong(27));
/*hashAgg_c_287*/
boolean hashAgg_isNull_322 = hashAgg_bufferTerm_0.isNullAt(28);
Decimal hashAgg_value_322 = hashAgg_isNull_322 ?
null : (hashAgg_bufferTerm_0.getDecimal(28, 27, 2));
/*hashAgg_c_288*/
boolean hashAgg_value_323 = hashAgg_bufferTerm_0.getBoolean(29);
/*hashAgg_c_289*/
boolean hashAgg_isNull_324 = hashAgg_bufferTerm_0.isNullAt(30);
Decimal hashAgg_value_324 = hashAgg_isNull_324 ?
null : (hashAgg_bufferTerm_0.getDecimal(30, 26, 2));
/*hashAgg_c_290*/
boolean hashAgg_isNull_325 = hashAgg_bufferTerm_0.isNullAt(31);
long hashAgg_value_325 = hashAgg_isNull_325 ?
-1L : (hashAgg_bufferTerm_0.getLong(31));

/*wholestagecodegen_c_0*/
columnartorow_mutableStateArray_3[3].reset();

columnartorow_mutableStateArray_3[3].zeroOutNullBytes();

columnartorow_mutableStateArray_3[3].writeNullable(0, hashAgg_value_293, hashAgg_isNull_293);

columnartorow_mutableStateArray_3[3].writeNullable(1, hashAgg_value_294, hashAgg_isNull_294, 27, 2);

columnartorow_mutableStateArray_3[3].write(2, hashAgg_value_295);

columnartorow_mutableStateArray_3[3].writeNullable(3, hashAgg_value_296, hashAgg_isNull_296, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(4, hashAgg_value_297, hashAgg_isNull_297);

columnartorow_mutableStateArray_3[3].writeNullable(5, hashAgg_value_298, hashAgg_isNull_298, 27, 2);

columnartorow_mutableStateArray_3[3].write(6, hashAgg_value_299);

columnartorow_mutableStateArray_3[3].writeNullable(7, hashAgg_value_300, hashAgg_isNull_300, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(8, hashAgg_value_301, hashAgg_isNull_301);

columnartorow_mutableStateArray_3[3].writeNullable(9, hashAgg_value_302, hashAgg_isNull_302, 27, 2);

columnartorow_mutableStateArray_3[3].write(10, hashAgg_value_303);

columnartorow_mutableStateArray_3[3].writeNullable(11, hashAgg_value_304, hashAgg_isNull_304, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(12, hashAgg_value_305, hashAgg_isNull_305);

columnartorow_mutableStateArray_3[3].writeNullable(13, hashAgg_value_306, hashAgg_isNull_306, 27, 2);

columnartorow_mutableStateArray_3[3].write(14, hashAgg_value_307);

columnartorow_mutableStateArray_3[3].writeNullable(15, hashAgg_value_308, hashAgg_isNull_308, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(16, hashAgg_value_309, hashAgg_isNull_309);

columnartorow_mutableStateArray_3[3].writeNullable(17, hashAgg_value_310, hashAgg_isNull_310, 27, 2);

columnartorow_mutableStateArray_3[3].write(18, hashAgg_value_311);

columnartorow_mutableStateArray_3[3].writeNullable(19, hashAgg_value_312, hashAgg_isNull_312, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(20, hashAgg_value_313, hashAgg_isNull_313);

columnartorow_mutableStateArray_3[3].writeNullable(21, hashAgg_value_314, hashAgg_isNull_314, 27, 2);

columnartorow_mutableStateArray_3[3].write(22, hashAgg_value_315);

columnartorow_mutableStateArray_3[3].writeNullable(23, hashAgg_value_316, hashAgg_isNull_316, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(24, hashAgg_value_317, hashAgg_isNull_317);

columnartorow_mutableStateArray_3[3].writeNullable(25, hashAgg_value_318, hashAgg_isNull_318, 27, 2);

columnartorow_mutableStateArray_3[3].write(26, hashAgg_value_319);

columnartorow_mutableStateArray_3[3].writeNullable(27, hashAgg_value_320, hashAgg_isNull_320, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(28, hashAgg_value_321, hashAgg_isNull_321);

columnartorow_mutableStateArray_3[3].writeNullable(29, hashAgg_value_322, hashAgg_isNull_322, 27, 2);

columnartorow_mutableStateArray_3[3].write(30, hashAgg_value_323);

columnartorow_mutableStateArray_3[3].writeNullable(31, hashAgg_value_324, hashAgg_isNull_324, 26, 2);

columnartorow_mutableStateArray_3[3].writeNullable(32, hashAgg_value_325, hashAgg_isNull_325);
append((columnartorow_mutableStateArray_3[3].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*columnartorow_c_0*/
if (columnartorow_mutableStateArray_1[0] == null) {
columnartorow_nextBatch_0();
}
while ( columnartorow_mutableStateArray_1[0] != null) {
int columnartorow_numRows_0 = columnartorow_mutableStateArray_1[0].numRows();
int columnartorow_localEnd_0 = columnartorow_numRows_0 - columnartorow_batchIdx_0;
for (int columnartorow_localIdx_0 = 0; columnartorow_localIdx_0 < columnartorow_localEnd_0; columnartorow_localIdx_0++) {
int columnartorow_rowIdx_0 = columnartorow_batchIdx_0 + columnartorow_localIdx_0;
/*hashAgg_c_257*/
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_0 = columnartorow_isNull_0 ? null : (columnartorow_mutableStateArray_2[0].getDecimal(columnartorow_rowIdx_0, 15, 2));
/*columnartorow_c_2*/
boolean columnartorow_isNull_1 = columnartorow_mutableStateArray_2[1].isNullAt(columnartorow_rowIdx_0);
Decimal columnartorow_value_1 = columnartorow_isNull_1 ? null : (columnartorow_mutableStateArray_2[1].getDecimal(columnartorow_rowIdx_0, 15, 2));
/*columnartorow_c_3*/
boolean columnartorow_isNull_2 = columnartorow_mutableStateArray_2[2].isNullAt(columnartorow_rowIdx_0);
UTF8String columnartorow_value_2 = columnartorow_isNull_2 ? null : (columnartorow_mutableStateArray_2[2].getUTF8String(columnartorow_rowIdx_0));

hashAgg_doConsume_0(columnartorow_value_0, columnartorow_isNull_0, columnartorow_value_1, columnartorow_isNull_1, columnartorow_value_2, columnartorow_isNull_2);
// shouldStop check is eliminated
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

}
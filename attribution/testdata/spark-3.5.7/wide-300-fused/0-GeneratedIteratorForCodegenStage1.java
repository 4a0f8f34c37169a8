public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[4];
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];

public GeneratedIteratorForCodegenStage1(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;
columnartorow_mutableStateArray_0[0] = inputs[0];

columnartorow_mutableStateArray_3[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[2] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 0);
columnartorow_mutableStateArray_3[3] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(300, 0);

}

private void project_doConsume_0(int project_expr_0_0) throws java.io.IOException {
// common sub-expressions

/*wholestagecodegen_c_0*/
/*project_c_1*/
int project_value_1 = -1;

project_value_1 = project_expr_0_0 + 0;
/*project_c_2*/
int project_value_4 = -1;

project_value_4 = project_expr_0_0 + 1;
/*project_c_3*/
int project_value_7 = -1;

project_value_7 = project_expr_0_0 + 2;
/*project_c_4*/
int project_value_10 = -1;

project_value_10 = project_expr_0_0 + 3;
/*project_c_5*/
int project_value_13 = -1;

project_value_13 = project_expr_0_0 + 4;
/*project_c_6*/
int project_value_16 = -1;

project_value_16 = project_expr_0_0 + 5;
/*project_c_7*/
int project_value_19 = -1;

project_value_19 = project_expr_0_0 + 6;
/*project_c_8*/
int project_value_22 = -1;

project_value_22 = project_expr_0_0 + 7;
/*project_c_9*/
int project_value_25 = -1;

project_value_25 = project_expr_0_0 + 8;
/*project_c_10*/
int project_value_28 = -1;

project_value_28 = project_expr_0_0 + 9;
/*project_c_11*/
int project_value_31 = -1;

project_value_31 = project_expr_0_0 + 10;
/*project_c_12*/
int project_value_34 = -1;

project_value_34 = project_expr_0_0 + 11;
/*project_c_13*/
int project_value_37 = -1;

project_value_37 = project_expr_0_0 + 12;
/*project_c_14*/
int project_value_40 = -1;

project_value_40 = project_expr_0_0 + 13;
/*project_c_15*/
int project_value_43 = -1;

project_value_43 = project_expr_0_0 + 14;
/*project_c_16*/
int project_value_46 = -1;

project_value_46 = project_expr_0_0 + 15;
/*project_c_17*/
int project_value_49 = -1;

project_value_49 = project_expr_0_0 + 16;
/*project_c_18*/
int project_value_52 = -1;

project_value_52 = project_expr_0_0 + 17;
/*project_c_19*/
int project_value_55 = -1;

project_value_55 = project_expr_0_0 + 18;
/*project_c_20*/
int project_value_58 = -1;

project_value_58 = project_expr_0_0 + 19;
/*project_c_21*/
int project_value_61 = -1;

project_value_61 = project_expr_0_0 + 20;
/*project_c_22*/
int project_value_64 = -1;

project_value_64 = project_expr_0_0 + 21;
/*project_c_23*/
int project_value_67 = -1;

project_value_67 = project_expr_0_0 + 22;
/*project_c_24*/
int project_value_70 = -1;

project_value_70 = project_expr_0_0 + 23;
/*project_c_25*/
int project_value_73 = -1;

project_value_73 = project_expr_0_0 + 24;
/*project_c_26*/
int project_value_76 = -1;

project_value_76 = project_expr_0_0 + 25;
/*project_c_27*/
int project_value_79 = -1;

project_value_79 = project_expr_0_0 + 26;
/*project_c_28*/
int project_value_82 = -1;

project_value_82 = project_expr_0_0 + 27;
/*project_c_29*/
int project_value_85 = -1;

project_value_85 = project_expr_0_0 + 28;
/*project_c_30*/
int project_value_88 = -1;

project_value_88 = project_expr_0_0 + 29;
/*project_c_31*/
int project_value_91 = -1;

project_value_91 = project_expr_0_0 + 30;
/*project_c_32*/
int project_value_94 = -1;

project_value_94 = project_expr_0_0 + 31;
/*project_c_33*/
int project_value_97 = -1;

project_value_97 = project_expr_0_0 + 32;
/*project_c_34*/
int project_value_100 = -1;

project_value_100 = project_expr_0_0 + 33;
/*project_c_35*/
int project_value_103 = -1;

project_value_103 = project_expr_0_0 + 34;
/*project_c_36*/
int project_value_106 = -1;

project_value_106 = project_expr_0_0 + 35;
/*project_c_37*/
int project_value_109 = -1;

project_value_109 = project_expr_0_0 + 36;
/*project_c_38*/
int project_value_112 = -1;

project_value_112 = project_expr_0_0 + 37;
/*project_c_39*/
int project_value_115 = -1;

project_value_115 = project_expr_0_0 + 38;
/*project_c_40*/
int project_value_118 = -1;

project_value_118 = project_expr_0_0 + 39;
/*project_c_41*/
int project_value_121 = -1;

project_value_121 = project_expr_0_0 + 40;
/*project_c_42*/
int project_value_124 = -1;

project_value_124 = project_expr_0_0 + 41;
/*project_c_43*/
int project_value_127 = -1;

project_value_127 = project_expr_0_0 + 42;
/*project_c_44*/
int project_value_130 = -1;

project_value_130 = project_expr_0_0 + 43;
/*project_c_45*/
int project_value_133 = -1;

project_value_133 = project_expr_0_0 + 44;
/*project_c_46*/
int project_value_136 = -1;

project_value_136 = project_expr_0_0 + 45;
/*project_c_47*/
int project_value_139 = -1;

project_value_139 = project_expr_0_0 + 46;
/*project_c_48*/
int project_value_142 = -1;

project_value_142 = project_expr_0_0 + 47;
/*project_c_49*/
int project_value_145 = -1;

project_value_145 = project_expr_0_0 + 48;
/*project_c_50*/
int project_value_148 = -1;

project_value_148 = project_expr_0_0 + 49;
/*project_c_51*/
int project_value_151 = -1;

project_value_151 = project_expr_0_0 + 50;
/*project_c_52*/
int project_value_154 = -1;

project_value_154 = project_expr_0_0 + 51;
/*project_c_53*/
int project_value_157 = -1;

project_value_157 = project_expr_0_0 + 52;
/*project_c_54*/
int project_value_160 = -1;

project_value_160 = project_expr_0_0 + 53;
/*project_c_55*/
int project_value_163 = -1;

project_value_163 = project_expr_0_0 + 54;
/*project_c_56*/
int project_value_166 = -1;

project_value_166 = project_expr_0_0 + 55;
/*project_c_57*/
int project_value_169 = -1;

project_value_169 = project_expr_0_0 + 56;
/*project_c_58*/
int project_value_172 = -1;

project_value_172 = project_expr_0_0 + 57;
/*project_c_59*/
int project_value_175 = -1;

project_value_175 = project_expr_0_0 + 58;
/*project_c_60*/
int project_value_178 = -1;

project_value_178 = project_expr_0_0 + 59;
/*project_c_61*/
int project_value_181 = -1;

project_value_181 = project_expr_0_0 + 60;
/*project_c_62*/
int project_value_184 = -1;

project_value_184 = project_expr_0_0 + 61;
/*project_c_63*/
int project_value_187 = -1;

project_value_187 = project_expr_0_0 + 62;
/*project_c_64*/
int project_value_190 = -1;

project_value_190 = project_expr_0_0 + 63;
/*project_c_65*/
int project_value_193 = -1;

project_value_193 = project_expr_0_0 + 64;
/*project_c_66*/
int project_value_196 = -1;

project_value_196 = project_expr_0_0 + 65;
/*project_c_67*/
int project_value_199 = -1;

project_value_199 = project_expr_0_0 + 66;
/*project_c_68*/
int project_value_202 = -1;

project_value_202 = project_expr_0_0 + 67;
/*project_c_69*/
int project_value_205 = -1;

project_value_205 = project_expr_0_0 + 68;
/*project_c_70*/
int project_value_208 = -1;

project_value_208 = project_expr_0_0 + 69;
/*project_c_71*/
int project_value_211 = -1;

project_value_211 = project_expr_0_0 + 70;
/*project_c_72*/
int project_value_214 = -1;

project_value_214 = project_expr_0_0 + 71;
/*project_c_73*/
int project_value_217 = -1;

project_value_217 = project_expr_0_0 + 72;
/*project_c_74*/
int project_value_220 = -1;

project_value_220 = project_expr_0_0 + 73;
/*project_c_75*/
int project_value_223 = -1;

project_value_223 = project_expr_0_0 + 74;
/*project_c_76*/
int project_value_226 = -1;

project_value_226 = project_expr_0_0 + 75;
/*project_c_77*/
int project_value_229 = -1;

project_value_229 = project_expr_0_0 + 76;
/*project_c_78*/
int project_value_232 = -1;

project_value_232 = project_expr_0_0 + 77;
/*project_c_79*/
int project_value_235 = -1;

project_value_235 = project_expr_0_0 + 78;
/*project_c_80*/
int project_value_238 = -1;

project_value_238 = project_expr_0_0 + 79;
/*project_c_81*/
int project_value_241 = -1;

project_value_241 = project_expr_0_0 + 80;
/*project_c_82*/
int project_value_244 = -1;

project_value_244 = project_expr_0_0 + 81;
/*project_c_83*/
int project_value_247 = -1;

project_value_247 = project_expr_0_0 + 82;
/*project_c_84*/
int project_value_250 = -1;

project_value_250 = project_expr_0_0 + 83;
/*project_c_85*/
int project_value_253 = -1;

project_value_253 = project_expr_0_0 + 84;
/*project_c_86*/
int project_value_256 = -1;

project_value_256 = project_expr_0_0 + 85;
/*project_c_87*/
int project_value_259 = -1;

project_value_259 = project_expr_0_0 + 86;
/*project_c_88*/
int project_value_262 = -1;

project_value_262 = project_expr_0_0 + 87;
/*project_c_89*/
int project_value_265 = -1;

project_value_265 = project_expr_0_0 + 88;
/*project_c_90*/
int project_value_268 = -1;

project_value_268 = project_expr_0_0 + 89;
/*project_c_91*/
int project_value_271 = -1;

project_value_271 = project_expr_0_0 + 90;
/*project_c_92*/
int project_value_274 = -1;

project_value_274 = project_expr_0_0 + 91;
/*project_c_93*/
int project_value_277 = -1;

project_value_277 = project_expr_0_0 + 92;
/*project_c_94*/
int project_value_280 = -1;

project_value_280 = project_expr_0_0 + 93;
/*project_c_95*/
int project_value_283 = -1;

project_value_283 = project_expr_0_0 + 94;
/*project_c_96*/
int project_value_286 = -1;

project_value_286 = project_expr_0_0 + 95;
/*project_c_97*/
int project_value_289 = -1;

project_value_289 = project_expr_0_0 + 96;
/*project_c_98*/
int project_value_292 = -1;

project_value_292 = project_expr_0_0 + 97;
/*project_c_99*/
int project_value_295 = -1;

project_value_295 = project_expr_0_0 + 98;
/*project_c_100*/
int project_value_298 = -1;

project_value_298 = project_expr_0_0 + 99;
/*project_c_101*/
int project_value_301 = -1;

project_value_301 = project_expr_0_0 + 100;
/*project_c_102*/
int project_value_304 = -1;

project_value_304 = project_expr_0_0 + 101;
/*project_c_103*/
int project_value_307 = -1;

project_value_307 = project_expr_0_0 + 102;
/*project_c_104*/
int project_value_310 = -1;

project_value_310 = project_expr_0_0 + 103;
/*project_c_105*/
int project_value_313 = -1;

project_value_313 = project_expr_0_0 + 104;
/*project_c_106*/
int project_value_316 = -1;

project_value_316 = project_expr_0_0 + 105;
/*project_c_107*/
int project_value_319 = -1;

project_value_319 = project_expr_0_0 + 106;
/*project_c_108*/
int project_value_322 = -1;

project_value_322 = project_expr_0_0 + 107;
/*project_c_109*/
int project_value_325 = -1;

project_value_325 = project_expr_0_0 + 108;
/*project_c_110*/
int project_value_328 = -1;

project_value_328 = project_expr_0_0 + 109;
/*project_c_111*/
int project_value_331 = -1;

project_value_331 = project_expr_0_0 + 110;
/*project_c_112*/
int project_value_334 = -1;

project_value_334 = project_expr_0_0 + 111;
/*project_c_113*/
int project_value_337 = -1;

project_value_337 = project_expr_0_0 + 112;
/*project_c_114*/
int project_value_340 = -1;

project_value_340 = project_expr_0_0 + 113;
/*project_c_115*/
int project_value_343 = -1;

project_value_343 = project_expr_0_0 + 114;
/*project_c_116*/
int project_value_346 = -1;

project_value_346 = project_expr_0_0 + 115;
/*project_c_117*/
int project_value_349 = -1;

project_value_349 = project_expr_0_0 + 116;
/*project_c_118*/
int project_value_352 = -1;

project_value_352 = project_expr_0_0 + 117;
/*project_c_119*/
int project_value_355 = -1;

project_value_355 = project_expr_0_0 + 118;
/*project_c_120*/
int project_value_358 = -1;

project_value_358 = project_expr_0_0 + 119;
/*project_c_121*/
int project_value_361 = -1;

project_value_361 = project_expr_0_0 + 120;
/*project_c_122*/
int project_value_364 = -1;

project_value_364 = project_expr_0_0 + 121;
/*project_c_123*/
int project_value_367 = -1;

project_value_367 = project_expr_0_0 + 122;
/*project_c_124*/
int project_value_370 = -1;

project_value_370 = project_expr_0_0 + 123;
/*project_c_125*/
int project_value_373 = -1;

project_value_373 = project_expr_0_0 + 124;
/*project_c_126*/
int project_value_376 = -1;

project_value_376 = project_expr_0_0 + 125;
/*project_c_127*/
int project_value_379 = -1;

project_value_379 = project_expr_0_0 + 126;
/*project_c_128*/
int project_value_382 = -1;

project_value_382 = project_expr_0_0 + 127;
/*project_c_129*/
int project_value_385 = -1;

project_value_385 = project_expr_0_0 + 128;
/*project_c_130*/
int project_value_388 = -1;

project_value_388 = project_expr_0_0 + 129;
/*project_c_131*/
int project_value_391 = -1;

project_value_391 = project_expr_0_0 + 130;
/*project_c_132*/
int project_value_394 = -1;

project_value_394 = project_expr_0_0 + 131;
/*project_c_133*/
int project_value_397 = -1;

project_value_397 = project_expr_0_0 + 132;
/*project_c_134*/
int project_value_400 = -1;

project_value_400 = project_expr_0_0 + 133;
/*project_c_135*/
int project_value_403 = -1;

project_value_403 = project_expr_0_0 + 134;
/*project_c_136*/
int project_value_406 = -1;

project_value_406 = project_expr_0_0 + 135;
/*project_c_137*/
int project_value_409 = -1;

project_value_409 = project_expr_0_0 + 136;
/*project_c_138*/
int project_value_412 = -1;

project_value_412 = project_expr_0_0 + 137;
/*project_c_139*/
int project_value_415 = -1;

project_value_415 = project_expr_0_0 + 138;
/*project_c_140*/
int project_value_418 = -1;

project_value_418 = project_expr_0_0 + 139;
/*project_c_141*/
int project_value_421 = -1;

project_value_421 = project_expr_0_0 + 140;
/*project_c_142*/
int project_value_424 = -1;

project_value_424 = project_expr_0_0 + 141;
/*project_c_143*/
int project_value_427 = -1;

project_value_427 = project_expr_0_0 + 142;
/*project_c_144*/
int project_value_430 = -1;

project_value_430 = project_expr_0_0 + 143;
/*project_c_145*/
int project_value_433 = -1;

project_value_433 = project_expr_0_0 + 144;
/*project_c_146*/
int project_value_436 = -1;

project_value_436 = project_expr_0_0 + 145;
/*project_c_147*/
int project_value_439 = -1;

project_value_439 = project_expr_0_0 + 146;
/*project_c_148*/
int project_value_442 = -1;

project_value_442 = project_expr_0_0 + 147;
/*project_c_149*/
int project_value_445 = -1;

project_value_445 = project_expr_0_0 + 148;
/*project_c_150*/
int project_value_448 = -1;

project_value_448 = project_expr_0_0 + 149;
/*project_c_151*/
int project_value_451 = -1;

project_value_451 = project_expr_0_0 + 150;
/*project_c_152*/
int project_value_454 = -1;

project_value_454 = project_expr_0_0 + 151;
/*project_c_153*/
int project_value_457 = -1;

project_value_457 = project_expr_0_0 + 152;
/*project_c_154*/
int project_value_460 = -1;

project_value_460 = project_expr_0_0 + 153;
/*project_c_155*/
int project_value_463 = -1;

project_value_463 = project_expr_0_0 + 154;
/*project_c_156*/
int project_value_466 = -1;

project_value_466 = project_expr_0_0 + 155;
/*project_c_157*/
int project_value_469 = -1;

project_value_469 = project_expr_0_0 + 156;
/*project_c_158*/
int project_value_472 = -1;

project_value_472 = project_expr_0_0 + 157;
/*project_c_159*/
int project_value_475 = -1;

project_value_475 = project_expr_0_0 + 158;
/*project_c_160*/
int project_value_478 = -1;

project_value_478 = project_expr_0_0 + 159;
/*project_c_161*/
int project_value_481 = -1;

project_value_481 = project_expr_0_0 + 160;
/*project_c_162*/
int project_value_484 = -1;

project_value_484 = project_expr_0_0 + 161;
/*project_c_163*/
int project_value_487 = -1;

project_value_487 = project_expr_0_0 + 162;
/*project_c_164*/
int project_value_490 = -1;

project_value_490 = project_expr_0_0 + 163;
/*project_c_165*/
int project_value_493 = -1;

project_value_493 = project_expr_0_0 + 164;
/*project_c_166*/
int project_value_496 = -1;

project_value_496 = project_expr_0_0 + 165;
/*project_c_167*/
int project_value_499 = -1;

project_value_499 = project_expr_0_0 + 166;
/*project_c_168*/
int project_value_502 = -1;

project_value_502 = project_expr_0_0 + 167;
/*project_c_169*/
int project_value_505 = -1;

project_value_505 = project_expr_0_0 + 168;
/*project_c_170*/
int project_value_508 = -1;

project_value_508 = project_expr_0_0 + 169;
/*project_c_171*/
int project_value_511 = -1;

project_value_511 = project_expr_0_0 + 170;
/*project_c_172*/
int project_value_514 = -1;

project_value_514 = project_expr_0_0 + 171;
/*project_c_173*/
int project_value_517 = -1;

project_value_517 = project_expr_0_0 + 172;
/*project_c_174*/
int project_value_520 = -1;

project_value_520 = project_expr_0_0 + 173;
/*project_c_175*/
int project_value_523 = -1;

project_value_523 = project_expr_0_0 + 174;
/*project_c_176*/
int project_value_526 = -1;

project_value_526 = project_expr_0_0 + 175;
/*project_c_177*/
int project_value_529 = -1;

project_value_529 = project_expr_0_0 + 176;
/*project_c_178*/
int project_value_532 = -1;

project_value_532 = project_expr_0_0 + 177;
/*project_c_179*/
int project_value_535 = -1;

project_value_535 = project_expr_0_0 + 178;
/*project_c_180*/
int project_value_538 = -1;

project_value_538 = project_expr_0_0 + 179;
/*project_c_181*/
int project_value_541 = -1;

project_value_541 = project_expr_0_0 + 180;
/*project_c_182*/
int project_value_544 = -1;

project_value_544 = project_expr_0_0 + 181;
/*project_c_183*/
int project_value_547 = -1;

project_value_547 = project_expr_0_0 + 182;
/*project_c_184*/
int project_value_550 = -1;

project_value_550 = project_expr_0_0 + 183;
/*project_c_185*/
int project_value_553 = -1;

project_value_553 = project_expr_0_0 + 184;
/*project_c_186*/
int project_value_556 = -1;

project_value_556 = project_expr_0_0 + 185;
/*project_c_187*/
int project_value_559 = -1;

project_value_559 = project_expr_0_0 + 186;
/*project_c_188*/
int project_value_562 = -1;

project_value_562 = project_expr_0_0 + 187;
/*project_c_189*/
int project_value_565 = -1;

project_value_565 = project_expr_0_0 + 188;
/*project_c_190*/
int project_value_568 = -1;

project_value_568 = project_expr_0_0 + 189;
/*project_c_191*/
int project_value_571 = -1;

project_value_571 = project_expr_0_0 + 190;
/*project_c_192*/
int project_value_574 = -1;

project_value_574 = project_expr_0_0 + 191;
/*project_c_193*/
int project_value_577 = -1;

project_value_577 = project_expr_0_0 + 192;
/*project_c_194*/
int project_value_580 = -1;

project_value_580 = project_expr_0_0 + 193;
/*project_c_195*/
int project_value_583 = -1;

project_value_583 = project_expr_0_0 + 194;
/*project_c_196*/
int project_value_586 = -1;

project_value_586 = project_expr_0_0 + 195;
/*project_c_197*/
int project_value_589 = -1;

project_value_589 = project_expr_0_0 + 196;
/*project_c_198*/
int project_value_592 = -1;

project_value_592 = project_expr_0_0 + 197;
/*project_c_199*/
int project_value_595 = -1;

project_value_595 = project_expr_0_0 + 198;
/*project_c_200*/
int project_value_598 = -1;

project_value_598 = project_expr_0_0 + 199;
/*project_c_201*/
int project_value_601 = -1;

project_value_601 = project_expr_0_0 + 200;
/*project_c_202*/
int project_value_604 = -1;

project_value_604 = project_expr_0_0 + 201;
/*project_c_203*/
int project_value_607 = -1;

project_value_607 = project_expr_0_0 + 202;
/*project_c_204*/
int project_value_610 = -1;

project_value_610 = project_expr_0_0 + 203;
/*project_c_205*/
int project_value_613 = -1;

project_value_613 = project_expr_0_0 + 204;
/*project_c_206*/
int project_value_616 = -1;

project_value_616 = project_expr_0_0 + 205;
/*project_c_207*/
int project_value_619 = -1;

project_value_619 = project_expr_0_0 + 206;
/*project_c_208*/
int project_value_622 = -1;

project_value_622 = project_expr_0_0 + 207;
/*project_c_209*/
int project_value_625 = -1;

project_value_625 = project_expr_0_0 + 208;
/*project_c_210*/
int project_value_628 = -1;

project_value_628 = project_expr_0_0 + 209;
/*project_c_211*/
int project_value_631 = -1;

project_value_631 = project_expr_0_0 + 210;
/*project_c_212*/
int project_value_634 = -1;

project_value_634 = project_expr_0_0 + 211;
/*project_c_213*/
int project_value_637 = -1;

project_value_637 = project_expr_0_0 + 212;
/*project_c_214*/
int project_value_640 = -1;

project_value_640 = project_expr_0_0 + 213;
/*project_c_215*/
int project_value_643 = -1;

project_value_643 = project_expr_0_0 + 214;
/*project_c_216*/
int project_value_646 = -1;

project_value_646 = project_expr_0_0 + 215;
/*project_c_217*/
int project_value_649 = -1;

project_value_649 = project_expr_0_0 + 216;
/*project_c_218*/
int project_value_652 = -1;

project_value_652 = project_expr_0_0 + 217;
/*project_c_219*/
int project_value_655 = -1;

project_value_655 = project_expr_0_0 + 218;
/*project_c_220*/
int project_value_658 = -1;

project_value_658 = project_expr_0_0 + 219;
/*project_c_221*/
int project_value_661 = -1;

project_value_661 = project_expr_0_0 + 220;
/*project_c_222*/
int project_value_664 = -1;

project_value_664 = project_expr_0_0 + 221;
/*project_c_223*/
int project_value_667 = -1;

project_value_667 = project_expr_0_0 + 222;
/*project_c_224*/
int project_value_670 = -1;

project_value_670 = project_expr_0_0 + 223;
/*project_c_225*/
int project_value_673 = -1;

project_value_673 = project_expr_0_0 + 224;
/*project_c_226*/
int project_value_676 = -1;

project_value_676 = project_expr_0_0 + 225;
/*project_c_227*/
int project_value_679 = -1;

project_value_679 = project_expr_0_0 + 226;
/*project_c_228*/
int project_value_682 = -1;

project_value_682 = project_expr_0_0 + 227;
/*project_c_229*/
int project_value_685 = -1;

project_value_685 = project_expr_0_0 + 228;
/*project_c_230*/
int project_value_688 = -1;

project_value_688 = project_expr_0_0 + 229;
/*project_c_231*/
int project_value_691 = -1;

project_value_691 = project_expr_0_0 + 230;
/*project_c_232*/
int project_value_694 = -1;

project_value_694 = project_expr_0_0 + 231;
/*project_c_233*/
int project_value_697 = -1;

project_value_697 = project_expr_0_0 + 232;
/*project_c_234*/
int project_value_700 = -1;

project_value_700 = project_expr_0_0 + 233;
/*project_c_235*/
int project_value_703 = -1;

project_value_703 = project_expr_0_0 + 234;
/*project_c_236*/
int project_value_706 = -1;

project_value_706 = project_expr_0_0 + 235;
/*project_c_237*/
int project_value_709 = -1;

project_value_709 = project_expr_0_0 + 236;
/*project_c_238*/
int project_value_712 = -1;

project_value_712 = project_expr_0_0 + 237;
/*project_c_239*/
int project_value_715 = -1;

project_value_715 = project_expr_0_0 + 238;
/*project_c_240*/
int project_value_718 = -1;

project_value_718 = project_expr_0_0 + 239;
/*project_c_241*/
int project_value_721 = -1;

project_value_721 = project_expr_0_0 + 240;
/*project_c_242*/
int project_value_724 = -1;

project_value_724 = project_expr_0_0 + 241;
/*project_c_243*/
int project_value_727 = -1;

project_value_727 = project_expr_0_0 + 242;
/*project_c_244*/
int project_value_730 = -1;

project_value_730 = project_expr_0_0 + 243;
/*project_c_245*/
int project_value_733 = -1;

project_value_733 = project_expr_0_0 + 244;
/*project_c_246*/
int project_value_736 = -1;

project_value_736 = project_expr_0_0 + 245;
/*project_c_247*/
int project_value_739 = -1;

project_value_739 = project_expr_0_0 + 246;
/*project_c_248*/
int project_value_742 = -1;

project_value_742 = project_expr_0_0 + 247;
/*project_c_249*/
int project_value_745 = -1;

project_value_745 = project_expr_0_0 + 248;
/*project_c_250*/
int project_value_748 = -1;

project_value_748 = project_expr_0_0 + 249;
/*project_c_251*/
int project_value_751 = -1;

project_value_751 = project_expr_0_0 + 250;
/*project_c_252*/
int project_value_754 = -1;

project_value_754 = project_expr_0_0 + 251;
/*project_c_253*/
int project_value_757 = -1;

project_value_757 = project_expr_0_0 + 252;
/*project_c_254*/
int project_value_760 = -1;

project_value_760 = project_expr_0_0 + 253;
/*project_c_255*/
int project_value_763 = -1;

project_value_763 = project_expr_0_0 + 254;
/*project_c_256*/
int project_value_766 = -1;

project_value_766 = project_expr_0_0 + 255;
/*project_c_257*/
int project_value_769 = -1;

project_value_769 = project_expr_0_0 + 256;
/*project_c_258*/
int project_value_772 = -1;

project_value_772 = project_expr_0_0 + 257;
/*project_c_259*/
int project_value_775 = -1;

project_value_775 = project_expr_0_0 + 258;
/*project_c_260*/
int project_value_778 = -1;

project_value_778 = project_expr_0_0 + 259;
/*project_c_261*/
int project_value_781 = -1;

project_value_781 = project_expr_0_0 + 260;
/*project_c_262*/
int project_value_784 = -1;

project_value_784 = project_expr_0_0 + 261;
/*project_c_263*/
int project_value_787 = -1;

project_value_787 = project_expr_0_0 + 262;
/*project_c_264*/
int project_value_790 = -1;

project_value_790 = project_expr_0_0 + 263;
/*project_c_265*/
int project_value_793 = -1;

project_value_793 = project_expr_0_0 + 264;
/*project_c_266*/
int project_value_796 = -1;

project_value_796 = project_expr_0_0 + 265;
/*project_c_267*/
int project_value_799 = -1;

project_value_799 = project_expr_0_0 + 266;
/*project_c_268*/
int project_value_802 = -1;

project_value_802 = project_expr_0_0 + 267;
/*project_c_269*/
int project_value_805 = -1;

project_value_805 = project_expr_0_0 + 268;
/*project_c_270*/
int project_value_808 = -1;

project_value_808 = project_expr_0_0 + 269;
/*project_c_271*/
int project_value_811 = -1;

project_value_811 = project_expr_0_0 + 270;
/*project_c_272*/
int project_value_814 = -1;

project_value_814 = project_expr_0_0 + 271;
/*project_c_273*/
int project_value_817 = -1;

project_value_817 = project_expr_0_0 + 272;
/*project_c_274*/
int project_value_820 = -1;

project_value_820 = project_expr_0_0 + 273;
/*project_c_275*/
int project_value_823 = -1;

project_value_823 = project_expr_0_0 + 274;
/*project_c_276*/
int project_value_826 = -1;

project_value_826 = project_expr_0_0 + 275;
/*project_c_277*/
int project_value_829 = -1;

project_value_829 = project_expr_0_0 + 276;
/*project_c_278*/
int project_value_832 = -1;

project_value_832 = project_expr_0_0 + 277;
/*project_c_279*/
int project_value_835 = -1;

project_value_835 = project_expr_0_0 + 278;
/*project_c_280*/
int project_value_838 = -1;

project_value_838 = project_expr_0_0 + 279;
/*project_c_281*/
int project_value_841 = -1;

project_value_841 = project_expr_0_0 + 280;
/*project_c_282*/
int project_value_844 = -1;

project_value_844 = project_expr_0_0 + 281;
/*project_c_283*/
int project_value_847 = -1;

project_value_847 = project_expr_0_0 + 282;
/*project_c_284*/
int project_value_850 = -1;

project_value_850 = project_expr_0_0 + 283;
/*project_c_285*/
int project_value_853 = -1;

project_value_853 = project_expr_0_0 + 284;
/*project_c_286*/
int project_value_856 = -1;

project_value_856 = project_expr_0_0 + 285;
/*project_c_287*/
int project_value_859 = -1;

project_value_859 = project_expr_0_0 + 286;
/*project_c_288*/
int project_value_862 = -1;

project_value_862 = project_expr_0_0 + 287;
/*project_c_289*/
int project_value_865 = -1;

project_value_865 = project_expr_0_0 + 288;
/*project_c_290*/
int project_value_868 = -1;

project_value_868 = project_expr_0_0 + 289;
/*project_c_291*/
int project_value_871 = -1;

project_value_871 = project_expr_0_0 + 290;
/*project_c_292*/
int project_value_874 = -1;

project_value_874 = project_expr_0_0 + 291;
/*project_c_293*/
int project_value_877 = -1;

project_value_877 = project_expr_0_0 + 292;
/*project_c_294*/
int project_value_880 = -1;

project_value_880 = project_expr_0_0 + 293;
/*project_c_295*/
int project_value_883 = -1;

project_value_883 = project_expr_0_0 + 294;
/*project_c_296*/
int project_value_886 = -1;

project_value_886 = project_expr_0_0 + 295;
/*project_c_297*/
int project_value_889 = -1;

project_value_889 = project_expr_0_0 + 296;
/*project_c_298*/
int project_value_892 = -1;

project_value_892 = project_expr_0_0 + 297;
/*project_c_299*/
int project_value_895 = -1;

project_value_895 = project_expr_0_0 + 298;
/*project_c_300*/
int project_value_898 = -1;

project_value_898 = project_expr_0_0 + 299;
columnartorow_mutableStateArray_3[3].reset();

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(0);
} else {
columnartorow_mutableStateArray_3[3].write(0, project_value_1);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(1);
} else {
columnartorow_mutableStateArray_3[3].write(1, project_value_4);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(2);
} else {
columnartorow_mutableStateArray_3[3].write(2, project_value_7);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(3);
} else {
columnartorow_mutableStateArray_3[3].write(3, project_value_10);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(4);
} else {
columnartorow_mutableStateArray_3[3].write(4, project_value_13);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(5);
} else {
columnartorow_mutableStateArray_3[3].write(5, project_value_16);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(6);
} else {
columnartorow_mutableStateArray_3[3].write(6, project_value_19);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(7);
} else {
columnartorow_mutableStateArray_3[3].write(7, project_value_22);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(8);
} else {
columnartorow_mutableStateArray_3[3].write(8, project_value_25);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(9);
} else {
columnartorow_mutableStateArray_3[3].write(9, project_value_28);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(10);
} else {
columnartorow_mutableStateArray_3[3].write(10, project_value_31);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(11);
} else {
columnartorow_mutableStateArray_3[3].write(11, project_value_34);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(12);
} else {
columnartorow_mutableStateArray_3[3].write(12, project_value_37);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(13);
} else {
columnartorow_mutableStateArray_3[3].write(13, project_value_40);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(14);
} else {
columnartorow_mutableStateArray_3[3].write(14, project_value_43);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(15);
} else {
columnartorow_mutableStateArray_3[3].write(15, project_value_46);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(16);
} else {
columnartorow_mutableStateArray_3[3].write(16, project_value_49);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(17);
} else {
columnartorow_mutableStateArray_3[3].write(17, project_value_52);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(18);
} else {
columnartorow_mutableStateArray_3[3].write(18, project_value_55);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(19);
} else {
columnartorow_mutableStateArray_3[3].write(19, project_value_58);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(20);
} else {
columnartorow_mutableStateArray_3[3].write(20, project_value_61);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(21);
} else {
columnartorow_mutableStateArray_3[3].write(21, project_value_64);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(22);
} else {
columnartorow_mutableStateArray_3[3].write(22, project_value_67);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(23);
} else {
columnartorow_mutableStateArray_3[3].write(23, project_value_70);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(24);
} else {
columnartorow_mutableStateArray_3[3].write(24, project_value_73);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(25);
} else {
columnartorow_mutableStateArray_3[3].write(25, project_value_76);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(26);
} else {
columnartorow_mutableStateArray_3[3].write(26, project_value_79);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(27);
} else {
columnartorow_mutableStateArray_3[3].write(27, project_value_82);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(28);
} else {
columnartorow_mutableStateArray_3[3].write(28, project_value_85);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(29);
} else {
columnartorow_mutableStateArray_3[3].write(29, project_value_88);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(30);
} else {
columnartorow_mutableStateArray_3[3].write(30, project_value_91);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(31);
} else {
columnartorow_mutableStateArray_3[3].write(31, project_value_94);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(32);
} else {
columnartorow_mutableStateArray_3[3].write(32, project_value_97);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(33);
} else {
columnartorow_mutableStateArray_3[3].write(33, project_value_100);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(34);
} else {
columnartorow_mutableStateArray_3[3].write(34, project_value_103);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(35);
} else {
columnartorow_mutableStateArray_3[3].write(35, project_value_106);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(36);
} else {
columnartorow_mutableStateArray_3[3].write(36, project_value_109);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(37);
} else {
columnartorow_mutableStateArray_3[3].write(37, project_value_112);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(38);
} else {
columnartorow_mutableStateArray_3[3].write(38, project_value_115);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(39);
} else {
columnartorow_mutableStateArray_3[3].write(39, project_value_118);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(40);
} else {
columnartorow_mutableStateArray_3[3].write(40, project_value_121);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(41);
} else {
columnartorow_mutableStateArray_3[3].write(41, project_value_124);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(42);
} else {
columnartorow_mutableStateArray_3[3].write(42, project_value_127);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(43);
} else {
columnartorow_mutableStateArray_3[3].write(43, project_value_130);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(44);
} else {
columnartorow_mutableStateArray_3[3].write(44, project_value_133);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(45);
} else {
columnartorow_mutableStateArray_3[3].write(45, project_value_136);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(46);
} else {
columnartorow_mutableStateArray_3[3].write(46, project_value_139);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(47);
} else {
columnartorow_mutableStateArray_3[3].write(47, project_value_142);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(48);
} else {
columnartorow_mutableStateArray_3[3].write(48, project_value_145);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(49);
} else {
columnartorow_mutableStateArray_3[3].write(49, project_value_148);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(50);
} else {
columnartorow_mutableStateArray_3[3].write(50, project_value_151);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(51);
} else {
columnartorow_mutableStateArray_3[3].write(51, project_value_154);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(52);
} else {
columnartorow_mutableStateArray_3[3].write(52, project_value_157);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(53);
} else {
columnartorow_mutableStateArray_3[3].write(53, project_value_160);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(54);
} else {
columnartorow_mutableStateArray_3[3].write(54, project_value_163);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(55);
} else {
columnartorow_mutableStateArray_3[3].write(55, project_value_166);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(56);
} else {
columnartorow_mutableStateArray_3[3].write(56, project_value_169);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(57);
} else {
columnartorow_mutableStateArray_3[3].write(57, project_value_172);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(58);
} else {
columnartorow_mutableStateArray_3[3].write(58, project_value_175);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(59);
} else {
columnartorow_mutableStateArray_3[3].write(59, project_value_178);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(60);
} else {
columnartorow_mutableStateArray_3[3].write(60, project_value_181);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(61);
} else {
columnartorow_mutableStateArray_3[3].write(61, project_value_184);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(62);
} else {
columnartorow_mutableStateArray_3[3].write(62, project_value_187);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(63);
} else {
columnartorow_mutableStateArray_3[3].write(63, project_value_190);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(64);
} else {
columnartorow_mutableStateArray_3[3].write(64, project_value_193);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(65);
} else {
columnartorow_mutableStateArray_3[3].write(65, project_value_196);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(66);
} else {
columnartorow_mutableStateArray_3[3].write(66, project_value_199);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(67);
} else {
columnartorow_mutableStateArray_3[3].write(67, project_value_202);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(68);
} else {
columnartorow_mutableStateArray_3[3].write(68, project_value_205);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(69);
} else {
columnartorow_mutableStateArray_3[3].write(69, project_value_208);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(70);
} else {
columnartorow_mutableStateArray_3[3].write(70, project_value_211);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(71);
} else {
columnartorow_mutableStateArray_3[3].write(71, project_value_214);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(72);
} else {
columnartorow_mutableStateArray_3[3].write(72, project_value_217);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(73);
} else {
columnartorow_mutableStateArray_3[3].write(73, project_value_220);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(74);
} else {
columnartorow_mutableStateArray_3[3].write(74, project_value_223);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(75);
} else {
columnartorow_mutableStateArray_3[3].write(75, project_value_226);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(76);
} else {
columnartorow_mutableStateArray_3[3].write(76, project_value_229);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(77);
} else {
columnartorow_mutableStateArray_3[3].write(77, project_value_232);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(78);
} else {
columnartorow_mutableStateArray_3[3].write(78, project_value_235);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(79);
} else {
columnartorow_mutableStateArray_3[3].write(79, project_value_238);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(80);
} else {
columnartorow_mutableStateArray_3[3].write(80, project_value_241);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(81);
} else {
columnartorow_mutableStateArray_3[3].write(81, project_value_244);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(82);
} else {
columnartorow_mutableStateArray_3[3].write(82, project_value_247);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(83);
} else {
columnartorow_mutableStateArray_3[3].write(83, project_value_250);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(84);
} else {
columnartorow_mutableStateArray_3[3].write(84, project_value_253);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(85);
} else {
columnartorow_mutableStateArray_3[3].write(85, project_value_256);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(86);
} else {
columnartorow_mutableStateArray_3[3].write(86, project_value_259);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(87);
} else {
columnartorow_mutableStateArray_3[3].write(87, project_value_262);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(88);
} else {
columnartorow_mutableStateArray_3[3].write(88, project_value_265);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(89);
} else {
columnartorow_mutableStateArray_3[3].write(89, project_value_268);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(90);
} else {
columnartorow_mutableStateArray_3[3].write(90, project_value_271);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(91);
} else {
columnartorow_mutableStateArray_3[3].write(91, project_value_274);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(92);
} else {
columnartorow_mutableStateArray_3[3].write(92, project_value_277);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(93);
} else {
columnartorow_mutableStateArray_3[3].write(93, project_value_280);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(94);
} else {
columnartorow_mutableStateArray_3[3].write(94, project_value_283);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(95);
} else {
columnartorow_mutableStateArray_3[3].write(95, project_value_286);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(96);
} else {
columnartorow_mutableStateArray_3[3].write(96, project_value_289);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(97);
} else {
columnartorow_mutableStateArray_3[3].write(97, project_value_292);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(98);
} else {
columnartorow_mutableStateArray_3[3].write(98, project_value_295);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(99);
} else {
columnartorow_mutableStateArray_3[3].write(99, project_value_298);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(100);
} else {
columnartorow_mutableStateArray_3[3].write(100, project_value_301);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(101);
} else {
columnartorow_mutableStateArray_3[3].write(101, project_value_304);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(102);
} else {
columnartorow_mutableStateArray_3[3].write(102, project_value_307);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(103);
} else {
columnartorow_mutableStateArray_3[3].write(103, project_value_310);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(104);
} else {
columnartorow_mutableStateArray_3[3].write(104, project_value_313);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(105);
} else {
columnartorow_mutableStateArray_3[3].write(105, project_value_316);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(106);
} else {
columnartorow_mutableStateArray_3[3].write(106, project_value_319);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(107);
} else {
columnartorow_mutableStateArray_3[3].write(107, project_value_322);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(108);
} else {
columnartorow_mutableStateArray_3[3].write(108, project_value_325);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(109);
} else {
columnartorow_mutableStateArray_3[3].write(109, project_value_328);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(110);
} else {
columnartorow_mutableStateArray_3[3].write(110, project_value_331);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(111);
} else {
columnartorow_mutableStateArray_3[3].write(111, project_value_334);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(112);
} else {
columnartorow_mutableStateArray_3[3].write(112, project_value_337);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(113);
} else {
columnartorow_mutableStateArray_3[3].write(113, project_value_340);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(114);
} else {
columnartorow_mutableStateArray_3[3].write(114, project_value_343);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(115);
} else {
columnartorow_mutableStateArray_3[3].write(115, project_value_346);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(116);
} else {
columnartorow_mutableStateArray_3[3].write(116, project_value_349);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(117);
} else {
columnartorow_mutableStateArray_3[3].write(117, project_value_352);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(118);
} else {
columnartorow_mutableStateArray_3[3].write(118, project_value_355);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(119);
} else {
columnartorow_mutableStateArray_3[3].write(119, project_value_358);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(120);
} else {
columnartorow_mutableStateArray_3[3].write(120, project_value_361);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(121);
} else {
columnartorow_mutableStateArray_3[3].write(121, project_value_364);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(122);
} else {
columnartorow_mutableStateArray_3[3].write(122, project_value_367);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(123);
} else {
columnartorow_mutableStateArray_3[3].write(123, project_value_370);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(124);
} else {
columnartorow_mutableStateArray_3[3].write(124, project_value_373);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(125);
} else {
columnartorow_mutableStateArray_3[3].write(125, project_value_376);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(126);
} else {
columnartorow_mutableStateArray_3[3].write(126, project_value_379);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(127);
} else {
columnartorow_mutableStateArray_3[3].write(127, project_value_382);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(128);
} else {
columnartorow_mutableStateArray_3[3].write(128, project_value_385);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(129);
} else {
columnartorow_mutableStateArray_3[3].write(129, project_value_388);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(130);
} else {
columnartorow_mutableStateArray_3[3].write(130, project_value_391);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(131);
} else {
columnartorow_mutableStateArray_3[3].write(131, project_value_394);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(132);
} else {
columnartorow_mutableStateArray_3[3].write(132, project_value_397);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(133);
} else {
columnartorow_mutableStateArray_3[3].write(133, project_value_400);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(134);
} else {
columnartorow_mutableStateArray_3[3].write(134, project_value_403);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(135);
} else {
columnartorow_mutableStateArray_3[3].write(135, project_value_406);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(136);
} else {
columnartorow_mutableStateArray_3[3].write(136, project_value_409);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(137);
} else {
columnartorow_mutableStateArray_3[3].write(137, project_value_412);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(138);
} else {
columnartorow_mutableStateArray_3[3].write(138, project_value_415);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(139);
} else {
columnartorow_mutableStateArray_3[3].write(139, project_value_418);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(140);
} else {
columnartorow_mutableStateArray_3[3].write(140, project_value_421);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(141);
} else {
columnartorow_mutableStateArray_3[3].write(141, project_value_424);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(142);
} else {
columnartorow_mutableStateArray_3[3].write(142, project_value_427);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(143);
} else {
columnartorow_mutableStateArray_3[3].write(143, project_value_430);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(144);
} else {
columnartorow_mutableStateArray_3[3].write(144, project_value_433);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(145);
} else {
columnartorow_mutableStateArray_3[3].write(145, project_value_436);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(146);
} else {
columnartorow_mutableStateArray_3[3].write(146, project_value_439);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(147);
} else {
columnartorow_mutableStateArray_3[3].write(147, project_value_442);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(148);
} else {
columnartorow_mutableStateArray_3[3].write(148, project_value_445);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(149);
} else {
columnartorow_mutableStateArray_3[3].write(149, project_value_448);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(150);
} else {
columnartorow_mutableStateArray_3[3].write(150, project_value_451);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(151);
} else {
columnartorow_mutableStateArray_3[3].write(151, project_value_454);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(152);
} else {
columnartorow_mutableStateArray_3[3].write(152, project_value_457);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(153);
} else {
columnartorow_mutableStateArray_3[3].write(153, project_value_460);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(154);
} else {
columnartorow_mutableStateArray_3[3].write(154, project_value_463);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(155);
} else {
columnartorow_mutableStateArray_3[3].write(155, project_value_466);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(156);
} else {
columnartorow_mutableStateArray_3[3].write(156, project_value_469);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(157);
} else {
columnartorow_mutableStateArray_3[3].write(157, project_value_472);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(158);
} else {
columnartorow_mutableStateArray_3[3].write(158, project_value_475);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(159);
} else {
columnartorow_mutableStateArray_3[3].write(159, project_value_478);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(160);
} else {
columnartorow_mutableStateArray_3[3].write(160, project_value_481);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(161);
} else {
columnartorow_mutableStateArray_3[3].write(161, project_value_484);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(162);
} else {
columnartorow_mutableStateArray_3[3].write(162, project_value_487);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(163);
} else {
columnartorow_mutableStateArray_3[3].write(163, project_value_490);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(164);
} else {
columnartorow_mutableStateArray_3[3].write(164, project_value_493);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(165);
} else {
columnartorow_mutableStateArray_3[3].write(165, project_value_496);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(166);
} else {
columnartorow_mutableStateArray_3[3].write(166, project_value_499);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(167);
} else {
columnartorow_mutableStateArray_3[3].write(167, project_value_502);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(168);
} else {
columnartorow_mutableStateArray_3[3].write(168, project_value_505);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(169);
} else {
columnartorow_mutableStateArray_3[3].write(169, project_value_508);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(170);
} else {
columnartorow_mutableStateArray_3[3].write(170, project_value_511);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(171);
} else {
columnartorow_mutableStateArray_3[3].write(171, project_value_514);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(172);
} else {
columnartorow_mutableStateArray_3[3].write(172, project_value_517);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(173);
} else {
columnartorow_mutableStateArray_3[3].write(173, project_value_520);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(174);
} else {
columnartorow_mutableStateArray_3[3].write(174, project_value_523);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(175);
} else {
columnartorow_mutableStateArray_3[3].write(175, project_value_526);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(176);
} else {
columnartorow_mutableStateArray_3[3].write(176, project_value_529);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(177);
} else {
columnartorow_mutableStateArray_3[3].write(177, project_value_532);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(178);
} else {
columnartorow_mutableStateArray_3[3].write(178, project_value_535);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(179);
} else {
columnartorow_mutableStateArray_3[3].write(179, project_value_538);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(180);
} else {
columnartorow_mutableStateArray_3[3].write(180, project_value_541);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(181);
} else {
columnartorow_mutableStateArray_3[3].write(181, project_value_544);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(182);
} else {
columnartorow_mutableStateArray_3[3].write(182, project_value_547);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(183);
} else {
columnartorow_mutableStateArray_3[3].write(183, project_value_550);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(184);
} else {
columnartorow_mutableStateArray_3[3].write(184, project_value_553);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(185);
} else {
columnartorow_mutableStateArray_3[3].write(185, project_value_556);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(186);
} else {
columnartorow_mutableStateArray_3[3].write(186, project_value_559);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(187);
} else {
columnartorow_mutableStateArray_3[3].write(187, project_value_562);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(188);
} else {
columnartorow_mutableStateArray_3[3].write(188, project_value_565);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(189);
} else {
columnartorow_mutableStateArray_3[3].write(189, project_value_568);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(190);
} else {
columnartorow_mutableStateArray_3[3].write(190, project_value_571);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(191);
} else {
columnartorow_mutableStateArray_3[3].write(191, project_value_574);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(192);
} else {
columnartorow_mutableStateArray_3[3].write(192, project_value_577);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(193);
} else {
columnartorow_mutableStateArray_3[3].write(193, project_value_580);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(194);
} else {
columnartorow_mutableStateArray_3[3].write(194, project_value_583);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(195);
} else {
columnartorow_mutableStateArray_3[3].write(195, project_value_586);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(196);
} else {
columnartorow_mutableStateArray_3[3].write(196, project_value_589);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(197);
} else {
columnartorow_mutableStateArray_3[3].write(197, project_value_592);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(198);
} else {
columnartorow_mutableStateArray_3[3].write(198, project_value_595);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(199);
} else {
columnartorow_mutableStateArray_3[3].write(199, project_value_598);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(200);
} else {
columnartorow_mutableStateArray_3[3].write(200, project_value_601);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(201);
} else {
columnartorow_mutableStateArray_3[3].write(201, project_value_604);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(202);
} else {
columnartorow_mutableStateArray_3[3].write(202, project_value_607);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(203);
} else {
columnartorow_mutableStateArray_3[3].write(203, project_value_610);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(204);
} else {
columnartorow_mutableStateArray_3[3].write(204, project_value_613);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(205);
} else {
columnartorow_mutableStateArray_3[3].write(205, project_value_616);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(206);
} else {
columnartorow_mutableStateArray_3[3].write(206, project_value_619);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(207);
} else {
columnartorow_mutableStateArray_3[3].write(207, project_value_622);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(208);
} else {
columnartorow_mutableStateArray_3[3].write(208, project_value_625);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(209);
} else {
columnartorow_mutableStateArray_3[3].write(209, project_value_628);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(210);
} else {
columnartorow_mutableStateArray_3[3].write(210, project_value_631);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(211);
} else {
columnartorow_mutableStateArray_3[3].write(211, project_value_634);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(212);
} else {
columnartorow_mutableStateArray_3[3].write(212, project_value_637);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(213);
} else {
columnartorow_mutableStateArray_3[3].write(213, project_value_640);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(214);
} else {
columnartorow_mutableStateArray_3[3].write(214, project_value_643);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(215);
} else {
columnartorow_mutableStateArray_3[3].write(215, project_value_646);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(216);
} else {
columnartorow_mutableStateArray_3[3].write(216, project_value_649);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(217);
} else {
columnartorow_mutableStateArray_3[3].write(217, project_value_652);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(218);
} else {
columnartorow_mutableStateArray_3[3].write(218, project_value_655);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(219);
} else {
columnartorow_mutableStateArray_3[3].write(219, project_value_658);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(220);
} else {
columnartorow_mutableStateArray_3[3].write(220, project_value_661);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(221);
} else {
columnartorow_mutableStateArray_3[3].write(221, project_value_664);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(222);
} else {
columnartorow_mutableStateArray_3[3].write(222, project_value_667);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(223);
} else {
columnartorow_mutableStateArray_3[3].write(223, project_value_670);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(224);
} else {
columnartorow_mutableStateArray_3[3].write(224, project_value_673);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(225);
} else {
columnartorow_mutableStateArray_3[3].write(225, project_value_676);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(226);
} else {
columnartorow_mutableStateArray_3[3].write(226, project_value_679);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(227);
} else {
columnartorow_mutableStateArray_3[3].write(227, project_value_682);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(228);
} else {
columnartorow_mutableStateArray_3[3].write(228, project_value_685);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(229);
} else {
columnartorow_mutableStateArray_3[3].write(229, project_value_688);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(230);
} else {
columnartorow_mutableStateArray_3[3].write(230, project_value_691);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(231);
} else {
columnartorow_mutableStateArray_3[3].write(231, project_value_694);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(232);
} else {
columnartorow_mutableStateArray_3[3].write(232, project_value_697);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(233);
} else {
columnartorow_mutableStateArray_3[3].write(233, project_value_700);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(234);
} else {
columnartorow_mutableStateArray_3[3].write(234, project_value_703);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(235);
} else {
columnartorow_mutableStateArray_3[3].write(235, project_value_706);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(236);
} else {
columnartorow_mutableStateArray_3[3].write(236, project_value_709);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(237);
} else {
columnartorow_mutableStateArray_3[3].write(237, project_value_712);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(238);
} else {
columnartorow_mutableStateArray_3[3].write(238, project_value_715);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(239);
} else {
columnartorow_mutableStateArray_3[3].write(239, project_value_718);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(240);
} else {
columnartorow_mutableStateArray_3[3].write(240, project_value_721);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(241);
} else {
columnartorow_mutableStateArray_3[3].write(241, project_value_724);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(242);
} else {
columnartorow_mutableStateArray_3[3].write(242, project_value_727);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(243);
} else {
columnartorow_mutableStateArray_3[3].write(243, project_value_730);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(244);
} else {
columnartorow_mutableStateArray_3[3].write(244, project_value_733);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(245);
} else {
columnartorow_mutableStateArray_3[3].write(245, project_value_736);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(246);
} else {
columnartorow_mutableStateArray_3[3].write(246, project_value_739);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(247);
} else {
columnartorow_mutableStateArray_3[3].write(247, project_value_742);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(248);
} else {
columnartorow_mutableStateArray_3[3].write(248, project_value_745);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(249);
} else {
columnartorow_mutableStateArray_3[3].write(249, project_value_748);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(250);
} else {
columnartorow_mutableStateArray_3[3].write(250, project_value_751);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(251);
} else {
columnartorow_mutableStateArray_3[3].write(251, project_value_754);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(252);
} else {
columnartorow_mutableStateArray_3[3].write(252, project_value_757);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(253);
} else {
columnartorow_mutableStateArray_3[3].write(253, project_value_760);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(254);
} else {
columnartorow_mutableStateArray_3[3].write(254, project_value_763);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(255);
} else {
columnartorow_mutableStateArray_3[3].write(255, project_value_766);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(256);
} else {
columnartorow_mutableStateArray_3[3].write(256, project_value_769);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(257);
} else {
columnartorow_mutableStateArray_3[3].write(257, project_value_772);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(258);
} else {
columnartorow_mutableStateArray_3[3].write(258, project_value_775);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(259);
} else {
columnartorow_mutableStateArray_3[3].write(259, project_value_778);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(260);
} else {
columnartorow_mutableStateArray_3[3].write(260, project_value_781);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(261);
} else {
columnartorow_mutableStateArray_3[3].write(261, project_value_784);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(262);
} else {
columnartorow_mutableStateArray_3[3].write(262, project_value_787);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(263);
} else {
columnartorow_mutableStateArray_3[3].write(263, project_value_790);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(264);
} else {
columnartorow_mutableStateArray_3[3].write(264, project_value_793);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(265);
} else {
columnartorow_mutableStateArray_3[3].write(265, project_value_796);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(266);
} else {
columnartorow_mutableStateArray_3[3].write(266, project_value_799);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(267);
} else {
columnartorow_mutableStateArray_3[3].write(267, project_value_802);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(268);
} else {
columnartorow_mutableStateArray_3[3].write(268, project_value_805);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(269);
} else {
columnartorow_mutableStateArray_3[3].write(269, project_value_808);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(270);
} else {
columnartorow_mutableStateArray_3[3].write(270, project_value_811);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(271);
} else {
columnartorow_mutableStateArray_3[3].write(271, project_value_814);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(272);
} else {
columnartorow_mutableStateArray_3[3].write(272, project_value_817);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(273);
} else {
columnartorow_mutableStateArray_3[3].write(273, project_value_820);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(274);
} else {
columnartorow_mutableStateArray_3[3].write(274, project_value_823);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(275);
} else {
columnartorow_mutableStateArray_3[3].write(275, project_value_826);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(276);
} else {
columnartorow_mutableStateArray_3[3].write(276, project_value_829);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(277);
} else {
columnartorow_mutableStateArray_3[3].write(277, project_value_832);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(278);
} else {
columnartorow_mutableStateArray_3[3].write(278, project_value_835);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(279);
} else {
columnartorow_mutableStateArray_3[3].write(279, project_value_838);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(280);
} else {
columnartorow_mutableStateArray_3[3].write(280, project_value_841);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(281);
} else {
columnartorow_mutableStateArray_3[3].write(281, project_value_844);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(282);
} else {
columnartorow_mutableStateArray_3[3].write(282, project_value_847);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(283);
} else {
columnartorow_mutableStateArray_3[3].write(283, project_value_850);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(284);
} else {
columnartorow_mutableStateArray_3[3].write(284, project_value_853);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(285);
} else {
columnartorow_mutableStateArray_3[3].write(285, project_value_856);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(286);
} else {
columnartorow_mutableStateArray_3[3].write(286, project_value_859);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(287);
} else {
columnartorow_mutableStateArray_3[3].write(287, project_value_862);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(288);
} else {
columnartorow_mutableStateArray_3[3].write(288, project_value_865);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(289);
} else {
columnartorow_mutableStateArray_3[3].write(289, project_value_868);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(290);
} else {
columnartorow_mutableStateArray_3[3].write(290, project_value_871);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(291);
} else {
columnartorow_mutableStateArray_3[3].write(291, project_value_874);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(292);
} else {
columnartorow_mutableStateArray_3[3].write(292, project_value_877);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(293);
} else {
columnartorow_mutableStateArray_3[3].write(293, project_value_880);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(294);
} else {
columnartorow_mutableStateArray_3[3].write(294, project_value_883);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(295);
} else {
columnartorow_mutableStateArray_3[3].write(295, project_value_886);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(296);
} else {
columnartorow_mutableStateArray_3[3].write(296, project_value_889);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(297);
} else {
columnartorow_mutableStateArray_3[3].write(297, project_value_892);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(298);
} else {
columnartorow_mutableStateArray_3[3].write(298, project_value_895);
}

if (false) {
columnartorow_mutableStateArray_3[3].setNullAt(299);
} else {
columnartorow_mutableStateArray_3[3].write(299, project_value_898);
}
append((columnartorow_mutableStateArray_3[3].getRow()));

}

private void columnartorow_nextBatch_0() throws java.io.IOException {
if (columnartorow_mutableStateArray_0[0].hasNext()) {
columnartorow_mutableStateArray_1[0] = (org.apache.spark.sql.vectorized.ColumnarBatch)columnartorow_mutableStateArray_0[0].next();
((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numInputBatches */).add(1);
((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */).add(columnartorow_mutableStateArray_1[0].numRows());
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);

}
}

protected void processNext() throws java.io.IOException {
/*project_c_0*/
/*filter_c_0*/
/*columnartorow_c_0*/
if (columnartorow_mutableStateArray_1[0] == null) {
columnartorow_nextBatch_0();
}
while ( columnartorow_mutableStateArray_1[0] != null) {
int columnartorow_numRows_0 = columnartorow_mutableStateArray_1[0].numRows();
int columnartorow_localEnd_0 = columnartorow_numRows_0 - columnartorow_batchIdx_0;
for (int columnartorow_localIdx_0 = 0; columnartorow_localIdx_0 < columnartorow_localEnd_0; columnartorow_localIdx_0++) {
int columnartorow_rowIdx_0 = columnartorow_batchIdx_0 + columnartorow_localIdx_0;
/*wholestagecodegen_c_2*/
do {
/*columnartorow_c_1*/
boolean columnartorow_isNull_0 = columnartorow_mutableStateArray_2[0].isNullAt(columnartorow_rowIdx_0);
int columnartorow_value_0 = columnartorow_isNull_0 ? -1 : (columnartorow_mutableStateArray_2[0].getInt(columnartorow_rowIdx_0));

/*filter_c_1*/
boolean filter_value_2 = !columnartorow_isNull_0;
if (!filter_value_2) continue;

/*filter_c_2*/
boolean filter_value_3 = false;
filter_value_3 = columnartorow_value_0 > 1;
if (!filter_value_3) continue;

((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* numOutputRows */).add(1);

/*wholestagecodegen_c_1*/
project_doConsume_0(columnartorow_value_0);

} while(false);
if (shouldStop()) { columnartorow_batchIdx_0 = columnartorow_rowIdx_0 + 1; return; }
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_mutableStateArray_1[0].closeIfFreeable();
columnartorow_mutableStateArray_1[0] = null;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}
}

}
public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage1(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage1 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private int columnartorow_batchIdx_0;
private org.apache.spark.sql.vectorized.ColumnarBatch[] columnartorow_mutableStateArray_1 = new org.apache.spark.sql.vectorized.ColumnarBatch[1];
private org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[] columnartorow_mutableStateArray_2 = new org.apache.spark.sql.execution.vectorized.OnHeapColumnVector[1];
private scala.collection.Iterator[] columnartorow_mutableStateArray_0 = new scala.collection.Iterator[1];
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] columnartorow_mutableStateArray_3 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[4];

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
int project_value_2 = -1;

project_value_2 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 1, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[3] /* errCtx */));
/*project_c_2*/
int project_value_5 = -1;

project_value_5 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 2, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[4] /* errCtx */));
/*project_c_3*/
int project_value_8 = -1;

project_value_8 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 3, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[5] /* errCtx */));
/*project_c_4*/
int project_value_11 = -1;

project_value_11 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 4, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[6] /* errCtx */));
/*project_c_5*/
int project_value_14 = -1;

project_value_14 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 5, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[7] /* errCtx */));
/*project_c_6*/
int project_value_17 = -1;

project_value_17 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 6, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[8] /* errCtx */));
/*project_c_7*/
int project_value_20 = -1;

project_value_20 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 7, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[9] /* errCtx */));
/*project_c_8*/
int project_value_23 = -1;

project_value_23 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 8, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[10] /* errCtx */));
/*project_c_9*/
int project_value_26 = -1;

project_value_26 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 9, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[11] /* errCtx */));
/*project_c_10*/
int project_value_29 = -1;

project_value_29 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 10, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[12] /* errCtx */));
/*project_c_11*/
int project_value_32 = -1;

project_value_32 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 11, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[13] /* errCtx */));
/*project_c_12*/
int project_value_35 = -1;

project_value_35 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 12, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[14] /* errCtx */));
/*project_c_13*/
int project_value_38 = -1;

project_value_38 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 13, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[15] /* errCtx */));
/*project_c_14*/
int project_value_41 = -1;

project_value_41 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 14, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[16] /* errCtx */));
/*project_c_15*/
int project_value_44 = -1;

project_value_44 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 15, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[17] /* errCtx */));
/*project_c_16*/
int project_value_47 = -1;

project_value_47 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 16, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[18] /* errCtx */));
/*project_c_17*/
int project_value_50 = -1;

project_value_50 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 17, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[19] /* errCtx */));
/*project_c_18*/
int project_value_53 = -1;

project_value_53 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 18, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[20] /* errCtx */));
/*project_c_19*/
int project_value_56 = -1;

project_value_56 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 19, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[21] /* errCtx */));
/*project_c_20*/
int project_value_59 = -1;

project_value_59 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 20, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[22] /* errCtx */));
/*project_c_21*/
int project_value_62 = -1;

project_value_62 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 21, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[23] /* errCtx */));
/*project_c_22*/
int project_value_65 = -1;

project_value_65 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 22, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[24] /* errCtx */));
/*project_c_23*/
int project_value_68 = -1;

project_value_68 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 23, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[25] /* errCtx */));
/*project_c_24*/
int project_value_71 = -1;

project_value_71 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 24, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[26] /* errCtx */));
/*project_c_25*/
int project_value_74 = -1;

project_value_74 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 25, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[27] /* errCtx */));
/*project_c_26*/
int project_value_77 = -1;

project_value_77 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 26, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[28] /* errCtx */));
/*project_c_27*/
int project_value_80 = -1;

project_value_80 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 27, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[29] /* errCtx */));
/*project_c_28*/
int project_value_83 = -1;

project_value_83 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 28, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[30] /* errCtx */));
/*project_c_29*/
int project_value_86 = -1;

project_value_86 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 29, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[31] /* errCtx */));
/*project_c_30*/
int project_value_89 = -1;

project_value_89 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 30, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[32] /* errCtx */));
/*project_c_31*/
int project_value_92 = -1;

project_value_92 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 31, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[33] /* errCtx */));
/*project_c_32*/
int project_value_95 = -1;

project_value_95 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 32, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[34] /* errCtx */));
/*project_c_33*/
int project_value_98 = -1;

project_value_98 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 33, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[35] /* errCtx */));
/*project_c_34*/
int project_value_101 = -1;

project_value_101 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 34, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[36] /* errCtx */));
/*project_c_35*/
int project_value_104 = -1;

project_value_104 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 35, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[37] /* errCtx */));
/*project_c_36*/
int project_value_107 = -1;

project_value_107 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 36, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[38] /* errCtx */));
/*project_c_37*/
int project_value_110 = -1;

project_value_110 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 37, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[39] /* errCtx */));
/*project_c_38*/
int project_value_113 = -1;

project_value_113 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 38, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[40] /* errCtx */));
/*project_c_39*/
int project_value_116 = -1;

project_value_116 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 39, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[41] /* errCtx */));
/*project_c_40*/
int project_value_119 = -1;

project_value_119 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 40, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[42] /* errCtx */));
/*project_c_41*/
int project_value_122 = -1;

project_value_122 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 41, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[43] /* errCtx */));
/*project_c_42*/
int project_value_125 = -1;

project_value_125 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 42, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[44] /* errCtx */));
/*project_c_43*/
int project_value_128 = -1;

project_value_128 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 43, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[45] /* errCtx */));
/*project_c_44*/
int project_value_131 = -1;

project_value_131 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 44, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[46] /* errCtx */));
/*project_c_45*/
int project_value_134 = -1;

project_value_134 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 45, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[47] /* errCtx */));
/*project_c_46*/
int project_value_137 = -1;

project_value_137 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 46, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[48] /* errCtx */));
/*project_c_47*/
int project_value_140 = -1;

project_value_140 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 47, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[49] /* errCtx */));
/*project_c_48*/
int project_value_143 = -1;

project_value_143 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 48, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[50] /* errCtx */));
/*project_c_49*/
int project_value_146 = -1;

project_value_146 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 49, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[51] /* errCtx */));
/*project_c_50*/
int project_value_149 = -1;

project_value_149 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 50, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[52] /* errCtx */));
/*project_c_51*/
int project_value_152 = -1;

project_value_152 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 51, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[53] /* errCtx */));
/*project_c_52*/
int project_value_155 = -1;

project_value_155 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 52, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[54] /* errCtx */));
/*project_c_53*/
int project_value_158 = -1;

project_value_158 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 53, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[55] /* errCtx */));
/*project_c_54*/
int project_value_161 = -1;

project_value_161 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 54, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[56] /* errCtx */));
/*project_c_55*/
int project_value_164 = -1;

project_value_164 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 55, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[57] /* errCtx */));
/*project_c_56*/
int project_value_167 = -1;

project_value_167 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 56, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[58] /* errCtx */));
/*project_c_57*/
int project_value_170 = -1;

project_value_170 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 57, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[59] /* errCtx */));
/*project_c_58*/
int project_value_173 = -1;

project_value_173 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 58, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[60] /* errCtx */));
/*project_c_59*/
int project_value_176 = -1;

project_value_176 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 59, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[61] /* errCtx */));
/*project_c_60*/
int project_value_179 = -1;

project_value_179 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 60, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[62] /* errCtx */));
/*project_c_61*/
int project_value_182 = -1;

project_value_182 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 61, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[63] /* errCtx */));
/*project_c_62*/
int project_value_185 = -1;

project_value_185 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 62, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[64] /* errCtx */));
/*project_c_63*/
int project_value_188 = -1;

project_value_188 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 63, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[65] /* errCtx */));
/*project_c_64*/
int project_value_191 = -1;

project_value_191 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 64, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[66] /* errCtx */));
/*project_c_65*/
int project_value_194 = -1;

project_value_194 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 65, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[67] /* errCtx */));
/*project_c_66*/
int project_value_197 = -1;

project_value_197 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 66, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[68] /* errCtx */));
/*project_c_67*/
int project_value_200 = -1;

project_value_200 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 67, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[69] /* errCtx */));
/*project_c_68*/
int project_value_203 = -1;

project_value_203 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 68, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[70] /* errCtx */));
/*project_c_69*/
int project_value_206 = -1;

project_value_206 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 69, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[71] /* errCtx */));
/*project_c_70*/
int project_value_209 = -1;

project_value_209 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 70, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[72] /* errCtx */));
/*project_c_71*/
int project_value_212 = -1;

project_value_212 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 71, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[73] /* errCtx */));
/*project_c_72*/
int project_value_215 = -1;

project_value_215 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 72, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[74] /* errCtx */));
/*project_c_73*/
int project_value_218 = -1;

project_value_218 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 73, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[75] /* errCtx */));
/*project_c_74*/
int project_value_221 = -1;

project_value_221 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 74, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[76] /* errCtx */));
/*project_c_75*/
int project_value_224 = -1;

project_value_224 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 75, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[77] /* errCtx */));
/*project_c_76*/
int project_value_227 = -1;

project_value_227 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 76, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[78] /* errCtx */));
/*project_c_77*/
int project_value_230 = -1;

project_value_230 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 77, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[79] /* errCtx */));
/*project_c_78*/
int project_value_233 = -1;

project_value_233 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 78, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[80] /* errCtx */));
/*project_c_79*/
int project_value_236 = -1;

project_value_236 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 79, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[81] /* errCtx */));
/*project_c_80*/
int project_value_239 = -1;

project_value_239 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 80, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[82] /* errCtx */));
/*project_c_81*/
int project_value_242 = -1;

project_value_242 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 81, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[83] /* errCtx */));
/*project_c_82*/
int project_value_245 = -1;

project_value_245 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 82, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[84] /* errCtx */));
/*project_c_83*/
int project_value_248 = -1;

project_value_248 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 83, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[85] /* errCtx */));
/*project_c_84*/
int project_value_251 = -1;

project_value_251 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 84, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[86] /* errCtx */));
/*project_c_85*/
int project_value_254 = -1;

project_value_254 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 85, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[87] /* errCtx */));
/*project_c_86*/
int project_value_257 = -1;

project_value_257 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 86, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[88] /* errCtx */));
/*project_c_87*/
int project_value_260 = -1;

project_value_260 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 87, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[89] /* errCtx */));
/*project_c_88*/
int project_value_263 = -1;

project_value_263 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 88, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[90] /* errCtx */));
/*project_c_89*/
int project_value_266 = -1;

project_value_266 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 89, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[91] /* errCtx */));
/*project_c_90*/
int project_value_269 = -1;

project_value_269 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 90, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[92] /* errCtx */));
/*project_c_91*/
int project_value_272 = -1;

project_value_272 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 91, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[93] /* errCtx */));
/*project_c_92*/
int project_value_275 = -1;

project_value_275 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 92, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[94] /* errCtx */));
/*project_c_93*/
int project_value_278 = -1;

project_value_278 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 93, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[95] /* errCtx */));
/*project_c_94*/
int project_value_281 = -1;

project_value_281 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 94, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[96] /* errCtx */));
/*project_c_95*/
int project_value_284 = -1;

project_value_284 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 95, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[97] /* errCtx */));
/*project_c_96*/
int project_value_287 = -1;

project_value_287 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 96, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[98] /* errCtx */));
/*project_c_97*/
int project_value_290 = -1;

project_value_290 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 97, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[99] /* errCtx */));
/*project_c_98*/
int project_value_293 = -1;

project_value_293 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 98, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[100] /* errCtx */));
/*project_c_99*/
int project_value_296 = -1;

project_value_296 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 99, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[101] /* errCtx */));
/*project_c_100*/
int project_value_299 = -1;

project_value_299 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 100, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[102] /* errCtx */));
/*project_c_101*/
int project_value_302 = -1;

project_value_302 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 101, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[103] /* errCtx */));
/*project_c_102*/
int project_value_305 = -1;

project_value_305 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 102, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[104] /* errCtx */));
/*project_c_103*/
int project_value_308 = -1;

project_value_308 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 103, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[105] /* errCtx */));
/*project_c_104*/
int project_value_311 = -1;

project_value_311 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 104, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[106] /* errCtx */));
/*project_c_105*/
int project_value_314 = -1;

project_value_314 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 105, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[107] /* errCtx */));
/*project_c_106*/
int project_value_317 = -1;

project_value_317 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 106, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[108] /* errCtx */));
/*project_c_107*/
int project_value_320 = -1;

project_value_320 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 107, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[109] /* errCtx */));
/*project_c_108*/
int project_value_323 = -1;

project_value_323 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 108, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[110] /* errCtx */));
/*project_c_109*/
int project_value_326 = -1;

project_value_326 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 109, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[111] /* errCtx */));
/*project_c_110*/
int project_value_329 = -1;

project_value_329 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 110, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[112] /* errCtx */));
/*project_c_111*/
int project_value_332 = -1;

project_value_332 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 111, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[113] /* errCtx */));
/*project_c_112*/
int project_value_335 = -1;

project_value_335 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 112, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[114] /* errCtx */));
/*project_c_113*/
int project_value_338 = -1;

project_value_338 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 113, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[115] /* errCtx */));
/*project_c_114*/
int project_value_341 = -1;

project_value_341 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 114, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[116] /* errCtx */));
/*project_c_115*/
int project_value_344 = -1;

project_value_344 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 115, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[117] /* errCtx */));
/*project_c_116*/
int project_value_347 = -1;

project_value_347 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 116, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[118] /* errCtx */));
/*project_c_117*/
int project_value_350 = -1;

project_value_350 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 117, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[119] /* errCtx */));
/*project_c_118*/
int project_value_353 = -1;

project_value_353 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 118, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[120] /* errCtx */));
/*project_c_119*/
int project_value_356 = -1;

project_value_356 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 119, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[121] /* errCtx */));
/*project_c_120*/
int project_value_359 = -1;

project_value_359 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 120, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[122] /* errCtx */));
/*project_c_121*/
int project_value_362 = -1;

project_value_362 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 121, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[123] /* errCtx */));
/*project_c_122*/
int project_value_365 = -1;

project_value_365 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 122, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[124] /* errCtx */));
/*project_c_123*/
int project_value_368 = -1;

project_value_368 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 123, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[125] /* errCtx */));
/*project_c_124*/
int project_value_371 = -1;

project_value_371 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 124, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[126] /* errCtx */));
/*project_c_125*/
int project_value_374 = -1;

project_value_374 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 125, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[127] /* errCtx */));
/*project_c_126*/
int project_value_377 = -1;

project_value_377 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 126, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[128] /* errCtx */));
/*project_c_127*/
int project_value_380 = -1;

project_value_380 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 127, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[129] /* errCtx */));
/*project_c_128*/
int project_value_383 = -1;

project_value_383 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 128, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[130] /* errCtx */));
/*project_c_129*/
int project_value_386 = -1;

project_value_386 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 129, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[131] /* errCtx */));
/*project_c_130*/
int project_value_389 = -1;

project_value_389 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 130, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[132] /* errCtx */));
/*project_c_131*/
int project_value_392 = -1;

project_value_392 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 131, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[133] /* errCtx */));
/*project_c_132*/
int project_value_395 = -1;

project_value_395 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 132, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[134] /* errCtx */));
/*project_c_133*/
int project_value_398 = -1;

project_value_398 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 133, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[135] /* errCtx */));
/*project_c_134*/
int project_value_401 = -1;

project_value_401 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 134, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[136] /* errCtx */));
/*project_c_135*/
int project_value_404 = -1;

project_value_404 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 135, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[137] /* errCtx */));
/*project_c_136*/
int project_value_407 = -1;

project_value_407 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 136, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[138] /* errCtx */));
/*project_c_137*/
int project_value_410 = -1;

project_value_410 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 137, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[139] /* errCtx */));
/*project_c_138*/
int project_value_413 = -1;

project_value_413 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 138, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[140] /* errCtx */));
/*project_c_139*/
int project_value_416 = -1;

project_value_416 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 139, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[141] /* errCtx */));
/*project_c_140*/
int project_value_419 = -1;

project_value_419 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 140, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[142] /* errCtx */));
/*project_c_141*/
int project_value_422 = -1;

project_value_422 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 141, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[143] /* errCtx */));
/*project_c_142*/
int project_value_425 = -1;

project_value_425 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 142, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[144] /* errCtx */));
/*project_c_143*/
int project_value_428 = -1;

project_value_428 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 143, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[145] /* errCtx */));
/*project_c_144*/
int project_value_431 = -1;

project_value_431 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 144, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[146] /* errCtx */));
/*project_c_145*/
int project_value_434 = -1;

project_value_434 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 145, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[147] /* errCtx */));
/*project_c_146*/
int project_value_437 = -1;

project_value_437 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 146, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[148] /* errCtx */));
/*project_c_147*/
int project_value_440 = -1;

project_value_440 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 147, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[149] /* errCtx */));
/*project_c_148*/
int project_value_443 = -1;

project_value_443 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 148, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[150] /* errCtx */));
/*project_c_149*/
int project_value_446 = -1;

project_value_446 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 149, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[151] /* errCtx */));
/*project_c_150*/
int project_value_449 = -1;

project_value_449 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 150, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[152] /* errCtx */));
/*project_c_151*/
int project_value_452 = -1;

project_value_452 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 151, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[153] /* errCtx */));
/*project_c_152*/
int project_value_455 = -1;

project_value_455 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 152, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[154] /* errCtx */));
/*project_c_153*/
int project_value_458 = -1;

project_value_458 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 153, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[155] /* errCtx */));
/*project_c_154*/
int project_value_461 = -1;

project_value_461 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 154, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[156] /* errCtx */));
/*project_c_155*/
int project_value_464 = -1;

project_value_464 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 155, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[157] /* errCtx */));
/*project_c_156*/
int project_value_467 = -1;

project_value_467 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 156, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[158] /* errCtx */));
/*project_c_157*/
int project_value_470 = -1;

project_value_470 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 157, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[159] /* errCtx */));
/*project_c_158*/
int project_value_473 = -1;

project_value_473 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 158, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[160] /* errCtx */));
/*project_c_159*/
int project_value_476 = -1;

project_value_476 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 159, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[161] /* errCtx */));
/*project_c_160*/
int project_value_479 = -1;

project_value_479 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 160, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[162] /* errCtx */));
/*project_c_161*/
int project_value_482 = -1;

project_value_482 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 161, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[163] /* errCtx */));
/*project_c_162*/
int project_value_485 = -1;

project_value_485 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 162, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[164] /* errCtx */));
/*project_c_163*/
int project_value_488 = -1;

project_value_488 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 163, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[165] /* errCtx */));
/*project_c_164*/
int project_value_491 = -1;

project_value_491 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 164, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[166] /* errCtx */));
/*project_c_165*/
int project_value_494 = -1;

project_value_494 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 165, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[167] /* errCtx */));
/*project_c_166*/
int project_value_497 = -1;

project_value_497 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 166, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[168] /* errCtx */));
/*project_c_167*/
int project_value_500 = -1;

project_value_500 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 167, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[169] /* errCtx */));
/*project_c_168*/
int project_value_503 = -1;

project_value_503 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 168, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[170] /* errCtx */));
/*project_c_169*/
int project_value_506 = -1;

project_value_506 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 169, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[171] /* errCtx */));
/*project_c_170*/
int project_value_509 = -1;

project_value_509 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 170, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[172] /* errCtx */));
/*project_c_171*/
int project_value_512 = -1;

project_value_512 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 171, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[173] /* errCtx */));
/*project_c_172*/
int project_value_515 = -1;

project_value_515 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 172, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[174] /* errCtx */));
/*project_c_173*/
int project_value_518 = -1;

project_value_518 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 173, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[175] /* errCtx */));
/*project_c_174*/
int project_value_521 = -1;

project_value_521 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 174, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[176] /* errCtx */));
/*project_c_175*/
int project_value_524 = -1;

project_value_524 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 175, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[177] /* errCtx */));
/*project_c_176*/
int project_value_527 = -1;

project_value_527 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 176, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[178] /* errCtx */));
/*project_c_177*/
int project_value_530 = -1;

project_value_530 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 177, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[179] /* errCtx */));
/*project_c_178*/
int project_value_533 = -1;

project_value_533 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 178, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[180] /* errCtx */));
/*project_c_179*/
int project_value_536 = -1;

project_value_536 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 179, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[181] /* errCtx */));
/*project_c_180*/
int project_value_539 = -1;

project_value_539 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 180, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[182] /* errCtx */));
/*project_c_181*/
int project_value_542 = -1;

project_value_542 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 181, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[183] /* errCtx */));
/*project_c_182*/
int project_value_545 = -1;

project_value_545 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 182, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[184] /* errCtx */));
/*project_c_183*/
int project_value_548 = -1;

project_value_548 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 183, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[185] /* errCtx */));
/*project_c_184*/
int project_value_551 = -1;

project_value_551 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 184, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[186] /* errCtx */));
/*project_c_185*/
int project_value_554 = -1;

project_value_554 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 185, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[187] /* errCtx */));
/*project_c_186*/
int project_value_557 = -1;

project_value_557 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 186, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[188] /* errCtx */));
/*project_c_187*/
int project_value_560 = -1;

project_value_560 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 187, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[189] /* errCtx */));
/*project_c_188*/
int project_value_563 = -1;

project_value_563 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 188, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[190] /* errCtx */));
/*project_c_189*/
int project_value_566 = -1;

project_value_566 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 189, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[191] /* errCtx */));
/*project_c_190*/
int project_value_569 = -1;

project_value_569 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 190, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[192] /* errCtx */));
/*project_c_191*/
int project_value_572 = -1;

project_value_572 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 191, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[193] /* errCtx */));
/*project_c_192*/
int project_value_575 = -1;

project_value_575 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 192, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[194] /* errCtx */));
/*project_c_193*/
int project_value_578 = -1;

project_value_578 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 193, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[195] /* errCtx */));
/*project_c_194*/
int project_value_581 = -1;

project_value_581 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 194, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[196] /* errCtx */));
/*project_c_195*/
int project_value_584 = -1;

project_value_584 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 195, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[197] /* errCtx */));
/*project_c_196*/
int project_value_587 = -1;

project_value_587 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 196, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[198] /* errCtx */));
/*project_c_197*/
int project_value_590 = -1;

project_value_590 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 197, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[199] /* errCtx */));
/*project_c_198*/
int project_value_593 = -1;

project_value_593 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 198, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[200] /* errCtx */));
/*project_c_199*/
int project_value_596 = -1;

project_value_596 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 199, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[201] /* errCtx */));
/*project_c_200*/
int project_value_599 = -1;

project_value_599 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 200, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[202] /* errCtx */));
/*project_c_201*/
int project_value_602 = -1;

project_value_602 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 201, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[203] /* errCtx */));
/*project_c_202*/
int project_value_605 = -1;

project_value_605 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 202, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[204] /* errCtx */));
/*project_c_203*/
int project_value_608 = -1;

project_value_608 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 203, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[205] /* errCtx */));
/*project_c_204*/
int project_value_611 = -1;

project_value_611 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 204, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[206] /* errCtx */));
/*project_c_205*/
int project_value_614 = -1;

project_value_614 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 205, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[207] /* errCtx */));
/*project_c_206*/
int project_value_617 = -1;

project_value_617 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 206, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[208] /* errCtx */));
/*project_c_207*/
int project_value_620 = -1;

project_value_620 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 207, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[209] /* errCtx */));
/*project_c_208*/
int project_value_623 = -1;

project_value_623 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 208, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[210] /* errCtx */));
/*project_c_209*/
int project_value_626 = -1;

project_value_626 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 209, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[211] /* errCtx */));
/*project_c_210*/
int project_value_629 = -1;

project_value_629 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 210, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[212] /* errCtx */));
/*project_c_211*/
int project_value_632 = -1;

project_value_632 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 211, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[213] /* errCtx */));
/*project_c_212*/
int project_value_635 = -1;

project_value_635 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 212, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[214] /* errCtx */));
/*project_c_213*/
int project_value_638 = -1;

project_value_638 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 213, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[215] /* errCtx */));
/*project_c_214*/
int project_value_641 = -1;

project_value_641 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 214, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[216] /* errCtx */));
/*project_c_215*/
int project_value_644 = -1;

project_value_644 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 215, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[217] /* errCtx */));
/*project_c_216*/
int project_value_647 = -1;

project_value_647 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 216, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[218] /* errCtx */));
/*project_c_217*/
int project_value_650 = -1;

project_value_650 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 217, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[219] /* errCtx */));
/*project_c_218*/
int project_value_653 = -1;

project_value_653 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 218, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[220] /* errCtx */));
/*project_c_219*/
int project_value_656 = -1;

project_value_656 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 219, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[221] /* errCtx */));
/*project_c_220*/
int project_value_659 = -1;

project_value_659 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 220, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[222] /* errCtx */));
/*project_c_221*/
int project_value_662 = -1;

project_value_662 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 221, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[223] /* errCtx */));
/*project_c_222*/
int project_value_665 = -1;

project_value_665 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 222, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[224] /* errCtx */));
/*project_c_223*/
int project_value_668 = -1;

project_value_668 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 223, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[225] /* errCtx */));
/*project_c_224*/
int project_value_671 = -1;

project_value_671 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 224, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[226] /* errCtx */));
/*project_c_225*/
int project_value_674 = -1;

project_value_674 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 225, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[227] /* errCtx */));
/*project_c_226*/
int project_value_677 = -1;

project_value_677 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 226, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[228] /* errCtx */));
/*project_c_227*/
int project_value_680 = -1;

project_value_680 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 227, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[229] /* errCtx */));
/*project_c_228*/
int project_value_683 = -1;

project_value_683 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 228, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[230] /* errCtx */));
/*project_c_229*/
int project_value_686 = -1;

project_value_686 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 229, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[231] /* errCtx */));
/*project_c_230*/
int project_value_689 = -1;

project_value_689 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 230, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[232] /* errCtx */));
/*project_c_231*/
int project_value_692 = -1;

project_value_692 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 231, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[233] /* errCtx */));
/*project_c_232*/
int project_value_695 = -1;

project_value_695 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 232, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[234] /* errCtx */));
/*project_c_233*/
int project_value_698 = -1;

project_value_698 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 233, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[235] /* errCtx */));
/*project_c_234*/
int project_value_701 = -1;

project_value_701 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 234, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[236] /* errCtx */));
/*project_c_235*/
int project_value_704 = -1;

project_value_704 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 235, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[237] /* errCtx */));
/*project_c_236*/
int project_value_707 = -1;

project_value_707 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 236, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[238] /* errCtx */));
/*project_c_237*/
int project_value_710 = -1;

project_value_710 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 237, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[239] /* errCtx */));
/*project_c_238*/
int project_value_713 = -1;

project_value_713 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 238, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[240] /* errCtx */));
/*project_c_239*/
int project_value_716 = -1;

project_value_716 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 239, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[241] /* errCtx */));
/*project_c_240*/
int project_value_719 = -1;

project_value_719 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 240, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[242] /* errCtx */));
/*project_c_241*/
int project_value_722 = -1;

project_value_722 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 241, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[243] /* errCtx */));
/*project_c_242*/
int project_value_725 = -1;

project_value_725 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 242, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[244] /* errCtx */));
/*project_c_243*/
int project_value_728 = -1;

project_value_728 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 243, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[245] /* errCtx */));
/*project_c_244*/
int project_value_731 = -1;

project_value_731 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 244, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[246] /* errCtx */));
/*project_c_245*/
int project_value_734 = -1;

project_value_734 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 245, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[247] /* errCtx */));
/*project_c_246*/
int project_value_737 = -1;

project_value_737 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 246, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[248] /* errCtx */));
/*project_c_247*/
int project_value_740 = -1;

project_value_740 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 247, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[249] /* errCtx */));
/*project_c_248*/
int project_value_743 = -1;

project_value_743 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 248, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[250] /* errCtx */));
/*project_c_249*/
int project_value_746 = -1;

project_value_746 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 249, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[251] /* errCtx */));
/*project_c_250*/
int project_value_749 = -1;

project_value_749 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 250, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[252] /* errCtx */));
/*project_c_251*/
int project_value_752 = -1;

project_value_752 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 251, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[253] /* errCtx */));
/*project_c_252*/
int project_value_755 = -1;

project_value_755 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 252, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[254] /* errCtx */));
/*project_c_253*/
int project_value_758 = -1;

project_value_758 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 253, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[255] /* errCtx */));
/*project_c_254*/
int project_value_761 = -1;

project_value_761 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 254, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[256] /* errCtx */));
/*project_c_255*/
int project_value_764 = -1;

project_value_764 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 255, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[257] /* errCtx */));
/*project_c_256*/
int project_value_767 = -1;

project_value_767 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 256, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[258] /* errCtx */));
/*project_c_257*/
int project_value_770 = -1;

project_value_770 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 257, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[259] /* errCtx */));
/*project_c_258*/
int project_value_773 = -1;

project_value_773 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 258, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[260] /* errCtx */));
/*project_c_259*/
int project_value_776 = -1;

project_value_776 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 259, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[261] /* errCtx */));
/*project_c_260*/
int project_value_779 = -1;

project_value_779 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 260, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[262] /* errCtx */));
/*project_c_261*/
int project_value_782 = -1;

project_value_782 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 261, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[263] /* errCtx */));
/*project_c_262*/
int project_value_785 = -1;

project_value_785 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 262, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[264] /* errCtx */));
/*project_c_263*/
int project_value_788 = -1;

project_value_788 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 263, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[265] /* errCtx */));
/*project_c_264*/
int project_value_791 = -1;

project_value_791 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 264, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[266] /* errCtx */));
/*project_c_265*/
int project_value_794 = -1;

project_value_794 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 265, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[267] /* errCtx */));
/*project_c_266*/
int project_value_797 = -1;

project_value_797 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 266, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[268] /* errCtx */));
/*project_c_267*/
int project_value_800 = -1;

project_value_800 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 267, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[269] /* errCtx */));
/*project_c_268*/
int project_value_803 = -1;

project_value_803 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 268, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[270] /* errCtx */));
/*project_c_269*/
int project_value_806 = -1;

project_value_806 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 269, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[271] /* errCtx */));
/*project_c_270*/
int project_value_809 = -1;

project_value_809 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 270, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[272] /* errCtx */));
/*project_c_271*/
int project_value_812 = -1;

project_value_812 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 271, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[273] /* errCtx */));
/*project_c_272*/
int project_value_815 = -1;

project_value_815 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 272, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[274] /* errCtx */));
/*project_c_273*/
int project_value_818 = -1;

project_value_818 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 273, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[275] /* errCtx */));
/*project_c_274*/
int project_value_821 = -1;

project_value_821 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 274, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[276] /* errCtx */));
/*project_c_275*/
int project_value_824 = -1;

project_value_824 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 275, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[277] /* errCtx */));
/*project_c_276*/
int project_value_827 = -1;

project_value_827 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 276, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[278] /* errCtx */));
/*project_c_277*/
int project_value_830 = -1;

project_value_830 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 277, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[279] /* errCtx */));
/*project_c_278*/
int project_value_833 = -1;

project_value_833 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 278, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[280] /* errCtx */));
/*project_c_279*/
int project_value_836 = -1;

project_value_836 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 279, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[281] /* errCtx */));
/*project_c_280*/
int project_value_839 = -1;

project_value_839 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 280, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[282] /* errCtx */));
/*project_c_281*/
int project_value_842 = -1;

project_value_842 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 281, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[283] /* errCtx */));
/*project_c_282*/
int project_value_845 = -1;

project_value_845 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 282, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[284] /* errCtx */));
/*project_c_283*/
int project_value_848 = -1;

project_value_848 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 283, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[285] /* errCtx */));
/*project_c_284*/
int project_value_851 = -1;

project_value_851 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 284, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[286] /* errCtx */));
/*project_c_285*/
int project_value_854 = -1;

project_value_854 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 285, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[287] /* errCtx */));
/*project_c_286*/
int project_value_857 = -1;

project_value_857 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 286, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[288] /* errCtx */));
/*project_c_287*/
int project_value_860 = -1;

project_value_860 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 287, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[289] /* errCtx */));
/*project_c_288*/
int project_value_863 = -1;

project_value_863 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 288, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[290] /* errCtx */));
/*project_c_289*/
int project_value_866 = -1;

project_value_866 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 289, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[291] /* errCtx */));
/*project_c_290*/
int project_value_869 = -1;

project_value_869 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 290, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[292] /* errCtx */));
/*project_c_291*/
int project_value_872 = -1;

project_value_872 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 291, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[293] /* errCtx */));
/*project_c_292*/
int project_value_875 = -1;

project_value_875 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 292, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[294] /* errCtx */));
/*project_c_293*/
int project_value_878 = -1;

project_value_878 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 293, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[295] /* errCtx */));
/*project_c_294*/
int project_value_881 = -1;

project_value_881 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 294, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[296] /* errCtx */));
/*project_c_295*/
int project_value_884 = -1;

project_value_884 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 295, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[297] /* errCtx */));
/*project_c_296*/
int project_value_887 = -1;

project_value_887 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 296, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[298] /* errCtx */));
/*project_c_297*/
int project_value_890 = -1;

project_value_890 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 297, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[299] /* errCtx */));
/*project_c_298*/
int project_value_893 = -1;

project_value_893 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 298, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[300] /* errCtx */));
/*project_c_299*/
int project_value_896 = -1;

project_value_896 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(project_expr_0_0, 299, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[301] /* errCtx */));
columnartorow_mutableStateArray_3[3].reset();

columnartorow_mutableStateArray_3[3].write(0, project_expr_0_0);

columnartorow_mutableStateArray_3[3].write(1, project_value_2);

columnartorow_mutableStateArray_3[3].write(2, project_value_5);

columnartorow_mutableStateArray_3[3].write(3, project_value_8);

columnartorow_mutableStateArray_3[3].write(4, project_value_11);

columnartorow_mutableStateArray_3[3].write(5, project_value_14);

columnartorow_mutableStateArray_3[3].write(6, project_value_17);

columnartorow_mutableStateArray_3[3].write(7, project_value_20);

columnartorow_mutableStateArray_3[3].write(8, project_value_23);

columnartorow_mutableStateArray_3[3].write(9, project_value_26);

columnartorow_mutableStateArray_3[3].write(10, project_value_29);

columnartorow_mutableStateArray_3[3].write(11, project_value_32);

columnartorow_mutableStateArray_3[3].write(12, project_value_35);

columnartorow_mutableStateArray_3[3].write(13, project_value_38);

columnartorow_mutableStateArray_3[3].write(14, project_value_41);

columnartorow_mutableStateArray_3[3].write(15, project_value_44);

columnartorow_mutableStateArray_3[3].write(16, project_value_47);

columnartorow_mutableStateArray_3[3].write(17, project_value_50);

columnartorow_mutableStateArray_3[3].write(18, project_value_53);

columnartorow_mutableStateArray_3[3].write(19, project_value_56);

columnartorow_mutableStateArray_3[3].write(20, project_value_59);

columnartorow_mutableStateArray_3[3].write(21, project_value_62);

columnartorow_mutableStateArray_3[3].write(22, project_value_65);

columnartorow_mutableStateArray_3[3].write(23, project_value_68);

columnartorow_mutableStateArray_3[3].write(24, project_value_71);

columnartorow_mutableStateArray_3[3].write(25, project_value_74);

columnartorow_mutableStateArray_3[3].write(26, project_value_77);

columnartorow_mutableStateArray_3[3].write(27, project_value_80);

columnartorow_mutableStateArray_3[3].write(28, project_value_83);

columnartorow_mutableStateArray_3[3].write(29, project_value_86);

columnartorow_mutableStateArray_3[3].write(30, project_value_89);

columnartorow_mutableStateArray_3[3].write(31, project_value_92);

columnartorow_mutableStateArray_3[3].write(32, project_value_95);

columnartorow_mutableStateArray_3[3].write(33, project_value_98);

columnartorow_mutableStateArray_3[3].write(34, project_value_101);

columnartorow_mutableStateArray_3[3].write(35, project_value_104);

columnartorow_mutableStateArray_3[3].write(36, project_value_107);

columnartorow_mutableStateArray_3[3].write(37, project_value_110);

columnartorow_mutableStateArray_3[3].write(38, project_value_113);

columnartorow_mutableStateArray_3[3].write(39, project_value_116);

columnartorow_mutableStateArray_3[3].write(40, project_value_119);

columnartorow_mutableStateArray_3[3].write(41, project_value_122);

columnartorow_mutableStateArray_3[3].write(42, project_value_125);

columnartorow_mutableStateArray_3[3].write(43, project_value_128);

columnartorow_mutableStateArray_3[3].write(44, project_value_131);

columnartorow_mutableStateArray_3[3].write(45, project_value_134);

columnartorow_mutableStateArray_3[3].write(46, project_value_137);

columnartorow_mutableStateArray_3[3].write(47, project_value_140);

columnartorow_mutableStateArray_3[3].write(48, project_value_143);

columnartorow_mutableStateArray_3[3].write(49, project_value_146);

columnartorow_mutableStateArray_3[3].write(50, project_value_149);

columnartorow_mutableStateArray_3[3].write(51, project_value_152);

columnartorow_mutableStateArray_3[3].write(52, project_value_155);

columnartorow_mutableStateArray_3[3].write(53, project_value_158);

columnartorow_mutableStateArray_3[3].write(54, project_value_161);

columnartorow_mutableStateArray_3[3].write(55, project_value_164);

columnartorow_mutableStateArray_3[3].write(56, project_value_167);

columnartorow_mutableStateArray_3[3].write(57, project_value_170);

columnartorow_mutableStateArray_3[3].write(58, project_value_173);

columnartorow_mutableStateArray_3[3].write(59, project_value_176);

columnartorow_mutableStateArray_3[3].write(60, project_value_179);

columnartorow_mutableStateArray_3[3].write(61, project_value_182);

columnartorow_mutableStateArray_3[3].write(62, project_value_185);

columnartorow_mutableStateArray_3[3].write(63, project_value_188);

columnartorow_mutableStateArray_3[3].write(64, project_value_191);

columnartorow_mutableStateArray_3[3].write(65, project_value_194);

columnartorow_mutableStateArray_3[3].write(66, project_value_197);

columnartorow_mutableStateArray_3[3].write(67, project_value_200);

columnartorow_mutableStateArray_3[3].write(68, project_value_203);

columnartorow_mutableStateArray_3[3].write(69, project_value_206);

columnartorow_mutableStateArray_3[3].write(70, project_value_209);

columnartorow_mutableStateArray_3[3].write(71, project_value_212);

columnartorow_mutableStateArray_3[3].write(72, project_value_215);

columnartorow_mutableStateArray_3[3].write(73, project_value_218);

columnartorow_mutableStateArray_3[3].write(74, project_value_221);

columnartorow_mutableStateArray_3[3].write(75, project_value_224);

columnartorow_mutableStateArray_3[3].write(76, project_value_227);

columnartorow_mutableStateArray_3[3].write(77, project_value_230);

columnartorow_mutableStateArray_3[3].write(78, project_value_233);

columnartorow_mutableStateArray_3[3].write(79, project_value_236);

columnartorow_mutableStateArray_3[3].write(80, project_value_239);

columnartorow_mutableStateArray_3[3].write(81, project_value_242);

columnartorow_mutableStateArray_3[3].write(82, project_value_245);

columnartorow_mutableStateArray_3[3].write(83, project_value_248);

columnartorow_mutableStateArray_3[3].write(84, project_value_251);

columnartorow_mutableStateArray_3[3].write(85, project_value_254);

columnartorow_mutableStateArray_3[3].write(86, project_value_257);

columnartorow_mutableStateArray_3[3].write(87, project_value_260);

columnartorow_mutableStateArray_3[3].write(88, project_value_263);

columnartorow_mutableStateArray_3[3].write(89, project_value_266);

columnartorow_mutableStateArray_3[3].write(90, project_value_269);

columnartorow_mutableStateArray_3[3].write(91, project_value_272);

columnartorow_mutableStateArray_3[3].write(92, project_value_275);

columnartorow_mutableStateArray_3[3].write(93, project_value_278);

columnartorow_mutableStateArray_3[3].write(94, project_value_281);

columnartorow_mutableStateArray_3[3].write(95, project_value_284);

columnartorow_mutableStateArray_3[3].write(96, project_value_287);

columnartorow_mutableStateArray_3[3].write(97, project_value_290);

columnartorow_mutableStateArray_3[3].write(98, project_value_293);

columnartorow_mutableStateArray_3[3].write(99, project_value_296);

columnartorow_mutableStateArray_3[3].write(100, project_value_299);

columnartorow_mutableStateArray_3[3].write(101, project_value_302);

columnartorow_mutableStateArray_3[3].write(102, project_value_305);

columnartorow_mutableStateArray_3[3].write(103, project_value_308);

columnartorow_mutableStateArray_3[3].write(104, project_value_311);

columnartorow_mutableStateArray_3[3].write(105, project_value_314);

columnartorow_mutableStateArray_3[3].write(106, project_value_317);

columnartorow_mutableStateArray_3[3].write(107, project_value_320);

columnartorow_mutableStateArray_3[3].write(108, project_value_323);

columnartorow_mutableStateArray_3[3].write(109, project_value_326);

columnartorow_mutableStateArray_3[3].write(110, project_value_329);

columnartorow_mutableStateArray_3[3].write(111, project_value_332);

columnartorow_mutableStateArray_3[3].write(112, project_value_335);

columnartorow_mutableStateArray_3[3].write(113, project_value_338);

columnartorow_mutableStateArray_3[3].write(114, project_value_341);

columnartorow_mutableStateArray_3[3].write(115, project_value_344);

columnartorow_mutableStateArray_3[3].write(116, project_value_347);

columnartorow_mutableStateArray_3[3].write(117, project_value_350);

columnartorow_mutableStateArray_3[3].write(118, project_value_353);

columnartorow_mutableStateArray_3[3].write(119, project_value_356);

columnartorow_mutableStateArray_3[3].write(120, project_value_359);

columnartorow_mutableStateArray_3[3].write(121, project_value_362);

columnartorow_mutableStateArray_3[3].write(122, project_value_365);

columnartorow_mutableStateArray_3[3].write(123, project_value_368);

columnartorow_mutableStateArray_3[3].write(124, project_value_371);

columnartorow_mutableStateArray_3[3].write(125, project_value_374);

columnartorow_mutableStateArray_3[3].write(126, project_value_377);

columnartorow_mutableStateArray_3[3].write(127, project_value_380);

columnartorow_mutableStateArray_3[3].write(128, project_value_383);

columnartorow_mutableStateArray_3[3].write(129, project_value_386);

columnartorow_mutableStateArray_3[3].write(130, project_value_389);

columnartorow_mutableStateArray_3[3].write(131, project_value_392);

columnartorow_mutableStateArray_3[3].write(132, project_value_395);

columnartorow_mutableStateArray_3[3].write(133, project_value_398);

columnartorow_mutableStateArray_3[3].write(134, project_value_401);

columnartorow_mutableStateArray_3[3].write(135, project_value_404);

columnartorow_mutableStateArray_3[3].write(136, project_value_407);

columnartorow_mutableStateArray_3[3].write(137, project_value_410);

columnartorow_mutableStateArray_3[3].write(138, project_value_413);

columnartorow_mutableStateArray_3[3].write(139, project_value_416);

columnartorow_mutableStateArray_3[3].write(140, project_value_419);

columnartorow_mutableStateArray_3[3].write(141, project_value_422);

columnartorow_mutableStateArray_3[3].write(142, project_value_425);

columnartorow_mutableStateArray_3[3].write(143, project_value_428);

columnartorow_mutableStateArray_3[3].write(144, project_value_431);

columnartorow_mutableStateArray_3[3].write(145, project_value_434);

columnartorow_mutableStateArray_3[3].write(146, project_value_437);

columnartorow_mutableStateArray_3[3].write(147, project_value_440);

columnartorow_mutableStateArray_3[3].write(148, project_value_443);

columnartorow_mutableStateArray_3[3].write(149, project_value_446);

columnartorow_mutableStateArray_3[3].write(150, project_value_449);

columnartorow_mutableStateArray_3[3].write(151, project_value_452);

columnartorow_mutableStateArray_3[3].write(152, project_value_455);

columnartorow_mutableStateArray_3[3].write(153, project_value_458);

columnartorow_mutableStateArray_3[3].write(154, project_value_461);

columnartorow_mutableStateArray_3[3].write(155, project_value_464);

columnartorow_mutableStateArray_3[3].write(156, project_value_467);

columnartorow_mutableStateArray_3[3].write(157, project_value_470);

columnartorow_mutableStateArray_3[3].write(158, project_value_473);

columnartorow_mutableStateArray_3[3].write(159, project_value_476);

columnartorow_mutableStateArray_3[3].write(160, project_value_479);

columnartorow_mutableStateArray_3[3].write(161, project_value_482);

columnartorow_mutableStateArray_3[3].write(162, project_value_485);

columnartorow_mutableStateArray_3[3].write(163, project_value_488);

columnartorow_mutableStateArray_3[3].write(164, project_value_491);

columnartorow_mutableStateArray_3[3].write(165, project_value_494);

columnartorow_mutableStateArray_3[3].write(166, project_value_497);

columnartorow_mutableStateArray_3[3].write(167, project_value_500);

columnartorow_mutableStateArray_3[3].write(168, project_value_503);

columnartorow_mutableStateArray_3[3].write(169, project_value_506);

columnartorow_mutableStateArray_3[3].write(170, project_value_509);

columnartorow_mutableStateArray_3[3].write(171, project_value_512);

columnartorow_mutableStateArray_3[3].write(172, project_value_515);

columnartorow_mutableStateArray_3[3].write(173, project_value_518);

columnartorow_mutableStateArray_3[3].write(174, project_value_521);

columnartorow_mutableStateArray_3[3].write(175, project_value_524);

columnartorow_mutableStateArray_3[3].write(176, project_value_527);

columnartorow_mutableStateArray_3[3].write(177, project_value_530);

columnartorow_mutableStateArray_3[3].write(178, project_value_533);

columnartorow_mutableStateArray_3[3].write(179, project_value_536);

columnartorow_mutableStateArray_3[3].write(180, project_value_539);

columnartorow_mutableStateArray_3[3].write(181, project_value_542);

columnartorow_mutableStateArray_3[3].write(182, project_value_545);

columnartorow_mutableStateArray_3[3].write(183, project_value_548);

columnartorow_mutableStateArray_3[3].write(184, project_value_551);

columnartorow_mutableStateArray_3[3].write(185, project_value_554);

columnartorow_mutableStateArray_3[3].write(186, project_value_557);

columnartorow_mutableStateArray_3[3].write(187, project_value_560);

columnartorow_mutableStateArray_3[3].write(188, project_value_563);

columnartorow_mutableStateArray_3[3].write(189, project_value_566);

columnartorow_mutableStateArray_3[3].write(190, project_value_569);

columnartorow_mutableStateArray_3[3].write(191, project_value_572);

columnartorow_mutableStateArray_3[3].write(192, project_value_575);

columnartorow_mutableStateArray_3[3].write(193, project_value_578);

columnartorow_mutableStateArray_3[3].write(194, project_value_581);

columnartorow_mutableStateArray_3[3].write(195, project_value_584);

columnartorow_mutableStateArray_3[3].write(196, project_value_587);

columnartorow_mutableStateArray_3[3].write(197, project_value_590);

columnartorow_mutableStateArray_3[3].write(198, project_value_593);

columnartorow_mutableStateArray_3[3].write(199, project_value_596);

columnartorow_mutableStateArray_3[3].write(200, project_value_599);

columnartorow_mutableStateArray_3[3].write(201, project_value_602);

columnartorow_mutableStateArray_3[3].write(202, project_value_605);

columnartorow_mutableStateArray_3[3].write(203, project_value_608);

columnartorow_mutableStateArray_3[3].write(204, project_value_611);

columnartorow_mutableStateArray_3[3].write(205, project_value_614);

columnartorow_mutableStateArray_3[3].write(206, project_value_617);

columnartorow_mutableStateArray_3[3].write(207, project_value_620);

columnartorow_mutableStateArray_3[3].write(208, project_value_623);

columnartorow_mutableStateArray_3[3].write(209, project_value_626);

columnartorow_mutableStateArray_3[3].write(210, project_value_629);

columnartorow_mutableStateArray_3[3].write(211, project_value_632);

columnartorow_mutableStateArray_3[3].write(212, project_value_635);

columnartorow_mutableStateArray_3[3].write(213, project_value_638);

columnartorow_mutableStateArray_3[3].write(214, project_value_641);

columnartorow_mutableStateArray_3[3].write(215, project_value_644);

columnartorow_mutableStateArray_3[3].write(216, project_value_647);

columnartorow_mutableStateArray_3[3].write(217, project_value_650);

columnartorow_mutableStateArray_3[3].write(218, project_value_653);

columnartorow_mutableStateArray_3[3].write(219, project_value_656);

columnartorow_mutableStateArray_3[3].write(220, project_value_659);

columnartorow_mutableStateArray_3[3].write(221, project_value_662);

columnartorow_mutableStateArray_3[3].write(222, project_value_665);

columnartorow_mutableStateArray_3[3].write(223, project_value_668);

columnartorow_mutableStateArray_3[3].write(224, project_value_671);

columnartorow_mutableStateArray_3[3].write(225, project_value_674);

columnartorow_mutableStateArray_3[3].write(226, project_value_677);

columnartorow_mutableStateArray_3[3].write(227, project_value_680);

columnartorow_mutableStateArray_3[3].write(228, project_value_683);

columnartorow_mutableStateArray_3[3].write(229, project_value_686);

columnartorow_mutableStateArray_3[3].write(230, project_value_689);

columnartorow_mutableStateArray_3[3].write(231, project_value_692);

columnartorow_mutableStateArray_3[3].write(232, project_value_695);

columnartorow_mutableStateArray_3[3].write(233, project_value_698);

columnartorow_mutableStateArray_3[3].write(234, project_value_701);

columnartorow_mutableStateArray_3[3].write(235, project_value_704);

columnartorow_mutableStateArray_3[3].write(236, project_value_707);

columnartorow_mutableStateArray_3[3].write(237, project_value_710);

columnartorow_mutableStateArray_3[3].write(238, project_value_713);

columnartorow_mutableStateArray_3[3].write(239, project_value_716);

columnartorow_mutableStateArray_3[3].write(240, project_value_719);

columnartorow_mutableStateArray_3[3].write(241, project_value_722);

columnartorow_mutableStateArray_3[3].write(242, project_value_725);

columnartorow_mutableStateArray_3[3].write(243, project_value_728);

columnartorow_mutableStateArray_3[3].write(244, project_value_731);

columnartorow_mutableStateArray_3[3].write(245, project_value_734);

columnartorow_mutableStateArray_3[3].write(246, project_value_737);

columnartorow_mutableStateArray_3[3].write(247, project_value_740);

columnartorow_mutableStateArray_3[3].write(248, project_value_743);

columnartorow_mutableStateArray_3[3].write(249, project_value_746);

columnartorow_mutableStateArray_3[3].write(250, project_value_749);

columnartorow_mutableStateArray_3[3].write(251, project_value_752);

columnartorow_mutableStateArray_3[3].write(252, project_value_755);

columnartorow_mutableStateArray_3[3].write(253, project_value_758);

columnartorow_mutableStateArray_3[3].write(254, project_value_761);

columnartorow_mutableStateArray_3[3].write(255, project_value_764);

columnartorow_mutableStateArray_3[3].write(256, project_value_767);

columnartorow_mutableStateArray_3[3].write(257, project_value_770);

columnartorow_mutableStateArray_3[3].write(258, project_value_773);

columnartorow_mutableStateArray_3[3].write(259, project_value_776);

columnartorow_mutableStateArray_3[3].write(260, project_value_779);

columnartorow_mutableStateArray_3[3].write(261, project_value_782);

columnartorow_mutableStateArray_3[3].write(262, project_value_785);

columnartorow_mutableStateArray_3[3].write(263, project_value_788);

columnartorow_mutableStateArray_3[3].write(264, project_value_791);

columnartorow_mutableStateArray_3[3].write(265, project_value_794);

columnartorow_mutableStateArray_3[3].write(266, project_value_797);

columnartorow_mutableStateArray_3[3].write(267, project_value_800);

columnartorow_mutableStateArray_3[3].write(268, project_value_803);

columnartorow_mutableStateArray_3[3].write(269, project_value_806);

columnartorow_mutableStateArray_3[3].write(270, project_value_809);

columnartorow_mutableStateArray_3[3].write(271, project_value_812);

columnartorow_mutableStateArray_3[3].write(272, project_value_815);

columnartorow_mutableStateArray_3[3].write(273, project_value_818);

columnartorow_mutableStateArray_3[3].write(274, project_value_821);

columnartorow_mutableStateArray_3[3].write(275, project_value_824);

columnartorow_mutableStateArray_3[3].write(276, project_value_827);

columnartorow_mutableStateArray_3[3].write(277, project_value_830);

columnartorow_mutableStateArray_3[3].write(278, project_value_833);

columnartorow_mutableStateArray_3[3].write(279, project_value_836);

columnartorow_mutableStateArray_3[3].write(280, project_value_839);

columnartorow_mutableStateArray_3[3].write(281, project_value_842);

columnartorow_mutableStateArray_3[3].write(282, project_value_845);

columnartorow_mutableStateArray_3[3].write(283, project_value_848);

columnartorow_mutableStateArray_3[3].write(284, project_value_851);

columnartorow_mutableStateArray_3[3].write(285, project_value_854);

columnartorow_mutableStateArray_3[3].write(286, project_value_857);

columnartorow_mutableStateArray_3[3].write(287, project_value_860);

columnartorow_mutableStateArray_3[3].write(288, project_value_863);

columnartorow_mutableStateArray_3[3].write(289, project_value_866);

columnartorow_mutableStateArray_3[3].write(290, project_value_869);

columnartorow_mutableStateArray_3[3].write(291, project_value_872);

columnartorow_mutableStateArray_3[3].write(292, project_value_875);

columnartorow_mutableStateArray_3[3].write(293, project_value_878);

columnartorow_mutableStateArray_3[3].write(294, project_value_881);

columnartorow_mutableStateArray_3[3].write(295, project_value_884);

columnartorow_mutableStateArray_3[3].write(296, project_value_887);

columnartorow_mutableStateArray_3[3].write(297, project_value_890);

columnartorow_mutableStateArray_3[3].write(298, project_value_893);

columnartorow_mutableStateArray_3[3].write(299, project_value_896);
append((columnartorow_mutableStateArray_3[3].getRow()));

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

} while (false);
if (shouldStop()) { columnartorow_batchIdx_0 = columnartorow_rowIdx_0 + 1; return; }
}
columnartorow_batchIdx_0 = columnartorow_numRows_0;
columnartorow_nextBatch_0();
}
// clean up resources
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_mutableStateArray_1[0].close();
}
}

private void columnartorow_nextBatch_0() throws java.io.IOException {
columnartorow_mutableStateArray_1[0] = org.apache.spark.sql.execution.ColumnarToRowExec.advanceBatch(
columnartorow_mutableStateArray_0[0], columnartorow_mutableStateArray_1[0], ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* numInputBatches */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[0] /* numOutputRows */));
if (columnartorow_mutableStateArray_1[0] != null) {
columnartorow_batchIdx_0 = 0;
columnartorow_mutableStateArray_2[0] = (org.apache.spark.sql.execution.vectorized.OnHeapColumnVector) columnartorow_mutableStateArray_1[0].column(0);

}
}
}
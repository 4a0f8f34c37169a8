public Object generate(Object[] references) {
return new GeneratedIteratorForCodegenStage2(references);
}

/*wsc_codegenPipeline*/
/*wsc_codegenStageId*/
final class GeneratedIteratorForCodegenStage2 extends org.apache.spark.sql.execution.BufferedRowIterator {
private Object[] references;
private scala.collection.Iterator[] inputs;
private boolean hashAgg_initAgg_0;
private org.apache.spark.unsafe.KVIterator hashAgg_mapIter_0;
private org.apache.spark.sql.execution.UnsafeFixedWidthAggregationMap hashAgg_hashMap_0;
private org.apache.spark.sql.execution.UnsafeKVExternalSorter hashAgg_sorter_0;
private scala.collection.Iterator inputadapter_input_0;
private org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[] hashAgg_mutableStateArray_0 = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter[2];

public GeneratedIteratorForCodegenStage2(Object[] references) {
this.references = references;
}

public void init(int index, scala.collection.Iterator[] inputs) {
partitionIndex = index;
this.inputs = inputs;

inputadapter_input_0 = inputs[0];
hashAgg_mutableStateArray_0[0] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(1, 32);
hashAgg_mutableStateArray_0[1] = new org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter(17, 544);

}

private void hashAgg_doAggregate_avg_6(long hashAgg_expr_28_0, boolean hashAgg_exprIsNull_27_0, org.apache.spark.sql.types.Decimal hashAgg_expr_27_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_28_0) throws java.io.IOException {
/*hashAgg_c_171*/
/*hashAgg_c_124*/
boolean hashAgg_isNull_185 = true;
Decimal hashAgg_value_185 = null;
/*hashAgg_c_123*/
boolean hashAgg_isNull_186 = hashAgg_unsafeRowAggBuffer_0.isNullAt(26);
Decimal hashAgg_value_186 = hashAgg_isNull_186 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(26, 26, 2));
if (!hashAgg_isNull_186) {
if (!hashAgg_exprIsNull_27_0) {
hashAgg_isNull_185 = false; // resultCode could change nullability.
hashAgg_value_185 = hashAgg_value_186.$plus(hashAgg_expr_27_0);

}

}
/*hashAgg_c_126*/
boolean hashAgg_isNull_188 = true;
long hashAgg_value_188 = -1L;
/*hashAgg_c_125*/
boolean hashAgg_isNull_189 = hashAgg_unsafeRowAggBuffer_0.isNullAt(27);
long hashAgg_value_189 = hashAgg_isNull_189 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(27));
if (!hashAgg_isNull_189) {
if (!hashAgg_exprIsNull_28_0) {
hashAgg_isNull_188 = false; // resultCode could change nullability.

hashAgg_value_188 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_189, hashAgg_expr_28_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[11] /* errCtx */));

}

}
/*hashAgg_c_172*/
if (!hashAgg_isNull_185) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(26, hashAgg_value_185, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(26, null, 26);
}

if (!hashAgg_isNull_188) {
hashAgg_unsafeRowAggBuffer_0.setLong(27, hashAgg_value_188);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(27);
}
}

private void hashAgg_doAggregate_avg_7(boolean hashAgg_exprIsNull_32_0, org.apache.spark.sql.types.Decimal hashAgg_expr_31_0, boolean hashAgg_exprIsNull_31_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, long hashAgg_expr_32_0) throws java.io.IOException {
/*hashAgg_c_175*/
/*hashAgg_c_142*/
boolean hashAgg_isNull_212 = true;
Decimal hashAgg_value_212 = null;
/*hashAgg_c_141*/
boolean hashAgg_isNull_213 = hashAgg_unsafeRowAggBuffer_0.isNullAt(30);
Decimal hashAgg_value_213 = hashAgg_isNull_213 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(30, 26, 2));
if (!hashAgg_isNull_213) {
if (!hashAgg_exprIsNull_31_0) {
hashAgg_isNull_212 = false; // resultCode could change nullability.
hashAgg_value_212 = hashAgg_value_213.$plus(hashAgg_expr_31_0);

}

}
/*hashAgg_c_144*/
boolean hashAgg_isNull_215 = true;
long hashAgg_value_215 = -1L;
/*hashAgg_c_143*/
boolean hashAgg_isNull_216 = hashAgg_unsafeRowAggBuffer_0.isNullAt(31);
long hashAgg_value_216 = hashAgg_isNull_216 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(31));
if (!hashAgg_isNull_216) {
if (!hashAgg_exprIsNull_32_0) {
hashAgg_isNull_215 = false; // resultCode could change nullability.

hashAgg_value_215 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_216, hashAgg_expr_32_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[12] /* errCtx */));

}

}
/*hashAgg_c_176*/
if (!hashAgg_isNull_212) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(30, hashAgg_value_212, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(30, null, 26);
}

if (!hashAgg_isNull_215) {
hashAgg_unsafeRowAggBuffer_0.setLong(31, hashAgg_value_215);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(31);
}
}

private void hashAgg_doAggregate_avg_4(boolean hashAgg_exprIsNull_20_0, org.apache.spark.sql.types.Decimal hashAgg_expr_19_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, long hashAgg_expr_20_0, boolean hashAgg_exprIsNull_19_0) throws java.io.IOException {
/*hashAgg_c_163*/
/*hashAgg_c_88*/
boolean hashAgg_isNull_131 = true;
Decimal hashAgg_value_131 = null;
/*hashAgg_c_87*/
boolean hashAgg_isNull_132 = hashAgg_unsafeRowAggBuffer_0.isNullAt(18);
Decimal hashAgg_value_132 = hashAgg_isNull_132 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(18, 26, 2));
if (!hashAgg_isNull_132) {
if (!hashAgg_exprIsNull_19_0) {
hashAgg_isNull_131 = false; // resultCode could change nullability.
hashAgg_value_131 = hashAgg_value_132.$plus(hashAgg_expr_19_0);

}

}
/*hashAgg_c_90*/
boolean hashAgg_isNull_134 = true;
long hashAgg_value_134 = -1L;
/*hashAgg_c_89*/
boolean hashAgg_isNull_135 = hashAgg_unsafeRowAggBuffer_0.isNullAt(19);
long hashAgg_value_135 = hashAgg_isNull_135 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(19));
if (!hashAgg_isNull_135) {
if (!hashAgg_exprIsNull_20_0) {
hashAgg_isNull_134 = false; // resultCode could change nullability.

hashAgg_value_134 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_135, hashAgg_expr_20_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[9] /* errCtx */));

}

}
/*hashAgg_c_164*/
if (!hashAgg_isNull_131) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(18, hashAgg_value_131, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(18, null, 26);
}

if (!hashAgg_isNull_134) {
hashAgg_unsafeRowAggBuffer_0.setLong(19, hashAgg_value_134);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(19);
}
}

private void hashAgg_doAggregate_avg_5(boolean hashAgg_exprIsNull_24_0, org.apache.spark.sql.types.Decimal hashAgg_expr_23_0, long hashAgg_expr_24_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_23_0) throws java.io.IOException {
/*hashAgg_c_167*/
/*hashAgg_c_106*/
boolean hashAgg_isNull_158 = true;
Decimal hashAgg_value_158 = null;
/*hashAgg_c_105*/
boolean hashAgg_isNull_159 = hashAgg_unsafeRowAggBuffer_0.isNullAt(22);
Decimal hashAgg_value_159 = hashAgg_isNull_159 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(22, 26, 2));
if (!hashAgg_isNull_159) {
if (!hashAgg_exprIsNull_23_0) {
hashAgg_isNull_158 = false; // resultCode could change nullability.
hashAgg_value_158 = hashAgg_value_159.$plus(hashAgg_expr_23_0);

}

}
/*hashAgg_c_108*/
boolean hashAgg_isNull_161 = true;
long hashAgg_value_161 = -1L;
/*hashAgg_c_107*/
boolean hashAgg_isNull_162 = hashAgg_unsafeRowAggBuffer_0.isNullAt(23);
long hashAgg_value_162 = hashAgg_isNull_162 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(23));
if (!hashAgg_isNull_162) {
if (!hashAgg_exprIsNull_24_0) {
hashAgg_isNull_161 = false; // resultCode could change nullability.

hashAgg_value_161 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_162, hashAgg_expr_24_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[10] /* errCtx */));

}

}
/*hashAgg_c_168*/
if (!hashAgg_isNull_158) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(22, hashAgg_value_158, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(22, null, 26);
}

if (!hashAgg_isNull_161) {
hashAgg_unsafeRowAggBuffer_0.setLong(23, hashAgg_value_161);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(23);
}
}

private void hashAgg_doAggregate_sum_7(org.apache.spark.sql.types.Decimal hashAgg_expr_29_0, boolean hashAgg_expr_30_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_29_0) throws java.io.IOException {
/*hashAgg_c_173*/
/*hashAgg_c_138*/
boolean hashAgg_value_195 = hashAgg_unsafeRowAggBuffer_0.getBoolean(29);
boolean hashAgg_value_194 = false;
hashAgg_value_194 = !(hashAgg_value_195);
boolean hashAgg_value_193 = false;

if (hashAgg_value_194) {
/*hashAgg_c_130*/
boolean hashAgg_isNull_197 = hashAgg_unsafeRowAggBuffer_0.isNullAt(28);
Decimal hashAgg_value_197 = hashAgg_isNull_197 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(28, 27, 2));
hashAgg_value_193 = hashAgg_isNull_197;
}
boolean hashAgg_value_192 = true;

if (!hashAgg_value_193) {
/*hashAgg_c_133*/
boolean hashAgg_value_199 = false;
hashAgg_value_199 = !(hashAgg_expr_30_0);
boolean hashAgg_value_198 = false;

if (hashAgg_value_199) {
hashAgg_value_198 = hashAgg_exprIsNull_29_0;
}
hashAgg_value_192 = hashAgg_value_198;
}
boolean hashAgg_isNull_191 = false;
Decimal hashAgg_value_191 = null;
if (!false && hashAgg_value_192) {
hashAgg_isNull_191 = true;
hashAgg_value_191 = ((Decimal)null);
} else {
/*hashAgg_c_137*/
boolean hashAgg_isNull_206 = hashAgg_unsafeRowAggBuffer_0.isNullAt(28);
Decimal hashAgg_value_206 = hashAgg_isNull_206 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(28, 27, 2));

Decimal hashAgg_value_204 = null;
hashAgg_value_204 = hashAgg_value_206.$plus(hashAgg_expr_29_0);
hashAgg_isNull_191 = false;
hashAgg_value_191 = hashAgg_value_204;
}
/*hashAgg_c_140*/
boolean hashAgg_value_210 = hashAgg_unsafeRowAggBuffer_0.getBoolean(29);
boolean hashAgg_value_209 = false;

if (hashAgg_value_210) {
hashAgg_value_209 = hashAgg_expr_30_0;
}
/*hashAgg_c_174*/
if (!hashAgg_isNull_191) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(28, hashAgg_value_191, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(28, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(29, hashAgg_value_209);
}

private void hashAgg_doAggregate_sum_6(boolean hashAgg_exprIsNull_25_0, org.apache.spark.sql.types.Decimal hashAgg_expr_25_0, boolean hashAgg_expr_26_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_169*/
/*hashAgg_c_120*/
boolean hashAgg_value_168 = hashAgg_unsafeRowAggBuffer_0.getBoolean(25);
boolean hashAgg_value_167 = false;
hashAgg_value_167 = !(hashAgg_value_168);
boolean hashAgg_value_166 = false;

if (hashAgg_value_167) {
/*hashAgg_c_112*/
boolean hashAgg_isNull_170 = hashAgg_unsafeRowAggBuffer_0.isNullAt(24);
Decimal hashAgg_value_170 = hashAgg_isNull_170 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(24, 27, 2));
hashAgg_value_166 = hashAgg_isNull_170;
}
boolean hashAgg_value_165 = true;

if (!hashAgg_value_166) {
/*hashAgg_c_115*/
boolean hashAgg_value_172 = false;
hashAgg_value_172 = !(hashAgg_expr_26_0);
boolean hashAgg_value_171 = false;

if (hashAgg_value_172) {
hashAgg_value_171 = hashAgg_exprIsNull_25_0;
}
hashAgg_value_165 = hashAgg_value_171;
}
boolean hashAgg_isNull_164 = false;
Decimal hashAgg_value_164 = null;
if (!false && hashAgg_value_165) {
hashAgg_isNull_164 = true;
hashAgg_value_164 = ((Decimal)null);
} else {
/*hashAgg_c_119*/
boolean hashAgg_isNull_179 = hashAgg_unsafeRowAggBuffer_0.isNullAt(24);
Decimal hashAgg_value_179 = hashAgg_isNull_179 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(24, 27, 2));

Decimal hashAgg_value_177 = null;
hashAgg_value_177 = hashAgg_value_179.$plus(hashAgg_expr_25_0);
hashAgg_isNull_164 = false;
hashAgg_value_164 = hashAgg_value_177;
}
/*hashAgg_c_122*/
boolean hashAgg_value_183 = hashAgg_unsafeRowAggBuffer_0.getBoolean(25);
boolean hashAgg_value_182 = false;

if (hashAgg_value_183) {
hashAgg_value_182 = hashAgg_expr_26_0;
}
/*hashAgg_c_170*/
if (!hashAgg_isNull_164) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(24, hashAgg_value_164, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(24, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(25, hashAgg_value_182);
}

private void hashAgg_doAggregate_sum_5(boolean hashAgg_exprIsNull_21_0, org.apache.spark.sql.types.Decimal hashAgg_expr_21_0, boolean hashAgg_expr_22_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_165*/
/*hashAgg_c_102*/
boolean hashAgg_value_141 = hashAgg_unsafeRowAggBuffer_0.getBoolean(21);
boolean hashAgg_value_140 = false;
hashAgg_value_140 = !(hashAgg_value_141);
boolean hashAgg_value_139 = false;

if (hashAgg_value_140) {
/*hashAgg_c_94*/
boolean hashAgg_isNull_143 = hashAgg_unsafeRowAggBuffer_0.isNullAt(20);
Decimal hashAgg_value_143 = hashAgg_isNull_143 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(20, 27, 2));
hashAgg_value_139 = hashAgg_isNull_143;
}
boolean hashAgg_value_138 = true;

if (!hashAgg_value_139) {
/*hashAgg_c_97*/
boolean hashAgg_value_145 = false;
hashAgg_value_145 = !(hashAgg_expr_22_0);
boolean hashAgg_value_144 = false;

if (hashAgg_value_145) {
hashAgg_value_144 = hashAgg_exprIsNull_21_0;
}
hashAgg_value_138 = hashAgg_value_144;
}
boolean hashAgg_isNull_137 = false;
Decimal hashAgg_value_137 = null;
if (!false && hashAgg_value_138) {
hashAgg_isNull_137 = true;
hashAgg_value_137 = ((Decimal)null);
} else {
/*hashAgg_c_101*/
boolean hashAgg_isNull_152 = hashAgg_unsafeRowAggBuffer_0.isNullAt(20);
Decimal hashAgg_value_152 = hashAgg_isNull_152 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(20, 27, 2));

Decimal hashAgg_value_150 = null;
hashAgg_value_150 = hashAgg_value_152.$plus(hashAgg_expr_21_0);
hashAgg_isNull_137 = false;
hashAgg_value_137 = hashAgg_value_150;
}
/*hashAgg_c_104*/
boolean hashAgg_value_156 = hashAgg_unsafeRowAggBuffer_0.getBoolean(21);
boolean hashAgg_value_155 = false;

if (hashAgg_value_156) {
hashAgg_value_155 = hashAgg_expr_22_0;
}
/*hashAgg_c_166*/
if (!hashAgg_isNull_137) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(20, hashAgg_value_137, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(20, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(21, hashAgg_value_155);
}

private void hashAgg_doAggregate_sum_4(boolean hashAgg_expr_18_0, org.apache.spark.sql.types.Decimal hashAgg_expr_17_0, boolean hashAgg_exprIsNull_17_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_161*/
/*hashAgg_c_84*/
boolean hashAgg_value_114 = hashAgg_unsafeRowAggBuffer_0.getBoolean(17);
boolean hashAgg_value_113 = false;
hashAgg_value_113 = !(hashAgg_value_114);
boolean hashAgg_value_112 = false;

if (hashAgg_value_113) {
/*hashAgg_c_76*/
boolean hashAgg_isNull_116 = hashAgg_unsafeRowAggBuffer_0.isNullAt(16);
Decimal hashAgg_value_116 = hashAgg_isNull_116 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(16, 27, 2));
hashAgg_value_112 = hashAgg_isNull_116;
}
boolean hashAgg_value_111 = true;

if (!hashAgg_value_112) {
/*hashAgg_c_79*/
boolean hashAgg_value_118 = false;
hashAgg_value_118 = !(hashAgg_expr_18_0);
boolean hashAgg_value_117 = false;

if (hashAgg_value_118) {
hashAgg_value_117 = hashAgg_exprIsNull_17_0;
}
hashAgg_value_111 = hashAgg_value_117;
}
boolean hashAgg_isNull_110 = false;
Decimal hashAgg_value_110 = null;
if (!false && hashAgg_value_111) {
hashAgg_isNull_110 = true;
hashAgg_value_110 = ((Decimal)null);
} else {
/*hashAgg_c_83*/
boolean hashAgg_isNull_125 = hashAgg_unsafeRowAggBuffer_0.isNullAt(16);
Decimal hashAgg_value_125 = hashAgg_isNull_125 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(16, 27, 2));

Decimal hashAgg_value_123 = null;
hashAgg_value_123 = hashAgg_value_125.$plus(hashAgg_expr_17_0);
hashAgg_isNull_110 = false;
hashAgg_value_110 = hashAgg_value_123;
}
/*hashAgg_c_86*/
boolean hashAgg_value_129 = hashAgg_unsafeRowAggBuffer_0.getBoolean(17);
boolean hashAgg_value_128 = false;

if (hashAgg_value_129) {
hashAgg_value_128 = hashAgg_expr_18_0;
}
/*hashAgg_c_162*/
if (!hashAgg_isNull_110) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(16, hashAgg_value_110, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(16, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(17, hashAgg_value_128);
}

private void hashAgg_doAggregate_sum_3(boolean hashAgg_exprIsNull_13_0, org.apache.spark.sql.types.Decimal hashAgg_expr_13_0, boolean hashAgg_expr_14_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_157*/
/*hashAgg_c_66*/
boolean hashAgg_value_87 = hashAgg_unsafeRowAggBuffer_0.getBoolean(13);
boolean hashAgg_value_86 = false;
hashAgg_value_86 = !(hashAgg_value_87);
boolean hashAgg_value_85 = false;

if (hashAgg_value_86) {
/*hashAgg_c_58*/
boolean hashAgg_isNull_89 = hashAgg_unsafeRowAggBuffer_0.isNullAt(12);
Decimal hashAgg_value_89 = hashAgg_isNull_89 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(12, 27, 2));
hashAgg_value_85 = hashAgg_isNull_89;
}
boolean hashAgg_value_84 = true;

if (!hashAgg_value_85) {
/*hashAgg_c_61*/
boolean hashAgg_value_91 = false;
hashAgg_value_91 = !(hashAgg_expr_14_0);
boolean hashAgg_value_90 = false;

if (hashAgg_value_91) {
hashAgg_value_90 = hashAgg_exprIsNull_13_0;
}
hashAgg_value_84 = hashAgg_value_90;
}
boolean hashAgg_isNull_83 = false;
Decimal hashAgg_value_83 = null;
if (!false && hashAgg_value_84) {
hashAgg_isNull_83 = true;
hashAgg_value_83 = ((Decimal)null);
} else {
/*hashAgg_c_65*/
boolean hashAgg_isNull_98 = hashAgg_unsafeRowAggBuffer_0.isNullAt(12);
Decimal hashAgg_value_98 = hashAgg_isNull_98 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(12, 27, 2));

Decimal hashAgg_value_96 = null;
hashAgg_value_96 = hashAgg_value_98.$plus(hashAgg_expr_13_0);
hashAgg_isNull_83 = false;
hashAgg_value_83 = hashAgg_value_96;
}
/*hashAgg_c_68*/
boolean hashAgg_value_102 = hashAgg_unsafeRowAggBuffer_0.getBoolean(13);
boolean hashAgg_value_101 = false;

if (hashAgg_value_102) {
hashAgg_value_101 = hashAgg_expr_14_0;
}
/*hashAgg_c_158*/
if (!hashAgg_isNull_83) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(12, hashAgg_value_83, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(12, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(13, hashAgg_value_101);
}

private void hashAgg_doAggregate_sum_2(org.apache.spark.sql.types.Decimal hashAgg_expr_9_0, boolean hashAgg_expr_10_0, boolean hashAgg_exprIsNull_9_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_153*/
/*hashAgg_c_48*/
boolean hashAgg_value_60 = hashAgg_unsafeRowAggBuffer_0.getBoolean(9);
boolean hashAgg_value_59 = false;
hashAgg_value_59 = !(hashAgg_value_60);
boolean hashAgg_value_58 = false;

if (hashAgg_value_59) {
/*hashAgg_c_40*/
boolean hashAgg_isNull_62 = hashAgg_unsafeRowAggBuffer_0.isNullAt(8);
Decimal hashAgg_value_62 = hashAgg_isNull_62 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(8, 27, 2));
hashAgg_value_58 = hashAgg_isNull_62;
}
boolean hashAgg_value_57 = true;

if (!hashAgg_value_58) {
/*hashAgg_c_43*/
boolean hashAgg_value_64 = false;
hashAgg_value_64 = !(hashAgg_expr_10_0);
boolean hashAgg_value_63 = false;

if (hashAgg_value_64) {
hashAgg_value_63 = hashAgg_exprIsNull_9_0;
}
hashAgg_value_57 = hashAgg_value_63;
}
boolean hashAgg_isNull_56 = false;
Decimal hashAgg_value_56 = null;
if (!false && hashAgg_value_57) {
hashAgg_isNull_56 = true;
hashAgg_value_56 = ((Decimal)null);
} else {
/*hashAgg_c_47*/
boolean hashAgg_isNull_71 = hashAgg_unsafeRowAggBuffer_0.isNullAt(8);
Decimal hashAgg_value_71 = hashAgg_isNull_71 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(8, 27, 2));

Decimal hashAgg_value_69 = null;
hashAgg_value_69 = hashAgg_value_71.$plus(hashAgg_expr_9_0);
hashAgg_isNull_56 = false;
hashAgg_value_56 = hashAgg_value_69;
}
/*hashAgg_c_50*/
boolean hashAgg_value_75 = hashAgg_unsafeRowAggBuffer_0.getBoolean(9);
boolean hashAgg_value_74 = false;

if (hashAgg_value_75) {
hashAgg_value_74 = hashAgg_expr_10_0;
}
/*hashAgg_c_154*/
if (!hashAgg_isNull_56) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(8, hashAgg_value_56, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(8, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(9, hashAgg_value_74);
}

private void hashAgg_doAggregate_sum_1(boolean hashAgg_expr_6_0, org.apache.spark.sql.types.Decimal hashAgg_expr_5_0, boolean hashAgg_exprIsNull_5_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_149*/
/*hashAgg_c_30*/
boolean hashAgg_value_33 = hashAgg_unsafeRowAggBuffer_0.getBoolean(5);
boolean hashAgg_value_32 = false;
hashAgg_value_32 = !(hashAgg_value_33);
boolean hashAgg_value_31 = false;

if (hashAgg_value_32) {
/*hashAgg_c_22*/
boolean hashAgg_isNull_35 = hashAgg_unsafeRowAggBuffer_0.isNullAt(4);
Decimal hashAgg_value_35 = hashAgg_isNull_35 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(4, 27, 2));
hashAgg_value_31 = hashAgg_isNull_35;
}
boolean hashAgg_value_30 = true;

if (!hashAgg_value_31) {
/*hashAgg_c_25*/
boolean hashAgg_value_37 = false;
hashAgg_value_37 = !(hashAgg_expr_6_0);
boolean hashAgg_value_36 = false;

if (hashAgg_value_37) {
hashAgg_value_36 = hashAgg_exprIsNull_5_0;
}
hashAgg_value_30 = hashAgg_value_36;
}
boolean hashAgg_isNull_29 = false;
Decimal hashAgg_value_29 = null;
if (!false && hashAgg_value_30) {
hashAgg_isNull_29 = true;
hashAgg_value_29 = ((Decimal)null);
} else {
/*hashAgg_c_29*/
boolean hashAgg_isNull_44 = hashAgg_unsafeRowAggBuffer_0.isNullAt(4);
Decimal hashAgg_value_44 = hashAgg_isNull_44 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(4, 27, 2));

Decimal hashAgg_value_42 = null;
hashAgg_value_42 = hashAgg_value_44.$plus(hashAgg_expr_5_0);
hashAgg_isNull_29 = false;
hashAgg_value_29 = hashAgg_value_42;
}
/*hashAgg_c_32*/
boolean hashAgg_value_48 = hashAgg_unsafeRowAggBuffer_0.getBoolean(5);
boolean hashAgg_value_47 = false;

if (hashAgg_value_48) {
hashAgg_value_47 = hashAgg_expr_6_0;
}
/*hashAgg_c_150*/
if (!hashAgg_isNull_29) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(4, hashAgg_value_29, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(4, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(5, hashAgg_value_47);
}

private void hashAgg_doAggregate_sum_0(org.apache.spark.sql.types.Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, boolean hashAgg_expr_2_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_145*/
/*hashAgg_c_12*/
boolean hashAgg_value_6 = hashAgg_unsafeRowAggBuffer_0.getBoolean(1);
boolean hashAgg_value_5 = false;
hashAgg_value_5 = !(hashAgg_value_6);
boolean hashAgg_value_4 = false;

if (hashAgg_value_5) {
/*hashAgg_c_4*/
boolean hashAgg_isNull_8 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_8 = hashAgg_isNull_8 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 27, 2));
hashAgg_value_4 = hashAgg_isNull_8;
}
boolean hashAgg_value_3 = true;

if (!hashAgg_value_4) {
/*hashAgg_c_7*/
boolean hashAgg_value_10 = false;
hashAgg_value_10 = !(hashAgg_expr_2_0);
boolean hashAgg_value_9 = false;

if (hashAgg_value_10) {
hashAgg_value_9 = hashAgg_exprIsNull_1_0;
}
hashAgg_value_3 = hashAgg_value_9;
}
boolean hashAgg_isNull_2 = false;
Decimal hashAgg_value_2 = null;
if (!false && hashAgg_value_3) {
hashAgg_isNull_2 = true;
hashAgg_value_2 = ((Decimal)null);
} else {
/*hashAgg_c_11*/
boolean hashAgg_isNull_17 = hashAgg_unsafeRowAggBuffer_0.isNullAt(0);
Decimal hashAgg_value_17 = hashAgg_isNull_17 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(0, 27, 2));

Decimal hashAgg_value_15 = null;
hashAgg_value_15 = hashAgg_value_17.$plus(hashAgg_expr_1_0);
hashAgg_isNull_2 = false;
hashAgg_value_2 = hashAgg_value_15;
}
/*hashAgg_c_14*/
boolean hashAgg_value_21 = hashAgg_unsafeRowAggBuffer_0.getBoolean(1);
boolean hashAgg_value_20 = false;

if (hashAgg_value_21) {
hashAgg_value_20 = hashAgg_expr_2_0;
}
/*hashAgg_c_146*/
if (!hashAgg_isNull_2) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, hashAgg_value_2, 27);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(0, null, 27);
}

hashAgg_unsafeRowAggBuffer_0.setBoolean(1, hashAgg_value_20);
}

protected void processNext() throws java.io.IOException {
/*hashAgg_c_0*/
if (!hashAgg_initAgg_0) {
hashAgg_initAgg_0 = true;

hashAgg_hashMap_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).createHashMap();
long wholestagecodegen_beforeAgg_0 = System.nanoTime();
hashAgg_doAggregateWithKeys_0(partitionIndex);
((org.apache.spark.sql.execution.metric.SQLMetric) references[30] /* aggTime */).add((System.nanoTime() - wholestagecodegen_beforeAgg_0) / 1000000);
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

private void hashAgg_doAggregateWithKeysOutput_0(UnsafeRow hashAgg_keyTerm_0, UnsafeRow hashAgg_bufferTerm_0)
throws java.io.IOException {
((org.apache.spark.sql.execution.metric.SQLMetric) references[13] /* numOutputRows */).add(1);

/*hashAgg_c_178*/
boolean hashAgg_isNull_218 = hashAgg_keyTerm_0.isNullAt(0);
UTF8String hashAgg_value_218 = hashAgg_isNull_218 ?
null : (hashAgg_keyTerm_0.getUTF8String(0));
/*hashAgg_c_179*/
boolean hashAgg_isNull_219 = hashAgg_bufferTerm_0.isNullAt(0);
Decimal hashAgg_value_219 = hashAgg_isNull_219 ?
null : (hashAgg_bufferTerm_0.getDecimal(0, 27, 2));
/*hashAgg_c_180*/
boolean hashAgg_value_220 = hashAgg_bufferTerm_0.getBoolean(1);
/*hashAgg_c_181*/
boolean hashAgg_isNull_221 = hashAgg_bufferTerm_0.isNullAt(2);
Decimal hashAgg_value_221 = hashAgg_isNull_221 ?
null : (hashAgg_bufferTerm_0.getDecimal(2, 26, 2));
/*hashAgg_c_182*/
boolean hashAgg_isNull_222 = hashAgg_bufferTerm_0.isNullAt(3);
long hashAgg_value_222 = hashAgg_isNull_222 ?
-1L : (hashAgg_bufferTerm_0.getLong(3));
/*hashAgg_c_183*/
boolean hashAgg_isNull_223 = hashAgg_bufferTerm_0.isNullAt(4);
Decimal hashAgg_value_223 = hashAgg_isNull_223 ?
null : (hashAgg_bufferTerm_0.getDecimal(4, 27, 2));
/*hashAgg_c_184*/
boolean hashAgg_value_224 = hashAgg_bufferTerm_0.getBoolean(5);
/*hashAgg_c_185*/
boolean hashAgg_isNull_225 = hashAgg_bufferTerm_0.isNullAt(6);
Decimal hashAgg_value_225 = hashAgg_isNull_225 ?
null : (hashAgg_bufferTerm_0.getDecimal(6, 26, 2));
/*hashAgg_c_186*/
boolean hashAgg_isNull_226 = hashAgg_bufferTerm_0.isNullAt(7);
long hashAgg_value_226 = hashAgg_isNull_226 ?
-1L : (hashAgg_bufferTerm_0.getLong(7));
/*hashAgg_c_187*/
boolean hashAgg_isNull_227 = hashAgg_bufferTerm_0.isNullAt(8);
Decimal hashAgg_value_227 = hashAgg_isNull_227 ?
null : (hashAgg_bufferTerm_0.getDecimal(8, 27, 2));
/*hashAgg_c_188*/
boolean hashAgg_value_228 = hashAgg_bufferTerm_0.getBoolean(9);
/*hashAgg_c_189*/
boolean hashAgg_isNull_229 = hashAgg_bufferTerm_0.isNullAt(10);
Decimal hashAgg_value_229 = hashAgg_isNull_229 ?
null : (hashAgg_bufferTerm_0.getDecimal(10, 26, 2));
/*hashAgg_c_190*/
boolean hashAgg_isNull_230 = hashAgg_bufferTerm_0.isNullAt(11);
long hashAgg_value_230 = hashAgg_isNull_230 ?
-1L : (hashAgg_bufferTerm_0.getLong(11));
/*hashAgg_c_191*/
boolean hashAgg_isNull_231 = hashAgg_bufferTerm_0.isNullAt(12);
Decimal hashAgg_value_231 = hashAgg_isNull_231 ?
null : (hashAgg_bufferTerm_0.getDecimal(12, 27, 2));
/*hashAgg_c_192*/
boolean hashAgg_value_232 = hashAgg_bufferTerm_0.getBoolean(13);
/*hashAgg_c_193*/
boolean hashAgg_isNull_233 = hashAgg_bufferTerm_0.isNullAt(14);
Decimal hashAgg_value_233 = hashAgg_isNull_233 ?
null : (hashAgg_bufferTerm_0.getDecimal(14, 26, 2));
/*hashAgg_c_194*/
boolean hashAgg_isNull_234 = hashAgg_bufferTerm_0.isNullAt(15);
long hashAgg_value_234 = hashAgg_isNull_234 ?
-1L : (hashAgg_bufferTerm_0.getLong(15));
/*hashAgg_c_195*/
boolean hashAgg_isNull_235 = hashAgg_bufferTerm_0.isNullAt(16);
Decimal hashAgg_value_235 = hashAgg_isNull_235 ?
null : (hashAgg_bufferTerm_0.getDecimal(16, 27, 2));
/*hashAgg_c_196*/
boolean hashAgg_value_236 = hashAgg_bufferTerm_0.getBoolean(17);
/*hashAgg_c_197*/
boolean hashAgg_isNull_237 = hashAgg_bufferTerm_0.isNullAt(18);
Decimal hashAgg_value_237 = hashAgg_isNull_237 ?
null : (hashAgg_bufferTerm_0.getDecimal(18, 26, 2));
/*hashAgg_c_198*/
boolean hashAgg_isNull_238 = hashAgg_bufferTerm_0.isNullAt(19);
long hashAgg_value_238 = hashAgg_isNull_238 ?
-1L : (hashAgg_bufferTerm_0.getLong(19));
/*hashAgg_c_199*/
boolean hashAgg_isNull_239 = hashAgg_bufferTerm_0.isNullAt(20);
Decimal hashAgg_value_239 = hashAgg_isNull_239 ?
null : (hashAgg_bufferTerm_0.getDecimal(20, 27, 2));
/*hashAgg_c_200*/
boolean hashAgg_value_240 = hashAgg_bufferTerm_0.getBoolean(21);
/*hashAgg_c_201*/
boolean hashAgg_isNull_241 = hashAgg_bufferTerm_0.isNullAt(22);
Decimal hashAgg_value_241 = hashAgg_isNull_241 ?
null : (hashAgg_bufferTerm_0.getDecimal(22, 26, 2));
/*hashAgg_c_202*/
boolean hashAgg_isNull_242 = hashAgg_bufferTerm_0.isNullAt(23);
long hashAgg_value_242 = hashAgg_isNull_242 ?
-1L : (hashAgg_bufferTerm_0.getLong(23));
/*hashAgg_c_203*/
boolean hashAgg_isNull_243 = hashAgg_bufferTerm_0.isNullAt(24);
Decimal hashAgg_value_243 = hashAgg_isNull_243 ?
null : (hashAgg_bufferTerm_0.getDecimal(24, 27, 2));
/*hashAgg_c_204*/
boolean hashAgg_value_244 = hashAgg_bufferTerm_0.getBoolean(25);
/*hashAgg_c_205*/
boolean hashAgg_isNull_245 = hashAgg_bufferTerm_0.isNullAt(26);
Decimal hashAgg_value_245 = hashAgg_isNull_245 ?
null : (hashAgg_bufferTerm_0.getDecimal(26, 26, 2));
/*hashAgg_c_206*/
boolean hashAgg_isNull_246 = hashAgg_bufferTerm_0.isNullAt(27);
long hashAgg_value_246 = hashAgg_isNull_246 ?
-1L : (hashAgg_bufferTerm_0.getLong(27));
/*hashAgg_c_207*/
boolean hashAgg_isNull_247 = hashAgg_bufferTerm_0.isNullAt(28);
Decimal hashAgg_value_247 = hashAgg_isNull_247 ?
null : (hashAgg_bufferTerm_0.getDecimal(28, 27, 2));
/*hashAgg_c_208*/
boolean hashAgg_value_248 = hashAgg_bufferTerm_0.getBoolean(29);
/*hashAgg_c_209*/
boolean hashAgg_isNull_249 = hashAgg_bufferTerm_0.isNullAt(30);
Decimal hashAgg_value_249 = hashAgg_isNull_249 ?
null : (hashAgg_bufferTerm_0.getDecimal(30, 26, 2));
/*hashAgg_c_210*/
boolean hashAgg_isNull_250 = hashAgg_bufferTerm_0.isNullAt(31);
long hashAgg_value_250 = hashAgg_isNull_250 ?
-1L : (hashAgg_bufferTerm_0.getLong(31));
/*hashAgg_c_212*/
boolean hashAgg_isNull_251 = false;
Decimal hashAgg_value_251 = null;
if (!false && hashAgg_value_220) {
hashAgg_isNull_251 = true;
hashAgg_value_251 = ((Decimal)null);
} else {
/*hashAgg_c_211*/
Decimal hashAgg_input_0 = hashAgg_isNull_219 ? null : hashAgg_value_219;
Decimal hashAgg_value_254 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_0, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[14] /* errCtx */));
boolean hashAgg_isNull_254 = hashAgg_value_254 == null;
hashAgg_isNull_251 = hashAgg_isNull_254;
hashAgg_value_251 = hashAgg_value_254;
}
/*hashAgg_c_216*/
boolean hashAgg_isNull_257 = true;
boolean hashAgg_value_257 = false;

if (!hashAgg_isNull_222) {
hashAgg_isNull_257 = false; // resultCode could change nullability.
hashAgg_value_257 = hashAgg_value_222 == 0L;

}
boolean hashAgg_isNull_256 = false;
Decimal hashAgg_value_256 = null;
if (!hashAgg_isNull_257 && hashAgg_value_257) {
hashAgg_isNull_256 = true;
hashAgg_value_256 = ((Decimal)null);
} else {
/*hashAgg_c_215*/
boolean hashAgg_isNull_263 = hashAgg_isNull_222;
Decimal hashAgg_value_263 = null;
if (!hashAgg_isNull_222) {
Decimal hashAgg_tmpDecimal_0 = Decimal.apply((long) hashAgg_value_222);
hashAgg_tmpDecimal_0.changePrecision(20, 0);
hashAgg_value_263 = hashAgg_tmpDecimal_0;
}
boolean hashAgg_isNull_261 = hashAgg_isNull_221;
Decimal hashAgg_value_261 = null;
if (hashAgg_isNull_221) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[15] /* errCtx */), "try_avg");
} else {
hashAgg_value_261 = hashAgg_value_221.$div(hashAgg_value_263).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[15] /* errCtx */));
hashAgg_isNull_261 = hashAgg_value_261 == null;
}
hashAgg_isNull_256 = hashAgg_isNull_261;
hashAgg_value_256 = hashAgg_value_261;
}
/*hashAgg_c_218*/
boolean hashAgg_isNull_265 = false;
Decimal hashAgg_value_265 = null;
if (!false && hashAgg_value_224) {
hashAgg_isNull_265 = true;
hashAgg_value_265 = ((Decimal)null);
} else {
/*hashAgg_c_217*/
Decimal hashAgg_input_1 = hashAgg_isNull_223 ? null : hashAgg_value_223;
Decimal hashAgg_value_268 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_1, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[16] /* errCtx */));
boolean hashAgg_isNull_268 = hashAgg_value_268 == null;
hashAgg_isNull_265 = hashAgg_isNull_268;
hashAgg_value_265 = hashAgg_value_268;
}
/*hashAgg_c_222*/
boolean hashAgg_isNull_271 = true;
boolean hashAgg_value_271 = false;

if (!hashAgg_isNull_226) {
hashAgg_isNull_271 = false; // resultCode could change nullability.
hashAgg_value_271 = hashAgg_value_226 == 0L;

}
boolean hashAgg_isNull_270 = false;
Decimal hashAgg_value_270 = null;
if (!hashAgg_isNull_271 && hashAgg_value_271) {
hashAgg_isNull_270 = true;
hashAgg_value_270 = ((Decimal)null);
} else {
/*hashAgg_c_221*/
boolean hashAgg_isNull_277 = hashAgg_isNull_226;
Decimal hashAgg_value_277 = null;
if (!hashAgg_isNull_226) {
Decimal hashAgg_tmpDecimal_1 = Decimal.apply((long) hashAgg_value_226);
hashAgg_tmpDecimal_1.changePrecision(20, 0);
hashAgg_value_277 = hashAgg_tmpDecimal_1;
}
boolean hashAgg_isNull_275 = hashAgg_isNull_225;
Decimal hashAgg_value_275 = null;
if (hashAgg_isNull_225) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[17] /* errCtx */), "try_avg");
} else {
hashAgg_value_275 = hashAgg_value_225.$div(hashAgg_value_277).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[17] /* errCtx */));
hashAgg_isNull_275 = hashAgg_value_275 == null;
}
hashAgg_isNull_270 = hashAgg_isNull_275;
hashAgg_value_270 = hashAgg_value_275;
}
/*hashAgg_c_224*/
boolean hashAgg_isNull_279 = false;
Decimal hashAgg_value_279 = null;
if (!false && hashAgg_value_228) {
hashAgg_isNull_279 = true;
hashAgg_value_279 = ((Decimal)null);
} else {
/*hashAgg_c_223*/
Decimal hashAgg_input_2 = hashAgg_isNull_227 ? null : hashAgg_value_227;
Decimal hashAgg_value_282 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_2, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[18] /* errCtx */));
boolean hashAgg_isNull_282 = hashAgg_value_282 == null;
hashAgg_isNull_279 = hashAgg_isNull_282;
hashAgg_value_279 = hashAgg_value_282;
}
/*hashAgg_c_228*/
boolean hashAgg_isNull_285 = true;
boolean hashAgg_value_285 = false;

if (!hashAgg_isNull_230) {
hashAgg_isNull_285 = false; // resultCode could change nullability.
hashAgg_value_285 = hashAgg_value_230 == 0L;

}
boolean hashAgg_isNull_284 = false;
Decimal hashAgg_value_284 = null;
if (!hashAgg_isNull_285 && hashAgg_value_285) {
hashAgg_isNull_284 = true;
hashAgg_value_284 = ((Decimal)null);
} else {
/*hashAgg_c_227*/
boolean hashAgg_isNull_291 = hashAgg_isNull_230;
Decimal hashAgg_value_291 = null;
if (!hashAgg_isNull_230) {
Decimal hashAgg_tmpDecimal_2 = Decimal.apply((long) hashAgg_value_230);
hashAgg_tmpDecimal_2.changePrecision(20, 0);
hashAgg_value_291 = hashAgg_tmpDecimal_2;
}
boolean hashAgg_isNull_289 = hashAgg_isNull_229;
Decimal hashAgg_value_289 = null;
if (hashAgg_isNull_229) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[19] /* errCtx */), "try_avg");
} else {
hashAgg_value_289 = hashAgg_value_229.$div(hashAgg_value_291).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[19] /* errCtx */));
hashAgg_isNull_289 = hashAgg_value_289 == null;
}
hashAgg_isNull_284 = hashAgg_isNull_289;
hashAgg_value_284 = hashAgg_value_289;
}
/*hashAgg_c_230*/
boolean hashAgg_isNull_293 = false;
Decimal hashAgg_value_293 = null;
if (!false && hashAgg_value_232) {
hashAgg_isNull_293 = true;
hashAgg_value_293 = ((Decimal)null);
} else {
/*hashAgg_c_229*/
Decimal hashAgg_input_3 = hashAgg_isNull_231 ? null : hashAgg_value_231;
Decimal hashAgg_value_296 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_3, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[20] /* errCtx */));
boolean hashAgg_isNull_296 = hashAgg_value_296 == null;
hashAgg_isNull_293 = hashAgg_isNull_296;
hashAgg_value_293 = hashAgg_value_296;
}
/*hashAgg_c_234*/
boolean hashAgg_isNull_299 = true;
boolean hashAgg_value_299 = false;

if (!hashAgg_isNull_234) {
hashAgg_isNull_299 = false; // resultCode could change nullability.
hashAgg_value_299 = hashAgg_value_234 == 0L;

}
boolean hashAgg_isNull_298 = false;
Decimal hashAgg_value_298 = null;
if (!hashAgg_isNull_299 && hashAgg_value_299) {
hashAgg_isNull_298 = true;
hashAgg_value_298 = ((Decimal)null);
} else {
/*hashAgg_c_233*/
boolean hashAgg_isNull_305 = hashAgg_isNull_234;
Decimal hashAgg_value_305 = null;
if (!hashAgg_isNull_234) {
Decimal hashAgg_tmpDecimal_3 = Decimal.apply((long) hashAgg_value_234);
hashAgg_tmpDecimal_3.changePrecision(20, 0);
hashAgg_value_305 = hashAgg_tmpDecimal_3;
}
boolean hashAgg_isNull_303 = hashAgg_isNull_233;
Decimal hashAgg_value_303 = null;
if (hashAgg_isNull_233) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[21] /* errCtx */), "try_avg");
} else {
hashAgg_value_303 = hashAgg_value_233.$div(hashAgg_value_305).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[21] /* errCtx */));
hashAgg_isNull_303 = hashAgg_value_303 == null;
}
hashAgg_isNull_298 = hashAgg_isNull_303;
hashAgg_value_298 = hashAgg_value_303;
}
/*hashAgg_c_236*/
boolean hashAgg_isNull_307 = false;
Decimal hashAgg_value_307 = null;
if (!false && hashAgg_value_236) {
hashAgg_isNull_307 = true;
hashAgg_value_307 = ((Decimal)null);
} else {
/*hashAgg_c_235*/
Decimal hashAgg_input_4 = hashAgg_isNull_235 ? null : hashAgg_value_235;
Decimal hashAgg_value_310 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_4, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[22] /* errCtx */));
boolean hashAgg_isNull_310 = hashAgg_value_310 == null;
hashAgg_isNull_307 = hashAgg_isNull_310;
hashAgg_value_307 = hashAgg_value_310;
}
/*hashAgg_c_240*/
boolean hashAgg_isNull_313 = true;
boolean hashAgg_value_313 = false;

if (!hashAgg_isNull_238) {
hashAgg_isNull_313 = false; // resultCode could change nullability.
hashAgg_value_313 = hashAgg_value_238 == 0L;

}
boolean hashAgg_isNull_312 = false;
Decimal hashAgg_value_312 = null;
if (!hashAgg_isNull_313 && hashAgg_value_313) {
hashAgg_isNull_312 = true;
hashAgg_value_312 = ((Decimal)null);
} else {
/*hashAgg_c_239*/
boolean hashAgg_isNull_319 = hashAgg_isNull_238;
Decimal hashAgg_value_319 = null;
if (!hashAgg_isNull_238) {
Decimal hashAgg_tmpDecimal_4 = Decimal.apply((long) hashAgg_value_238);
hashAgg_tmpDecimal_4.changePrecision(20, 0);
hashAgg_value_319 = hashAgg_tmpDecimal_4;
}
boolean hashAgg_isNull_317 = hashAgg_isNull_237;
Decimal hashAgg_value_317 = null;
if (hashAgg_isNull_237) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[23] /* errCtx */), "try_avg");
} else {
hashAgg_value_317 = hashAgg_value_237.$div(hashAgg_value_319).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[23] /* errCtx */));
hashAgg_isNull_317 = hashAgg_value_317 == null;
}
hashAgg_isNull_312 = hashAgg_isNull_317;
hashAgg_value_312 = hashAgg_value_317;
}
/*hashAgg_c_242*/
boolean hashAgg_isNull_321 = false;
Decimal hashAgg_value_321 = null;
if (!false && hashAgg_value_240) {
hashAgg_isNull_321 = true;
hashAgg_value_321 = ((Decimal)null);
} else {
/*hashAgg_c_241*/
Decimal hashAgg_input_5 = hashAgg_isNull_239 ? null : hashAgg_value_239;
Decimal hashAgg_value_324 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_5, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[24] /* errCtx */));
boolean hashAgg_isNull_324 = hashAgg_value_324 == null;
hashAgg_isNull_321 = hashAgg_isNull_324;
hashAgg_value_321 = hashAgg_value_324;
}
/*hashAgg_c_246*/
boolean hashAgg_isNull_327 = true;
boolean hashAgg_value_327 = false;

if (!hashAgg_isNull_242) {
hashAgg_isNull_327 = false; // resultCode could change nullability.
hashAgg_value_327 = hashAgg_value_242 == 0L;

}
boolean hashAgg_isNull_326 = false;
Decimal hashAgg_value_326 = null;
if (!hashAgg_isNull_327 && hashAgg_value_327) {
hashAgg_isNull_326 = true;
hashAgg_value_326 = ((Decimal)null);
} else {
/*hashAgg_c_245*/
boolean hashAgg_isNull_333 = hashAgg_isNull_242;
Decimal hashAgg_value_333 = null;
if (!hashAgg_isNull_242) {
Decimal hashAgg_tmpDecimal_5 = Decimal.apply((long) hashAgg_value_242);
hashAgg_tmpDecimal_5.changePrecision(20, 0);
hashAgg_value_333 = hashAgg_tmpDecimal_5;
}
boolean hashAgg_isNull_331 = hashAgg_isNull_241;
Decimal hashAgg_value_331 = null;
if (hashAgg_isNull_241) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[25] /* errCtx */), "try_avg");
} else {
hashAgg_value_331 = hashAgg_value_241.$div(hashAgg_value_333).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[25] /* errCtx */));
hashAgg_isNull_331 = hashAgg_value_331 == null;
}
hashAgg_isNull_326 = hashAgg_isNull_331;
hashAgg_value_326 = hashAgg_value_331;
}
/*hashAgg_c_248*/
boolean hashAgg_isNull_335 = false;
Decimal hashAgg_value_335 = null;
if (!false && hashAgg_value_244) {
hashAgg_isNull_335 = true;
hashAgg_value_335 = ((Decimal)null);
} else {
/*hashAgg_c_247*/
Decimal hashAgg_input_6 = hashAgg_isNull_243 ? null : hashAgg_value_243;
Decimal hashAgg_value_338 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_6, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[26] /* errCtx */));
boolean hashAgg_isNull_338 = hashAgg_value_338 == null;
hashAgg_isNull_335 = hashAgg_isNull_338;
hashAgg_value_335 = hashAgg_value_338;
}
/*hashAgg_c_252*/
boolean hashAgg_isNull_341 = true;
boolean hashAgg_value_341 = false;

if (!hashAgg_isNull_246) {
hashAgg_isNull_341 = false; // resultCode could change nullability.
hashAgg_value_341 = hashAgg_value_246 == 0L;

}
boolean hashAgg_isNull_340 = false;
Decimal hashAgg_value_340 = null;
if (!hashAgg_isNull_341 && hashAgg_value_341) {
hashAgg_isNull_340 = true;
hashAgg_value_340 = ((Decimal)null);
} else {
/*hashAgg_c_251*/
boolean hashAgg_isNull_347 = hashAgg_isNull_246;
Decimal hashAgg_value_347 = null;
if (!hashAgg_isNull_246) {
Decimal hashAgg_tmpDecimal_6 = Decimal.apply((long) hashAgg_value_246);
hashAgg_tmpDecimal_6.changePrecision(20, 0);
hashAgg_value_347 = hashAgg_tmpDecimal_6;
}
boolean hashAgg_isNull_345 = hashAgg_isNull_245;
Decimal hashAgg_value_345 = null;
if (hashAgg_isNull_245) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[27] /* errCtx */), "try_avg");
} else {
hashAgg_value_345 = hashAgg_value_245.$div(hashAgg_value_347).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[27] /* errCtx */));
hashAgg_isNull_345 = hashAgg_value_345 == null;
}
hashAgg_isNull_340 = hashAgg_isNull_345;
hashAgg_value_340 = hashAgg_value_345;
}
/*hashAgg_c_254*/
boolean hashAgg_isNull_349 = false;
Decimal hashAgg_value_349 = null;
if (!false && hashAgg_value_248) {
hashAgg_isNull_349 = true;
hashAgg_value_349 = ((Decimal)null);
} else {
/*hashAgg_c_253*/
Decimal hashAgg_input_7 = hashAgg_isNull_247 ? null : hashAgg_value_247;
Decimal hashAgg_value_352 = org.apache.spark.sql.catalyst.expressions.DecimalExpressionUtils.checkOverflowInSum(
hashAgg_input_7, 27, 2, false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[28] /* errCtx */));
boolean hashAgg_isNull_352 = hashAgg_value_352 == null;
hashAgg_isNull_349 = hashAgg_isNull_352;
hashAgg_value_349 = hashAgg_value_352;
}
/*hashAgg_c_258*/
boolean hashAgg_isNull_355 = true;
boolean hashAgg_value_355 = false;

if (!hashAgg_isNull_250) {
hashAgg_isNull_355 = false; // resultCode could change nullability.
hashAgg_value_355 = hashAgg_value_250 == 0L;

}
boolean hashAgg_isNull_354 = false;
Decimal hashAgg_value_354 = null;
if (!hashAgg_isNull_355 && hashAgg_value_355) {
hashAgg_isNull_354 = true;
hashAgg_value_354 = ((Decimal)null);
} else {
/*hashAgg_c_257*/
boolean hashAgg_isNull_361 = hashAgg_isNull_250;
Decimal hashAgg_value_361 = null;
if (!hashAgg_isNull_250) {
Decimal hashAgg_tmpDecimal_7 = Decimal.apply((long) hashAgg_value_250);
hashAgg_tmpDecimal_7.changePrecision(20, 0);
hashAgg_value_361 = hashAgg_tmpDecimal_7;
}
boolean hashAgg_isNull_359 = hashAgg_isNull_249;
Decimal hashAgg_value_359 = null;
if (hashAgg_isNull_249) {
throw QueryExecutionErrors.overflowInSumOfDecimalError(((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[29] /* errCtx */), "try_avg");
} else {
hashAgg_value_359 = hashAgg_value_249.$div(hashAgg_value_361).toPrecision(
20, 6, Decimal.ROUND_HALF_UP(), false, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[29] /* errCtx */));
hashAgg_isNull_359 = hashAgg_value_359 == null;
}
hashAgg_isNull_354 = hashAgg_isNull_359;
hashAgg_value_354 = hashAgg_value_359;
}

/*wholestagecodegen_c_0*/
hashAgg_mutableStateArray_0[1].reset();

hashAgg_mutableStateArray_0[1].zeroOutNullBytes();

hashAgg_mutableStateArray_0[1].writeNullable(0, hashAgg_value_218, hashAgg_isNull_218);

hashAgg_mutableStateArray_0[1].writeNullable(1, hashAgg_value_251, hashAgg_isNull_251, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(2, hashAgg_value_256, hashAgg_isNull_256, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(3, hashAgg_value_265, hashAgg_isNull_265, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(4, hashAgg_value_270, hashAgg_isNull_270, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(5, hashAgg_value_279, hashAgg_isNull_279, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(6, hashAgg_value_284, hashAgg_isNull_284, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(7, hashAgg_value_293, hashAgg_isNull_293, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(8, hashAgg_value_298, hashAgg_isNull_298, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(9, hashAgg_value_307, hashAgg_isNull_307, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(10, hashAgg_value_312, hashAgg_isNull_312, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(11, hashAgg_value_321, hashAgg_isNull_321, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(12, hashAgg_value_326, hashAgg_isNull_326, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(13, hashAgg_value_335, hashAgg_isNull_335, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(14, hashAgg_value_340, hashAgg_isNull_340, 20, 6);

hashAgg_mutableStateArray_0[1].writeNullable(15, hashAgg_value_349, hashAgg_isNull_349, 27, 2);

hashAgg_mutableStateArray_0[1].writeNullable(16, hashAgg_value_354, hashAgg_isNull_354, 20, 6);
append((hashAgg_mutableStateArray_0[1].getRow()));

}

private void hashAgg_doAggregateWithKeys_0(int partitionIndex) throws java.io.IOException {
/*inputadapter_c_0*/
while ( inputadapter_input_0.hasNext()) {
InternalRow inputadapter_row_0 = (InternalRow) inputadapter_input_0.next();

/*hashAgg_c_177*/
/*inputadapter_c_1*/
boolean inputadapter_isNull_0 = inputadapter_row_0.isNullAt(0);
UTF8String inputadapter_value_0 = inputadapter_isNull_0 ?
null : (inputadapter_row_0.getUTF8String(0));
/*inputadapter_c_2*/
boolean inputadapter_isNull_1 = inputadapter_row_0.isNullAt(1);
Decimal inputadapter_value_1 = inputadapter_isNull_1 ?
null : (inputadapter_row_0.getDecimal(1, 27, 2));
/*inputadapter_c_3*/
boolean inputadapter_value_2 = inputadapter_row_0.getBoolean(2);
/*inputadapter_c_4*/
boolean inputadapter_isNull_3 = inputadapter_row_0.isNullAt(3);
Decimal inputadapter_value_3 = inputadapter_isNull_3 ?
null : (inputadapter_row_0.getDecimal(3, 26, 2));
/*inputadapter_c_5*/
boolean inputadapter_isNull_4 = inputadapter_row_0.isNullAt(4);
long inputadapter_value_4 = inputadapter_isNull_4 ?
-1L : (inputadapter_row_0.getLong(4));
/*inputadapter_c_6*/
boolean inputadapter_isNull_5 = inputadapter_row_0.isNullAt(5);
Decimal inputadapter_value_5 = inputadapter_isNull_5 ?
null : (inputadapter_row_0.getDecimal(5, 27, 2));
/*inputadapter_c_7*/
boolean inputadapter_value_6 = inputadapter_row_0.getBoolean(6);
/*inputadapter_c_8*/
boolean inputadapter_isNull_7 = inputadapter_row_0.isNullAt(7);
Decimal inputadapter_value_7 = inputadapter_isNull_7 ?
null : (inputadapter_row_0.getDecimal(7, 26, 2));
/*inputadapter_c_9*/
boolean inputadapter_isNull_8 = inputadapter_row_0.isNullAt(8);
long inputadapter_value_8 = inputadapter_isNull_8 ?
-1L : (inputadapter_row_0.getLong(8));
/*inputadapter_c_10*/
boolean inputadapter_isNull_9 = inputadapter_row_0.isNullAt(9);
Decimal inputadapter_value_9 = inputadapter_isNull_9 ?
null : (inputadapter_row_0.getDecimal(9, 27, 2));
/*inputadapter_c_11*/
boolean inputadapter_value_10 = inputadapter_row_0.getBoolean(10);
/*inputadapter_c_12*/
boolean inputadapter_isNull_11 = inputadapter_row_0.isNullAt(11);
Decimal inputadapter_value_11 = inputadapter_isNull_11 ?
null : (inputadapter_row_0.getDecimal(11, 26, 2));
/*inputadapter_c_13*/
boolean inputadapter_isNull_12 = inputadapter_row_0.isNullAt(12);
long inputadapter_value_12 = inputadapter_isNull_12 ?
-1L : (inputadapter_row_0.getLong(12));
/*inputadapter_c_14*/
boolean inputadapter_isNull_13 = inputadapter_row_0.isNullAt(13);
Decimal inputadapter_value_13 = inputadapter_isNull_13 ?
null : (inputadapter_row_0.getDecimal(13, 27, 2));
/*inputadapter_c_15*/
boolean inputadapter_value_14 = inputadapter_row_0.getBoolean(14);
/*inputadapter_c_16*/
boolean inputadapter_isNull_15 = inputadapter_row_0.isNullAt(15);
Decimal inputadapter_value_15 = inputadapter_isNull_15 ?
null : (inputadapter_row_0.getDecimal(15, 26, 2));
/*inputadapter_c_17*/
boolean inputadapter_isNull_16 = inputadapter_row_0.isNullAt(16);
long inputadapter_value_16 = inputadapter_isNull_16 ?
-1L : (inputadapter_row_0.getLong(16));
/*inputadapter_c_18*/
boolean inputadapter_isNull_17 = inputadapter_row_0.isNullAt(17);
Decimal inputadapter_value_17 = inputadapter_isNull_17 ?
null : (inputadapter_row_0.getDecimal(17, 27, 2));
/*inputadapter_c_19*/
boolean inputadapter_value_18 = inputadapter_row_0.getBoolean(18);
/*inputadapter_c_20*/
boolean inputadapter_isNull_19 = inputadapter_row_0.isNullAt(19);
Decimal inputadapter_value_19 = inputadapter_isNull_19 ?
null : (inputadapter_row_0.getDecimal(19, 26, 2));
/*inputadapter_c_21*/
boolean inputadapter_isNull_20 = inputadapter_row_0.isNullAt(20);
long inputadapter_value_20 = inputadapter_isNull_20 ?
-1L : (inputadapter_row_0.getLong(20));
/*inputadapter_c_22*/
boolean inputadapter_isNull_21 = inputadapter_row_0.isNullAt(21);
Decimal inputadapter_value_21 = inputadapter_isNull_21 ?
null : (inputadapter_row_0.getDecimal(21, 27, 2));
/*inputadapter_c_23*/
boolean inputadapter_value_22 = inputadapter_row_0.getBoolean(22);
/*inputadapter_c_24*/
boolean inputadapter_isNull_23 = inputadapter_row_0.isNullAt(23);
Decimal inputadapter_value_23 = inputadapter_isNull_23 ?
null : (inputadapter_row_0.getDecimal(23, 26, 2));
/*inputadapter_c_25*/
boolean inputadapter_isNull_24 = inputadapter_row_0.isNullAt(24);
long inputadapter_value_24 = inputadapter_isNull_24 ?
-1L : (inputadapter_row_0.getLong(24));
/*inputadapter_c_26*/
boolean inputadapter_isNull_25 = inputadapter_row_0.isNullAt(25);
Decimal inputadapter_value_25 = inputadapter_isNull_25 ?
null : (inputadapter_row_0.getDecimal(25, 27, 2));
/*inputadapter_c_27*/
boolean inputadapter_value_26 = inputadapter_row_0.getBoolean(26);
/*inputadapter_c_28*/
boolean inputadapter_isNull_27 = inputadapter_row_0.isNullAt(27);
Decimal inputadapter_value_27 = inputadapter_isNull_27 ?
null : (inputadapter_row_0.getDecimal(27, 26, 2));
/*inputadapter_c_29*/
boolean inputadapter_isNull_28 = inputadapter_row_0.isNullAt(28);
long inputadapter_value_28 = inputadapter_isNull_28 ?
-1L : (inputadapter_row_0.getLong(28));
/*inputadapter_c_30*/
boolean inputadapter_isNull_29 = inputadapter_row_0.isNullAt(29);
Decimal inputadapter_value_29 = inputadapter_isNull_29 ?
null : (inputadapter_row_0.getDecimal(29, 27, 2));
/*inputadapter_c_31*/
boolean inputadapter_value_30 = inputadapter_row_0.getBoolean(30);
/*inputadapter_c_32*/
boolean inputadapter_isNull_31 = inputadapter_row_0.isNullAt(31);
Decimal inputadapter_value_31 = inputadapter_isNull_31 ?
null : (inputadapter_row_0.getDecimal(31, 26, 2));
/*inputadapter_c_33*/
boolean inputadapter_isNull_32 = inputadapter_row_0.isNullAt(32);
long inputadapter_value_32 = inputadapter_isNull_32 ?
-1L : (inputadapter_row_0.getLong(32));

hashAgg_doConsume_0(inputadapter_row_0, inputadapter_value_0, inputadapter_isNull_0, inputadapter_value_1, inputadapter_isNull_1, inputadapter_value_2, inputadapter_value_3, inputadapter_isNull_3, inputadapter_value_4, inputadapter_isNull_4, inputadapter_value_5, inputadapter_isNull_5, inputadapter_value_6, inputadapter_value_7, inputadapter_isNull_7, inputadapter_value_8, inputadapter_isNull_8, inputadapter_value_9, inputadapter_isNull_9, inputadapter_value_10, inputadapter_value_11, inputadapter_isNull_11, inputadapter_value_12, inputadapter_isNull_12, inputadapter_value_13, inputadapter_isNull_13, inputadapter_value_14, inputadapter_value_15, inputadapter_isNull_15, inputadapter_value_16, inputadapter_isNull_16, inputadapter_value_17, inputadapter_isNull_17, inputadapter_value_18, inputadapter_value_19, inputadapter_isNull_19, inputadapter_value_20, inputadapter_isNull_20, inputadapter_value_21, inputadapter_isNull_21, inputadapter_value_22, inputadapter_value_23, inputadapter_isNull_23, inputadapter_value_24, inputadapter_isNull_24, inputadapter_value_25, inputadapter_isNull_25, inputadapter_value_26, inputadapter_value_27, inputadapter_isNull_27, inputadapter_value_28, inputadapter_isNull_28, inputadapter_value_29, inputadapter_isNull_29, inputadapter_value_30, inputadapter_value_31, inputadapter_isNull_31, inputadapter_value_32, inputadapter_isNull_32);
// shouldStop check is eliminated
}

hashAgg_mapIter_0 = ((org.apache.spark.sql.execution.aggregate.HashAggregateExec) references[0] /* plan */).finishAggregate(hashAgg_hashMap_0, hashAgg_sorter_0, ((org.apache.spark.sql.execution.metric.SQLMetric) references[1] /* peakMemory */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[2] /* spillSize */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[3] /* avgHashProbe */), ((org.apache.spark.sql.execution.metric.SQLMetric) references[4] /* numTasksFallBacked */));
}

private void hashAgg_doConsume_0(InternalRow inputadapter_row_0, UTF8String hashAgg_expr_0_0, boolean hashAgg_exprIsNull_0_0, Decimal hashAgg_expr_1_0, boolean hashAgg_exprIsNull_1_0, boolean hashAgg_expr_2_0, Decimal hashAgg_expr_3_0, boolean hashAgg_exprIsNull_3_0, long hashAgg_expr_4_0, boolean hashAgg_exprIsNull_4_0, Decimal hashAgg_expr_5_0, boolean hashAgg_exprIsNull_5_0, boolean hashAgg_expr_6_0, Decimal hashAgg_expr_7_0, boolean hashAgg_exprIsNull_7_0, long hashAgg_expr_8_0, boolean hashAgg_exprIsNull_8_0, Decimal hashAgg_expr_9_0, boolean hashAgg_exprIsNull_9_0, boolean hashAgg_expr_10_0, Decimal hashAgg_expr_11_0, boolean hashAgg_exprIsNull_11_0, long hashAgg_expr_12_0, boolean hashAgg_exprIsNull_12_0, Decimal hashAgg_expr_13_0, boolean hashAgg_exprIsNull_13_0, boolean hashAgg_expr_14_0, Decimal hashAgg_expr_15_0, boolean hashAgg_exprIsNull_15_0, long hashAgg_expr_16_0, boolean hashAgg_exprIsNull_16_0, Decimal hashAgg_expr_17_0, boolean hashAgg_exprIsNull_17_0, boolean hashAgg_expr_18_0, Decimal hashAgg_expr_19_0, boolean hashAgg_exprIsNull_19_0, long hashAgg_expr_20_0, boolean hashAgg_exprIsNull_20_0, Decimal hashAgg_expr_21_0, boolean hashAgg_exprIsNull_21_0, boolean hashAgg_expr_22_0, Decimal hashAgg_expr_23_0, boolean hashAgg_exprIsNull_23_0, long hashAgg_expr_24_0, boolean hashAgg_exprIsNull_24_0, Decimal hashAgg_expr_25_0, boolean hashAgg_exprIsNull_25_0, boolean hashAgg_expr_26_0, Decimal hashAgg_expr_27_0, boolean hashAgg_exprIsNull_27_0, long hashAgg_expr_28_0, boolean hashAgg_exprIsNull_28_0, Decimal hashAgg_expr_29_0, boolean hashAgg_exprIsNull_29_0, boolean hashAgg_expr_30_0, Decimal hashAgg_expr_31_0, boolean hashAgg_exprIsNull_31_0, long hashAgg_expr_32_0, boolean hashAgg_exprIsNull_32_0) throws java.io.IOException {
UnsafeRow hashAgg_unsafeRowAggBuffer_0 = null;

// generate grouping key
hashAgg_mutableStateArray_0[0].reset();

hashAgg_mutableStateArray_0[0].zeroOutNullBytes();

hashAgg_mutableStateArray_0[0].writeNullable(0, hashAgg_expr_0_0, hashAgg_exprIsNull_0_0);
int hashAgg_unsafeRowKeyHash_0 = (hashAgg_mutableStateArray_0[0].getRow()).hashCode();
if (true) {
// try to get the buffer from hash map
hashAgg_unsafeRowAggBuffer_0 =
hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow((hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
}
// Can't allocate buffer from the hash map. Spill the map and fallback to sort-based
// aggregation after processing all input rows.
if (hashAgg_unsafeRowAggBuffer_0 == null) {
hashAgg_sorter_0 = org.apache.spark.sql.execution.aggregate.HashAggregateExec
.spillHashMapToSorter(hashAgg_hashMap_0, hashAgg_sorter_0);

// the hash map had be spilled, it should have enough memory now,
// try to allocate buffer again.
hashAgg_unsafeRowAggBuffer_0 = hashAgg_hashMap_0.getAggregationBufferFromUnsafeRow(
(hashAgg_mutableStateArray_0[0].getRow()), hashAgg_unsafeRowKeyHash_0);
if (hashAgg_unsafeRowAggBuffer_0 == null) {
// failed to allocate the first page
throw QueryExecutionErrors.aggregateOutOfMemoryError();
}
}

// common sub-expressions

// evaluate aggregate functions and update aggregation buffers
hashAgg_doAggregate_sum_0(hashAgg_expr_1_0, hashAgg_exprIsNull_1_0, hashAgg_expr_2_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_0(hashAgg_exprIsNull_3_0, hashAgg_expr_3_0, hashAgg_expr_4_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_4_0);
hashAgg_doAggregate_sum_1(hashAgg_expr_6_0, hashAgg_expr_5_0, hashAgg_exprIsNull_5_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_1(hashAgg_exprIsNull_7_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_8_0, hashAgg_expr_8_0, hashAgg_expr_7_0);
hashAgg_doAggregate_sum_2(hashAgg_expr_9_0, hashAgg_expr_10_0, hashAgg_exprIsNull_9_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_2(hashAgg_exprIsNull_12_0, hashAgg_exprIsNull_11_0, hashAgg_expr_12_0, hashAgg_expr_11_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_sum_3(hashAgg_exprIsNull_13_0, hashAgg_expr_13_0, hashAgg_expr_14_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_3(hashAgg_exprIsNull_16_0, hashAgg_expr_16_0, hashAgg_expr_15_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_15_0);
hashAgg_doAggregate_sum_4(hashAgg_expr_18_0, hashAgg_expr_17_0, hashAgg_exprIsNull_17_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_4(hashAgg_exprIsNull_20_0, hashAgg_expr_19_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_expr_20_0, hashAgg_exprIsNull_19_0);
hashAgg_doAggregate_sum_5(hashAgg_exprIsNull_21_0, hashAgg_expr_21_0, hashAgg_expr_22_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_5(hashAgg_exprIsNull_24_0, hashAgg_expr_23_0, hashAgg_expr_24_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_23_0);
hashAgg_doAggregate_sum_6(hashAgg_exprIsNull_25_0, hashAgg_expr_25_0, hashAgg_expr_26_0, hashAgg_unsafeRowAggBuffer_0);
hashAgg_doAggregate_avg_6(hashAgg_expr_28_0, hashAgg_exprIsNull_27_0, hashAgg_expr_27_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_28_0);
hashAgg_doAggregate_sum_7(hashAgg_expr_29_0, hashAgg_expr_30_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_exprIsNull_29_0);
hashAgg_doAggregate_avg_7(hashAgg_exprIsNull_32_0, hashAgg_expr_31_0, hashAgg_exprIsNull_31_0, hashAgg_unsafeRowAggBuffer_0, hashAgg_expr_32_0);

}

private void hashAgg_doAggregate_avg_2(boolean hashAgg_exprIsNull_12_0, boolean hashAgg_exprIsNull_11_0, long hashAgg_expr_12_0, org.apache.spark.sql.types.Decimal hashAgg_expr_11_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0) throws java.io.IOException {
/*hashAgg_c_155*/
/*hashAgg_c_52*/
boolean hashAgg_isNull_77 = true;
Decimal hashAgg_value_77 = null;
/*hashAgg_c_51*/
boolean hashAgg_isNull_78 = hashAgg_unsafeRowAggBuffer_0.isNullAt(10);
Decimal hashAgg_value_78 = hashAgg_isNull_78 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(10, 26, 2));
if (!hashAgg_isNull_78) {
if (!hashAgg_exprIsNull_11_0) {
hashAgg_isNull_77 = false; // resultCode could change nullability.
hashAgg_value_77 = hashAgg_value_78.$plus(hashAgg_expr_11_0);

}

}
/*hashAgg_c_54*/
boolean hashAgg_isNull_80 = true;
long hashAgg_value_80 = -1L;
/*hashAgg_c_53*/
boolean hashAgg_isNull_81 = hashAgg_unsafeRowAggBuffer_0.isNullAt(11);
long hashAgg_value_81 = hashAgg_isNull_81 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(11));
if (!hashAgg_isNull_81) {
if (!hashAgg_exprIsNull_12_0) {
hashAgg_isNull_80 = false; // resultCode could change nullability.

hashAgg_value_80 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_81, hashAgg_expr_12_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[7] /* errCtx */));

}

}
/*hashAgg_c_156*/
if (!hashAgg_isNull_77) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(10, hashAgg_value_77, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(10, null, 26);
}

if (!hashAgg_isNull_80) {
hashAgg_unsafeRowAggBuffer_0.setLong(11, hashAgg_value_80);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(11);
}
}

private void hashAgg_doAggregate_avg_3(boolean hashAgg_exprIsNull_16_0, long hashAgg_expr_16_0, org.apache.spark.sql.types.Decimal hashAgg_expr_15_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_15_0) throws java.io.IOException {
/*hashAgg_c_159*/
/*hashAgg_c_70*/
boolean hashAgg_isNull_104 = true;
Decimal hashAgg_value_104 = null;
/*hashAgg_c_69*/
boolean hashAgg_isNull_105 = hashAgg_unsafeRowAggBuffer_0.isNullAt(14);
Decimal hashAgg_value_105 = hashAgg_isNull_105 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(14, 26, 2));
if (!hashAgg_isNull_105) {
if (!hashAgg_exprIsNull_15_0) {
hashAgg_isNull_104 = false; // resultCode could change nullability.
hashAgg_value_104 = hashAgg_value_105.$plus(hashAgg_expr_15_0);

}

}
/*hashAgg_c_72*/
boolean hashAgg_isNull_107 = true;
long hashAgg_value_107 = -1L;
/*hashAgg_c_71*/
boolean hashAgg_isNull_108 = hashAgg_unsafeRowAggBuffer_0.isNullAt(15);
long hashAgg_value_108 = hashAgg_isNull_108 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(15));
if (!hashAgg_isNull_108) {
if (!hashAgg_exprIsNull_16_0) {
hashAgg_isNull_107 = false; // resultCode could change nullability.

hashAgg_value_107 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_108, hashAgg_expr_16_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[8] /* errCtx */));

}

}
/*hashAgg_c_160*/
if (!hashAgg_isNull_104) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(14, hashAgg_value_104, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(14, null, 26);
}

if (!hashAgg_isNull_107) {
hashAgg_unsafeRowAggBuffer_0.setLong(15, hashAgg_value_107);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(15);
}
}

private void hashAgg_doAggregate_avg_0(boolean hashAgg_exprIsNull_3_0, org.apache.spark.sql.types.Decimal hashAgg_expr_3_0, long hashAgg_expr_4_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_4_0) throws java.io.IOException {
/*hashAgg_c_147*/
/*hashAgg_c_16*/
boolean hashAgg_isNull_23 = true;
Decimal hashAgg_value_23 = null;
/*hashAgg_c_15*/
boolean hashAgg_isNull_24 = hashAgg_unsafeRowAggBuffer_0.isNullAt(2);
Decimal hashAgg_value_24 = hashAgg_isNull_24 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(2, 26, 2));
if (!hashAgg_isNull_24) {
if (!hashAgg_exprIsNull_3_0) {
hashAgg_isNull_23 = false; // resultCode could change nullability.
hashAgg_value_23 = hashAgg_value_24.$plus(hashAgg_expr_3_0);

}

}
/*hashAgg_c_18*/
boolean hashAgg_isNull_26 = true;
long hashAgg_value_26 = -1L;
/*hashAgg_c_17*/
boolean hashAgg_isNull_27 = hashAgg_unsafeRowAggBuffer_0.isNullAt(3);
long hashAgg_value_27 = hashAgg_isNull_27 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(3));
if (!hashAgg_isNull_27) {
if (!hashAgg_exprIsNull_4_0) {
hashAgg_isNull_26 = false; // resultCode could change nullability.

hashAgg_value_26 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_27, hashAgg_expr_4_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[5] /* errCtx */));

}

}
/*hashAgg_c_148*/
if (!hashAgg_isNull_23) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(2, hashAgg_value_23, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(2, null, 26);
}

if (!hashAgg_isNull_26) {
hashAgg_unsafeRowAggBuffer_0.setLong(3, hashAgg_value_26);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(3);
}
}

private void hashAgg_doAggregate_avg_1(boolean hashAgg_exprIsNull_7_0, org.apache.spark.sql.catalyst.InternalRow hashAgg_unsafeRowAggBuffer_0, boolean hashAgg_exprIsNull_8_0, long hashAgg_expr_8_0, org.apache.spark.sql.types.Decimal hashAgg_expr_7_0) throws java.io.IOException {
/*hashAgg_c_151*/
/*hashAgg_c_34*/
boolean hashAgg_isNull_50 = true;
Decimal hashAgg_value_50 = null;
/*hashAgg_c_33*/
boolean hashAgg_isNull_51 = hashAgg_unsafeRowAggBuffer_0.isNullAt(6);
Decimal hashAgg_value_51 = hashAgg_isNull_51 ?
null : (hashAgg_unsafeRowAggBuffer_0.getDecimal(6, 26, 2));
if (!hashAgg_isNull_51) {
if (!hashAgg_exprIsNull_7_0) {
hashAgg_isNull_50 = false; // resultCode could change nullability.
hashAgg_value_50 = hashAgg_value_51.$plus(hashAgg_expr_7_0);

}

}
/*hashAgg_c_36*/
boolean hashAgg_isNull_53 = true;
long hashAgg_value_53 = -1L;
/*hashAgg_c_35*/
boolean hashAgg_isNull_54 = hashAgg_unsafeRowAggBuffer_0.isNullAt(7);
long hashAgg_value_54 = hashAgg_isNull_54 ?
-1L : (hashAgg_unsafeRowAggBuffer_0.getLong(7));
if (!hashAgg_isNull_54) {
if (!hashAgg_exprIsNull_8_0) {
hashAgg_isNull_53 = false; // resultCode could change nullability.

hashAgg_value_53 = org.apache.spark.sql.catalyst.util.MathUtils.addExact(hashAgg_value_54, hashAgg_expr_8_0, ((org.apache.spark.sql.catalyst.trees.SQLQueryContext) references[6] /* errCtx */));

}

}
/*hashAgg_c_152*/
if (!hashAgg_isNull_50) {
hashAgg_unsafeRowAggBuffer_0.setDecimal(6, hashAgg_value_50, 26);
} else {
hashAgg_unsafeRowAggBuffer_0.setDecimal(6, null, 26);
}

if (!hashAgg_isNull_53) {
hashAgg_unsafeRowAggBuffer_0.setLong(7, hashAgg_value_53);
} else {
hashAgg_unsafeRowAggBuffer_0.setNullAt(7);
}
}

}
package io.planflame.spark.shim;

import scala.Tuple2;

/** What an element of an RDD is for people: the key of a pair, or the fields of a row. */
public final class GroupKey {
  private static final int MOST_CHARS = 200;
  private static final String ROW = "org.apache.spark.sql.catalyst.expressions.UnsafeRow";
  private static final int BITSET_FIELDS = 64; // their null bits share a word
  private static final int WORD = 8; // bytes of a field of a row

  private GroupKey() {}

  /** Its text: of a row the fields as its memory has them, since a row does not know types. */
  public static String of(Object element) {
    String text;
    if (element instanceof Tuple2) {
      Tuple2<?, ?> pair = (Tuple2<?, ?>) element;
      text = isRow(pair._2()) ? fields(pair._2()) : String.valueOf(pair._1());
    } else {
      text = isRow(element) ? fields(element) : String.valueOf(element);
    }
    text = text.replaceAll("\\p{Cntrl}", " ");
    return text.length() > MOST_CHARS ? text.substring(0, MOST_CHARS) + "…" : text;
  }

  /** How many rows a group has; 0: not known. */
  public static long rows(Object element) {
    Object group = element instanceof Tuple2 ? ((Tuple2<?, ?>) element)._2() : null;
    if (!(group instanceof Object[])) {
      return size(group);
    }
    long rows = 0;
    for (Object one : (Object[]) group) { // of a cogroup
      rows += size(one);
    }
    return rows;
  }

  private static long size(Object group) {
    boolean known = group != null && group.getClass().getName().equals("org.apache.spark.util.collection.CompactBuffer");
    return known ? (Integer) Members.call(group, "size") : 0;
  }

  private static boolean isRow(Object element) {
    return element != null && element.getClass().getName().equals(ROW);
  }

  private static String fields(Object row) {
    int fields = (Integer) Members.call(row, "numFields");
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < fields; i++) {
      out.append(i > 0 ? ", " : "").append((Boolean) Members.call(row, "isNullAt", i) ? "null" : field(row, i, fields));
    }
    return out.toString();
  }

  /** A text if the field's word points to one within the row, else the word. */
  private static String field(Object row, int i, int fields) {
    long word = (Long) Members.call(row, "getLong", i);
    long offset = word >>> Integer.SIZE;
    long bytes = word & 0xffffffffL;
    long fixed = (long) WORD * ((fields + BITSET_FIELDS - 1) / BITSET_FIELDS + fields);
    if (offset < fixed || offset % WORD != 0 || offset + bytes > (Integer) Members.call(row, "getSizeInBytes")) {
      return Long.toString(word);
    }
    return String.valueOf(Members.call(row, "getUTF8String", i));
  }
}

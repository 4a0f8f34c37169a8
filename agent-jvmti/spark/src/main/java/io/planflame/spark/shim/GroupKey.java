package io.planflame.spark.shim;

import scala.Product;
import scala.Product2;
import scala.collection.Iterator;

/** What an element of an RDD is for people: the key of a pair, or the fields of a row. */
public final class GroupKey {
  static final int MOST_CHARS = 4096; // of a text, about
  private static final int MOST_SHOWN = 200; // chars
  private static final int LONG_FIELD = 512; // chars of a field of more than MOST_CHARS bytes, which has more than that
  private static final String ROW = "org.apache.spark.sql.catalyst.expressions.UnsafeRow";
  private static final int BITSET_FIELDS = 64; // their null bits share a word
  private static final int WORD = 8; // bytes of a field of a row

  private GroupKey() {}

  /**
   * Its text; null if it has none: it is neither a row nor a pair with a row or a plain key. Texts,
   * numbers and tuples of them are plain: what else there is has a toString of its user. Of a row
   * it is the fields as its memory has them, since a row does not know types. Of a long text it is
   * the begin and the length.
   *
   * @param readsRows rows may be read: no one has freed the memory that they point to
   */
  public static String of(Object element, boolean readsRows) {
    Object key = element;
    if (element instanceof Product2) { // the pair of a shuffle of SQL is no tuple
      Product2<?, ?> pair = (Product2<?, ?>) element;
      key = isRow(pair._2()) ? pair._2() : pair._1();
    } else if (!isRow(element)) {
      return null;
    }
    if (isRow(key)) {
      return readsRows ? fields(key) : null;
    }
    return text(key);
  }

  /** A text of {@link #of} in one line that is not long, and that does nothing to a terminal. */
  public static String shown(String text) {
    String cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
    return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
  }

  private static String text(Object key) {
    if (key == null || !key.getClass().getName().startsWith("scala.Tuple")) {
      return plain(key);
    }
    StringBuilder out = new StringBuilder();
    for (Iterator<Object> parts = ((Product) key).productIterator(); parts.hasNext();) {
      String part = plain(parts.next());
      if (part == null) {
        return null;
      }
      out.append(out.length() == 0 ? "(" : ",").append(part);
    }
    return out.append(')').toString();
  }

  private static String plain(Object key) {
    if (key instanceof String) {
      String text = (String) key;
      return text.length() > MOST_CHARS ? text.substring(0, MOST_CHARS) + "…" + text.length() : text;
    }
    boolean boxed = key instanceof Boolean || key instanceof Character || key instanceof Number && key.getClass().getName().startsWith("java.lang.");
    return key == null || boxed ? String.valueOf(key) : null;
  }

  /** The begin and the length of a long text of Spark. */
  static String begin(Object text) {
    return Members.call(text, "substring", 0, LONG_FIELD) + "…" + Members.call(text, "numBytes");
  }

  /** How many rows a group has; 0: not known. */
  public static long rows(Object element) {
    Object group = element instanceof Product2 ? ((Product2<?, ?>) element)._2() : null;
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
    for (int i = 0; i < fields && out.length() < MOST_CHARS; i++) {
      out.append(i > 0 ? ", " : "").append((Boolean) Members.call(row, "isNullAt", i) ? "null" : field(row, i, fields));
    }
    return out.length() < MOST_CHARS ? out.toString() : out.append('…').append(Members.call(row, "getSizeInBytes")).toString();
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
    Object text = Members.call(row, "getUTF8String", i);
    return bytes > MOST_CHARS ? begin(text) : String.valueOf(text);
  }
}

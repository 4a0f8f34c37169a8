package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.UUID;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.MutablePair;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.Tuple3;

class GroupKeyTest {
  private static String repeated(String text, int times) {
    return String.join("", Collections.nCopies(times, text));
  }

  private static UnsafeRow row(Object... fields) {
    UnsafeRowWriter out = new UnsafeRowWriter(fields.length);
    out.reset();
    out.zeroOutNullBytes();
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == null) {
        out.setNullAt(i);
      } else if (fields[i] instanceof Long) {
        out.write(i, (Long) fields[i]);
      } else {
        out.write(i, UTF8String.fromString((String) fields[i]));
      }
    }
    return out.getRow();
  }

  private static String of(Object element) {
    return GroupKey.of(element, true);
  }

  private static String ofKey(Object key) {
    return of(new Tuple2<>(key, "value"));
  }

  /** What a user may group by. */
  private static final class Costly extends Number {
    private static IllegalStateException costly() {
      return new IllegalStateException("a gigabyte");
    }

    @Override public String toString() { throw costly(); }

    @Override public int intValue() { throw costly(); }

    @Override public long longValue() { throw costly(); }

    @Override public float floatValue() { throw costly(); }

    @Override public double doubleValue() { throw costly(); }
  }

  @Test
  void plainKeysAreNamed() {
    assertEquals("eu", ofKey("eu"));
    assertEquals("17", ofKey(17));
    assertEquals("true", ofKey(true));
    assertEquals("x", ofKey('x'));
    assertEquals("null", ofKey(null));
    assertEquals("(eu,17,null)", ofKey(new Tuple3<>("eu", 17L, null)));
  }

  @Test
  void whatRunsCodeOfAUserOrSaysNothingIsNot() {
    for (Object key : new Object[] {new Costly(), new byte[] {1}, UUID.randomUUID(), Collections.singletonList("eu"), new Tuple2<>("eu", new Costly())}) {
      assertNull(ofKey(key));
    }
    assertNull(of(null));
    assertNull(of("a line of a file"));
  }

  @Test
  void aRowIsItsFields() {
    UnsafeRow row = row("eu", 17L, null);
    assertEquals("eu, 17, null", of(row));
    assertEquals("eu, 17, null", of(new Tuple2<>(row, "value")));
  }

  @Test
  void aRowThatMayBeFreedIsNotRead() {
    UnsafeRow freed = new UnsafeRow(2);
    freed.pointTo(null, 8, 32); // to read there ends the JVM
    for (Object element : new Object[] {freed, new Tuple2<>(freed, "value"), new MutablePair<Object, Object>(3, freed)}) {
      assertNull(GroupKey.of(element, false));
    }
    assertEquals("eu", GroupKey.of(new Tuple2<>("eu", "value"), false));
  }

  /** Spark has one pair for all rows of a shuffle: the partition's number and the row. */
  @Test
  void ofAPairOfAShuffleOfSqlItIsTheRow() {
    assertEquals("eu, 17", of(new MutablePair<Object, Object>(3, row("eu", 17L))));
  }

  @Test
  void ofLongOnesItIsTheBeginAndTheLength() {
    String begin = repeated("x", 4096);
    assertEquals(begin + "…4101", ofKey(begin + "tail1"));
    assertNotEquals(ofKey(begin + "tail1"), ofKey(begin + "tail10"));
    assertEquals(repeated("é", 512) + "…6000, 17", of(row(repeated("é", 3000), 17L)));
    Object[] wide = Collections.nCopies(5000, 1L).toArray();
    String text = of(row(wide));
    assertTrue(text.length() < 4200 && text.endsWith(", 1…" + row(wide).getSizeInBytes()), text);
  }

  @Test
  void keysThatDifferFarBehindDiffer() {
    String begin = repeated("x", 300);
    assertNotEquals(ofKey(begin + "1"), ofKey(begin + "2"));
    assertEquals(GroupKey.shown(ofKey(begin + "1")), GroupKey.shown(ofKey(begin + "2")));
  }

  @Test
  void peopleSeeOneShortLine() {
    assertEquals("a b", GroupKey.shown("a\nb"));
    assertEquals("a 31mb c d", GroupKey.shown("a\u009b31mb\u202ec\u2028d"));
    assertEquals(repeated("x", 200) + "…", GroupKey.shown(repeated("x", 201)));
  }
}

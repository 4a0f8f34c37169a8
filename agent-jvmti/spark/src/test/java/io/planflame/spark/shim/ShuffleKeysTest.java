package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.planflame.spark.fake.AdaptiveSparkPlanExec;
import io.planflame.spark.fake.HashPartitioning;
import io.planflame.spark.fake.HashPartitioning.Attribute;
import io.planflame.spark.fake.Plan;
import io.planflame.spark.fake.ShuffleExchangeExec;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

class ShuffleKeysTest {
  private static final Attribute ID = new Attribute(7, DataTypes.LongType);
  private static final Attribute NAME = new Attribute(8, DataTypes.StringType);
  private static final Attribute PARTS = new Attribute(9, DataTypes.BinaryType);

  private static ShuffleExchangeExec exchange(Object... keys) {
    return new ShuffleExchangeExec(new Plan("Scan")).spread(new HashPartitioning(keys), ID, NAME, PARTS);
  }

  private static UnsafeRow row(long id, String name) {
    UnsafeRowWriter out = new UnsafeRowWriter(3);
    out.reset();
    out.zeroOutNullBytes();
    out.write(0, id);
    if (name == null) {
      out.setNullAt(1);
    } else {
      out.write(1, UTF8String.fromString(name));
    }
    out.setNullAt(2);
    return out.getRow();
  }

  @Test
  void readsTheColumnsOfItsShuffle() {
    Plan plan = new Plan("Join", exchange(ID).make(3), exchange(NAME, ID).make(4));
    ShuffleKeys keys = ShuffleKeys.in(new AdaptiveSparkPlanExec(plan), 4);
    assertNotNull(keys);
    UnsafeRow row = row(17, "eu");
    List<Object> key = ShuffleKeys.copy(keys.key(row));
    row.pointTo(new byte[row.getSizeInBytes()], row.getSizeInBytes()); // the memory is another row's
    assertEquals("eu, 17", ShuffleKeys.text(key));
    assertEquals(key, keys.key(row(17, "eu")));
    assertEquals(Arrays.asList(null, 17L), keys.key(row(17, null)));
    String begin = String.join("", Collections.nCopies(512, "x"));
    String text = begin + String.join("", Collections.nCopies(4000, "y"));
    assertEquals(Arrays.asList(begin + "…4512", 17L), keys.key(row(17, text)), "a long one is not kept whole");
  }

  @Test
  void knowsNoOtherShuffle() {
    Plan plan = new Plan("Join", exchange(ID).make(3), exchange(NAME));
    assertNull(ShuffleKeys.in(plan, 4));
    assertNull(ShuffleKeys.in(exchange(ID, new HashPartitioning.Computed()).make(4), 4), "a key is no column");
    assertNull(ShuffleKeys.in(exchange(PARTS).make(4), 4), "bytes are no plain value");
    assertNull(ShuffleKeys.in(exchange().spread("a range").make(4), 4));
  }
}

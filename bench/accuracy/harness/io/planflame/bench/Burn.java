package io.planflame.bench;

import org.apache.spark.sql.api.java.UDF2;

/**
 * The function planflame_burn(value, steps): as many rounds of mixing, each of which depends on the
 * one before, so that C2 cannot fold them. Besides Spark's own boxes of arguments and result it
 * allocates nothing. State: none; the interface is serializable, and so is this.
 */
public final class Burn implements UDF2<Long, Integer, Long> {
  private static final long serialVersionUID = 1L;

  @Override
  public Long call(Long value, Integer steps) {
    long x = value;
    for (int i = 0; i < steps; i++) {
      x = (x ^ (x >>> 31)) * 0x9E3779B97F4A7C15L + i;
    }
    return x;
  }
}

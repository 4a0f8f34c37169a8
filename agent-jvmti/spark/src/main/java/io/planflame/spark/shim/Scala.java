package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.Option;
import scala.Product;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Scala collections as Java ones. Only members whose descriptors are the same in Scala 2.12 and
 * 2.13 are linked; {@code iterator()} is called by name, since its declaring trait moved.
 */
public final class Scala {
  private Scala() {}

  /** A Seq, Set, Buffer or Iterable as a list; a copy. */
  public static List<Object> list(Object iterable) {
    if (iterable == null) {
      return Collections.emptyList();
    }
    List<Object> out = new ArrayList<>();
    Iterator<?> it = (Iterator<?>) Members.call(iterable, "iterator");
    while (it.hasNext()) {
      out.add(it.next());
    }
    return out;
  }

  /** A Map as a map in its own order; a copy. */
  public static Map<Object, Object> map(Object map) {
    Map<Object, Object> out = new LinkedHashMap<>();
    for (Object entry : list(map)) {
      Tuple2<?, ?> pair = (Tuple2<?, ?>) entry;
      out.put(pair._1(), pair._2());
    }
    return out;
  }

  /** What is in an Option, or null. */
  public static Object orNull(Object option) {
    return option instanceof Option && ((Option<?>) option).isDefined() ? ((Option<?>) option).get() : null;
  }

  /** The elements of a case class, in order; empty for another object. */
  public static List<Object> elements(Object product) {
    List<Object> out = new ArrayList<>();
    if (product instanceof Product) {
      Product p = (Product) product;
      for (int i = 0; i < p.productArity(); i++) {
        out.add(p.productElement(i));
      }
    }
    return out;
  }
}

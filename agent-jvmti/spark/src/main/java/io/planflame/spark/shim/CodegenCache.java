package io.planflame.spark.shim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import scala.Product;

/**
 * Spark's cache of generated classes, CodeGenerator.cache. Its key is a tuple whose last element is
 * the CodeAndComment (Tuple2 in Spark 3.5, Tuple3 in 4.3). Its value is a tuple that begins with
 * the instance of the generated class. Reading it does not change what is evicted next. Nothing is
 * copied: a cache of ten thousand entries is looked through in about a millisecond.
 */
public final class CodegenCache {
  /** One generated class in the cache. */
  public static final class Entry {
    private final Product key;
    private final Product value;

    Entry(Product key, Product value) {
      this.key = key;
      this.value = value;
    }

    /** The CodeAndComment: keep it weakly. */
    public Object code() {
      return key.productElement(key.productArity() - 1);
    }

    /** The outer generated class; its loader is its own. */
    public Class<?> generated() {
      return value.productElement(0).getClass();
    }
  }

  private final Map<?, ?> entries;
  private final Object compilations; // com.codahale.metrics.Histogram, counts what this JVM compiled

  /**
   * A cache with these contents.
   *
   * @param entries live view: tuple that ends with the CodeAndComment → tuple that begins with an
   *     instance of the generated class
   * @param compilations has a method getCount that returns how many classes were compiled
   */
  public CodegenCache(Map<?, ?> entries, Object compilations) {
    this.entries = entries;
    this.compilations = compilations;
  }

  /** Opens the cache of this JVM; the first call initializes Spark's CodeGenerator. */
  public static CodegenCache open() throws ClassNotFoundException {
    String name = "org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator";
    Object generator = Members.singleton(name + "$");
    Object cache = Members.readField(generator, "cache");
    if (cache == null) {
      throw new Members.NoSuchMember(generator.getClass(), "cache");
    }
    Object guava = Members.has(cache, "asMap", 0) ? cache : Members.call(cache, "cache");
    Object metrics = Members.singleton("org.apache.spark.metrics.source.CodegenMetrics$");
    return new CodegenCache((Map<?, ?>) Members.call(guava, "asMap"), Members.call(metrics, "METRIC_COMPILATION_TIME"));
  }

  /** Shows the classes in the cache, in no order, until {@code visitor} has seen enough. */
  public void visit(Predicate<Entry> visitor) {
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      if (isTuple(entry.getKey()) && isTuple(entry.getValue()) && !visitor.test(new Entry((Product) entry.getKey(), (Product) entry.getValue()))) {
        return;
      }
    }
  }

  private static boolean isTuple(Object object) {
    return object instanceof Product && ((Product) object).productArity() > 0;
  }

  /** How many classes are in the cache now. */
  public int size() {
    return entries.size();
  }

  /** Number of classes that this JVM has compiled so far, those already evicted included. */
  public long compiled() {
    return (Long) Members.call(compilations, "getCount");
  }

  /** The very text that Janino compiled. */
  public static String body(Object code) {
    return (String) Members.call(code, "body");
  }

  /** Placeholder → text of the comments, e.g. "PRODUCE: HashAggregate(…)". */
  public static Map<String, String> comments(Object code) {
    Map<String, String> out = new LinkedHashMap<>();
    for (Map.Entry<Object, Object> entry : Scala.map(Members.call(code, "comment")).entrySet()) {
      out.put(String.valueOf(entry.getKey()), String.valueOf(entry.getValue()));
    }
    return out;
  }
}

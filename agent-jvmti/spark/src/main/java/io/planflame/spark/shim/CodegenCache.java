package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Spark's cache of generated classes, CodeGenerator.cache. Its key is a tuple whose last element is the CodeAndComment (Tuple2 in
 * Spark 3.5, Tuple3 in 4.3), its value a tuple that begins with the instance of the generated class. Reading it does not change
 * what is evicted next. A reading takes about 0.1 ms for 100 entries.
 */
public final class CodegenCache {
  /** One generated class in the cache. */
  public static final class Entry {
    private final Object code;
    private final Class<?> generated;

    Entry(Object code, Class<?> generated) {
      this.code = code;
      this.generated = generated;
    }

    /** The CodeAndComment: keep it weakly. */
    public Object code() {
      return code;
    }

    /** The outer generated class; its loader is its own. */
    public Class<?> generated() {
      return generated;
    }
  }

  private final Map<?, ?> entries;
  private final Object compilations; // com.codahale.metrics.Histogram, counts what this JVM compiled

  private CodegenCache(Map<?, ?> entries, Object compilations) {
    this.entries = entries;
    this.compilations = compilations;
  }

  /** Opens the cache of this JVM; the first call initialises Spark's CodeGenerator. */
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

  /** The classes in the cache now. */
  public List<Entry> entries() {
    List<Entry> out = new ArrayList<>();
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      List<Object> key = Scala.elements(entry.getKey());
      List<Object> value = Scala.elements(entry.getValue());
      if (!key.isEmpty() && !value.isEmpty()) {
        out.add(new Entry(key.get(key.size() - 1), value.get(0).getClass()));
      }
    }
    return out;
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

package io.planflame.spark.shim;

import io.planflame.identity.Hash;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.Option;
import scala.Tuple2;

/**
 * Catalyst's origin of all nodes that a thread makes. Spark 4.x's origin has room for a Python line
 * and shows it in its messages only beside a JVM's stack trace, which is not set here: no message
 * changes. Spark 3.5's has no room. Safe from any thread.
 */
public final class CallOrigin {
  private static final String TREES = "org.apache.spark.sql.catalyst.trees.";
  private static final int MAX_STATEMENTS = 1024;

  /**
   * Hash of a statement → its line: the parser gives nodes an origin of their own, which holds the
   * text.
   */
  private static final Map<String, String> STATEMENTS = Collections.synchronizedMap(new LinkedHashMap<String, String>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > MAX_STATEMENTS;
    }
  });

  private CallOrigin() {}

  /**
   * From now on this thread's nodes are of {@code line}; {@code sql} is the statement that the call
   * has, or "".
   */
  public static void set(String method, String line, String sql) throws ReflectiveOperationException {
    if (!sql.isEmpty()) {
      STATEMENTS.put(key(sql), line);
    }
    Object current = Members.singleton(TREES + "CurrentOrigin$");
    Object empty = Members.call(Members.singleton(TREES + "Origin$"), "apply$default$1"); // None
    Constructor<?> constructor = Members.loader().loadClass(TREES + "Origin").getConstructors()[0];
    Object[] fields = new Object[constructor.getParameterCount()];
    Arrays.fill(fields, empty);
    Object origin = constructor.newInstance(fields);
    int context = fieldOf(origin, "pysparkErrorContext");
    if (context < 0) {
      return;
    }
    fields[context] = Option.apply(new Tuple2<>(method, line));
    Members.call(current, "set", constructor.newInstance(fields));
  }

  private static int fieldOf(Object origin, String name) {
    List<Object> names = Scala.list(Members.callOr(null, origin, "productElementNames"));
    return names.indexOf(name);
  }

  /** The call is over. */
  public static void clear() throws ReflectiveOperationException {
    Members.call(Members.singleton(TREES + "CurrentOrigin$"), "reset");
  }

  /** The line of the call that had the statement, "" if none is known. */
  static String ofStatement(String sql) {
    return STATEMENTS.getOrDefault(key(sql), "");
  }

  private static String key(String sql) {
    return Hash.of(sql.trim(), 16);
  }
}

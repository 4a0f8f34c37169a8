package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The columns by which SQL spreads the rows of a shuffle over its partitions, as the plan of a
 * query in this JVM tells. Thread-safe.
 */
public final class ShuffleKeys {
  /** What reads a value of a row, by the class of its type. Other types are no plain values. */
  private static final Map<String, String> GETTERS = new HashMap<>();

  static {
    String[] types = {
      "String getUTF8String", "Long getLong", "Timestamp getLong", "TimestampNTZ getLong", "Integer getInt", "Date getInt", "Short getShort", "Byte getByte",
      "Boolean getBoolean", "Double getDouble", "Float getFloat"};
    for (String type : types) {
      GETTERS.put(type.replaceAll(" .*", "Type"), type.replaceAll(".* ", ""));
    }
  }

  private static final String TEXT = "org.apache.spark.unsafe.types.UTF8String";

  private final int[] columns;
  private final String[] getters;

  /** @param getters methods of a row that read the columns */
  public ShuffleKeys(int[] columns, String[] getters) {
    this.columns = columns;
    this.getters = getters;
  }

  /**
   * The keys of a shuffle of a running execution. Null if no plan in this JVM has the shuffle, it
   * spreads by something else than columns, or a column is no plain value.
   */
  public static ShuffleKeys of(long executionId, int shuffle) throws ClassNotFoundException {
    Object execution = Executions.queryExecution(executionId);
    Object plan = execution == null ? null : Executions.executed(execution);
    return plan == null ? null : in(plan, shuffle);
  }

  static ShuffleKeys in(Object plan, int shuffle) {
    Object exchange = exchange(plan, shuffle);
    return exchange == null ? null : of(exchange);
  }

  /** A plan that has made its shuffle holds it. Asking another for it would start the shuffle. */
  private static Object exchange(Object plan, int shuffle) {
    Object made = plan.getClass().getName().endsWith(".ShuffleExchangeExec") ? Members.readField(plan, "shuffleDependency") : null;
    if (made != null && (Integer) Members.call(made, "shuffleId") == shuffle) {
      return plan;
    }
    for (Object below : PhysicalReader.below(plan)) {
      Object found = exchange(below, shuffle);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static ShuffleKeys of(Object exchange) {
    Object partitioning = Members.call(exchange, "outputPartitioning");
    if (!partitioning.getClass().getName().endsWith(".HashPartitioning")) {
      return null;
    }
    List<Object> output = new ArrayList<>();
    for (Object attribute : Scala.list(Members.call(exchange, "output"))) {
      output.add(Members.call(attribute, "exprId"));
    }
    List<Object> keys = Scala.list(Members.call(partitioning, "expressions"));
    int[] columns = new int[keys.size()];
    String[] getters = new String[keys.size()];
    for (int i = 0; i < columns.length; i++) {
      Object id = Members.callOr(null, keys.get(i), "exprId");
      columns[i] = output.indexOf(id);
      getters[i] = GETTERS.get(Members.call(keys.get(i), "dataType").getClass().getSimpleName().replace("$", ""));
      if (id == null || columns[i] < 0 || getters[i] == null) {
        return null;
      }
    }
    return new ShuffleKeys(columns, getters);
  }

  /** The values of a row's key. Texts are in the row's memory; long ones are cut. */
  public List<Object> key(Object row) {
    Object[] values = new Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      Object value = (Boolean) Members.call(row, "isNullAt", columns[i]) ? null : Members.call(row, getters[i], columns[i]);
      values[i] = isLong(value) ? GroupKey.begin(value) : value;
    }
    return Arrays.asList(values);
  }

  private static boolean isLong(Object value) {
    return isText(value) && (Integer) Members.call(value, "numBytes") > GroupKey.MOST_CHARS;
  }

  private static boolean isText(Object value) {
    return value != null && value.getClass().getName().equals(TEXT);
  }

  /** The same values in memory of their own. */
  public static List<Object> copy(List<Object> key) {
    List<Object> out = new ArrayList<>(key);
    out.replaceAll(value -> isText(value) ? Members.call(value, "copy") : value);
    return out;
  }

  /** A key for people. */
  public static String text(List<Object> key) {
    StringJoiner out = new StringJoiner(", ");
    key.forEach(value -> out.add(String.valueOf(value)));
    return out.toString();
  }
}

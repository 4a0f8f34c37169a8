package io.planflame.spark.shim;

import java.util.List;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.util.AccumulatorV2;
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.mutable.ArrayBuffer;

/**
 * The SQL metrics that a task has updated: they tell which plan nodes its stage runs, and how many
 * rows those made. Those it merely registered do not, for the closure of a stage often holds the
 * whole plan; so a metric counts once it is no longer zero. Nodes have no other accumulators, and
 * the methods of a user's own are not called: they may not expect another thread. Spark 3.5.3 and
 * later guard the buffer by TaskMetrics.withExternalAccums; earlier 3.5 has only the bare
 * externalAccums.
 */
public final class TaskAccumulators {
  private static final String SQL_METRIC = "org.apache.spark.sql.execution.metric.SQLMetric";

  private static final ClassValue<Boolean> IS_METRIC =
      new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          Class<?> above = type.getSuperclass(); // Spark 4.3 has a SQLLastAttemptMetric
          return type.getName().equals(SQL_METRIC) || above != null && get(above);
        }
      };

  private TaskAccumulators() {}

  /**
   * Adds the ids of the metrics that a running task has updated so far to {@code ids}. Takes no
   * lock, as the task would wait for it, and may miss some.
   */
  public static void look(TaskMetrics metrics, Set<Long> ids) {
    for (Object accumulator : looked(metrics)) {
      show(accumulator, (metric, id) -> ids.add(id));
    }
  }

  /** Adds the ids of all metrics that a task which has ended has updated to {@code ids}. */
  public static void collect(TaskMetrics metrics, Set<Long> ids) {
    visit(metrics, (metric, id) -> ids.add(id));
  }

  /** Sees an accumulator. */
  public interface Visitor {
    void visit(Object accumulator, long id);
  }

  /** Shows the metrics that a task which has ended has updated; nothing is copied. */
  public static void visit(TaskMetrics metrics, Visitor visitor) {
    if (!Members.has(metrics, "withExternalAccums", 1)) {
      showAll(Members.call(metrics, "externalAccums"), visitor);
      return;
    }
    Function1<Object, Object> show = buffer -> {
      showAll(buffer, visitor);
      return null;
    };
    Members.call(metrics, "withExternalAccums", show);
  }

  private static void showAll(Object buffer, Visitor visitor) {
    Iterator<?> it = (Iterator<?>) Members.call(buffer, "iterator");
    while (it.hasNext()) {
      show(it.next(), visitor);
    }
  }

  private static void show(Object accumulator, Visitor visitor) {
    if (accumulator != null && IS_METRIC.get(accumulator.getClass())) {
      AccumulatorV2<?, ?> metric = (AccumulatorV2<?, ?>) accumulator;
      if (!metric.isZero()) {
        visitor.visit(metric, metric.id());
      }
    }
  }

  /**
   * Whether an accumulator is one of Spark's SQL metrics that add up numbers: rows, files, batches;
   * not sizes, times, averages. In a task the value of a SQLLastAttemptMetric is a sum, too.
   */
  public static boolean isSum(Object accumulator) {
    return IS_METRIC.get(accumulator.getClass()) && "sum".equals(Members.call(accumulator, "metricType"));
  }

  /** The value of an accumulator that {@link #isSum}. */
  public static long sum(Object accumulator) {
    return (Long) ((AccumulatorV2<?, ?>) accumulator).value();
  }

  /**
   * What the task has registered so far, read by another thread without a lock. Entries may be
   * null: the task may be making room for more.
   */
  static Object[] looked(TaskMetrics metrics) {
    Object all = Members.readField(metrics, "_externalAccums"); // a lazy val: null until its first use
    if (all instanceof List) { // of Spark 3.5.0 and 3.5.1
      return ((List<?>) all).toArray();
    }
    ArrayBuffer<?> buffer = (ArrayBuffer<?>) all;
    Object[] out = new Object[buffer == null ? 0 : buffer.length()];
    try {
      for (int i = 0; i < out.length; i++) {
        out[i] = buffer.apply(i);
      }
    } catch (IndexOutOfBoundsException e) {
      return out; // its length was of a larger array than this thread sees
    }
    return out;
  }
}

package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.util.AccumulatorV2;
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.mutable.ArrayBuffer;

/**
 * The accumulators that a task has updated: they tell which plan nodes its stage runs, and how many
 * rows those made. Those it merely registered do not, for the closure of a stage often holds the
 * whole plan; so an accumulator counts once it is no longer zero. Spark 3.5.3 and later guard the
 * buffer by TaskMetrics.withExternalAccums; earlier 3.5 has only the bare externalAccums.
 */
public final class TaskAccumulators {
  private static final String SQL_METRIC = "org.apache.spark.sql.execution.metric.SQLMetric";

  private TaskAccumulators() {}

  /**
   * Adds the ids of the accumulators that the task has updated so far to {@code ids}; complete when
   * the task has ended.
   */
  public static void collect(TaskMetrics metrics, Set<Long> ids) {
    for (Object accumulator : all(metrics)) {
      AccumulatorV2<?, ?> known = (AccumulatorV2<?, ?>) accumulator;
      if (!known.isZero()) {
        ids.add(known.id());
      }
    }
  }

  /** Sees an accumulator. */
  public interface Visitor {
    void visit(Object accumulator, long id);
  }

  /** Shows the accumulators that a task which has ended has updated; nothing is copied. */
  public static void visit(TaskMetrics metrics, Visitor visitor) {
    if (!Members.has(metrics, "withExternalAccums", 1)) {
      show(Members.call(metrics, "externalAccums"), visitor);
      return;
    }
    Function1<Object, Object> show = buffer -> {
      show(buffer, visitor);
      return null;
    };
    Members.call(metrics, "withExternalAccums", show);
  }

  private static void show(Object buffer, Visitor visitor) {
    Iterator<?> it = (Iterator<?>) Members.call(buffer, "iterator");
    while (it.hasNext()) {
      AccumulatorV2<?, ?> accumulator = (AccumulatorV2<?, ?>) it.next();
      if (!accumulator.isZero()) {
        visitor.visit(accumulator, accumulator.id());
      }
    }
  }

  /**
   * Whether an accumulator is one of Spark's SQL metrics that add up numbers: rows, files, batches;
   * not sizes, times, averages.
   */
  public static boolean isSum(Object accumulator) {
    return accumulator.getClass().getName().equals(SQL_METRIC) && "sum".equals(Members.call(accumulator, "metricType"));
  }

  /** The value of an accumulator that {@link #isSum}. */
  public static long sum(Object accumulator) {
    return (Long) ((AccumulatorV2<?, ?>) accumulator).value();
  }

  /**
   * What the task has registered so far, read by another thread without a lock. Entries may be
   * null.
   */
  static Object[] looked(TaskMetrics metrics) {
    Object all = Members.readField(metrics, "_externalAccums"); // a lazy val: null until its first use
    if (all instanceof List) { // of Spark 3.5.0 and 3.5.1
      return ((List<?>) all).toArray();
    }
    ArrayBuffer<?> buffer = (ArrayBuffer<?>) all;
    Object[] out = new Object[buffer == null ? 0 : buffer.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = buffer.apply(i);
    }
    return out;
  }

  private static List<Object> all(TaskMetrics metrics) {
    if (!Members.has(metrics, "withExternalAccums", 1)) {
      return Scala.list(Members.call(metrics, "externalAccums"));
    }
    List<Object> accumulators = new ArrayList<>();
    Function1<Object, Object> copy = buffer -> accumulators.addAll(Scala.list(buffer));
    Members.call(metrics, "withExternalAccums", copy);
    return accumulators;
  }
}

package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.util.AccumulatorV2;

/**
 * The rows that a task got back from the Python worker of its one Python operator, read by another
 * thread. A worker reads ahead, so the task's input counters do not say where it is.
 *
 * <p>The worker answers in batches of rows, and its answers wait in a buffer until that is full.
 * Spark 3.5 to 4.3.
 */
public final class PythonRows {
  private static final String RETURNED = "data returned from Python workers"; // bytes
  private static final String ROWS = "number of output rows"; // the operator's metric of that name comes after
  private static final long NEAR = 16; // metrics of an operator, at most

  private static final String PICKLE_BATCH = "spark.sql.execution.python.udf.maxRecordsPerBatch"; // from Spark 4.0 on
  private static final long DEFAULT_PICKLE_BATCH = 100;
  private static final String PICKLE_BUFFER = "spark.sql.execution.python.udf.buffer.size"; // from Spark 4.0 on
  private static final String ARROW_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch";
  private static final long DEFAULT_ARROW_BATCH = 10_000;
  private static final String ARROW_BUFFER = "spark.sql.execution.pandas.udf.buffer.size";

  /** What a Python operator of the plan counts. A task has the operators of other stages too. */
  private static final class Operator {
    final AccumulatorV2<?, ?> returned;
    final AccumulatorV2<?, ?> rows;

    Operator(AccumulatorV2<?, ?> returned, AccumulatorV2<?, ?> rows) {
      this.returned = returned;
      this.rows = rows;
    }
  }

  private final List<Operator> plan;
  private Operator operator; // null: none got anything yet
  private boolean several;

  private PythonRows(List<Operator> plan) {
    this.plan = plan;
  }

  /** The rows of a task that has begun to read; null if its plan has no Python operator. */
  public static PythonRows of(TaskMetrics metrics) {
    Object[] all = TaskAccumulators.looked(metrics);
    List<Operator> plan = new ArrayList<>();
    for (int i = all.length; i > 0; i--) {
      AccumulatorV2<?, ?> one = (AccumulatorV2<?, ?>) all[i - 1];
      AccumulatorV2<?, ?> rows = one == null || !RETURNED.equals(Scala.orNull(one.name())) ? null : rowsOf(one.id(), all);
      if (rows != null) {
        plan.add(new Operator(one, rows));
      }
    }
    return plan.isEmpty() ? null : new PythonRows(plan);
  }

  private static AccumulatorV2<?, ?> rowsOf(long returned, Object[] all) {
    AccumulatorV2<?, ?> rows = null;
    for (Object any : all) {
      AccumulatorV2<?, ?> one = (AccumulatorV2<?, ?>) any;
      long after = one == null ? 0 : one.id() - returned;
      if (after > 0 && after < NEAR && (rows == null || one.id() < rows.id()) && ROWS.equals(Scala.orNull(one.name()))) {
        rows = one;
      }
    }
    return rows;
  }

  /** How many rows came back; 0: none yet, or an operator's batch is not counted yet. */
  public long count() {
    for (Operator one : plan) {
      if (one != operator && !one.returned.isZero()) {
        several |= operator != null;
        operator = one;
      }
    }
    return operator == null ? 0 : Math.max((Long) operator.rows.value(), 0);
  }

  /** Reports whether several Python operators got rows: {@link #count} tells nothing then. */
  public boolean isSeveral() {
    return several;
  }

  /**
   * The most rows that the worker has not handed back, though it has finished all but the last of
   * them. Some came back before.
   *
   * @param arrow they come in Arrow's format, not pickled
   * @param sparkBuffer bytes of {@link #sparkBuffer}
   */
  public long pending(TaskContext task, boolean arrow, long sparkBuffer) {
    boolean old = org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");
    long batch = arrow
        ? number(task, ARROW_BATCH, DEFAULT_ARROW_BATCH)
        : old ? DEFAULT_PICKLE_BATCH : number(task, PICKLE_BATCH, DEFAULT_PICKLE_BATCH);
    long buffer = number(task, arrow ? ARROW_BUFFER : old ? "" : PICKLE_BUFFER, sparkBuffer);
    return pending(batch, buffer, count(), (Long) operator.returned.value(), arrow);
  }

  /**
   * A message of a batch that is longer than the buffer passes it by. The last bytes of one in
   * Arrow's format, which are written apart, may stay behind.
   */
  static long pending(long batch, long buffer, long count, long bytes, boolean arrow) {
    if (batch <= 0) {
      return Long.MAX_VALUE; // of Arrow: all rows are one batch
    }
    double message = (double) Math.max(bytes, 1) / Math.max(count, 1) * batch;
    return batch * (1 + Math.max((long) (buffer / message), arrow ? 1 : 0));
  }

  /** The bytes of a worker's buffer, if no session has set others. */
  public static long sparkBuffer() {
    return SparkEnv.get().conf().getSizeAsBytes("spark.buffer.size", "64k");
  }

  /** A number of bytes or rows that a session has set. */
  private static long number(TaskContext task, String key, long otherwise) {
    String value = key.isEmpty() ? null : task.getLocalProperty(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return value.startsWith("-") ? Long.parseLong(value) : JavaUtils.byteStringAsBytes(value);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}

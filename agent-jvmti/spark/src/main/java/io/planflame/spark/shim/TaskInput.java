package io.planflame.spark.shim;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.util.AccumulatorV2;
import scala.collection.mutable.ArrayBuffer;

/**
 * What a running task has read so far, read by another thread. Spark's counters are plain fields
 * that the task's thread alone writes, so a look takes no lock and may be some records late.
 */
public final class TaskInput {
  private static final String HOLDER = "org.apache.spark.rdd.InputFileBlockHolder$";
  private static final String BATCHES = "number of input batches"; // ColumnarToRowExec's metric, Spark 3.5 to 4.3

  /** Classes of readers of files. */
  private static final String[] SOURCES = {
    "org.apache.spark.rdd.HadoopRDD", "org.apache.spark.rdd.NewHadoopRDD", "org.apache.spark.sql.execution.datasources.FileScanRDD",
    "org.apache.spark.sql.execution.datasources.v2.DataSourceRDD",
  };

  /** The block of a file that a task reads. */
  public static final class Block {
    /** The file's whole path. It must not leave the JVM. */
    public final String path;

    /** Offset of the block's first byte. */
    public final long start;

    Block(String path, long start) {
      this.path = path;
      this.start = start;
    }
  }

  private final TaskContext context;
  private final TaskMetrics metrics;
  private final AtomicReference<?> holder; // null: not known
  private ArrayBuffer<?> shuffles; // of TempShuffleReadMetrics; null until the task reads a shuffle

  /** On the task's own thread, at its start: Spark has just made the reference to its block. */
  public TaskInput(TaskContext context) {
    this(context, holder());
  }

  /** @param holder of the block that the task reads; null: not known */
  public TaskInput(TaskContext context, AtomicReference<?> holder) {
    this.context = context;
    this.metrics = context.taskMetrics();
    this.holder = holder;
  }

  private static AtomicReference<?> holder() {
    try {
      Object object = Members.singleton(HOLDER);
      Object local = Members.readField(object, "inputBlock"); // a static field from Scala 2.13 on
      return local == null ? null : (AtomicReference<?>) ((ThreadLocal<?>) local).get();
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** How many records of files the task has read. */
  public long inputRecords() {
    return metrics.inputMetrics().recordsRead();
  }

  /** How many records of shuffles the task has read. */
  public long shuffleRecords() {
    if (shuffles == null) {
      shuffles = (ArrayBuffer<?>) Members.readField(metrics, "tempShuffleReadMetrics"); // a lazy val: null until its first use
    }
    long records = 0;
    for (int i = shuffles == null ? 0 : shuffles.length(); i > 0; i--) {
      Object one = shuffles.apply(i - 1);
      records += one == null ? 0 : ((TempShuffleReadMetrics) one).recordsRead();
    }
    return Math.max(records, metrics.shuffleReadMetrics().recordsRead());
  }

  /** Changes with the block that the task reads; null: none is known. */
  public Object blockIdentity() {
    return holder == null ? null : holder.get();
  }

  /**
   * Reports whether the task reads a single source of files: the block of a second one is not seen,
   * since its reader makes a new reference to it. Each has set a listener for the task's end. False
   * if that is not known, as in a JVM that does not open java.util; Spark's own launcher opens it.
   */
  public boolean readsOneSource() {
    try {
      Object listeners = Members.readField(context, "onCompleteCallbacks"); // a Stack, read without its lock
      return listeners != null && sources((Object[]) Members.readField(listeners, "elementData")) == 1;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static int sources(Object[] listeners) {
    int sources = 0;
    for (Object listener : listeners) {
      Object function = listener == null ? null : Members.readField(listener, "f$1"); // TaskContext.addTaskCompletionListener's
      String name = function == null ? "" : function.getClass().getName();
      for (String source : SOURCES) {
        sources += name.startsWith(source) ? 1 : 0;
      }
    }
    return sources;
  }

  /** The block that the task reads, or read last; null: none is known. */
  public Block block() {
    Object block = holder == null ? null : holder.get();
    String path = block == null ? "" : String.valueOf(Members.call(block, "filePath"));
    return path.isEmpty() ? null : new Block(path, (Long) Members.call(block, "startOffset"));
  }

  /** How far the task's SQL operators have come. */
  public static final class Progress {
    /** The most that one of its summing SQL metrics has. */
    public long most;

    /** Column batches that it has turned into rows; 0: it reads rows. */
    public long batches;
  }

  /** Adds up the SQL metrics that the task has updated so far. */
  public Progress progress() {
    Progress out = new Progress();
    Object accumulators = Members.readField(metrics, "_externalAccums"); // a lazy val: null until its first use
    ArrayBuffer<?> buffer = (ArrayBuffer<?>) accumulators;
    for (int i = buffer == null ? 0 : buffer.length(); i > 0; i--) {
      Object one = buffer.apply(i - 1);
      if (one == null || !TaskAccumulators.isSum(one)) {
        continue;
      }
      long sum = TaskAccumulators.sum(one);
      out.most = Math.max(out.most, sum);
      if (BATCHES.equals(Scala.orNull(((AccumulatorV2<?, ?>) one).name()))) {
        out.batches += sum;
      }
    }
    return out;
  }
}

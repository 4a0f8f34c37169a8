package io.planflame.spark.shim;

import java.util.Arrays;
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

  private static final String FILES = "org.apache.spark.sql.execution.datasources.FileScanRDD";

  /** Classes of readers of files and tables. */
  private static final String[] SOURCES = {
    "org.apache.spark.rdd.HadoopRDD", "org.apache.spark.rdd.NewHadoopRDD", FILES,
    "org.apache.spark.sql.execution.datasources.v2.DataSourceRDD", "org.apache.spark.sql.execution.datasources.jdbc.JDBCRDD",
  };

  /** Rows of a Range that are counted at once, at most, when all of them were made (RangeExec). */
  public static final long RANGE_ROWS = 1000;

  private static final long[] NONE = {};

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
  private ArrayBuffer<?> shuffles; // of TempShuffleReadMetrics, one for each reader; null until the task reads a shuffle
  private long[] shuffled = NONE; // records of each, at the last look
  private int latest = -1; // reader of a shuffle whose count changed last; below 0: none, or not known

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
    int readers = shuffles == null ? 0 : shuffles.length();
    if (readers > shuffled.length) {
      shuffled = Arrays.copyOf(shuffled, 2 * readers);
    }
    long records = 0;
    int changed = 0;
    for (int i = 0; i < readers; i++) {
      Object one = shuffles.apply(i);
      long read = one == null ? 0 : ((TempShuffleReadMetrics) one).recordsRead();
      if (read != shuffled[i]) {
        changed++;
        latest = i;
      }
      shuffled[i] = read;
      records += read;
    }
    latest = changed > 1 ? -1 : latest;
    return Math.max(records, metrics.shuffleReadMetrics().recordsRead());
  }

  /**
   * The reader of a shuffle that had read last at {@link #shuffleRecords}; below 0: none, or
   * several had.
   */
  public int latestShuffle() {
    return latest;
  }

  /** How many records a reader of a shuffle had read then. */
  public long shuffleRecords(int reader) {
    return shuffled[reader];
  }

  /**
   * Reports whether the records of files that it counts are the rows of a Range: nothing was read.
   *
   * @param sources {@link #sources}
   */
  public boolean isRange(int sources) {
    return sources == 0 && inputRecords() > 0 && metrics.inputMetrics().bytesRead() == 0;
  }

  /** Changes with the block that the task reads; null: none is known. */
  public Object blockIdentity() {
    return holder == null ? null : holder.get();
  }

  /**
   * How many sources of files and tables the task has opened: each has set a listener for the
   * task's end. Of several, the blocks of all but the first are not seen, since each reader makes a
   * new reference to its block. Below 0: not known, as in a JVM that does not open java.util;
   * Spark's own launcher opens it.
   */
  public int sources() {
    try {
      Object listeners = Members.readField(context, "onCompleteCallbacks"); // a Stack, read without its lock
      return listeners == null ? -1 : sources((Object[]) Members.readField(listeners, "elementData"));
    } catch (RuntimeException e) {
      return -1;
    }
  }

  private static int sources(Object[] listeners) {
    int sources = 0;
    for (Object listener : listeners) {
      Object function = functionOf(listener);
      String name = function == null ? "" : function.getClass().getName();
      for (String source : SOURCES) {
        sources += name.startsWith(source) ? 1 : 0;
      }
    }
    return sources;
  }

  /** What a listener calls; null: not known. */
  private static Object functionOf(Object listener) {
    return listener == null ? null : Members.readField(listener, "f$1"); // TaskContext.addTaskCompletionListener's
  }

  /** Reports whether the scan of the task has opened no second block of files. */
  public boolean readsFirstFile() {
    try {
      Object listeners = Members.readField(context, "onCompleteCallbacks");
      for (Object listener : listeners == null ? new Object[0] : (Object[]) Members.readField(listeners, "elementData")) {
        Object function = functionOf(listener);
        if (function != null && function.getClass().getName().startsWith(FILES)) {
          return isFirst(Members.readField(Members.readField(function, "arg$1"), "files")); // its reader's
        }
      }
    } catch (RuntimeException e) {
      return false;
    }
    return true; // a reader of another kind has one
  }

  /** Reports whether an iterator over an array has given one element at most. */
  private static boolean isFirst(Object array) {
    for (String name : new String[] {"scala$collection$ArrayOps$ArrayIterator$$pos", "index"}) { // Scala 2.13, 2.12
      Object at = Members.readField(array, name);
      if (at instanceof Integer) {
        return (Integer) at <= 1;
      }
    }
    return false;
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
    for (Object one : TaskAccumulators.looked(metrics)) {
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

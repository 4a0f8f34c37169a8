package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.GroupKey;
import io.planflame.spark.shim.PythonRows;
import io.planflame.spark.shim.ShuffleKeys;
import io.planflame.spark.shim.TaskRdds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Names the keys that take long or have most of the rows, of tasks that the user wants to know more
 * of. It takes the time of each element on the task's thread, from when its making begins to when
 * the next one's does.
 *
 * <p>Made only by planflame debug. A key leaves the JVM as a hash with a salt, which dies with the
 * JVM. If the user wants to see keys, and this JVM's stderr is a terminal, they stand there.
 */
final class KeyDesk implements TaskRdds.Viewer {
  static final Path STDERR = Paths.get("/proc/self/fd/2");

  private static final int KEPT = 64; // keys of a task: those that took longest
  private static final long CLOCKS_NANOS = 10_000_000L; // between two readings of a thread's clocks
  private static final int SALT_BYTES = 16;
  private static final int STEP = 10; // times the mean of the others
  private static final int LEAST_ROWS = 1000; // of a task: fewer take no time, whatever their keys
  private static final int MOST_OF_PYTHON = 2; // rows: it has one, and one before may not be there yet

  private final Set<String> tasks = new HashSet<>(); // STAGE:PARTITION
  private final boolean shows;
  private final Out out;
  private final Supplier<WatchedTask.Clocks> clocksOfThread;
  private final LongSupplier nanoTime;
  private final Plans plans;
  private final String salt;

  /** Finds the keys of a shuffle of an execution; null if it cannot. */
  interface Plans {
    ShuffleKeys keys(long executionId, int shuffle) throws ReflectiveOperationException;
  }

  /** Takes what the desk finds, on a task's thread: it neither waits nor throws. */
  interface Out {
    /**
     * A key took long.
     *
     * @param json of a DWELL record
     * @param line for people; null: none
     */
    void key(byte[] json, String line);

    /** So many keys took long and are not told. */
    void dropped(long keys);

    /** {@link PythonRows#sparkBuffer}. */
    long sparkBuffer();

    /** The keys of the task of this thread are timed from now on. */
    void watch(KeyWatch watch);

    /** No key took that time: the stacks say what else did. */
    void apart();

    /** The keys of a task are not told. */
    void failed(Throwable e);
  }

  /** Reports whether a link of /proc leads to a terminal. */
  static boolean isTerminal(Path link) {
    try {
      return Files.readSymbolicLink(link).toString().matches("/dev/(pts/|tty|console).*");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /**
   * @param tasks STAGE:PARTITION, comma separated
   * @param shows keys go to stderr
   */
  KeyDesk(String tasks, boolean shows, Out out) {
    this(tasks, shows, out, KeyDesk::clocks, System::nanoTime, ShuffleKeys::of);
  }

  KeyDesk(String tasks, boolean shows, Out out, Supplier<WatchedTask.Clocks> clocksOfThread, LongSupplier nanoTime, Plans plans) {
    this.plans = plans;
    this.clocksOfThread = clocksOfThread;
    this.nanoTime = nanoTime;
    Collections.addAll(this.tasks, tasks.split(","));
    this.shows = shows;
    this.out = out;
    byte[] random = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(random);
    this.salt = new String(random, StandardCharsets.ISO_8859_1);
  }

  /** The clocks of the calling thread. */
  private static WatchedTask.Clocks clocks() {
    Thread thread = Thread.currentThread();
    RunQueue waits = RunQueue.of(NativeAgent.threadId());
    return new WatchedTask.Clocks() {
      @Override
      public TaskClocks read() {
        return TaskClocks.read(thread, waits);
      }

      @Override
      public void close() {
        waits.close();
      }
    };
  }

  @Override
  public void failed(Throwable e) {
    out.failed(e);
  }

  @Override
  public boolean wants(TaskContext task) {
    return tasks.contains(task.stageId() + ":" + task.partitionId());
  }

  @Override
  public Iterator<Object> see(TaskContext task, Iterator<Object> elements) {
    try {
      Timed timed = new Timed(task, elements);
      out.watch(timed.watch);
      task.addTaskCompletionListener((TaskCompletionListener) ended -> timed.finish(false)); // not all tasks ask for all elements
      return timed;
    } catch (Throwable e) { // it takes memory
      failed(e);
      return elements;
    }
  }

  /** Counts the rows that a task reads of a shuffle of SQL, if the plan tells their keys. */
  @Override
  public Iterator<Object> count(TaskContext task, int shuffle, Iterator<Object> rows) {
    try {
      ShuffleKeys keys = plans.keys(TaskTags.executionId(task.getLocalProperty(TaskTags.EXECUTION_ID)), shuffle);
      if (keys == null) {
        return rows;
      }
      Counted counted = new Counted(task, rows, keys);
      task.addTaskCompletionListener((TaskCompletionListener) ended -> counted.finish());
      return counted;
    } catch (Throwable e) { // it takes memory
      failed(e);
      return rows;
    }
  }

  /** Counts the rows of each key. */
  private final class Counted extends AbstractIterator<Object> {
    private final TaskContext task;
    private final Iterator<Object> of;
    private final ShuffleKeys keys;
    private KeyCounts<List<Object>> counts = new KeyCounts<>(); // null: no longer

    Counted(TaskContext task, Iterator<Object> of, ShuffleKeys keys) {
      this.task = task;
      this.of = of;
      this.keys = keys;
    }

    @Override
    public boolean hasNext() {
      boolean more = of.hasNext();
      if (!more) {
        finish();
      }
      return more;
    }

    @Override
    public Object next() {
      Object row = of.next();
      if (counts != null) {
        try {
          counts.add(keys.key(row), ShuffleKeys::copy);
        } catch (Throwable e) { // whose text may be a key's
          counts = null;
          out.failed(new IllegalStateException(e.getClass().getName()));
        }
      }
      return row;
    }

    void finish() {
      KeyCounts<List<Object>> counted = counts;
      counts = null;
      try {
        Map.Entry<List<Object>, long[]> largest = counted == null ? null : counted.largest();
        if (largest != null && counted.stands(largest.getValue()[0])) {
          writeLargest(task, ShuffleKeys.text(largest.getKey()), largest.getValue()[0], counted.all());
        }
      } catch (Throwable e) {
        out.failed(new IllegalStateException(e.getClass().getName()));
      }
    }
  }

  /** Reports whether a key has many rows, and many more than the others on average. */
  static boolean hasMost(long rows, long all, long keys) {
    return all >= LEAST_ROWS && (double) rows * (keys - 1) >= (double) STEP * (all - rows);
  }

  /** Tells of a key that has much more rows than the others. */
  private void writeLargest(TaskContext task, String key, long rows, long all) {
    String hash = FileName.hash(salt + key);
    long now = nanoTime.getAsLong();
    String line = String.format("stage %d partition %d: %d of %d rows are of %s (key %s)", task.stageId(), task.partitionId(), rows, all, GroupKey.shown(key), hash);
    out.key(
        dwell(task, 0, all, now, now, "rows", all)
            .key("key").value(hash)
            .key("group_rows").value(rows)
            .close('}').utf8(),
        shows ? line : null);
  }

  private static Json dwell(TaskContext task, long readingNanos, long records, long begin, long end, String what, long at) {
    return new Json().open('{')
        .key("version").value(1)
        .key("kind").value("dwell")
        .key("stage_id").value(task.stageId())
        .key("attempt").value(task.stageAttemptNumber())
        .key("task_id").value(task.taskAttemptId())
        .key("partition").value(task.partitionId())
        .key("reading_ms").value(readingNanos / 1_000_000)
        .key("records").value(records)
        .key("begin_ns").value(begin)
        .key("end_ns").value(end)
        .key("what").value(what)
        .key("at").value(at)
        .key("shuffle").value(true);
  }

  /** A key that took long. */
  private static final class Slow {
    final long ordinal; // from 1
    final long begin;
    final TaskClocks from;
    final TaskClocks to;
    String hash;
    String shown;
    long rows;

    Slow(long ordinal, long begin, TaskClocks from, TaskClocks to) {
      this.ordinal = ordinal;
      this.begin = begin;
      this.from = from;
      this.to = to;
    }

    long netNanos() {
      return to.at - begin - (to.gcMillis - from.gcMillis) * 1_000_000 - (to.queueNanos - from.queueNanos);
    }
  }

  /** Takes the time of each element. */
  private final class Timed extends AbstractIterator<Object> {
    private final TaskContext task;
    private final Iterator<Object> of;
    private final WatchedTask.Clocks thread = clocksOfThread.get();
    private final KeyWatch watch = new KeyWatch();
    private final List<Slow> kept = new ArrayList<>();
    private Object current;
    private boolean working; // on the current element
    private long count;
    private long begin; // of the current element, or of the making of the next one
    private long first; // when the first element was there
    private TaskClocks clocks; // at most CLOCKS_NANOS before begin; null: not known
    private long dropped; // keys that took long and are not kept
    private boolean failed; // what it saw is not to be relied on
    private boolean ended;
    private long rows; // of all groups
    private long largestRows;
    private String largest; // the key of that group; null: it has none

    Timed(TaskContext task, Iterator<Object> of) {
      this.task = task;
      this.of = of;
    }

    @Override
    public boolean hasNext() {
      guarded(() -> leave(true));
      boolean more = of.hasNext();
      if (!more) {
        finish(true);
      }
      return more;
    }

    /**
     * There is no next element, or the task wants none.
     *
     * @param running false: the task has ended, and operators below may have freed the current row
     */
    void finish(boolean running) {
      if (!ended) {
        ended = true;
        guarded(() -> leave(running));
        watch.at(0);
        guarded(this::write);
        thread.close();
      }
    }

    @Override
    public Object next() {
      guarded(() -> leave(true));
      Object element = of.next();
      if (count == 0) {
        guarded(this::begin);
      }
      count++;
      current = element;
      working = true;
      guarded(() -> size(GroupKey.rows(element)));
      return element;
    }

    private void size(long of) {
      rows += of;
      if (of > largestRows) {
        largestRows = of;
        largest = GroupKey.of(current, true);
      }
    }

    /** The first element is there: by now all may have been made that it needed. */
    private void begin() {
      clocks = thread.read();
      first = nanoTime.getAsLong();
      begin = first;
      watch.at(begin);
    }

    private void guarded(Runnable work) {
      if (failed) {
        return;
      }
      try {
        work.run();
      } catch (Throwable e) { // whose text may be a key's
        failed = true;
        out.failed(new IllegalStateException(e.getClass().getName()));
      }
    }

    /** The task is done with the current element: what it does now is for the next one. */
    private void leave(boolean running) {
      if (!working && count > 0) {
        return; // between hasNext and next
      }
      long now = nanoTime.getAsLong();
      if (working && now - begin >= Dwell.LEAST_NANOS) {
        keep(running);
        now = nanoTime.getAsLong(); // what naming the key took is not the next one's
        clocks = null;
      }
      working = false;
      current = null;
      begin = now;
      watch.at(begin);
      if (clocks == null || now - clocks.at > CLOCKS_NANOS) {
        clocks = thread.read();
      }
    }

    private void keep(boolean running) {
      Slow slow = new Slow(count, begin, clocks, thread.read());
      if (slow.netNanos() < Dwell.LEAST_NANOS) {
        return;
      }
      if (!watch.isAtWork(begin)) {
        out.apart();
        return;
      }
      String key = isOfMany() ? null : GroupKey.of(current, running);
      if (key == null) {
        dropped++;
        return;
      }
      slow.hash = FileName.hash(salt + key);
      slow.shown = GroupKey.shown(key);
      slow.rows = GroupKey.rows(current);
      kept.add(slow);
      if (kept.size() > KEPT) {
        kept.remove(Collections.min(kept, Comparator.comparingLong(Slow::netNanos)));
        dropped++;
      }
    }

    /** Reports whether a Python worker made the current element, and others at once. */
    private boolean isOfMany() {
      PythonRows python = watch.isPython(begin) ? PythonRows.of(task.taskMetrics()) : null;
      return python != null && python.count() > 0 && python.pending(task, watch.isArrow(), out.sparkBuffer()) > MOST_OF_PYTHON;
    }

    private void write() {
      long end = nanoTime.getAsLong();
      out.dropped(dropped);
      for (Slow slow : kept) {
        out.key(json(slow, end), shows && stands(slow, end) ? line(slow) : null);
      }
      if (largest != null && hasMost(largestRows, rows, count)) {
        writeLargest(task, largest, largestRows, rows);
      }
    }

    /** Reports whether a key took much more than the others, as the result has it (skew.Dwell). */
    private boolean stands(Slow slow, long end) {
      long rest = Math.max(end - first - (slow.to.at - slow.begin), 0);
      return count == 1 ? slow.netNanos() > rest : (double) slow.netNanos() * (count - 1) >= (double) STEP * rest;
    }

    private String line(Slow slow) {
      return String.format("stage %d partition %d: %.2f s for %s (key %s)", task.stageId(), task.partitionId(), slow.netNanos() / 1e9, slow.shown, slow.hash);
    }

    private byte[] json(Slow slow, long end) {
      return dwell(task, end - first, count, slow.begin, slow.to.at, "key", slow.ordinal)
          .key("net_ms").value(slow.netNanos() / 1_000_000)
          .key("cpu_ms").value((slow.to.cpuNanos - slow.from.cpuNanos) / 1_000_000)
          .key("gc_ms").value(slow.to.gcMillis - slow.from.gcMillis)
          .key("queue_ms").value((slow.to.queueNanos - slow.from.queueNanos) / 1_000_000)
          .key("key").value(slow.hash)
          .key("group_rows").value(slow.rows)
          .close('}').utf8();
    }
  }
}

package io.planflame.spark;

import io.planflame.spark.shim.TaskInput;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A time for which the counters of a task stood still. Times are System.nanoTime's, which is
 * CLOCK_MONOTONIC. Only the desk's thread uses it.
 */
final class Dwell {
  /** As long as this from the second look on, without pauses and waits for a core, it counts. */
  static final long LEAST_NANOS = 100_000_000L;

  private static final int MOST_BYTES = 512; // of its JSON

  final long position; // records that the task had read
  final boolean shuffle; // of shuffles, at least some
  final long begin; // the first look that found the counters there
  private long last; // the last one
  private final TaskClocks from; // of the second look; null: the thread has ended
  private TaskClocks to; // of the look that ended it, or of the last stack if the thread had ended by then
  private long held; // time in which the JVM stood still
  private final StackKinds kinds = new StackKinds();
  private final Map<DwellKind, List<String>> frames = new EnumMap<>(DwellKind.class);
  private TaskInput.Progress first;
  private TaskInput.Progress latest;
  private DwellKind kind = DwellKind.RECORD;
  private long pending; // rows that a Python worker had not handed back, at most; 0: it counts input
  private final Map<DwellKind, File> files = new EnumMap<>(DwellKind.class); // of the last stack that told the kind
  private File file; // the one of its kind; null: not known
  private int sources = -1; // of rows that the task had opened at its last stack; below 0: not known
  private int reader = -1; // of a shuffle, of its record; below 0: none
  private long readerRecords; // that it had read
  private boolean ranged; // it counts rows of a Range, after they were made

  /** A file that a task reads. */
  private static final class File {
    final TaskInput.Block block;
    final long from;
    final long to;

    File(TaskInput.Block block, long from, long to) {
      this.block = block;
      this.from = from;
      this.to = to;
    }
  }

  /** A second look found the counters where the first did. */
  Dwell(long position, boolean shuffle, long begin, long now, TaskClocks from) {
    this.position = position;
    this.shuffle = shuffle;
    this.begin = begin;
    this.last = now;
    this.from = from;
  }

  /**
   * Another look found the counters where they were.
   *
   * @param stood how long the whole JVM stood still since the last one
   */
  void still(long now, long stood) {
    last = now;
    held += stood;
  }

  /** Reports whether a stack is due. */
  boolean wantsStack() {
    return kinds.wantsStack(last - begin);
  }

  /**
   * Takes the task's stack, leaf first, and how far its operators have come.
   *
   * @param seen what the stack tells
   * @param clocks null: the thread has ended
   */
  void stack(DwellKind seen, StackTraceElement[] stack, TaskInput.Progress progress, TaskClocks clocks) {
    to = clocks == null ? to : clocks;
    kinds.take(last - begin, seen);
    frames.put(seen, DwellKind.frames(stack));
    first = first == null ? progress : first;
    latest = progress;
  }

  /**
   * Takes the file that the task reads at the last stack.
   *
   * @param block null: not known
   * @param from records that the task had read before the file's first, at least
   * @param to at most
   */
  void file(TaskInput.Block block, long from, long to) {
    file = block == null ? null : new File(block, from, to);
    files.put(kinds.last(), file);
  }

  /** Its records are not what the file has. */
  void noFile() {
    file = null;
  }

  /** {@link TaskInput#sources} at the last stack. */
  void sources(int count) {
    sources = count;
  }

  int sources() {
    return sources;
  }

  /** Its record came from a reader of a shuffle, which had read so many. */
  void shuffle(int index, long records) {
    reader = index;
    readerRecords = records;
  }

  /** That reader's index; below 0: none. */
  int reader() {
    return reader;
  }

  long readerRecords() {
    return readerRecords;
  }

  /** It counts rows of a Range, {@link TaskInput#RANGE_ROWS} at once, after they were made. */
  void ranged() {
    ranged = true;
  }

  /** It counts rows that a Python worker hands back, of which at most so many are pending. */
  void python(long pending) {
    this.pending = pending;
  }

  boolean isPython() {
    return pending > 0;
  }

  /**
   * The dwell is over.
   *
   * @param clocks of the look that found it over; null: the thread has ended
   * @param whole the task, or the input that it read last, has ended with the counters there
   */
  void end(TaskClocks clocks, boolean whole) {
    to = clocks == null ? to : clocks;
    kind = kinds.isEmpty() ? kind : kinds.longest(last - begin);
    file = files.getOrDefault(kind, file);
    if (position == 0) {
      kind = DwellKind.BEFORE;
    } else if (whole) {
      after();
    } else if (kind == DwellKind.NEXT && !isPython() && 2 * cpuNanos() < netNanos()) {
      kind = DwellKind.INPUT;
    }
  }

  /** The input that the task had read last had ended: nothing came after its record. */
  void after() {
    kind = kind.isWork() ? DwellKind.AFTER : kind;
  }

  /** Reports whether anything tells its kind; of a dwell that is over. */
  boolean isKnown() {
    return !kinds.isEmpty() || kind == DwellKind.BEFORE || kind == DwellKind.AFTER;
  }

  DwellKind kind() {
    return kind;
  }

  /** The time between the looks that found the counters there, at least. */
  long nanos() {
    return last - begin;
  }

  /** The part of it whose clocks are known: from the second look on. */
  long clockedNanos() {
    return from == null || to == null ? 0 : Math.min(last, to.at) - from.at;
  }

  /** What that part may have been at most without pauses of the JVM and waits for a core. */
  long netNanos() {
    if (from == null || to == null) {
      return 0;
    }
    long paused = (to.gcMillis - from.gcMillis) * 1_000_000 + to.queueNanos - from.queueNanos;
    long net = clockedNanos() - paused;
    return Math.max(net - held, Math.min(net, cpuNanos())); // the task ran on if the desk alone was held up
  }

  private long cpuNanos() {
    return Math.min(to.cpuNanos - from.cpuNanos, last - begin);
  }

  /**
   * Ends a JSON with what it is.
   *
   * @param batchRows the most rows of a batch, if the task reads batches
   */
  byte[] json(Json out, long batchRows) {
    out.key("begin_ns").value(begin)
        .key("end_ns").value(last)
        .key("what").value(ranged && kind == DwellKind.RECORD ? DwellKind.NEXT.wire : kind.wire)
        .key("at").value(ranged ? position - 1 : position)
        .key("shuffle").value(shuffle)
        .key("net_ms").value(netNanos() / 1_000_000)
        .key("cpu_ms").value(cpuNanos() / 1_000_000)
        .key("gc_ms").value(to.gcMillis - from.gcMillis)
        .key("queue_ms").value((to.queueNanos - from.queueNanos) / 1_000_000);
    if (first != null) {
      out.key("rows_out").value(latest.most - first.most);
    }
    if (isPython()) {
      out.key("batch").value(pending);
    } else if (ranged) {
      out.key("ranged").value(true).key("batch").value(TaskInput.RANGE_ROWS + 1 - position % TaskInput.RANGE_ROWS);
    } else if (sources != 0 && latest != null && latest.batches > 0) { // a cached block's batches count as records
      out.key("batch").value(batchRows);
    }
    if (file != null) {
      out.key("file").value(FileName.shown(file.block.path))
          .key("path").value(FileName.hash(file.block.path))
          .key("start").value(file.block.start)
          .key("file_from").value(file.from)
          .key("file_to").value(file.to);
    }
    List<String> stack = frames.getOrDefault(kind, Collections.emptyList());
    if (stack.isEmpty() && !frames.isEmpty()) {
      stack = frames.values().iterator().next();
    }
    out.key("frames").open('[');
    int left = MOST_BYTES - out.length() - 2;
    for (String frame : stack) {
      left -= frame.length() + 3;
      if (left < 0) {
        break;
      }
      out.value(frame);
    }
    return out.close(']').close('}').utf8();
  }
}

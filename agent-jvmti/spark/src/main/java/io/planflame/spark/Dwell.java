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
  /** As long as this, without pauses and waits for a core, it counts. */
  static final long LEAST_NANOS = 100_000_000L;

  private static final int MOST_BYTES = 512; // of its JSON

  final long position; // records that the task had read
  final boolean shuffle; // of shuffles, at least some
  final long begin; // the first look that found the counters there
  private long last; // the last one
  private final TaskClocks from; // of the second look; null: the thread has ended
  private TaskClocks to; // of the look that ended it, or of the last stack if the thread had ended by then
  private long nextStack = LEAST_NANOS;
  private long told; // up to which stacks tell what it was
  private final Map<DwellKind, Long> kinds = new EnumMap<>(DwellKind.class);
  private final Map<DwellKind, List<String>> frames = new EnumMap<>(DwellKind.class);
  private TaskInput.Progress first;
  private TaskInput.Progress latest;
  private DwellKind kind = DwellKind.RECORD;
  private long pending; // rows that a Python worker had not handed back, at most; 0: it counts input
  private TaskInput.Block block; // null: not known
  private long fileFrom;
  private long fileTo;

  /** A second look found the counters where the first did. */
  Dwell(long position, boolean shuffle, long begin, long now, TaskClocks from) {
    this.position = position;
    this.shuffle = shuffle;
    this.begin = begin;
    this.last = now;
    this.from = from;
  }

  /** Another look found the counters where they were. */
  void still(long now) {
    last = now;
  }

  /** Reports whether a stack is due: at the least time and at each doubling. */
  boolean wantsStack() {
    return last - begin >= nextStack;
  }

  /**
   * Takes the task's stack, leaf first, and how far its operators have come.
   *
   * @param seen what the stack tells
   * @param clocks null: the thread has ended
   */
  void stack(DwellKind seen, StackTraceElement[] stack, TaskInput.Progress progress, TaskClocks clocks) {
    to = clocks == null ? to : clocks;
    kinds.merge(seen, last - begin - told, Long::sum);
    frames.put(seen, DwellKind.frames(stack));
    told = last - begin;
    nextStack = 2 * told;
    first = first == null ? progress : first;
    latest = progress;
  }

  /**
   * Takes the file that the task reads.
   *
   * @param block null: not known
   * @param from records that the task had read before the file's first, at least
   * @param to at most
   */
  void file(TaskInput.Block block, long from, long to) {
    this.block = block;
    this.fileFrom = from;
    this.fileTo = to;
  }

  /** It counts rows that a Python worker hands back, of which at most so many are pending. */
  void python(long pending) {
    this.pending = pending;
  }

  boolean isPython() {
    return pending > 0;
  }

  boolean hasFile() {
    return block != null;
  }

  /**
   * The dwell is over.
   *
   * @param clocks of the look that found it over; null: the thread has ended
   * @param whole the task has ended with the counters there
   */
  void end(TaskClocks clocks, boolean whole) {
    to = clocks == null ? to : clocks;
    for (Map.Entry<DwellKind, Long> one : kinds.entrySet()) {
      if (one.getValue() > kinds.getOrDefault(kind, 0L)) {
        kind = one.getKey();
      }
    }
    if (position == 0) {
      kind = DwellKind.BEFORE;
    } else if (whole) {
      kind = DwellKind.AFTER;
    } else if (kind == DwellKind.NEXT && !isPython() && 2 * cpuNanos() < netNanos()) {
      kind = DwellKind.INPUT;
    }
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

  /** What it may have been at most without pauses of the JVM and waits for a core. */
  long netNanos() {
    if (from == null || to == null) {
      return 0;
    }
    long held = (to.gcMillis - from.gcMillis) * 1_000_000 + to.queueNanos - from.queueNanos;
    return Math.min(last, to.at) - from.at - held;
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
        .key("what").value(kind.wire)
        .key("at").value(position)
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
    } else if (latest != null && latest.batches > 0) {
      out.key("batch").value(batchRows);
    }
    if (block != null) {
      out.key("file").value(FileName.shown(block.path))
          .key("path").value(FileName.hash(block.path))
          .key("start").value(block.start)
          .key("file_from").value(fileFrom)
          .key("file_to").value(fileTo);
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

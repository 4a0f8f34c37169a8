package io.planflame.spark;

import io.planflame.spark.shim.PythonRows;
import io.planflame.spark.shim.TaskInput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.TaskContext;

/**
 * A running task whose counters the desk looks at. The task's thread makes it; all else is the
 * desk's.
 */
final class WatchedTask {
  static final int KEPT = 64; // dwells: the longest

  private static final long LONG_NANOS = 3_000_000_000L; // of reading, or nothing is told of the half

  private static final String[] BATCH_ROWS = {"spark.sql.parquet.columnarReaderBatchSize", "spark.sql.orc.columnarReaderBatchSize"};
  private static final long DEFAULT_BATCH_ROWS = 4096; // of both
  private static final String CACHED_ROWS = "spark.sql.inMemoryColumnarStorage.batchSize";
  private static final long DEFAULT_CACHED_ROWS = 10_000;

  /** What a look needs of the desk. */
  interface Desk {
    /** Reports whether one more stack may be taken now, and counts it. */
    boolean mayStack(long now);

    /** {@link PythonRows#sparkBuffer}. */
    long sparkBuffer();

    /** Pauses and waits for a core explain a dwell. */
    void explained();
  }

  /** The clocks of the thread that runs a task. */
  interface Clocks {
    /** Null: the thread has ended. */
    TaskClocks read();

    /** They are not read again. */
    void close();
  }

  private final TaskContext context;
  private final Thread thread = Thread.currentThread();
  private final Clocks clocks;
  private final TaskInput input;
  private PythonRows python; // null: its plan has no Python operator
  private boolean fromPython; // rows that came back from Python are counted, at the last look

  /** It is looked at no more. */
  boolean failed;

  private long position = -1; // records that it had read at the last look
  private boolean shuffle; // of shuffles, at least some
  private long since; // when it was first seen there
  private Dwell dwell; // since then; null: no look found it there again
  private final List<Dwell> kept = new ArrayList<>(0);
  private final Positions positions = new Positions();
  private Object block; // of the file that the last look saw
  private boolean hasFile; // that block is of a file
  private long read; // records of files, at that look
  private long fileFrom; // records of the task before the file's first, at least
  private long fileTo; // and at most
  private long dropped;
  private long lastInput; // records that it had read at its end
  private long last; // of what was counted at its end
  private long firstSeen = -1; // when it was first seen to have read a record
  private long lastSeen; // when it was first seen to have read as many as it had last

  /** On the task's own thread, at its start. */
  WatchedTask(TaskContext context, Clocks clocks) {
    this(context, clocks, new TaskInput(context));
  }

  WatchedTask(TaskContext context, Clocks clocks, TaskInput input) {
    this.context = context;
    this.clocks = clocks;
    this.input = input;
  }

  /** Looks at the counters. */
  void look(Desk desk, long now) {
    long records = input.inputRecords();
    lookAtFile(records);
    long shuffled = input.shuffleRecords();
    boolean wasPython = fromPython;
    long counted = counted(records + shuffled);
    if (wasPython != fromPython) {
      positions.clear();
    }
    positions.see(now, counted);
    if (position != counted) {
      close(desk, false);
      position = counted;
      shuffle = shuffled > 0;
      since = now;
      if (firstSeen < 0 && position > 0) {
        firstSeen = now;
        python = PythonRows.of(context.taskMetrics());
      }
      lastSeen = now;
      return;
    }
    if (dwell == null) {
      dwell = new Dwell(position, shuffle, since, now, clocks.read());
      return;
    }
    dwell.still(now);
    if (dwell.wantsStack() && desk.mayStack(now)) {
      takeStack(desk);
    }
  }

  /** The rows that came back from Python, if any did, else the records that the task has read. */
  private long counted(long records) {
    long rows = python == null ? 0 : python.count();
    fromPython = rows > 0;
    return fromPython ? rows : records;
  }

  private void takeStack(Desk desk) {
    StackTraceElement[] stack = thread.getStackTrace();
    DwellKind kind = fromPython ? DwellKind.besidePython(stack) : DwellKind.of(stack);
    dwell.stack(fromPython && python.isSeveral() && kind.isRecord() ? DwellKind.PYTHON : kind, stack, input.progress(), clocks.read());
    boolean oneFile = hasFile && input.readsOneSource() && (!fromPython || position >= fileTo);
    dwell.file(oneFile ? input.block() : null, fileFrom, fileTo);
    if (fromPython) {
      dwell.python(python.pending(context, DwellKind.isArrow(stack), desk.sparkBuffer()));
    }
  }

  private void lookAtFile(long records) {
    Object now = input.blockIdentity();
    if (now != block) {
      fileFrom = hasFile ? read : 0;
      fileTo = hasFile ? records : 0;
      hasFile = input.block() != null; // a task begins with a block of no file
      block = now;
    }
    read = records;
  }

  /** The task has ended: so has its last dwell. */
  void finish(Desk desk, long now) {
    lastInput = input.inputRecords() + input.shuffleRecords();
    last = counted(lastInput);
    boolean whole = position == last;
    lastSeen = whole ? lastSeen : now;
    close(desk, whole);
  }

  private void close(Desk desk, boolean whole) {
    Dwell over = dwell;
    dwell = null;
    if (over == null || over.nanos() < Dwell.LEAST_NANOS) {
      return;
    }
    over.end(clocks.read(), whole);
    if (over.netNanos() < Dwell.LEAST_NANOS) {
      desk.explained();
      return;
    }
    if (!over.isKnown()) {
      dropped++;
      return;
    }
    kept.add(over);
    if (kept.size() > KEPT) {
      kept.remove(Collections.min(kept, Comparator.comparingLong(Dwell::netNanos)));
      dropped++;
    }
  }

  /** Its longest dwells, in their order. A task without counted input has none. */
  List<Dwell> dwells() {
    return last == 0 ? Collections.emptyList() : kept;
  }

  /** The JSON of a DWELL record: the records that took half of its time; null if no few did. */
  byte[] half() {
    Positions.Range half = lastSeen - firstSeen < LONG_NANOS ? null : positions.half(last);
    return half == null ? null : head(last).key("python").value(fromPython)
        .key("begin_ns").value(firstSeen)
        .key("end_ns").value(lastSeen)
        .key("what").value("half")
        .key("at").value(half.last)
        .key("batch").value(half.last - half.first + 1)
        .key("shuffle").value(shuffle)
        .close('}').utf8();
  }

  /** How many dwells are not in {@link #dwells}. */
  long dropped() {
    return dropped;
  }

  /** The JSON of a DWELL record. */
  byte[] json(Dwell of) {
    Json out = head(of.isPython() ? last : lastInput);
    if (of.isPython()) {
      out.key("python").value(true);
      if (last != lastInput) {
        of.file(null, 0, 0); // its records are not Python's rows
      }
    }
    return of.json(out, batchRows(of));
  }

  private Json head(long records) {
    return new Json().open('{')
        .key("version").value(1)
        .key("kind").value("dwell")
        .key("stage_id").value(context.stageId())
        .key("attempt").value(context.stageAttemptNumber())
        .key("task_id").value(context.taskAttemptId())
        .key("partition").value(context.partitionId())
        .key("reading_ms").value(firstSeen < 0 ? 0 : (lastSeen - firstSeen) / 1_000_000)
        .key("records").value(records);
  }

  /** The most rows of a batch. */
  private long batchRows(Dwell of) {
    long rows = 0;
    for (String key : of.hasFile() ? BATCH_ROWS : new String[] {CACHED_ROWS}) {
      String value = context.getLocalProperty(key);
      rows = Math.max(rows, value == null || !value.matches("[0-9]{1,9}") ? 0 : Long.parseLong(value));
    }
    return rows > 0 ? rows : of.hasFile() ? DEFAULT_BATCH_ROWS : DEFAULT_CACHED_ROWS;
  }
}

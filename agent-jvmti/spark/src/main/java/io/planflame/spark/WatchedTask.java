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

  /** What a look needs of the desk. The desk's thread calls it. */
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
  private long held; // of the next look
  private long shuffled; // of them, records of shuffles
  private boolean ofShuffle; // its latest record is of a shuffle
  private long since; // when it was first seen there
  private Dwell dwell; // since then; null: no look found it there again
  private final List<Dwell> kept = new ArrayList<>(0);
  private final Positions positions = new Positions();
  private volatile KeyWatch keys; // null: the task's keys are not timed
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

  /** On the task's own thread: its keys are timed from now on. */
  void keys(KeyWatch watch) {
    keys = watch;
  }

  /** Looks at the counters. */
  void look(Desk desk, long now) {
    KeyWatch watch = keys;
    if (watch != null && watch.wantsStack(now) && desk.mayStack(now)) {
      Thread.State state = thread.getState();
      StackTraceElement[] stack = thread.getStackTrace();
      watch.stack(now, DwellKind.of(state, stack, false), DwellKind.isArrow(stack));
    }
    long records = input.inputRecords();
    lookAtFile(records);
    long shuffledThen = shuffled;
    shuffled = input.shuffleRecords();
    boolean wasPython = fromPython;
    long counted = counted(records + shuffled);
    if (wasPython != fromPython) {
      positions.clear();
    }
    positions.see(now, counted);
    long heldBefore = held;
    held = 0;
    if (position != counted) {
      close(desk, false);
      position = counted;
      ofShuffle = shuffled > shuffledThen && !fromPython;
      since = now;
      if (firstSeen < 0 && position > 0) {
        firstSeen = now;
        python = PythonRows.of(context.taskMetrics());
      }
      lastSeen = now;
      return;
    }
    if (dwell == null) {
      dwell = new Dwell(position, shuffled > 0, since, now, clocks.read());
      if (ofShuffle && input.latestShuffle() >= 0) {
        dwell.shuffle(input.latestShuffle(), input.shuffleRecords(input.latestShuffle()));
      }
      return;
    }
    dwell.still(now, heldBefore);
    if (position > 0 && dwell.wantsStack() && desk.mayStack(now)) {
      takeStack(desk);
    }
  }

  /** The whole JVM stood still for so long before the next look. */
  void held(long nanos) {
    held = nanos;
  }

  /** The rows that came back from Python, if any did, else the records that the task has read. */
  private long counted(long records) {
    long rows = python == null ? 0 : python.count();
    fromPython = rows > 0;
    return fromPython ? rows : records;
  }

  private void takeStack(Desk desk) {
    Thread.State state = thread.getState();
    StackTraceElement[] stack = thread.getStackTrace();
    DwellKind kind = DwellKind.of(state, stack, fromPython);
    dwell.stack(fromPython && python.isSeveral() && kind.isRecord() ? DwellKind.PYTHON : kind, stack, input.progress(), clocks.read());
    int sources = input.sources();
    dwell.sources(sources);
    boolean oneFile = hasFile && sources == 1 && (!fromPython || position >= fileTo);
    dwell.file(oneFile ? input.block() : null, fileFrom, fileTo);
    if (!fromPython && shuffled == 0 && input.isRange(sources)) {
      dwell.ranged();
    }
    if (fromPython) {
      dwell.python(python.pending(context, DwellKind.isArrow(stack), desk.sparkBuffer()));
    }
  }

  private void lookAtFile(long records) {
    Object now = input.blockIdentity();
    if (now != block) {
      boolean isFirst = !hasFile && read == 0 && input.readsFirstFile();
      fileFrom = isFirst ? 0 : read;
      fileTo = isFirst ? 0 : records;
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
    for (Dwell one : kept) {
      if (one.reader() >= 0 && input.shuffleRecords(one.reader()) == one.readerRecords()) {
        one.after();
      }
    }
  }

  private void close(Desk desk, boolean whole) {
    Dwell over = dwell;
    dwell = null;
    if (over == null || over.nanos() < Dwell.LEAST_NANOS) {
      return;
    }
    over.end(clocks.read(), whole || over.sources() >= 0 && input.sources() > over.sources());
    if (over.netNanos() < Dwell.LEAST_NANOS) {
      if (over.clockedNanos() >= Dwell.LEAST_NANOS) {
        desk.explained();
      }
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
    if (lastSeen - firstSeen < LONG_NANOS) {
      return null;
    }
    boolean batches = !fromPython && hasFile && input.progress().batches > 0;
    Positions.Range half = positions.half(last, batches ? batchRows() - 1 : 0);
    return half == null ? null : head(last).key("python").value(fromPython)
        .key("begin_ns").value(firstSeen)
        .key("end_ns").value(lastSeen)
        .key("what").value("half")
        .key("at").value(half.last)
        .key("batch").value(half.last - half.first + 1)
        .key("shuffle").value(shuffled > 0)
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
        of.noFile(); // its records are not Python's rows
      }
    }
    return of.json(out, batchRows());
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

  /** The most rows of a batch of a file. */
  private long batchRows() {
    long rows = 0;
    for (String key : BATCH_ROWS) {
      String value = context.getLocalProperty(key);
      rows = Math.max(rows, value == null || !value.matches("[0-9]{1,9}") ? 0 : Long.parseLong(value));
    }
    return rows > 0 ? rows : DEFAULT_BATCH_ROWS;
  }
}

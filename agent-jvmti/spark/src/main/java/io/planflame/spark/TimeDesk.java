package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Adds up where the time of stages, SQL executions and the application goes, from the driver's own
 * events, and writes it into the log of the driver's JVM. A stage's and an execution's time are
 * written when it is over, the application's every few seconds and at its end. The figures of
 * single tasks it writes about once a second while a reader is there. Memory is bounded: what is
 * left out is counted. Thread-safe: a listener tells, another thread writes. Times are milliseconds
 * of the driver's clock.
 */
final class TimeDesk {
  /** An event may come so long after another that happened later. */
  static final long LATE_MILLIS = 1000;

  static final int KEPT = 1024; // stages, and as many executions
  static final int MOST_RUNNING = 1 << 16; // tasks whose start is known
  private static final long APPLICATION_MILLIS = 5000; // between two records of the application
  private static final long TASKS_MILLIS = 1000; // between two records of tasks, unless many have ended
  private static final long NAME_MILLIS = 30_000; // so long an execution's record waits for its names
  private static final AtomicReference<TimeDesk> OF_THIS_JVM = new AtomicReference<>();

  /**
   * What is known of an execution's query: its fingerprint, its name, its plan's fingerprint; ""
   * for what is not known.
   */
  interface Names {
    /** Never blocks; null: not yet. */
    String[] of(long executionId);
  }

  private static final String[] NAMELESS = {"", "", ""};

  private final Names names;
  private final int cpusPerTask;
  private final SlotSweep sweep = new SlotSweep();
  private final Map<Long, StageTimes> stages = new LinkedHashMap<>();
  private final Map<Long, ExecutionTimes> executions = new LinkedHashMap<>();
  private final Map<Long, StageTimes> running = new HashMap<>(); // task → its stage, for tasks whose start the sweep was told
  private final Map<String, Integer> executors = new HashMap<>(); // → slots
  private final Deque<StageTimes> completed = new ArrayDeque<>(); // not written yet, as the next
  private final Deque<ExecutionTimes> over = new ArrayDeque<>();
  private final TaskFigures figures = new TaskFigures();
  private long figuresDue; // when their next record is
  private String applicationId = "";
  private long started = -1; // of the application; -1: not yet
  private long ended; // 0: it runs
  private long planning;
  private long plannedUntil; // what is before has been added up
  private int mostSlots;
  private long missedTasks;
  private long leftOut; // stages, executions and tasks without a record
  private byte[] application; // as it was written last
  private long applicationWritten;
  private boolean changed;
  private boolean closed;
  private volatile boolean off;

  /**
   * @param names names queries
   * @param cpusPerTask spark.task.cpus
   */
  TimeDesk(Names names, int cpusPerTask) {
    this.names = names;
    this.cpusPerTask = Math.max(1, cpusPerTask);
  }

  /** Makes this the desk whose records the executor in the same JVM (local mode) writes. */
  static void publish(TimeDesk desk) {
    OF_THIS_JVM.set(desk);
  }

  static void retract(TimeDesk desk) {
    OF_THIS_JVM.compareAndSet(desk, null);
  }

  /** The desk of the driver in this JVM, null on an executor of a cluster. */
  static TimeDesk ofThisJvm() {
    return OF_THIS_JVM.get();
  }

  /** Nothing is written any more, so nothing is kept: the agent is not there. */
  synchronized void off() {
    off = true;
    stages.clear();
    executions.clear();
    running.clear();
    completed.clear();
    over.clear();
    figures.clear();
  }

  boolean isOff() {
    return off;
  }

  synchronized void applicationStarted(String id, long at) {
    applicationId = id;
    started = at;
    sweep.begin(at);
    changed = true;
  }

  synchronized void applicationEnded(long at) {
    ended = at;
    changed = true;
  }

  synchronized void executorAdded(String id, int cores, long at) {
    int slots = cores / cpusPerTask;
    Integer before = executors.put(id, slots);
    sweep.slots(at, slots - (before == null ? 0 : before));
    mostSlots = Math.max(mostSlots, executors.values().stream().mapToInt(Integer::intValue).sum());
  }

  synchronized void executorRemoved(String id, long at) {
    Integer before = executors.remove(id);
    if (before != null) {
      sweep.slots(at, -before);
    }
  }

  /** @param rootNode of its plan; "" not known */
  synchronized void executionStarted(long id, long root, long at, String rootNode) {
    if (executions.containsKey(id)) {
      return;
    }
    makeRoom(executions, ExecutionTimes::isWritten, oldest -> {
      sweep.closes(at, oldest.slots);
      over.remove(oldest);
    });
    ExecutionTimes execution = new ExecutionTimes(id, root, at, rootNode);
    executions.put(id, execution);
    sweep.opens(at, execution.slots);
  }

  synchronized void jobStarted(long executionId, long at) {
    ExecutionTimes execution = executions.get(executionId);
    if (execution != null) {
      execution.job(at);
    }
  }

  /** @param phases of its planning: name → begin and end */
  synchronized void executionEnded(long id, boolean failed, Map<String, long[]> phases, long at) {
    ExecutionTimes execution = executions.get(id);
    if (execution == null || execution.ended() != 0) {
      return;
    }
    for (StageTimes stage : stages.values()) {
      if (stage.executionId == id && stage.completed() == 0) {
        complete(stage, failed, at); // its end may be lost: else it would take a part of the idle slots for ever
        stage.presume();
      }
    }
    execution.ended(at, failed, phases);
    sweep.closes(at, execution.slots);
    over.add(execution);
    changed = true;
  }

  synchronized void stageSubmitted(int id, int attempt, long executionId, String name, List<Object> parents, int tasks, long at) {
    if (stages.containsKey(key(id, attempt))) {
      return;
    }
    makeRoom(stages, StageTimes::isWritten, oldest -> {
      sweep.completed(at, oldest.slots);
      endAll(oldest, at);
      completed.remove(oldest);
    });
    ExecutionTimes execution = executions.get(executionId);
    SlotSweep.Stage slots = new SlotSweep.Stage(execution == null ? null : execution.slots);
    stages.put(key(id, attempt), new StageTimes(id, attempt, executionId, slots, name, parents, tasks, at));
    sweep.submitted(at, slots);
  }

  synchronized void taskStarted(int stageId, int attempt, long task, long at) {
    StageTimes stage = stages.get(key(stageId, attempt));
    if (stage != null && running.size() < MOST_RUNNING) {
      running.put(task, stage);
      sweep.starts(at, stage.slots);
    }
  }

  /** @param sums of {@link TaskSums}, null where Spark has none */
  synchronized void taskEnded(int stageId, int attempt, long task, boolean success, long[] sums, long from, long to) {
    StageTimes stage = stages.get(key(stageId, attempt));
    StageTimes ran = running.remove(task);
    if (stage == null) { // left out, or forgotten since it was written
      missedTasks++;
      changed = true;
      if (ran != null) {
        sweep.ends(to, ran.slots);
      }
      return;
    }
    if (ran == null) {
      sweep.starts(from, stage.slots); // its start was not heard, or found no room
    }
    sweep.ends(to, stage.slots);
    if (stage.taskEnded(success, sums)) {
      completed.add(stage); // a task outlived its stage
    }
  }

  /**
   * The figures of a task that has ended.
   *
   * @param values of {@link TaskFigures}
   * @param sums of {@link TaskSums}, null where Spark has none
   */
  synchronized void figures(String host, long[] values, long[] sums) {
    if (!figures.add(host, values, sums)) {
      leftOut++;
      changed = true;
    }
  }

  synchronized void stageCompleted(int id, int attempt, boolean failed, long at) {
    StageTimes stage = stages.get(key(id, attempt));
    if (stage == null) {
      return;
    }
    if (stage.isPresumed()) {
      correct(stage, failed);
    } else {
      complete(stage, failed, at);
    }
  }

  /**
   * The end of the stage is heard after the end of its execution, as of a broadcast that was
   * cancelled: its slot time stays, its tasks are not missed.
   */
  private void correct(StageTimes stage, boolean failed) {
    boolean written = stage.isWritten();
    missedTasks -= stage.missed();
    stage.completed(stage.completed(), failed);
    missedTasks += stage.missed();
    changed = true;
    if (written) {
      completed.add(stage);
    }
  }

  private void complete(StageTimes stage, boolean failed, long at) {
    if (stage.completed() == 0) {
      stage.completed(at, failed);
      sweep.completed(at, stage.slots);
      completed.add(stage);
      changed = true;
      if (stage.missed() > 0) {
        missedTasks += stage.missed();
        endAll(stage, at);
      }
    }
  }

  /** Spark has dropped events of the stage's tasks: those that seem to run do not. */
  private void endAll(StageTimes stage, long at) {
    for (Iterator<StageTimes> it = running.values().iterator(); it.hasNext();) {
      if (it.next() == stage) {
        it.remove();
        sweep.ends(at, stage.slots);
      }
    }
  }

  /** Writes what is due at {@code now}. What finds no room in the log the agent counts. */
  synchronized void poll(long now) {
    if (started >= 0 && !off) { // its executors may be told before, and are younger
      sweep.advance(ended == 0 ? now - LATE_MILLIS : Math.min(ended, now - LATE_MILLIS));
      write(now, false);
    }
  }

  /** The last look: no event follows. */
  synchronized void close(long now) {
    if (off) {
      return;
    }
    ended = ended == 0 ? now : ended;
    closed = true;
    sweep.advance(ended);
    write(now, true);
  }

  /**
   * Writes everything again for a new reader, but for single tasks. The lock is not held meanwhile:
   * a record may wait for the reader.
   */
  void replay() {
    written().forEach(NativeAgent::times);
  }

  private synchronized List<byte[]> written() {
    List<byte[]> all = new ArrayList<>();
    for (StageTimes stage : stages.values()) {
      if (stage.isWritten()) {
        all.add(stage.json(applicationId));
      }
    }
    for (ExecutionTimes execution : executions.values()) {
      if (execution.isWritten()) {
        all.add(execution.json(applicationId));
      }
    }
    if (application != null) {
      all.add(application);
    }
    return all;
  }

  /** Without a reader tasks wait for one. What finds no room is tried again. */
  private void writeFigures(long now, boolean last) {
    if (!last && (now < figuresDue && figures.size() < TaskFigures.BATCH || !NativeAgent.sampling())) {
      return;
    }
    while (figures.size() > 0) {
      if (!NativeAgent.times(figures.json(applicationId))) {
        break;
      }
      figures.written();
    }
    figuresDue = now + TASKS_MILLIS;
  }

  private void write(long now, boolean last) {
    writeFigures(now, last);
    while (!completed.isEmpty() && (last || completed.peek().completed() <= sweep.swept())) {
      StageTimes stage = completed.remove();
      NativeAgent.times(stage.json(applicationId));
      ExecutionTimes execution = executions.get(stage.executionId);
      if (execution != null) {
        execution.ran(stage);
      }
    }
    while (!over.isEmpty() && (last || over.peek().ended() <= sweep.swept())) {
      String[] known = names.of(over.peek().id);
      if (known == null && !last && now - over.peek().ended() < NAME_MILLIS) {
        break; // its plan is being read
      }
      ExecutionTimes execution = over.remove();
      plan(execution);
      NativeAgent.times(execution.json(applicationId, known == null ? NAMELESS : known));
    }
    if (started >= 0 && (last || changed && now - applicationWritten >= APPLICATION_MILLIS)) {
      application = encode();
      applicationWritten = now;
      changed = false;
      NativeAgent.times(application);
    }
  }

  /**
   * Adds up how long no task ran because an execution was planned, or prepared its first job. Spark
   * plans before it tells the start.
   */
  private void plan(ExecutionTimes execution) {
    for (long[] span : execution.planning()) {
      planning += sweep.taskFree(Math.max(span[0], plannedUntil), span[1]);
      plannedUntil = Math.max(plannedUntil, span[1]);
    }
  }

  private byte[] encode() {
    return new Json().open('{')
        .key("version").value(1)
        .key("kind").value("application")
        .key("application_id").value(applicationId)
        .key("started_ms").value(started)
        .key("ended_ms").value(ended)
        .key("until_ms").value(sweep.swept())
        .key("slots").value(mostSlots)
        .key("slot_us").value(Math.round(sweep.slotMillis() * 1000))
        .key("stage_slot_us").value(Math.round(sweep.stageMillis() * 1000))
        .key("task_free_ms").value(sweep.taskFree())
        .key("planning_ms").value(planning)
        .key("missed_tasks").value(missedTasks)
        .key("left_out").value(leftOut + (closed ? unended() : 0))
        .close('}').utf8();
  }

  /** How many stages and executions have not ended: after the last look they get no record. */
  private long unended() {
    return stages.values().stream().filter(stage -> stage.completed() == 0).count()
        + executions.values().stream().filter(execution -> execution.ended() == 0).count();
  }

  /**
   * Forgets the oldest that is written, when there are many. Without one it leaves out the oldest,
   * whose end may never come.
   */
  private <T> void makeRoom(Map<Long, T> all, Predicate<T> written, Consumer<T> leave) {
    if (all.size() < KEPT) {
      return;
    }
    T oldest = null;
    for (Iterator<T> it = all.values().iterator(); it.hasNext();) {
      T one = it.next();
      if (written.test(one)) {
        it.remove();
        return;
      }
      oldest = oldest == null ? one : oldest;
    }
    all.values().remove(oldest);
    leave.accept(oldest);
    leftOut++;
    changed = true;
  }

  private static long key(int stage, int attempt) {
    return (long) stage << 32 | attempt & 0xffffffffL;
  }
}

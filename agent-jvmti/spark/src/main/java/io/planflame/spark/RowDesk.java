package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.TaskAccumulators;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.executor.TaskMetrics;

/**
 * Adds up what successful tasks did to Spark's SQL metrics, rows above all, and writes it, stage
 * attempt by stage attempt, about once a second. Task threads offer every task at its end: no lock,
 * no waiting, no allocation. The poller reads the metrics of those that end while a reader samples;
 * without one, as far as it knows, tasks are not kept alive. Memory is bounded but for what users'
 * accumulators hold; a task that is left out, or not counted whole, is counted in the log's
 * dropped_rows.
 */
final class RowDesk {
  private static final long PAUSE_NANOS = 1_000_000_000L;
  private static final int KEPT_STAGES = 256; // of which the next task is cheap; the oldest are written and forgotten
  static final int KEPT_METRICS = 1 << 16; // of all stages

  /** What it needs of Spark. */
  interface Reader extends StageRows.Accumulators {
    /** Shows each accumulator that the task has changed. */
    void visit(TaskMetrics metrics, TaskAccumulators.Visitor visitor);
  }

  private static final Reader SPARK = new Reader() {
    @Override
    public void visit(TaskMetrics metrics, TaskAccumulators.Visitor visitor) {
      TaskAccumulators.visit(metrics, visitor);
    }

    @Override
    public boolean isSum(Object accumulator) {
      return TaskAccumulators.isSum(accumulator);
    }

    @Override
    public long sum(Object accumulator) {
      return TaskAccumulators.sum(accumulator);
    }
  };

  private final Reader reader;
  private final EndedTasks ended = new EndedTasks();
  private final Tally refused = new Tally("leave out the rows of a task, " + EndedTasks.SLOTS + " are waiting");
  private final Tally partial = new Tally("leave out some rows of a task, the stages update more than " + KEPT_METRICS + " metrics");
  private volatile boolean closed;
  private volatile boolean wanted = true; // a reader samples, as far as the poller knows
  private final Map<Long, StageRows> stages = new LinkedHashMap<>(); // poller only, as all below; oldest first
  private int metrics; // of all stages
  private long nextTry = Long.MIN_VALUE / 2; // System.nanoTime; later than now while the log has no room
  private long reported; // refused tasks that the log's counter has

  RowDesk() {
    this(SPARK);
  }

  RowDesk(Reader reader) {
    this.reader = reader;
  }

  /** From a task's thread: a task of an SQL execution has succeeded. */
  void offer(int stageId, int stageAttempt, long executionId, TaskMetrics metrics) {
    if (executionId >= 0 && metrics != null && wanted && !closed && !ended.put(stageId, stageAttempt, executionId, metrics)) {
      refused.add();
    }
  }

  /** Tasks left out because too many were waiting. */
  Tally refused() {
    return refused;
  }

  /**
   * From the poller: reads what has ended and writes what is due at {@code now} (System.nanoTime).
   */
  void poll(long now) {
    drain(now);
    if (nextTry - now > 0) {
      return;
    }
    for (StageRows stage : stages.values()) {
      if (stage.isDue(now) && !stage.write()) {
        nextTry = now + PAUSE_NANOS; // the others would find no room either
        if (!NativeAgent.sampling()) {
          stages.values().forEach(RowDesk::lose); // no one makes room
        }
        return;
      }
    }
  }

  /**
   * From the poller: reads what has ended and writes all that there is of an execution.
   *
   * @return false when the log has no room for it now
   */
  boolean settle(long executionId, long now) {
    drain(now);
    for (StageRows stage : stages.values()) {
      if (stage.executionId == executionId && !stage.write()) {
        return false;
      }
    }
    return true;
  }

  /**
   * From the poller, before it ends: takes no more tasks and writes what it has; the rest is
   * counted.
   */
  void close(long now) {
    closed = true;
    drain(now);
    for (StageRows stage : stages.values()) {
      if (!stage.write()) {
        lose(stage);
      }
    }
    stages.clear();
    refused.tellAll();
    partial.tellAll();
  }

  private static void lose(StageRows stage) {
    NativeAgent.droppedRows(stage.tasks());
    stage.forget();
  }

  private void drain(long now) {
    refused.tell();
    partial.tell();
    boolean sampling = NativeAgent.sampling();
    wanted = sampling;
    long left = refused.count();
    if (sampling && left > reported) { // else no one wanted them
      NativeAgent.droppedRows(left - reported);
    }
    reported = left;
    int most = EndedTasks.SLOTS; // tasks may end as fast as they are read here
    while (most-- > 0 && ended.take((stage, attempt, execution, task) -> {
      if (sampling) {
        readOrCount(stage(stage, attempt, execution), task, now);
      }
    })) {
      continue;
    }
  }

  private StageRows stage(int id, int attempt, long executionId) {
    long key = ((long) id << 32) | (attempt & 0xffffffffL);
    StageRows known = stages.get(key);
    if (known == null) {
      forgetOldest();
      known = new StageRows(id, attempt, executionId);
      stages.put(key, known);
    }
    return known;
  }

  /** Before a new stage: makes room for it, and for as many metrics as the largest plans have. */
  private void forgetOldest() {
    Iterator<StageRows> it = stages.values().iterator();
    while ((stages.size() >= KEPT_STAGES || metrics > KEPT_METRICS / 2) && it.hasNext()) {
      StageRows oldest = it.next();
      if (!oldest.write()) {
        lose(oldest);
      }
      metrics -= oldest.size();
      it.remove();
    }
  }

  private void readOrCount(StageRows stage, TaskMetrics task, long now) {
    try {
      read(stage, task, now);
    } catch (Throwable e) {
      NativeAgent.droppedRows(1);
      Complaints.once("read the rows of a task", e);
    }
  }

  private void read(StageRows stage, TaskMetrics task, long now) {
    boolean[] whole = {true};
    stage.task(now + PAUSE_NANOS);
    int before = stage.size();
    try {
      reader.visit(task, (accumulator, id) -> whole[0] &= stage.add(accumulator, id, reader, metrics + stage.size() - before < KEPT_METRICS));
    } finally {
      metrics += stage.size() - before;
    }
    if (!whole[0]) {
      partial.add();
      NativeAgent.droppedRows(1);
    }
  }
}

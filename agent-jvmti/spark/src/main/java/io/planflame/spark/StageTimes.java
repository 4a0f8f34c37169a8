package io.planflame.spark;

import java.util.List;

/**
 * What the driver's events say of one stage attempt: its times, and the sums of Spark's own metrics
 * over all of its tasks that ended. Not thread-safe.
 */
final class StageTimes {
  final int id;
  final int attempt;
  final long executionId; // -1 outside SQL
  final SlotSweep.Stage slots;
  private final String name;
  private final List<Object> parents;
  private final int planned;
  private final long submitted;
  private long completed; // 0: it runs
  private boolean presumed; // to be over, with its execution
  private boolean failed;
  private int ended;
  private int succeeded;
  private int missed;
  private final long[] sums = new long[TaskSums.KEYS.length];
  private final RunTimes runs = new RunTimes();
  private boolean told; // its execution has its slot time
  private long toldCpu; // the part of its CPU that its execution has
  private byte[] json; // as it was written last

  StageTimes(int id, int attempt, long executionId, SlotSweep.Stage slots, String name, List<Object> parents, int planned, long submitted) {
    this.id = id;
    this.attempt = attempt;
    this.executionId = executionId;
    this.slots = slots;
    this.name = name;
    this.parents = parents;
    this.planned = planned;
    this.submitted = submitted;
  }

  /**
   * A task has ended. {@code task} has a value for each of {@link TaskSums#KEYS}; null where Spark
   * has no metrics of it.
   *
   * @return whether its record was made before and has to be written again
   */
  boolean taskEnded(boolean success, long[] task) {
    boolean again = json != null;
    ended++;
    succeeded += success ? 1 : 0;
    json = null;
    if (task != null) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += task[i];
      }
      runs.add(task[TaskSums.RUN]);
    }
    return again;
  }

  /**
   * It is over. A stage completes after its last task, so tasks that were not seen by then are
   * events that Spark dropped.
   */
  void completed(long at, boolean failed) {
    completed = at;
    presumed = false;
    this.failed = failed;
    missed = failed ? 0 : Math.max(0, planned - succeeded);
    json = null;
  }

  /** Its own end was not heard: it is over because its execution is. */
  void presume() {
    presumed = true;
  }

  boolean isPresumed() {
    return presumed;
  }

  /** When it was over, 0 while it runs. */
  long completed() {
    return completed;
  }

  /** Tasks of which no end was heard. */
  int missed() {
    return missed;
  }

  /** CPU of its tasks' threads, in nanoseconds. */
  private long cpu() {
    return sums[TaskSums.CPU] + sums[TaskSums.DESERIALIZE_CPU];
  }

  /**
   * Reports whether its execution is to add its slot time: only the first time, because a completed
   * stage gets no more.
   */
  boolean tellSlots() {
    boolean first = !told;
    told = true;
    return first;
  }

  /** The CPU that was added since the last call, in nanoseconds. */
  long tellCpu() {
    long more = cpu() - toldCpu;
    toldCpu += more;
    return more;
  }

  boolean isWritten() {
    return json != null;
  }

  /** The JSON of its TIMES record, made again if something has changed since the last time. */
  byte[] json(String applicationId) {
    if (json == null) {
      json = encode(applicationId);
    }
    return json;
  }

  private byte[] encode(String applicationId) {
    Json out = new Json().open('{')
        .key("version").value(1)
        .key("kind").value("stage")
        .key("application_id").value(applicationId)
        .key("stage_id").value(id)
        .key("attempt").value(attempt)
        .key("execution_id").value(executionId)
        .key("name").value(name)
        .key("parents").open('[');
    for (Object parent : parents) {
      out.value(((Number) parent).longValue());
    }
    out.close(']')
        .key("submitted_ms").value(submitted)
        .key("completed_ms").value(completed)
        .key("failed").value(failed)
        .key("planned_tasks").value(planned)
        .key("ended_tasks").value(ended)
        .key("failed_tasks").value(ended - succeeded)
        .key("missed_tasks").value(missed)
        .key("held_us").value(Math.round(slots.held() * 1000))
        .key("idle_us").value(Math.round(slots.idle() * 1000))
        .key("median_run_ms").value(runs.median())
        .key("max_run_ms").value(runs.max());
    for (int i = 0; i < sums.length; i++) {
      out.key(TaskSums.KEYS[i]).value(sums[i]);
    }
    return out.close('}').utf8();
  }
}

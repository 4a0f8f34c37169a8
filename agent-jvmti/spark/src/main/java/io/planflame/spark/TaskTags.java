package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;

/**
 * Tells the agent which task runs on the calling thread. All calls are made on the task's own
 * thread. They neither lock, nor wait, nor throw, nor allocate, but for the first tasks of a stage
 * ({@link StageDesk}). What goes wrong is counted and told by the poller. TaskContext is gone when
 * a task ends, so what the end must know is kept in a thread-local from the start.
 */
final class TaskTags {
  static final String EXECUTION_ID = "spark.sql.execution.id";
  private static final double EVERY_TASK = 1.0; // π where the agent does not select

  /** What is known of the task on this thread; re-used for every task of the thread. */
  private static final class Tag {
    boolean running;
    long taskAttemptId;
    int stageId;
    int stageAttempt;
    int partition;
    int partitions;
    int attemptNumber;
    long executionId;
    int flags;
    TaskMetrics metrics;
    StageDesk.Witness witness;
  }

  private final ThreadLocal<Tag> tags = ThreadLocal.withInitial(Tag::new);
  private final StageDesk stages;
  private final RowDesk rows;
  private final Supplier<String> applicationId;
  private final RecordDesk records; // null: the user does not want them
  private volatile boolean identified; // the agent knows the application's id
  private final Tally lostStarts = new Tally("tag a task's start");
  private final Tally lostEnds = new Tally("tag a task's end");

  /**
   * applicationId: "" while it is not known; in local mode that is so when the plugin starts, and
   * no more when a task does.
   *
   * @param records null: no one wants them
   */
  TaskTags(StageDesk stages, RowDesk rows, RecordDesk records, Supplier<String> applicationId) {
    this.stages = stages;
    this.rows = rows;
    this.records = records;
    this.applicationId = applicationId;
  }

  /** The task of TaskContext.get() starts on this thread. */
  void start() {
    try {
      start(TaskContext.get());
    } catch (Throwable e) {
      lostStarts.add(e);
    }
  }

  private void start(TaskContext task) {
    Tag tag = tags.get();
    tag.running = false;
    if (tag.witness != null) { // the task before ended without telling us: Spark was stopping
      tag.witness.ended();
      tag.witness = null;
    }
    if (task == null) {
      return;
    }
    if (!identified) {
      identify();
    }
    tag.taskAttemptId = task.taskAttemptId();
    tag.stageId = task.stageId();
    tag.stageAttempt = task.stageAttemptNumber();
    tag.partition = task.partitionId();
    tag.partitions = task.numPartitions();
    tag.attemptNumber = task.attemptNumber();
    tag.executionId = executionId(task.getLocalProperty(EXECUTION_ID));
    tag.flags = 0;
    tag.metrics = task.taskMetrics();
    tag.running = true;
    NativeAgent.taskStart(
        tag.taskAttemptId, tag.stageId, tag.stageAttempt, tag.partition, tag.partitions, tag.attemptNumber, tag.executionId,
        tag.flags, EVERY_TASK);
    tag.witness = stages.offer(tag.stageId, tag.stageAttempt, tag.partition, tag.partitions, tag.executionId, tag.metrics);
    if (records != null) {
      records.taskStarts(task);
    }
  }

  private void identify() {
    String id = applicationId.get();
    if (!id.isEmpty()) {
      NativeAgent.applicationId(id.getBytes(StandardCharsets.UTF_8));
      identified = true;
    }
  }

  /**
   * The task that started on this thread ends; without a start, or a second time, nothing happens.
   */
  void end(boolean failed) {
    try {
      Tag tag = tags.get();
      if (tag.running) {
        tag.running = false;
        end(tag, failed);
      }
    } catch (Throwable e) {
      lostEnds.add(e);
    }
  }

  private void end(Tag tag, boolean failed) {
    TaskMetrics metrics = tag.metrics;
    StageDesk.Witness witness = tag.witness;
    tag.metrics = null;
    tag.witness = null;
    if (records != null) {
      records.taskEnds();
    }
    if (witness != null) {
      witness.ended(); // its accumulators are complete
    }
    NativeAgent.taskEnd(
        tag.taskAttemptId, tag.stageId, tag.stageAttempt, tag.partition, tag.partitions, tag.attemptNumber, tag.executionId,
        failed ? tag.flags | NativeAgent.TASK_FAILED : tag.flags, EVERY_TASK,
        metrics.executorCpuTime(), metrics.executorDeserializeCpuTime(), metrics.jvmGCTime());
    if (!failed) { // Spark drops the SQL metrics of the others
      rows.offer(tag.stageId, tag.stageAttempt, tag.executionId, metrics);
    }
  }

  /**
   * From the poller: says what went wrong on task threads, the first time; {@code all}: how often.
   */
  void tell(boolean all) {
    for (Tally lost : new Tally[] {lostStarts, lostEnds}) {
      if (all) {
        lost.tellAll();
      } else {
        lost.tell();
      }
    }
  }

  /** The number in the local property, -1 when the task belongs to no SQL execution. */
  static long executionId(String property) {
    if (property == null || property.isEmpty()) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < property.length(); i++) {
      char c = property.charAt(i);
      if (c < '0' || c > '9' || value > (Long.MAX_VALUE - 9) / 10) {
        return -1;
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }
}

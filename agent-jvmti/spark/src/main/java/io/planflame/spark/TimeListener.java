package io.planflame.spark;

import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.OperatorRows;
import io.planflame.spark.shim.Phases;
import io.planflame.spark.shim.Scala;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerApplicationStart;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.scheduler.TaskInfo;

/**
 * Tells a {@link TimeDesk} what the driver's events say. Nothing it throws reaches Spark; what
 * could not be read is counted.
 */
final class TimeListener extends SparkListener {
  private static final String UI = "org.apache.spark.sql.execution.ui.";
  static final String START = UI + "SparkListenerSQLExecutionStart";
  static final String END = UI + "SparkListenerSQLExecutionEnd";

  private interface Telling {
    void tell() throws Exception;
  }

  private final TimeDesk desk;
  private final Tally failed = new Tally("read the times in an event of Spark's");

  TimeListener(TimeDesk desk) {
    this.desk = desk;
  }

  /** Events that could not be read. */
  Tally failed() {
    return failed;
  }

  private void guard(Telling telling) {
    if (desk.isOff()) {
      return;
    }
    try {
      telling.tell();
    } catch (Throwable e) {
      failed.add(e);
      failed.tell();
    }
  }

  @Override
  public void onApplicationStart(SparkListenerApplicationStart event) {
    guard(() -> desk.applicationStarted(String.valueOf(Scala.orNull(event.appId())), event.time()));
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    guard(() -> desk.applicationEnded(event.time()));
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded event) {
    guard(() -> desk.executorAdded(event.executorId(), event.executorInfo().totalCores(), event.time()));
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    guard(() -> desk.executorRemoved(event.executorId(), event.time()));
  }

  @Override
  public void onJobStart(SparkListenerJobStart event) {
    guard(() -> desk.jobStarted(executionId(event.properties()), event.time()));
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    guard(() -> {
      StageInfo stage = event.stageInfo();
      desk.stageSubmitted(stage.stageId(), stage.attemptNumber(), executionId(event.properties()), stage.name(),
          Scala.list(Members.call(stage, "parentIds")), stage.numTasks(), millis(stage.submissionTime(), System.currentTimeMillis()));
    });
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted event) {
    guard(() -> {
      StageInfo stage = event.stageInfo();
      desk.stageCompleted(stage.stageId(), stage.attemptNumber(), stage.failureReason().isDefined(),
          millis(stage.completionTime(), System.currentTimeMillis()));
    });
  }

  @Override
  public void onTaskStart(SparkListenerTaskStart event) {
    guard(() -> desk.taskStarted(event.stageId(), event.stageAttemptId(), event.taskInfo().taskId(), event.taskInfo().launchTime()));
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    guard(() -> {
      TaskInfo task = event.taskInfo();
      TaskMetrics metrics = event.taskMetrics();
      long[] sums = metrics == null ? null : TaskSums.of(metrics);
      desk.taskEnded(event.stageId(), event.stageAttemptId(), task.taskId(), task.successful(), sums, task.launchTime(), task.finishTime());
      desk.figures(task.host(), new long[] {
        event.stageId(), event.stageAttemptId(), task.taskId(), task.partitionId(), task.attemptNumber(), task.successful() ? 1 : 0, task.launchTime(), task.finishTime(),
        OperatorRows.most(task),
      }, sums);
    });
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    guard(() -> other(event.getClass().getName(), event));
  }

  void other(String type, Object event) {
    switch (type) {
      case START: {
        long id = number(event, "executionId");
        Object root = Scala.orNull(Members.callOr(null, event, "rootExecutionId"));
        desk.executionStarted(id, root == null ? id : ((Number) root).longValue(), number(event, "time"), rootNode(event));
        break;
      }
      case END:
        desk.executionEnded(number(event, "executionId"), failed(event), phases(event), number(event, "time"));
        break;
      default: break; // nothing of ours
    }
  }

  /** The name of the root of its plan, "" if it cannot be read. */
  private static String rootNode(Object event) {
    Object plan = Members.callOr(null, event, "sparkPlanInfo");
    return plan == null ? "" : String.valueOf(Members.callOr("", plan, "nodeName"));
  }

  /** Empty if they cannot be read: the execution ends all the same. */
  private Map<String, long[]> phases(Object event) {
    Map<String, long[]> out = new LinkedHashMap<>();
    guard(() -> out.putAll(Phases.of(Members.callOr(null, event, "qe"))));
    return out;
  }

  private static boolean failed(Object event) {
    Object message = Scala.orNull(Members.callOr(null, event, "errorMessage"));
    return message != null && !String.valueOf(message).isEmpty();
  }

  private static long number(Object event, String name) {
    return ((Number) Members.call(event, name)).longValue();
  }

  private static long millis(Object option, long otherwise) {
    Object value = Scala.orNull(option);
    return value == null ? otherwise : ((Number) value).longValue();
  }

  private static long executionId(Properties properties) {
    return properties == null ? -1 : TaskTags.executionId(properties.getProperty("spark.sql.execution.id"));
  }
}

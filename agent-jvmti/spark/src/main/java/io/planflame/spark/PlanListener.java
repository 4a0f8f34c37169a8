package io.planflame.spark;

import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * Reads an execution's plan whenever Spark says that there is a new one. Events come on a listener queue of its own and are worked on by
 * a thread of the plugin: a first plan takes a cold JVM a second or two, and Spark logs every event that a listener holds that long.
 */
final class PlanListener extends SparkListener {
  private static final String UI = "org.apache.spark.sql.execution.ui.";
  private static final String START = UI + "SparkListenerSQLExecutionStart";
  private static final String UPDATE = UI + "SparkListenerSQLAdaptiveExecutionUpdate";
  private static final String METRICS = UI + "SparkListenerSQLAdaptiveSQLMetricUpdates";
  private static final String END = UI + "SparkListenerSQLExecutionEnd";

  /** What Spark puts into a description by itself: "collect at job.py:30", "$anonfun$1 at <console>:22". */
  private static final Pattern CALL_SITE = Pattern.compile("\\S+ at \\S+:\\d+");

  private static final int QUEUE = 4096;

  private final PlanBook book;
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE), PlanListener::thread);

  PlanListener(PlanBook book) {
    this.book = book;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    try {
      switch (event.getClass().getName()) {
        case START:
        case UPDATE:
        case METRICS:
        case END:
          worker.execute(() -> handle(event));
          break;
        default: break; // not about plans
      }
    } catch (Throwable e) {
      Complaints.once("take a plan's event", e); // the queue is full, or the driver shuts down
    }
  }

  /** Works off what has come so far, for at most {@code millis}; later events are refused. */
  void shutdown(long millis) throws InterruptedException {
    worker.shutdown();
    worker.awaitTermination(millis, TimeUnit.MILLISECONDS);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "planflame-plans");
    thread.setDaemon(true);
    return thread;
  }

  private void handle(SparkListenerEvent event) {
    try {
      switch (event.getClass().getName()) {
        case START: start(event); break;
        case END: end(event); break;
        default: observe(event);
      }
    } catch (Throwable e) {
      Complaints.once("read a plan at " + event.getClass().getSimpleName(), e);
    }
  }

  /** A job group is the query's name where there is no description; Spark 3.5's start event does not carry it. */
  @Override
  public void onJobStart(SparkListenerJobStart event) {
    try {
      if (event.properties() != null) {
        long executionId = TaskTags.executionId(event.properties().getProperty("spark.sql.execution.id"));
        String group = event.properties().getProperty("spark.jobGroup.id", "");
        String description = event.properties().getProperty("spark.job.description", "");
        String label = event.properties().getProperty(Settings.QUERY_NAME, "");
        String name = !label.isEmpty() ? label : !readable(description).isEmpty() ? description : readable(group);
        if (executionId >= 0 && !name.isEmpty()) {
          book.of(executionId).describe(description, name);
        }
      }
    } catch (Throwable e) {
      Complaints.once("read a job's properties", e);
    }
  }

  private void start(Object event) throws ClassNotFoundException {
    ExecutionPlans plans = book.of(executionId(event));
    String description = String.valueOf(Members.call(event, "description"));
    plans.describe(description, userName(event, description));
    observe(event);
  }

  private void observe(Object event) throws ClassNotFoundException {
    long executionId = executionId(event);
    ExecutionPlans plans = book.of(executionId);
    plans.observe(Executions.queryExecution(executionId));
    Object shown = Members.callOr(null, event, "sparkPlanInfo");
    if (shown != null) {
      plans.observeShown(shown); // the plan may have moved on since
    }
  }

  private void end(Object event) {
    ExecutionPlans plans = book.of(executionId(event));
    Object queryExecution = Members.callOr(null, event, "qe"); // a short execution may end before its start event is read
    if (queryExecution != null) {
      plans.observe(queryExecution);
    }
    plans.end();
  }

  /** The name the user gave: the session's label, the job description, the job group (4.x); "" when there is none. */
  private static String userName(Object event, String description) {
    for (Map.Entry<Object, Object> entry : Scala.map(Members.callOr(null, event, "modifiedConfigs")).entrySet()) {
      if (Settings.QUERY_NAME.equals(entry.getKey())) {
        return String.valueOf(entry.getValue());
      }
    }
    Object group = Scala.orNull(Members.callOr(null, event, "jobGroupId"));
    String name = readable(description);
    return name.isEmpty() && group != null ? readable(String.valueOf(group)) : name;
  }

  private static String readable(String text) {
    String trimmed = text == null ? "" : text.trim();
    return CALL_SITE.matcher(trimmed).matches() ? "" : trimmed;
  }

  private static long executionId(Object event) {
    return (Long) Members.call(event, "executionId");
  }
}

package io.planflame.spark;

import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.Lines;
import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerJobStart;

/**
 * Reads an execution's plan whenever Spark says that there is a new one. Events come on a listener
 * queue of its own and are worked on by a thread of the plugin. A first plan takes a cold JVM a
 * second or two, and Spark logs every event that a listener holds that long.
 */
final class PlanListener extends SparkListener {
  private static final String UI = "org.apache.spark.sql.execution.ui.";
  private static final String START = UI + "SparkListenerSQLExecutionStart";
  private static final String UPDATE = UI + "SparkListenerSQLAdaptiveExecutionUpdate";
  private static final String METRICS = UI + "SparkListenerSQLAdaptiveSQLMetricUpdates";
  private static final String END = UI + "SparkListenerSQLExecutionEnd";

  private static final int QUEUE = 4096;

  private final PlanBook book;
  private final Tally refused = new Tally("leave out a plan's event, " + QUEUE + " are waiting");
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
          name(event); // at once: a job of the execution comes next, and its executors ask
          submit(() -> handle(event));
          break;
        case UPDATE:
        case METRICS:
        case END:
          submit(() -> handle(event));
          break;
        default: break; // not about plans
      }
    } catch (Throwable e) {
      Complaints.once("take a plan's event", e);
    }
  }

  private void submit(Runnable work) {
    try {
      worker.execute(work);
    } catch (RejectedExecutionException e) {
      if (!worker.isShutdown()) { // else the driver ends: no one will ask
        refused.add();
        refused.tell();
      }
    }
  }

  /** Events left out because too many were waiting. */
  Tally refused() {
    return refused;
  }

  /** Works off what has come so far, for at most {@code millis}; later events are refused. */
  void shutdown(long millis) throws InterruptedException {
    worker.shutdown();
    worker.awaitTermination(millis, TimeUnit.MILLISECONDS);
    refused.tellAll();
    book.lost().tellAll();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "planflame-plans");
    thread.setDaemon(true);
    return thread;
  }

  private void handle(SparkListenerEvent event) {
    try {
      switch (event.getClass().getName()) {
        case END: end(event); break;
        default: observe(event);
      }
    } catch (Throwable e) {
      Complaints.once("read a plan at " + event.getClass().getSimpleName(), e);
    }
  }

  /**
   * A job's properties have what Spark 3.5's start event does not carry: the job group, and names
   * given as local properties. A job without SQL is named at once: its executors ask.
   */
  @Override
  public void onJobStart(SparkListenerJobStart event) {
    try {
      long executionId = event.properties() == null ? -1 : TaskTags.executionId(event.properties().getProperty("spark.sql.execution.id"));
      if (executionId < 0) {
        book.stages().started(event);
        book.requestUnclaimed(); // while they live: a DataFrame of which only the RDD is left is soon collected
        return;
      }
      ExecutionPlans plans = book.of(executionId);
      String explicit = event.properties().getProperty(Settings.QUERY_NAME, "");
      String description = event.properties().getProperty("spark.job.description", "");
      String line = CallSite.of(event.properties().getProperty("callSite.short", ""), "").line();
      boolean called = plans.calledAt(line.isEmpty() ? event.properties().getProperty(UserCall.LINE, "") : line);
      if (plans.ranJob(explicit, description, event.properties().getProperty("spark.jobGroup.id", "")) || called) {
        submit(() -> rename(plans));
      }
    } catch (Throwable e) {
      Complaints.once("read a job's properties", e);
    }
  }

  private static void rename(ExecutionPlans plans) {
    try {
      plans.rename();
    } catch (Throwable e) {
      Complaints.once("rename a query", e);
    }
  }

  private void name(Object event) {
    Object group = Scala.orNull(Members.callOr(null, event, "jobGroupId")); // 4.x
    ExecutionPlans plans = book.of(executionId(event));
    String details = String.valueOf(Members.call(event, "details"));
    String line = CallSite.of(String.valueOf(Members.call(event, "description")), details).line();
    plans.calledAt(line.isEmpty() ? Lines.firstOf(details) : line);
    plans.started(ofSession(event), String.valueOf(Members.call(event, "description")), group == null ? "" : String.valueOf(group));
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
    try {
      if (queryExecution != null) {
        plans.observe(queryExecution);
      }
    } finally { // executors ask until they know
      book.end(plans, new ExecutionPlans.End(failed(event), TimeUnit.MILLISECONDS.toNanos((Long) Members.call(event, "time"))));
    }
  }

  /**
   * SparkListenerSQLExecutionEnd.errorMessage: Some("") without an error, None from a Spark that
   * does not tell.
   */
  private static boolean failed(Object event) {
    Object message = Scala.orNull(Members.callOr(null, event, "errorMessage"));
    return message != null && !String.valueOf(message).isEmpty();
  }

  /** The name that the session's settings give the query, "" when there is none. */
  private static String ofSession(Object event) {
    for (Map.Entry<Object, Object> entry : Scala.map(Members.callOr(null, event, "modifiedConfigs")).entrySet()) {
      if (Settings.QUERY_NAME.equals(entry.getKey())) {
        return String.valueOf(entry.getValue());
      }
    }
    return "";
  }

  private static long executionId(Object event) {
    return (Long) Members.call(event, "executionId");
  }
}

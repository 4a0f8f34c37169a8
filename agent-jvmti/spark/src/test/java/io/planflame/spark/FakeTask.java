package io.planflame.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.util.AccumulatorV2;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import scala.Option;

/**
 * A task whose local properties cannot be read; what the plugin does not ask for it does not know.
 */
final class FakeTask extends TaskContext {
  private final transient Error failure;

  private final transient TaskMetrics metrics;

  private final transient List<TaskCompletionListener> listeners = new ArrayList<>();

  /** As Spark's own has it, with what it tells others by reflection. */
  transient Callbacks onCompleteCallbacks;

  /** Listeners for the end of the task. */
  static final class Callbacks {
    Object[] elementData;

    Callbacks(Object... listeners) {
      elementData = listeners;
    }
  }

  /** @param failure thrown when a local property is asked for; null: there is none */
  FakeTask(Error failure) {
    this(failure, null);
  }

  FakeTask(Error failure, TaskMetrics metrics) {
    this.failure = failure;
    this.metrics = metrics;
  }

  private static UnsupportedOperationException unknown() {
    return new UnsupportedOperationException("not a question of planflame");
  }

  @Override public int stageId() { return 3; }

  @Override public int stageAttemptNumber() { return 5; }

  @Override public int partitionId() { return 7; }

  @Override public int numPartitions() { return 11; }

  @Override public int attemptNumber() { return 2; }

  @Override public long taskAttemptId() { return 13; }

  @Override
  public String getLocalProperty(String key) {
    if (failure != null) {
      throw failure;
    }
    return key.equals("spark.sql.execution.id") ? "17" : null;
  }

  @Override public TaskMetrics taskMetrics() { return metrics; }

  @Override public boolean isCompleted() { throw unknown(); }

  @Override public boolean isFailed() { throw unknown(); }

  @Override public boolean isInterrupted() { throw unknown(); }

  @Override
  public TaskContext addTaskCompletionListener(TaskCompletionListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Ends. */
  void end() {
    listeners.forEach(listener -> listener.onTaskCompletion(this));
  }

  @Override public TaskContext addTaskFailureListener(TaskFailureListener listener) { throw unknown(); }

  @Override public int cpus() { throw unknown(); }

  @Override public scala.collection.immutable.Map<String, ResourceInformation> resources() { throw unknown(); }

  @Override public Map<String, ResourceInformation> resourcesJMap() { throw unknown(); }

  @Override public scala.collection.Seq<Source> getMetricsSources(String name) { throw unknown(); }

  @Override public void killTaskIfInterrupted() { throw unknown(); }

  @Override public Option<String> getKillReason() { throw unknown(); }

  @Override public TaskMemoryManager taskMemoryManager() { throw unknown(); }

  @Override public void registerAccumulator(AccumulatorV2<?, ?> accumulator) { throw unknown(); }

  @Override public void setFetchFailed(FetchFailedException failed) { throw unknown(); }

  @Override public void markInterrupted(String reason) { throw unknown(); }

  @Override public void markTaskFailed(Throwable error) { throw unknown(); }

  @Override public void markTaskCompleted(Option<Throwable> error) { throw unknown(); }

  @Override public Option<FetchFailedException> fetchFailed() { throw unknown(); }

  @Override public Properties getLocalProperties() { throw unknown(); }
}

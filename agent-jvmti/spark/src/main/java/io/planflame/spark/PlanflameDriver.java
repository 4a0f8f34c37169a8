package io.planflame.spark;

import io.planflame.spark.shim.ListenerQueue;
import java.util.Collections;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;

/** The driver's half: settings before the scheduler starts, plans as they are made, answers to executors. */
final class PlanflameDriver implements DriverPlugin {
  private static final long SHUTDOWN_MILLIS = 2000;

  private PlanBook book;
  private PlanListener listener;

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    try {
      if (!Settings.enabled(plugin.conf())) {
        return Collections.emptyMap();
      }
      ExecutorOptions.apply(context.conf());
      book = new PlanBook(plugin.conf().get(Settings.QUERY_NAME, ""));
      listener = new PlanListener(book);
      ListenerQueue.add(context, listener);
      PlanBook.publish(book);
    } catch (Throwable e) {
      Complaints.once("start on the driver", e);
    }
    return Collections.emptyMap();
  }

  /** Answers an executor's {@link DictionaryQuestion}; null tells it that the driver has no answer for anybody. */
  @Override
  public Object receive(Object message) {
    try {
      PlanBook plans = book;
      return plans == null ? null : plans.answer(DictionaryQuestion.decode(message)).encode();
    } catch (Throwable e) {
      Complaints.once("answer an executor's question for plans", e);
      return null;
    }
  }

  @Override
  public void shutdown() {
    try {
      PlanBook.retract(book);
      if (listener != null) {
        listener.shutdown(SHUTDOWN_MILLIS);
      }
    } catch (Throwable e) {
      Complaints.once("shut down the driver's half", e);
    }
  }
}

package io.planflame.spark;

import io.planflame.agent.NativeLoader;
import io.planflame.spark.shim.ListenerQueue;
import java.util.Collections;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;

/**
 * The driver's half: settings before the scheduler starts, plans as they are made, answers to
 * executors.
 */
final class PlanflameDriver implements DriverPlugin {
  private static final long SHUTDOWN_MILLIS = 2000;

  /**
   * What the driver tells the executors' halves, so that one line about a setting is enough for the
   * whole application.
   */
  static final String STATE = "state";

  /** The value of {@link #STATE} that keeps executors off without a word. */
  static final String OFF = "off";

  private PlanBook book;
  private PlanListener listener;
  private TimeDesk times; // null: no one writes them
  private TimeListener timeListener;
  private DriverLog log; // null: an executor in this JVM has one

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    try {
      String missing = ExecutorJar.provide(context); // also if the plugin is off: executors make it all the same
      if (missing != null) {
        Complaints.say("profiling is off: " + missing);
        return Collections.singletonMap(STATE, OFF);
      }
      if (!wanted(Settings.of(plugin.conf()))) {
        return Collections.singletonMap(STATE, OFF);
      }
      ExecutorOptions.apply(context.conf());
      book = new PlanBook(plugin.conf().get(Settings.QUERY_NAME, ""));
      listener = new PlanListener(book);
      ListenerQueue.add(context, listener);
      PlanBook.publish(book);
      SessionExtension.register(context.conf());
      TimeDesk desk = new TimeDesk(book::finalNames, context.conf().getInt("spark.task.cpus", 1));
      if (context.isLocal() || keepLog(Settings.of(plugin.conf()).get(Settings.NATIVE_PATH), new ApplicationRecord(plugin), desk)) {
        times = desk;
        timeListener = new TimeListener(desk);
        ListenerQueue.add(context, timeListener);
        TimeDesk.publish(desk);
      }
    } catch (Throwable e) {
      Complaints.once("start on the driver", e);
    }
    return Collections.emptyMap();
  }

  /** Reports whether the times will be written; says why not. */
  boolean keepLog(String nativePath, Supplier<byte[]> application, TimeDesk desk) {
    String refusal = DriverLog.startAgent(nativePath);
    if (refusal != null) {
      Complaints.say("warning: no wall times of queries: " + refusal.replace('\n', ' '));
      return false;
    }
    log = new DriverLog(application, desk);
    log.start();
    return true;
  }

  /** Whether the settings let the plugin run; says in one line each what is wrong with them. */
  static boolean wanted(Map<String, String> conf) {
    try {
      if (!Settings.enabled(conf)) {
        return false;
      }
      for (String warning : Settings.check(conf)) {
        Complaints.say("warning: " + warning);
      }
      return true;
    } catch (IllegalArgumentException e) {
      Complaints.say("profiling is off: " + e.getMessage());
      return false;
    }
  }

  /**
   * Answers an executor's {@link DictionaryQuestion}; null tells it that the driver has no answer
   * for anybody.
   */
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
      if (log != null) {
        log.stop();
      }
      if (timeListener != null) {
        TimeDesk.retract(times);
        if (NativeLoader.isLoaded()) {
          times.close(System.currentTimeMillis()); // Spark has worked off the listeners' events by now
        }
        timeListener.failed().tellAll();
      }
    } catch (Throwable e) {
      Complaints.once("shut down the driver's half", e);
    }
  }
}

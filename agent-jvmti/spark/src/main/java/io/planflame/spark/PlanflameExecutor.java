package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import io.planflame.spark.shim.JaninoLines;
import io.planflame.spark.shim.TaskRdds;
import java.util.Map;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;

/**
 * The executor's half. An exception out of init would make Spark relaunch executors for ever; one
 * out of a task's callback would be logged for every task. So every boundary catches all, and
 * {@link TaskTags} catches the throwables of tasks.
 */
final class PlanflameExecutor implements ExecutorPlugin {
  private volatile TaskTags tags; // null: off
  private Poller poller;
  private RecordDesk records; // null: the user does not want them

  @Override
  public void init(PluginContext context, Map<String, String> extraConf) {
    try {
      if (!PlanflameDriver.OFF.equals(extraConf.get(PlanflameDriver.STATE))) {
        start(context);
      }
    } catch (Throwable e) {
      Complaints.once("start on executor, profiling is off", e);
    }
  }

  private void start(PluginContext context) {
    Map<String, String> conf = Settings.of(context.conf());
    if (!Settings.enabled(conf)) {
      return;
    }
    String refusal = NativeLoader.load(conf.get(Settings.NATIVE_PATH));
    if (refusal == null) {
      refusal = NativeAgent.start(Settings.agentOptions(conf));
    }
    if (refusal != null) {
      TimeDesk times = TimeDesk.ofThisJvm();
      if (times != null) {
        times.off();
      }
      Complaints.say("profiling is off: " + refusal.replace('\n', ' '));
      return;
    }
    String lines = JaninoLines.enable();
    if (lines != null) {
      Complaints.say("warning: " + lines);
    }
    StageDesk stages = new StageDesk();
    RowDesk rows = new RowDesk();
    PlanBook book = PlanBook.ofThisJvm(); // of the driver, in local mode
    DictionaryDesk dictionaries = new DictionaryDesk(driver(book, context), book != null, rows::settle);
    if (Settings.records(conf)) {
      records = new RecordDesk();
      records.start();
      timeKeys(context, conf);
    }
    TaskTags starting = new TaskTags(stages, rows, records, () -> context.conf().get("spark.app.id", ""));
    poller = new Poller(new ApplicationRecord(context), stages, rows, starting, dictionaries);
    Thread thread = new Thread(poller, "planflame-poller");
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
    tags = starting;
  }

  /**
   * Asks the driver on a thread of its own, even if the driver is in this JVM. A first plan takes
   * long to read.
   *
   * @param book of the driver in this JVM, or null
   */
  static DriverCall driver(PlanBook book, PluginContext context) {
    DictionaryDesk.Driver driver = book != null ? book::answer : question -> DictionaryAnswer.decode(context.ask(question.encode()));
    return new DriverCall(driver, DriverCall.thread());
  }

  /** A local Spark may show keys on the user's terminal; an executor's stderr is a file. */
  private void timeKeys(PluginContext context, Map<String, String> conf) {
    String tasks = Settings.keys(conf);
    if (tasks.isEmpty()) {
      return;
    }
    try {
      boolean wanted = tasks.startsWith(Settings.SHOW);
      boolean mayShow = context.executorID().equals("driver") && KeyDesk.isTerminal(KeyDesk.STDERR);
      if (wanted && !mayShow) {
        Complaints.say("keys have hashes alone: only a local Spark whose stderr is a terminal shows them");
      }
      TaskRdds.show(new KeyDesk(wanted ? tasks.substring(Settings.SHOW.length()) : tasks, wanted && mayShow, records));
    } catch (Throwable e) {
      Complaints.once("look at the RDDs of tasks, no key is timed", e);
    }
  }

  @Override
  public void onTaskStart() {
    TaskTags current = tags;
    if (current != null) {
      current.start();
    }
  }

  @Override
  public void onTaskSucceeded() {
    end(false);
  }

  @Override
  public void onTaskFailed(TaskFailedReason reason) {
    end(true);
  }

  private void end(boolean failed) {
    TaskTags current = tags;
    if (current != null) {
      current.end(failed);
    }
  }

  @Override
  public void shutdown() {
    try {
      if (records != null) {
        records.stop();
      }
      if (poller != null) {
        poller.stop();
      }
    } catch (Throwable e) {
      Complaints.once("shut down", e);
    }
  }
}

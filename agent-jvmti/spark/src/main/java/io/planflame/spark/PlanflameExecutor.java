package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import scala.Tuple2;

/**
 * The executor's half. An exception out of init would make Spark relaunch executors for ever, one out of a task's callback would be
 * logged for every task: so every boundary catches all.
 */
final class PlanflameExecutor implements ExecutorPlugin {
  private static final long SHUTDOWN_MILLIS = 2000;

  private volatile TaskTags tags; // null: off
  private Poller poller;

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
      Complaints.say("profiling is off: " + refusal.replace('\n', ' '));
      return;
    }
    StageDesk stages = new StageDesk();
    PlanBook book = PlanBook.ofThisJvm(); // of the driver, in local mode
    DictionaryDesk dictionaries = new DictionaryDesk(
        question -> book != null ? book.answer(question) : DictionaryAnswer.decode(context.ask(question.encode())));
    poller = new Poller(() -> application(context), stages, dictionaries);
    Thread thread = new Thread(poller, "planflame-poller");
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
    tags = new TaskTags(stages);
  }

  /** The APPLICATION record. hostname() is not asked for: it throws on executors. */
  private static byte[] application(PluginContext context) {
    SparkConf conf = context.conf();
    Json json = new Json().open('{')
        .key("application_id").value(conf.get("spark.app.id", ""))
        .key("application_name").value(conf.get("spark.app.name", ""))
        .key("executor_id").value(context.executorID())
        .key("spark_version").value(org.apache.spark.package$.MODULE$.SPARK_VERSION())
        .key("user").value(System.getProperty("user.name", ""))
        .key("labels").open('{');
    for (Tuple2<String, String> setting : conf.getAll()) {
      if (setting._1().startsWith(Settings.LABEL_PREFIX)) {
        json.key(setting._1().substring(Settings.LABEL_PREFIX.length())).value(setting._2());
      }
    }
    return json.close('}').close('}').utf8();
  }

  @Override
  public void onTaskStart() {
    TaskTags current = tags;
    if (current != null) {
      try {
        current.start();
      } catch (Throwable e) {
        Complaints.once("tag a task's start", e);
      }
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
      try {
        current.end(failed);
      } catch (Throwable e) {
        Complaints.once("tag a task's end", e);
      }
    }
  }

  @Override
  public void shutdown() {
    try {
      if (poller != null) {
        poller.stop(SHUTDOWN_MILLIS);
      }
    } catch (Throwable e) {
      Complaints.once("shut down", e);
    }
  }
}

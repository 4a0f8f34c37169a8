package io.planflame.spark;

import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.PluginContext;

/**
 * The JSON of the APPLICATION record. In local mode the application's id is known only after the
 * executor started, so it is asked for again and again: made again only when the id has changed.
 * Poller thread only.
 */
final class ApplicationRecord implements Supplier<byte[]> {
  private final PluginContext context;
  private String id;
  private byte[] json;

  ApplicationRecord(PluginContext context) {
    this.context = context;
  }

  @Override
  public byte[] get() {
    String now = context.conf().get("spark.app.id", "");
    if (!now.equals(id)) {
      json = encode(now);
      id = now;
    }
    return json;
  }

  /** hostname() is not asked for: it throws on executors. */
  private byte[] encode(String applicationId) {
    SparkConf conf = context.conf();
    Json out = new Json().open('{')
        .key("application_id").value(applicationId)
        .key("application_name").value(conf.get("spark.app.name", ""))
        .key("executor_id").value(context.executorID())
        .key("spark_version").value(org.apache.spark.package$.MODULE$.SPARK_VERSION())
        .key("user").value(System.getProperty("user.name", ""));
    Owner.of(Settings.of(conf), namespace(conf.get("spark.master", ""), conf.get("spark.kubernetes.namespace", "default")), System.getenv()).write(out);
    return out.close('}').utf8();
  }

  /**
   * The namespace of the executors' pods, which Spark takes to be "default" if nothing is set;
   * "" where they are not on Kubernetes.
   */
  static String namespace(String master, String namespace) {
    return master.startsWith("k8s:") ? namespace : "";
  }
}

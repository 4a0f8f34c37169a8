package io.planflame.spark;

import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;

/**
 * Gives executors the plugin's jar if the program's own {@code spark.jars} has hidden it. An
 * executor that does not find the class of a plugin ends. Driver only.
 */
final class ExecutorJar {
  /** What an executor fetches before it makes its plugins (Executor, Spark 3.5 and 4.x). */
  static final String INITIAL_JARS = "spark.app.initial.jar.urls";

  private static final String[] PLUGIN_LISTS = {"spark.plugins", "spark.plugins.defaultList"};

  private ExecutorJar() {}

  /**
   * Changes {@code context} and its conf; must run before the task scheduler starts.
   *
   * @return null when executors find the plugin, else why not; then no executor is told of the
   *     plugin
   */
  static String provide(SparkContext context) {
    SparkConf conf = context.conf();
    File jar = new File(conf.get(Settings.JAR, ""));
    if (jar.getPath().isEmpty() || inDriver(conf.get("spark.master", ""))) {
      return null;
    }
    try {
      if (!holds(urls(context), jar)) {
        context.addJar(jar.getPath()); // logs what goes wrong, and does not throw it
        conf.set(INITIAL_JARS, String.join(",", urls(context)));
      }
      if (holds(urls(context), jar)) {
        return null;
      }
    } catch (Throwable e) { // Scala throws checked exceptions undeclared, and another Spark may lack a method
      withdraw(conf);
      return "give " + jar + " to executors: " + e;
    }
    withdraw(conf);
    return "Spark did not take " + jar + " for its executors";
  }

  /** Whether the executor is the driver's JVM. */
  static boolean inDriver(String master) {
    return master.startsWith("local") && !master.startsWith("local-cluster");
  }

  private static List<String> urls(SparkContext context) {
    List<String> out = new ArrayList<>();
    for (Object url : Scala.list(Members.call(context, "listJars"))) {
      out.add(String.valueOf(url));
    }
    return out;
  }

  private static boolean holds(List<String> urls, File jar) {
    return urls.stream().anyMatch(url -> url.endsWith("/" + jar.getName()));
  }

  private static void withdraw(SparkConf conf) {
    for (String key : PLUGIN_LISTS) {
      conf.set(key, without(conf.get(key, "")));
    }
  }

  /** A comma-separated list of classes without the plugin's. */
  static String without(String list) {
    List<String> kept = new ArrayList<>();
    for (String name : list.split(",")) {
      if (!name.trim().equals(PlanflamePlugin.class.getName()) && !name.trim().isEmpty()) {
        kept.add(name.trim());
      }
    }
    return String.join(",", kept);
  }
}

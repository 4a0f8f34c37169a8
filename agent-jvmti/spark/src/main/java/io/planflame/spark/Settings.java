package io.planflame.spark;

import org.apache.spark.SparkConf;

/** The plugin's own keys in the Spark configuration. */
final class Settings {
  /** false: the plugin does nothing at all. Default true. */
  static final String ENABLED = "spark.planflame.enabled";

  /** Path of libplanflame.so on every node, instead of the one in the jar. Default: the one in the jar. */
  static final String NATIVE_PATH = "spark.planflame.native.path";

  /** Size of the log in MiB, 4 to 256. Default: the agent's (16). */
  static final String LOG_MIB = "spark.planflame.log.mib";

  /** A readable name for the application's queries, instead of job description, job group or a generated one. */
  static final String QUERY_NAME = "spark.planflame.query.name";

  /** Prefix of free labels: spark.planflame.label.team=fraud becomes the label team of the APPLICATION record. */
  static final String LABEL_PREFIX = "spark.planflame.label.";

  private Settings() {}

  /**
   * Whether the user wants the plugin.
   *
   * @throws IllegalArgumentException when the value is neither true nor false; the message names the key
   */
  static boolean enabled(SparkConf conf) {
    String value = conf.get(ENABLED, "true").trim();
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return value.equalsIgnoreCase("true");
    }
    throw new IllegalArgumentException(ENABLED + " is \"" + value + "\", want true or false");
  }

  /** The option string for the agent; it checks the values itself and its message names the key. */
  static String agentOptions(SparkConf conf) {
    return conf.contains(LOG_MIB) ? "log_mib=" + conf.get(LOG_MIB).trim() : "";
  }
}

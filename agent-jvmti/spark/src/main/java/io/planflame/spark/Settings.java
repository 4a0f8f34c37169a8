package io.planflame.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * The plugin's own keys in the Spark configuration. A value that cannot be meant switches profiling
 * off; a key that no one knows is only warned of, for a newer planflame may know it.
 */
final class Settings {
  /** All of the plugin's keys begin so. */
  static final String PREFIX = "spark.planflame.";

  /** false: the plugin does nothing at all. Default true. */
  static final String ENABLED = "spark.planflame.enabled";

  /**
   * Path of libplanflame.so on every node, instead of the one in the jar. Default: the one in the
   * jar.
   */
  static final String NATIVE_PATH = "spark.planflame.native.path";

  /**
   * Path of the plugin's jar on the driver, for executors that do not have it. Default: they find
   * it. See {@link ExecutorJar}.
   */
  static final String JAR = "spark.planflame.jar";

  /**
   * Size of the log in MiB, {@link #MIN_LOG_MIB} to {@link #MAX_LOG_MIB}. Default: the agent's
   * (16).
   */
  static final String LOG_MIB = "spark.planflame.log.mib";

  /** true: name the records at which tasks stand still ({@link RecordDesk}). Default false. */
  static final String RECORDS = "spark.planflame.records";

  /**
   * Tasks whose keys are timed and counted ({@link KeyDesk}), as STAGE:PARTITION, comma separated.
   * Behind {@link #SHOW}: a local Spark says keys on stderr. planflame debug sets it. Needs {@link
   * #RECORDS}. Default: none.
   */
  static final String KEYS_OF = "spark.planflame.keys";

  /** See {@link #KEYS_OF}. */
  static final String SHOW = "show ";

  /**
   * A readable name for queries: of the application, of a session, or as a local property of a
   * thread. See {@link QueryName}.
   */
  static final String QUERY_NAME = "spark.planflame.query.name";

  /**
   * Prefix of free labels: spark.planflame.label.team=fraud becomes the label team of the
   * APPLICATION record. See {@link Owner}.
   */
  static final String LABEL_PREFIX = "spark.planflame.label.";

  /** Must match the option's range in agent-jvmti/native/options.c. */
  static final int MIN_LOG_MIB = 4;

  /** Must match the option's range in agent-jvmti/native/options.c. */
  static final int MAX_LOG_MIB = 256;

  private static final List<String> KEYS = Arrays.asList(ENABLED, NATIVE_PATH, JAR, LOG_MIB, RECORDS, KEYS_OF, QUERY_NAME);

  private Settings() {}

  /** The plugin's keys in {@code conf} with their values, in the keys' order. */
  static Map<String, String> of(SparkConf conf) {
    Map<String, String> out = new TreeMap<>();
    for (Tuple2<String, String> setting : conf.getAll()) {
      if (setting._1().startsWith(PREFIX)) {
        out.put(setting._1(), setting._2());
      }
    }
    return out;
  }

  /**
   * Whether the user wants the plugin.
   *
   * @throws IllegalArgumentException when the value is neither true nor false; the message names
   *     key and value
   */
  static boolean enabled(Map<String, String> conf) {
    return truth(conf, ENABLED, "true");
  }

  /**
   * Whether the user wants records.
   *
   * @throws IllegalArgumentException as {@link #enabled}
   */
  static boolean records(Map<String, String> conf) {
    return truth(conf, RECORDS, "false");
  }

  /**
   * The tasks whose keys are timed, maybe behind {@link #SHOW}; "" for none.
   *
   * @throws IllegalArgumentException as {@link #enabled}
   */
  static String keys(Map<String, String> conf) {
    String value = conf.getOrDefault(KEYS_OF, "");
    if (!value.isEmpty() && !value.matches("(" + SHOW + ")?\\d{1,9}:\\d{1,9}(,\\d{1,9}:\\d{1,9}){0,9}")) {
      throw bad(KEYS_OF, value, "at most ten times STAGE:PARTITION, comma separated");
    }
    if (!value.isEmpty() && !records(conf)) {
      throw bad(KEYS_OF, value, RECORDS + "=true with it");
    }
    return value;
  }

  private static boolean truth(Map<String, String> conf, String key, String otherwise) {
    String value = conf.getOrDefault(key, otherwise).trim();
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return value.equalsIgnoreCase("true");
    }
    throw bad(key, value, "true or false");
  }

  /**
   * Checks all of the plugin's keys, as {@link #of} gives them.
   *
   * @return a warning for each key that is not known and each label beyond its bounds, naming key
   *     and value; empty when there is none
   * @throws IllegalArgumentException for the first value that cannot be meant; the message names
   *     key and value
   */
  static List<String> check(Map<String, String> conf) {
    enabled(conf);
    records(conf);
    keys(conf);
    agentOptions(conf);
    if (conf.getOrDefault(NATIVE_PATH, "/").trim().isEmpty()) {
      throw bad(NATIVE_PATH, "", "the path of libplanflame.so");
    }
    List<String> warnings = new ArrayList<>(Owner.of(conf, "", Collections.emptyMap()).refused());
    for (Map.Entry<String, String> setting : conf.entrySet()) {
      String key = setting.getKey();
      if (!key.startsWith(LABEL_PREFIX) && !KEYS.contains(key)) {
        warnings.add(shown(key, setting.getValue()) + " is not a setting of planflame and has no effect; known are " + String.join(", ", KEYS)
            + " and " + LABEL_PREFIX + "NAME");
      }
    }
    return warnings;
  }

  /**
   * The option string for the agent.
   *
   * @throws IllegalArgumentException when a value is out of range; the message names key and value
   */
  static String agentOptions(Map<String, String> conf) {
    if (!conf.containsKey(LOG_MIB)) {
      return "";
    }
    String value = conf.get(LOG_MIB).trim();
    if (!value.matches("[0-9]{1,3}") || Integer.parseInt(value) < MIN_LOG_MIB || Integer.parseInt(value) > MAX_LOG_MIB) {
      throw bad(LOG_MIB, value, "a whole number of MiB from " + MIN_LOG_MIB + " to " + MAX_LOG_MIB);
    }
    return "log_mib=" + Integer.parseInt(value);
  }

  private static IllegalArgumentException bad(String key, String value, String want) {
    return new IllegalArgumentException(shown(key, value) + ", want " + want);
  }

  /** Key and value in one line that does nothing to a terminal, whatever the value holds. */
  static String shown(String key, String value) {
    return key + "=\"" + value.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ") + "\"";
  }
}

package io.planflame.spark;

import io.planflame.identity.RunText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The readable name of one execution's query, which becomes the label {@code query_name}. From the
 * strongest:
 *
 * <ol>
 *   <li>{@code spark.planflame.query.name} as a local property of the thread that runs the query,
 *       or as a setting of its session. (Spark copies every setting of the session that begins with
 *       "spark" over the local properties when a query runs. If the session has the key, and it
 *       inherits the application's, change it with spark.conf.set.)
 *   <li>{@code spark.planflame.query.name} in the application's configuration;
 *   <li>the name of the streaming query whose batch it is, from the description that Spark gives
 *       its jobs. It is the stream's own name. A query that runs for a batch of it (foreachBatch)
 *       has that before a colon and a generated name;
 *   <li>the job description, when it is fit for a label ({@link #fit});
 *   <li>the job group, when it is;
 *   <li>a generated one: roles, tables and columns, no literals.
 * </ol>
 *
 * <p>What the user names explicitly is taken as it is. A description is not: SQL shells, JDBC
 * servers and notebooks put the statement into it, streaming its run and batch. A label must
 * neither carry query text off the node nor make a series of each run. The whole description stays
 * in the dictionary on the node. Thread-safe; never blocks.
 */
final class QueryName {
  /** The longest description or group that is a name, in UTF-16 units. */
  static final int MAX_LENGTH = 64;

  /**
   * What Spark puts into a description by itself: "collect at job.py:30", "$anonfun$1 at
   * <console>:22".
   */
  private static final Pattern CALL_SITE = Pattern.compile("\\S+ at \\S+:\\d+");

  /** Characters that text in a language has and a name has not. */
  private static final Pattern NO_NAME = Pattern.compile("[\\p{Cntrl}'\"`;=<>{}\\\\]");

  /**
   * A statement of Spark SQL; words that people begin names with as well count only before what
   * they act on.
   */
  private static final Pattern SQL = Pattern.compile(
      "(?:\\W*(?:with|values|insert|explain)\\b"
          + "|\\W*(?:delete\\s+from|merge\\s+into|from\\s+\\S+\\s+(?:insert|map|reduce))\\b"
          + "|\\W*(?:create|replace|drop|alter|truncate|describe|desc|show|refresh|cache|uncache|clear|analyze|msck|repair|load|comment|call|declare|add|list)"
          + "\\s+(?:or|if|on|global|temp|temporary|external|extended|lazy|table|tables|view|views|database|databases|schema|schemas|namespace|namespaces"
          + "|catalog|catalogs|function|functions|column|columns|partitions|query|data|cache|jar|file|variable)\\b"
          + "|.*\\bselect\\b).*",
      Pattern.CASE_INSENSITIVE);

  /**
   * What Spark describes the jobs of a streaming query with: its name, if it has one, its ids and
   * the batch.
   */
  private static final Pattern STREAM = Pattern.compile("(?s)(?:(.*)(?:<br/>|\n))?id = [0-9a-f-]+(?:<br/>|\n)runId = .*");

  private final String application;
  private volatile String stream = ""; // fit
  private volatile boolean isStream;
  private volatile String explicit = "";
  private volatile String described; // fit; null until the start event came
  private volatile String provisional = ""; // a job's description, before the start event came
  private volatile String group = "";

  /**
   * @param application {@code spark.planflame.query.name} of the application's configuration, or ""
   */
  QueryName(String application) {
    this.application = oneLine(application);
  }

  /**
   * From the start event: the session's explicit name, the description, the job group; "" where
   * there is none.
   */
  void ofStart(String name, String description, String jobGroup) {
    stream = streamOf(description);
    described = fit(description);
    explicit = explicit.isEmpty() ? oneLine(name) : explicit; // a job's is at least as particular
    group = group.isEmpty() ? fit(jobGroup) : group;
  }

  /**
   * From a job of the execution: the local properties' explicit name, description and group; ""
   * if there is none.
   */
  void ofJob(String name, String description, String jobGroup) {
    explicit = oneLine(name).isEmpty() ? explicit : oneLine(name);
    stream = stream.isEmpty() ? streamOf(description) : stream;
    provisional = provisional.isEmpty() ? fit(description) : provisional;
    group = group.isEmpty() ? fit(jobGroup) : group;
  }

  /** The name as far as it is known now; {@code generated} when no one gave one. */
  String or(String generated) {
    String words = described == null ? provisional : described;
    return first(explicit, application, ofStream(generated), words, group, generated);
  }

  /** It is a batch of a streaming query, not a query that runs for one. */
  void isStream() {
    isStream = true;
  }

  private String ofStream(String generated) {
    return stream.isEmpty() || isStream || generated.isEmpty() ? stream : stream + ": " + generated;
  }

  /**
   * The name of the streaming query in a description, as far as it is fit for a label, "" where
   * there is none.
   */
  static String streamOf(String description) {
    Matcher stream = STREAM.matcher(description == null ? "" : description);
    return stream.matches() && stream.group(1) != null ? fit(stream.group(1)) : "";
  }

  /**
   * A description or a group as a label, or "" if it is not fit for one. It is not if it looks like
   * SQL or another language, is longer than {@link #MAX_LENGTH}, or has more than one line. Nor is
   * it if it is Spark's own or has no letter. What belongs to one run only is replaced by "?":
   * "load 2026-11-21" is "load ?".
   */
  static String fit(String text) {
    String trimmed = text == null ? "" : text.trim();
    if (trimmed.length() > MAX_LENGTH || NO_NAME.matcher(trimmed).find() || SQL.matcher(trimmed).matches()
        || CALL_SITE.matcher(trimmed).matches()) {
      return "";
    }
    String name = RunText.without(trimmed);
    return name.codePoints().anyMatch(Character::isLetter) ? name : "";
  }

  private static String oneLine(String text) {
    return text == null ? "" : text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ").trim();
  }

  private static String first(String... candidates) {
    for (String candidate : candidates) {
      if (!candidate.isEmpty()) {
        return candidate;
      }
    }
    return "";
  }
}

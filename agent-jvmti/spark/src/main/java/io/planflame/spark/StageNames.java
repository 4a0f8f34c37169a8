package io.planflame.spark;

import io.planflame.identity.Identity;
import io.planflame.spark.shim.JobStages;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names the stages of a job that runs for no SQL execution, as the JSON that FORMAT.md draws. */
final class StageNames {
  /**
   * So much of a job's description is kept with each of its stages, in UTF-16 units: thousands of
   * stages are kept.
   */
  static final int MAX_DESCRIPTION = 1024;

  private static final String LISTING = "Listing leaf files and directories for "; // HadoopFSUtils, 3.5 and 4.x
  private static final Pattern READER = Pattern.compile("org\\.apache\\.spark\\.sql\\.(?:classic\\.)?DataFrameReader\\.(\\w+)\\(");

  private final List<JobStages.Stage> stages;
  private final String description;
  private final Map<Integer, Named> named = new LinkedHashMap<>();
  /** By the id of a stage: the first stage that reads what it writes; none of the job's last. */
  private final Map<Integer, Named> readers = new HashMap<>();

  private static final class Named {
    String operator;
    String name;
    CallSite site;
  }

  /** @param description the job's, "" if there is none */
  StageNames(List<JobStages.Stage> stages, String description) {
    this.stages = stages;
    this.description = cut(description);
    Map<String, Integer> alike = new HashMap<>();
    for (JobStages.Stage stage : stages) {
      Named names = new Named();
      names.site = CallSite.of(stage.name, stage.details);
      String name = name(stage, names.site);
      int twin = alike.merge(name, 1, Integer::sum);
      names.name = twin == 1 ? name : name + " #" + twin;
      names.operator = Identity.stageOperator(name) + (twin == 1 ? "" : "~" + twin);
      named.put(stage.id, names);
      for (Integer parent : stage.parents) {
        readers.putIfAbsent(parent, names);
      }
    }
  }

  /** The JSON of each stage of the job, by its id. {@code query} knows what the user calls it. */
  Map<Integer, byte[]> json(QueryName query) {
    Map<Integer, byte[]> out = new LinkedHashMap<>();
    Named last = last();
    String id = id();
    for (JobStages.Stage stage : stages) {
      Named names = named.get(stage.id);
      out.put(stage.id, new Json().open('{')
          .key("version").value(1)
          .key("query").value(id)
          .key("query_name").value(query.or(last.name))
          .key("operator").value(names.operator)
          .key("operator_name").value(names.name)
          .key("stage").value(place(stage.id))
          .key("call_site").value(last.site.line())
          .key("line").value(names.site.line())
          .key("description").value(description)
          .close('}').utf8());
    }
    return out;
  }

  /** No half of a surrogate pair is left at the end. */
  private static String cut(String text) {
    if (text.length() <= MAX_DESCRIPTION) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_DESCRIPTION - 1)) ? MAX_DESCRIPTION - 1 : MAX_DESCRIPTION);
  }

  private String id() {
    StringBuilder text = new StringBuilder();
    for (Named names : named.values()) {
      text.append(names.operator).append('\n');
    }
    return Identity.jobQuery(text.toString());
  }

  /** The stage whose result the job is for. */
  private Named last() {
    Named last = null;
    for (JobStages.Stage stage : stages) {
      if (!readers.containsKey(stage.id)) {
        last = named.get(stage.id);
      }
    }
    return last;
  }

  private String place(int id) {
    Named reader = readers.get(id);
    return reader == null ? "result" : "shuffle>" + reader.operator;
  }

  /** What Spark does by itself by what it is, all else by its call site. */
  private String name(JobStages.Stage stage, CallSite site) {
    Matcher reader = READER.matcher(stage.details);
    boolean reads = reader.lookingAt();
    String what = reads && !reader.group(1).matches("load|table") ? " of " + reader.group(1) : "";
    if (description.startsWith(LISTING)) {
      return "list files" + what;
    }
    if (reads) {
      boolean rows = stage.rdds.contains("FileScanRDD") || stage.rdds.contains("SQLExecutionRDD");
      return (rows ? "infer schema" : "read footers") + what;
    }
    if (site.method.equals("runJob") && site.line().isEmpty()) { // SparkHadoopWriter, PythonRDD
      CallSite top = CallSite.of(stage.topCallSite, "");
      return top.method.isEmpty() || top.method.equals("RDD") ? site.name() : top.name();
    }
    if (site.method.startsWith("$anonfun$") && site.line().isEmpty()) {
      return "query stage"; // AQE runs each in a thread of a pool, Spark 4.x
    }
    return site.method.isEmpty() ? "job" : site.name();
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.shim.JobStages;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Stages as Spark 3.5.7 and 4.3.0 describe them. */
class StageNamesTest {
  private static final String READER = "org.apache.spark.sql.classic.DataFrameReader.";

  private final StageBook book = new StageBook("");

  private static JobStages.Stage stage(int id, String name, String details, List<Integer> parents, String... rdds) {
    return new JobStages.Stage(id, name, details, parents, Arrays.asList(rdds), "saveAsTextFile at NativeMethodAccessorImpl.java:0");
  }

  private static JobStages.Stage stage(int id, String name, Integer... parents) {
    return stage(id, name, "", Arrays.asList(parents), "PythonRDD");
  }

  private void job(String description, JobStages.Stage... stages) {
    Properties properties = new Properties();
    properties.setProperty("spark.job.description", description);
    book.add(Arrays.asList(stages), properties);
  }

  private String value(int stage, String key) {
    Matcher value = Pattern.compile("\"" + key + "\":\"([^\"]*)\"").matcher(new String(book.of(stage), StandardCharsets.UTF_8));
    assertTrue(value.find(), key);
    return value.group(1);
  }

  @Test
  void stagesAreCalledAfterTheirCallSites() {
    job("", stage(4, "map at /jobs/etl.py:3"), stage(5, "map at /jobs/etl.py:5"), stage(6, "join at /jobs/etl.py:8", 4, 5), stage(7, "collect at /jobs/etl.py:9", 6));
    assertEquals(Arrays.asList("map at etl.py", "etl.py:3", "etl.py:9", "collect at etl.py", "shuffle>" + value(6, "operator")),
        Arrays.asList(value(4, "operator_name"), value(4, "line"), value(4, "call_site"), value(4, "query_name"), value(4, "stage")));
    assertEquals("map at etl.py #2", value(5, "operator_name"));
    assertEquals(value(4, "operator") + "~2", value(5, "operator"));
    assertEquals("result", value(7, "stage"));
    assertTrue(value(4, "operator").matches("rdd@[0-9a-f]{8}"), value(4, "operator"));
    assertTrue(value(4, "query").matches("r1-[0-9a-f]{16}"), value(4, "query"));
    assertNull(book.of(8));
  }

  @Test
  void anEditElsewhereInTheFileChangesNoNameButTheUsersDo() {
    job("", stage(1, "sum at /jobs/etl.py:3"));
    job("nightly 2026-11-24", stage(2, "sum at /new/etl.py:33"));
    job("", stage(3, "sum at /jobs/other.py:3"));
    assertEquals(value(1, "query"), value(2, "query"));
    assertEquals(value(1, "operator"), value(2, "operator"));
    assertEquals("nightly ?", value(2, "query_name"));
    assertNotEquals(value(1, "query"), value(3, "query"));
    assertNotEquals(value(1, "operator"), value(3, "operator"));
  }

  @Test
  void aLongDescriptionIsCutBetweenCharacters() {
    String full = String.join("", Collections.nCopies(StageNames.MAX_DESCRIPTION, "d"));
    String pair = "\ud83d\ude80"; // one character
    job(full, stage(1, "sum at /jobs/etl.py:3"));
    job(full + "d", stage(2, "sum at /jobs/etl.py:3"));
    job(full.substring(1) + pair, stage(3, "sum at /jobs/etl.py:3"));
    job(full.substring(2) + pair + "d", stage(4, "sum at /jobs/etl.py:3"));
    assertEquals(Arrays.asList(full, full, full.substring(1), full.substring(2) + "\\ud83d\\ude80"),
        Arrays.asList(value(1, "description"), value(2, "description"), value(3, "description"), value(4, "description")));
  }

  @Test
  void whatSparkDoesByItselfSaysWhat() {
    job("Listing leaf files and directories for 40 paths:<br/>file:/p/k=21, ...",
        stage(1, "parquet at NativeMethodAccessorImpl.java:0", READER + "parquet(DataFrameReader.scala:1)", Collections.emptyList(), "MapPartitionsRDD", "ParallelCollectionRDD"));
    job("", stage(2, "parquet at NativeMethodAccessorImpl.java:0", READER + "parquet(DataFrameReader.scala:1)", Collections.emptyList(), "MapPartitionsRDD", "ParallelCollectionRDD"));
    job("", stage(3, "csv at Etl.scala:7", "org.apache.spark.sql.DataFrameReader.csv(DataFrameReader.scala:1)\nEtl$.main(Etl.scala:7)", Collections.emptyList(), "MapPartitionsRDD", "FileScanRDD"));
    job("", stage(4, "load at NativeMethodAccessorImpl.java:0", READER + "load(DataFrameReader.scala:1)", Collections.emptyList(), "FileScanRDD"));
    job("", stage(5, "runJob at SparkHadoopWriter.scala:85", "org.apache.spark.SparkContext.runJob(SparkContext.scala:2552)\n"
        + "org.apache.spark.internal.io.SparkHadoopWriter$.write(SparkHadoopWriter.scala:85)", Collections.emptyList(), "MapPartitionsRDD"));
    job("", stage(6, "no call site"));
    String[] want = {"list files of parquet", "read footers of parquet", "infer schema of csv", "infer schema", "saveAsTextFile", "job"};
    for (int i = 0; i < want.length; i++) {
      assertEquals(want[i], value(i + 1, "operator_name"));
      assertEquals(want[i], value(i + 1, "query_name"));
      assertEquals(i == 2 ? "Etl.scala:7" : "", value(i + 1, "line"));
    }
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Call sites as Spark 3.5.7 and 4.3.0 gave them. */
class CallSiteTest {
  private static void check(String shortForm, String longForm, String name, String line) {
    CallSite site = CallSite.of(shortForm, longForm);
    assertEquals(name, site.name(), shortForm);
    assertEquals(line, site.line(), shortForm);
  }

  @Test
  void theUsersOwnLineIsKnownOrThereIsNone() {
    check("collect at /home/ann/jobs/etl.py:30", "", "collect at etl.py", "etl.py:30");
    check("count at Etl.scala:14", "org.apache.spark.sql.Dataset.count(Dataset.scala:3613)\norg.example.Etl$.main(Etl.scala:14)", "count at Etl.scala", "Etl.scala:14");
    check("count at <console>:22", "org.apache.spark.rdd.RDD.count(RDD.scala:1296)\n$line14.$read.<init>(<console>:22)", "count at <console>", "<console>:22");
    check("collect at /tmp/ipykernel_4711/3141592653.py:2", "", "collect at ?.py", "3141592653.py:2");
    // spark-sql reads statements as Hive's shell does.
    check("processLine at CliDriver.java:336", "", "processLine", "");
    // py4j's reflection, of two JDKs; threads of Spark's own; Spark itself.
    check("count at NativeMethodAccessorImpl.java:0", "org.apache.spark.sql.Dataset.count(Dataset.scala:3613)", "count", "");
    check("count at DirectMethodHandleAccessor.java:103",
        "org.apache.spark.sql.Dataset.count(Dataset.scala:1)\njava.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)",
        "count", "");
    check("$anonfun$x$1 at CompletableFuture.java:1768", "", "$anonfun$x$1", "");
    check("runJob at PythonRDD.scala:218",
        "org.apache.spark.SparkContext.runJob(SparkContext.scala:2539)\norg.apache.spark.api.python.PythonRDD$.runJob(PythonRDD.scala:218)",
        "runJob at PythonRDD.scala", "");
    check("partitionBy at PythonRDD.scala:197", "", "partitionBy at PythonRDD.scala", "");
  }

  @Test
  void otherTextsAreNoCallSites() {
    for (String text : new String[] {"", "nightly load", "collect at etl.py", "collect at etl.py:99999999999", null}) {
      assertEquals("", CallSite.of(text, null).name(), text);
      assertEquals("", CallSite.of(text, null).line(), text);
    }
  }
}

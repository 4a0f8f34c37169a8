package io.planflame.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple2;

/**
 * Groups, joins and aggregates rows, and works on one key for long: PROGRAM,KEY,MILLIS each.
 * PROGRAM is group, join, aggregate, sqlaggregate, sqljoin, sqlcollect or sqlwrite; sqlhot joins
 * rows of which most have the key. KEY is a number below {@value #KEYS}.
 */
public final class Keys {
  private static final int PARTITIONS = 8;
  private static final int KEYS = 500;
  private static final int ROWS = 200_000;
  private static final int HOT_ROWS = 10_000_000; // of which a fifth have other keys

  private Keys() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    SparkSession spark = SparkSession.builder().appName("slow keys").config("spark.sql.autoBroadcastJoinThreshold", -1).getOrCreate();
    for (String arg : args) {
      String[] words = arg.split(",");
      String slow = words[0] + "-key-" + words[1];
      long millis = Long.parseLong(words[2]);
      if (words[0].startsWith("sql")) {
        spark.udf().register("weigh", (UDF2<String, Long, Long>) (key, value) -> weigh(key, value, slow, millis), DataTypes.LongType);
        take(words[0], words[0].equals("sqlhot") ? hot(words[0], words[1], spark) : sql(words[0], spark));
      } else {
        rdd(words[0], new JavaSparkContext(spark.sparkContext()), slow, millis);
      }
    }
    spark.stop();
  }

  private static long weigh(String key, long value, String slow, long millis) throws InterruptedException {
    if (key.equals(slow)) {
      Thread.sleep(millis);
    }
    return value;
  }

  private static void rdd(String program, JavaSparkContext spark, String slow, long millis) {
    JavaPairRDD<String, Long> rows = spark.parallelize(numbers(ROWS), 4).mapToPair(n -> new Tuple2<>(program + "-key-" + n % KEYS, n));
    switch (program) {
      case "group":
        rows.groupByKey(PARTITIONS).map(group -> weigh(group._1(), 1, slow, millis)).count();
        break;
      case "join": // of each key only one row is on the other side
        JavaPairRDD<String, Long> few = spark.parallelize(numbers(KEYS), 4).mapToPair(n -> new Tuple2<>(program + "-key-" + n % KEYS, n));
        rows.join(few, PARTITIONS).map(pair -> pair._2()._1() < KEYS ? weigh(pair._1(), 1, slow, millis) : 0).count();
        break;
      default:
        rows.aggregateByKey(0L, PARTITIONS, Long::sum, Long::sum).map(sum -> weigh(sum._1(), sum._2(), slow, millis)).count();
    }
  }

  private static List<Long> numbers(int count) {
    List<Long> out = new ArrayList<>();
    for (long n = 0; n < count; n++) {
      out.add(n);
    }
    return out;
  }

  /** Takes all rows of a query. */
  private static void take(String program, Dataset<Row> rows) throws IOException, InterruptedException {
    switch (program) {
      case "sqlcollect":
        rows.collectAsList();
        break;
      case "sqlwrite":
        File folder = Files.createTempDirectory("keys").toFile();
        rows.write().mode("overwrite").parquet(folder.getPath());
        JavaUtils.deleteRecursively(folder);
        break;
      default:
        rows.write().format("noop").mode("overwrite").save();
    }
  }

  /**
   * The plan has the key's number and no key, so that a key in a recording is a leak. Its task
   * has peers, beside which it is slow.
   */
  private static Dataset<Row> hot(String program, String number, SparkSession spark) {
    spark.conf().set("spark.sql.adaptive.coalescePartitions.enabled", false);
    spark.conf().set("spark.sql.shuffle.partitions", 2 * PARTITIONS);
    String key = "'" + program + "-key-' || CASE WHEN id % 5 > 0 THEN " + number + " ELSE id % " + KEYS + " END";
    Dataset<Row> rows = spark.range(HOT_ROWS).select(functions.expr(key).as("key"), functions.col("id"));
    Dataset<Row> few = spark.range(KEYS).select(functions.expr("'" + program + "-key-' || id").as("key"), functions.col("id").as("few"));
    return rows.join(few, "key").selectExpr("id + few");
  }

  private static Dataset<Row> sql(String program, SparkSession spark) {
    Dataset<Row> rows = spark.range(ROWS).select(functions.expr("'" + program + "-key-' || (id % " + KEYS + ")").as("key"), functions.col("id"));
    if (!program.equals("sqljoin")) {
      return rows.groupBy("key").agg(functions.sum("id").as("sum")).selectExpr("key", "weigh(key, sum)");
    }
    Dataset<Row> few = spark.range(KEYS).select(functions.expr("'" + program + "-key-' || id").as("key"), functions.col("id").as("few"));
    return rows.join(few, "key").selectExpr("key", "CASE WHEN id = few THEN weigh(key, id) ELSE id END");
  }
}

package io.planflame.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import scala.Tuple2;

/**
 * PerfDebug's programs (SoCC'19, section 5.5), each over a file of lines "key,value,note", one note
 * of which makes its record slow.
 *
 * <p>Arguments: PROGRAM,INPUT,HOW,MILLIS,FILE each. PROGRAM is movies, students, weather, steady or
 * grouped. All records of steady take 3 ms. A task of grouped prepares itself for a second at its
 * first record, and then sends 20,000 records at once. INPUT is rdd, csv or parquet. HOW is sleep
 * or burn; a record that burns takes MILLIS of CPU. The folder FILE.parquet is made if it is not
 * there.
 */
public final class Programs {
  private static final String SLOW = "canary-"; // how the note begins

  private Programs() {}

  public static void main(String[] args) throws Exception {
    SparkSession spark = SparkSession.builder().appName("slow records").getOrCreate();
    for (String arg : args) {
      String[] words = arg.split(",", 5);
      long millis = Long.parseLong(words[3]);
      if (words[0].equals("steady")) {
        new JavaSparkContext(spark.sparkContext()).textFile(words[4], 16).foreach(line -> Thread.sleep(3));
      } else if (words[0].equals("grouped")) {
        new JavaSparkContext(spark.sparkContext()).textFile(words[4], 2).foreachPartition(Programs::send);
      } else if (words[1].equals("rdd")) {
        rdd(words[0], lines(spark, words[4], words[2], millis));
      } else {
        spark.udf().register("weigh", (UDF1<String, Integer>) note -> weigh(note, words[2], millis), DataTypes.IntegerType);
        sql(words[0], rows(spark, words[1], words[4]).where("weigh(note) > 0"));
      }
    }
    spark.stop();
  }

  private static void send(Iterator<String> lines) throws InterruptedException {
    for (int n = 0; lines.hasNext(); n++) {
      lines.next();
      if (n == 0) {
        Thread.sleep(1000);
      } else if (n % 20_000 == 0) {
        Thread.sleep(400);
      }
    }
  }

  private static int weigh(String note, String how, long millis) throws InterruptedException {
    if (!note.startsWith(SLOW)) {
      return 1;
    }
    if (how.equals("sleep")) {
      Thread.sleep(millis);
      return 2;
    }
    int sum = 3;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (long end = threads.getCurrentThreadCpuTime() + millis * 1_000_000; threads.getCurrentThreadCpuTime() < end;) {
      for (int i = 0; i < 100_000; i++) {
        sum = sum * 31 | 1;
      }
    }
    return Math.max(sum, 1);
  }

  private static JavaPairRDD<String, Double> lines(SparkSession spark, String file, String how, long millis) {
    JavaRDD<String> lines = new JavaSparkContext(spark.sparkContext()).textFile(file, 2);
    return lines.mapToPair(line -> {
      String[] words = line.split(",");
      return new Tuple2<>(words[0], Double.parseDouble(words[1]) * Math.min(weigh(words[2], how, millis), 1));
    });
  }

  private static void rdd(String program, JavaPairRDD<String, Double> pairs) {
    switch (program) {
      case "movies": // the mean of each key, then a histogram
        pairs.mapValues(v -> new Tuple2<>(v, 1L)).reduceByKey((a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()))
            .mapToPair(p -> new Tuple2<>(Math.round(p._2()._1() / p._2()._2()), 1L)).reduceByKey(Long::sum).count();
        break;
      case "students": // all values of each key
        pairs.groupByKey().mapValues(values -> {
          double sum = 0;
          for (double v : values) {
            sum += v;
          }
          return sum;
        }).count();
        break;
      default: // two keys a line, and the range of each
        pairs.flatMapToPair(p -> Arrays.asList(p, new Tuple2<>("all " + p._1().charAt(1), p._2())).iterator())
            .aggregateByKey(new Tuple2<>(Double.MAX_VALUE, -Double.MAX_VALUE), (r, v) -> new Tuple2<>(Math.min(r._1(), v), Math.max(r._2(), v)),
                (a, b) -> new Tuple2<>(Math.min(a._1(), b._1()), Math.max(a._2(), b._2())))
            .count();
    }
  }

  private static Dataset<Row> rows(SparkSession spark, String input, String file) {
    Dataset<Row> csv = spark.read().schema("key STRING, value DOUBLE, note STRING").csv(file);
    if (input.equals("csv")) {
      return csv;
    }
    String folder = file + ".parquet";
    if (!Files.exists(Paths.get(folder))) {
      csv.coalesce(1).write().parquet(folder);
    }
    return spark.read().parquet(folder);
  }

  private static void sql(String program, Dataset<Row> rows) {
    Dataset<Row> out;
    switch (program) {
      case "movies":
        out = rows.groupBy("key").agg(functions.avg("value").as("mean")).groupBy(functions.round(functions.col("mean"))).count();
        break;
      case "students":
        out = rows.groupBy("key").agg(functions.collect_list("value").as("all"));
        break;
      default:
        out = rows.select(functions.explode(functions.expr("array(key, 'all ' || substr(key, 2, 1))")).as("key"), functions.col("value"))
            .groupBy("key").agg(functions.max("value").minus(functions.min("value")));
    }
    out.write().format("noop").mode("overwrite").save();
  }
}

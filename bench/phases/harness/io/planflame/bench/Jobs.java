package io.planflame.bench;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphLoader;
import org.apache.spark.mllib.classification.NaiveBayes;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The six jobs of SimProf's Spark benchmarks, each under a description of its own.
 *
 * <p>Arguments: a file of text, one of edges, and how often to run all. Lines are a label, then
 * words; a word ends in its number.
 */
public final class Jobs {
  private static final Pattern WANTED = Pattern.compile("w1\\d*7 .*w\\d*99\\b");
  private static final int FEATURES = 64;
  private static final int ITERATIONS = 5;

  private Jobs() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().appName("planflame RDD jobs").getOrCreate();
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    for (int pass = 0; pass < Integer.parseInt(args[2]); pass++) {
      JavaRDD<String> lines = context.textFile(args[0], 2);

      context.setJobDescription("sort");
      lines.mapToPair(line -> new Tuple2<>(line.substring(2), line)).sortByKey().foreach(pair -> {});

      context.setJobDescription("wordcount");
      lines.flatMap(line -> Arrays.asList(line.split(" ")).iterator()).mapToPair(word -> new Tuple2<>(word, 1L)).reduceByKey(Long::sum).count();

      context.setJobDescription("grep");
      lines.filter(line -> WANTED.matcher(line).find()).count();

      context.setJobDescription("bayes");
      NaiveBayes.train(lines.map(Jobs::point).rdd());

      context.setJobDescription("components");
      graph(context, args[1]).ops().connectedComponents().vertices().count();

      context.setJobDescription("pagerank");
      graph(context, args[1]).ops().staticPageRank(ITERATIONS, 0.15).vertices().count();
    }
    spark.stop();
  }

  private static Graph<Object, Object> graph(JavaSparkContext context, String edges) {
    return GraphLoader.edgeListFile(context.sc(), edges, false, 2, StorageLevel.MEMORY_ONLY(), StorageLevel.MEMORY_ONLY());
  }

  /** How often words of each kind stand in a line. */
  private static LabeledPoint point(String line) {
    String[] words = line.split(" ");
    double[] counts = new double[FEATURES];
    Stream.of(words).skip(1).forEach(word -> counts[Integer.parseInt(word.substring(1)) % FEATURES]++);
    return new LabeledPoint(Double.parseDouble(words[0]), Vectors.dense(counts));
  }
}

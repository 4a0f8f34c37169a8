import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Reads a folder of text files as RDDs and is slow at some lines: Records PROGRAM FOLDER SLOW HOW
 * MILLIS.
 *
 * PROGRAM is movies (count by word), students (average by key) or weather (largest difference by
 * key). At lines that begin with SLOW it sleeps (HOW sleep) or computes (HOW burn) for MILLIS. It
 * prints the result.
 */
public final class Records {
  private Records() {}

  /** Is slow if the line is. */
  static String parse(String line, String slow, String how, long millis) {
    if (line.startsWith(slow)) {
      try {
        if (how.equals("sleep")) {
          Thread.sleep(millis);
        } else {
          burn(millis);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return line;
  }

  static void burn(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    CRC32 sum = new CRC32();
    while (System.nanoTime() < until) {
      sum.update(new byte[4096]);
    }
  }

  public static void main(String[] args) {
    String slow = args[2];
    String how = args[3];
    long millis = Long.parseLong(args[4]);
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("records"))) {
      JavaRDD<String> lines = spark.textFile(args[1]).map(line -> parse(line, slow, how, millis));
      List<?> result;
      switch (args[0]) {
        case "movies":
          result = lines.flatMap(line -> Arrays.asList(line.split(",")).iterator()).mapToPair(word -> new Tuple2<>(word.length(), 1L)).reduceByKey(Long::sum).collect();
          break;
        case "students":
          result = lines.mapToPair(line -> new Tuple2<>(line.charAt(0), (long) line.length())).groupByKey(4).mapValues(all -> {
            long sum = 0;
            long n = 0;
            for (long one : all) {
              sum += one;
              n++;
            }
            return sum / n;
          }).collect();
          break;
        case "weather":
          result = lines.mapToPair(line -> new Tuple2<>(line.charAt(1), new Tuple2<>((long) line.hashCode(), (long) line.hashCode())))
              .reduceByKey((a, b) -> new Tuple2<>(Math.min(a._1(), b._1()), Math.max(a._2(), b._2()))).mapValues(both -> both._2() - both._1()).collect();
          break;
        default:
          throw new IllegalArgumentException("no program " + args[0]);
      }
      System.out.println(result);
    }
  }
}

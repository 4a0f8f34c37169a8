package io.planflame.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * PerfDebug's case studies (SoCC'19, section 6), each twice as its user mended it and then as it
 * was: CASE SEED FOLDER OUT.
 *
 * <ul>
 *   <li>taxi: where 1,001 trips of one file begin is looked up in a polygon of 20,004 points.
 *       Mended, the polygon has 100.
 *   <li>weather: two rows of five have the same key, and groupByKey brings them to one task.
 *       Mended, aggregateByKey adds rows up before that.
 *   <li>movies: a row has as many ratings as all others. Mended, it is left out.
 * </ul>
 *
 * <p>FOLDER gets the files, of which each is a partition. OUT gets lines "wall,SECONDS", one a run,
 * and "slow,FIRST,LAST": the records of their file that make their task slow.
 */
public final class Cases {
  private static final int FILES = 16;
  private static final int LINES = 10_000; // of a file
  private static final int POINTS = 20_004; // of the polygon
  private static final int TRIPS = 1_001; // that it concerns
  private static final int READINGS = 25; // of a line
  private static final int RATINGS = 2_000_000; // of the giant row

  private Cases() {}

  public static void main(String[] args) throws IOException {
    Random random = new Random(Long.parseLong(args[1]));
    Path folder = Files.createDirectories(Paths.get(args[2]));
    int slow = 1 + random.nextInt(LINES - TRIPS); // from 1
    int slowFile = random.nextInt(FILES);
    for (int file = 0; file < FILES; file++) {
      write(folder.resolve("part-" + (10_000 + file)), args[0], random, file == slowFile ? slow : -1);
    }
    List<String> out = new ArrayList<>();
    try (JavaSparkContext spark = new JavaSparkContext()) {
      for (int run = 0; run < 3; run++) {
        long began = System.nanoTime();
        run(args[0], spark.textFile(folder.toString(), 1), run < 2);
        out.add("wall," + (System.nanoTime() - began) / 1e9);
      }
    }
    out.add("slow," + slow + "," + (args[0].equals("taxi") ? slow + TRIPS - 1 : slow));
    Files.write(Paths.get(args[3]), out);
  }

  private static void write(Path file, String name, Random random, int slow) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int line = 1; line <= LINES; line++) {
        boolean isSlow = slow > 0 && line >= slow && line < slow + TRIPS;
        switch (name) {
          case "taxi":
            out.write((isSlow ? 7 : random.nextInt(7)) + "," + random.nextFloat() + "," + random.nextFloat());
            break;
          case "weather":
            out.write((random.nextInt(5) < 2 ? "none" : "station-" + random.nextInt(2000)) + "," + random.nextInt(400));
            break;
          default:
            ratings(out, random, line == slow ? RATINGS : 1 + random.nextInt(20));
        }
        out.newLine();
      }
    }
  }

  private static void ratings(BufferedWriter out, Random random, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      out.write('1' + random.nextInt(5));
    }
  }

  private static void run(String name, JavaRDD<String> lines, boolean isMended) {
    switch (name) {
      case "taxi":
        lines.filter(line -> isNear(line, line.charAt(0) == '7' && !isMended ? POINTS : 100)).count();
        break;
      case "weather":
        JavaPairRDD<String, Integer> readings = lines.flatMapToPair(Cases::readings);
        if (isMended) {
          readings.aggregateByKey(0L, FILES, (sum, snow) -> sum + weigh(snow), Long::sum).count();
        } else {
          readings.groupByKey(FILES).mapValues(Cases::sum).count();
        }
        break;
      default:
        lines.filter(line -> !isMended || line.length() < 1000).map(Cases::weight).filter(weight -> weight > 0).count();
    }
  }

  /** Reports whether a trip begins near a polygon, by the distance to each of its points. */
  private static boolean isNear(String trip, int points) {
    String[] words = trip.split(",");
    double x = Double.parseDouble(words[1]);
    double y = Double.parseDouble(words[2]);
    double least = Double.MAX_VALUE;
    for (int i = 0; i < points; i++) {
      double angle = 2 * Math.PI * i / points;
      double dx = Math.sin((Math.cos(angle) - x) / 2);
      double dy = Math.sin((Math.sin(angle) - y) / 2);
      least = Math.min(least, 2 * Math.asin(Math.sqrt(dx * dx + Math.cos(x) * Math.cos(y) * dy * dy)));
    }
    return least < 0.5;
  }

  private static java.util.Iterator<Tuple2<String, Integer>> readings(String line) {
    String[] words = line.split(",");
    List<Tuple2<String, Integer>> out = new ArrayList<>();
    for (int hour = 0; hour < READINGS; hour++) {
      out.add(new Tuple2<>(words[0], Integer.parseInt(words[1]) + hour));
    }
    return out.iterator();
  }

  private static long sum(Iterable<Integer> readings) {
    long sum = 0;
    for (int snow : readings) {
      sum += weigh(snow);
    }
    return sum;
  }

  private static long weigh(int snow) {
    return Math.round(100 * Math.log1p(snow));
  }

  private static double weight(String ratings) {
    double weight = 0;
    for (int i = 0; i < ratings.length(); i++) {
      for (int k = 1; k <= 30; k++) {
        weight += Math.pow(ratings.charAt(i) - '0', k / 20.0) / Math.log(k + 1);
      }
    }
    return weight;
  }
}

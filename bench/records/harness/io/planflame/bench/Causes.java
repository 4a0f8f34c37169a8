package io.planflame.bench;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import scala.Tuple2;

/**
 * Runs the same stage again and again, of which one task has a reason to be slow: CAUSE TRIALS SEED
 * OUT. CAUSE is data, computation, gc, wait or host. The first stage has none, since the JVM is
 * cold.
 *
 * <p>OUT gets a line "stage,partition" for each trial: the task that was made slow. It runs in
 * local mode, so tasks and main share the JVM.
 */
public final class Causes {
  private static final int PARTITIONS = 16;
  private static final int SOURCES = 4; // partitions that write the shuffle
  private static final int ROWS = 10_000; // of a partition
  private static final int KEYS = 100; // of a partition
  private static final int HOT_ROWS = 10 * ROWS; // more, of a hot key
  private static final long EXCESS_NANOS = 3_000_000_000L;
  private static final int LIVE = 4_000_000; // arrays of 48 bytes
  private static final int BURNERS = 16; // processes
  private static final int NONE = -1;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static volatile String slowed; // by the trial that runs

  private Causes() {}

  public static void main(String[] args) throws Exception {
    String cause = args[0];
    Random random = new Random(Long.parseLong(args[2]));
    List<String> out = new ArrayList<>();
    try (JavaSparkContext spark = new JavaSparkContext()) {
      trial(spark, cause, NONE);
      for (int i = Integer.parseInt(args[1]); i > 0; i--) {
        slowed = null;
        trial(spark, cause, random.nextInt(PARTITIONS * ROWS));
        out.add(slowed);
      }
    }
    Files.write(Paths.get(args[3]), out);
  }

  /** A stage of tasks that each work on as many rows. The slow row is the cause's, or NONE. */
  private static void trial(JavaSparkContext spark, String cause, int slow) {
    int hot = cause.equals("data") && slow != NONE ? HOT_ROWS / SOURCES : 0;
    PairFlatMapFunction<Integer, Integer, Integer> rows = source -> {
      List<Tuple2<Integer, Integer>> out = new ArrayList<>();
      for (int row = source; row < PARTITIONS * ROWS; row += SOURCES) {
        out.add(new Tuple2<>(keyOf(row), row));
      }
      for (int i = 0; i < hot; i++) {
        out.add(new Tuple2<>(keyOf(slow), NONE));
      }
      return out.iterator();
    };
    JavaPairRDD<Integer, Iterable<Integer>> groups = spark.parallelize(Arrays.asList(0, 1, 2, 3), SOURCES).flatMapToPair(rows).groupByKey(PARTITIONS);
    groups.foreachPartition(partition -> {
      boolean isSlow = slow != NONE && TaskContext.getPartitionId() == keyOf(slow) % PARTITIONS;
      if (isSlow) {
        slowed = TaskContext.get().stageId() + "," + TaskContext.getPartitionId();
      }
      List<Process> beside = isSlow && cause.equals("host") ? burners() : new ArrayList<>();
      try {
        work(partition, cause, slow);
      } finally {
        beside.forEach(Process::destroyForcibly);
      }
    });
  }

  /** Rows lie round-robin in keys, and keys in partitions. */
  private static int keyOf(int row) {
    return row % (PARTITIONS * KEYS);
  }

  private static void work(Iterator<Tuple2<Integer, Iterable<Integer>>> partition, String cause, int slow) throws InterruptedException {
    long sum = 0;
    while (partition.hasNext()) {
      for (int row : partition.next()._2()) {
        sum += burn(40_000);
        if (row == slow && slow != NONE) {
          sum += slowRow(cause);
        }
      }
    }
    if (sum == 7) {
      throw new IllegalStateException("a sum of odd numbers that no one else reads");
    }
  }

  private static long slowRow(String cause) throws InterruptedException {
    long sum = 0;
    switch (cause) {
      case "computation":
        for (long end = THREADS.getCurrentThreadCpuTime() + EXCESS_NANOS; THREADS.getCurrentThreadCpuTime() < end;) {
          sum += burn(100_000);
        }
        break;
      case "wait":
        Thread.sleep(EXCESS_NANOS / 1_000_000);
        break;
      case "gc":
        sum = allocate();
        break;
      default: // the partition has the cause
    }
    return sum;
  }

  /** Some 50 µs for 40,000. */
  private static long burn(int times) {
    long sum = 3;
    for (int i = 0; i < times; i++) {
      sum = sum * 31 | 1;
    }
    return sum;
  }

  /** Replaces the oldest of many live objects by new ones, until the collectors have taken long. */
  private static long allocate() {
    Object[] live = new Object[LIVE];
    long end = collected() + EXCESS_NANOS / 1_000_000;
    for (int i = 0; i % 4096 != 0 || collected() < end; i = (i + 1) % LIVE) {
      live[i] = new int[8];
    }
    return live.length;
  }

  private static long collected() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(collector.getCollectionTime(), 0);
    }
    return millis;
  }

  private static List<Process> burners() throws java.io.IOException {
    List<Process> out = new ArrayList<>();
    for (int i = 0; i < BURNERS; i++) {
      out.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
    }
    return out;
  }
}

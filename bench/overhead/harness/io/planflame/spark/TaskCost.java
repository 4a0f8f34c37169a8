package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Properties;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.executor.TaskMetrics;

/**
 * What planflame does at a task's start and end, in a loop on one thread, with the real plugin,
 * agent and Spark classes and no work between. Argument: path of the agent's library.
 *
 * <p>Says "pid N", then reads commands, a line each, and answers with nanoseconds of the thread's
 * CPU for one task, median over rounds. "nothing" is the loop alone, "tags" what the plugin does. A
 * reader decides which of the tasks are selected for detail. "cold-nothing" and "cold-tags" measure
 * each task by the clock on the wall, after the caches were filled with something else: a task of
 * some milliseconds does that.
 */
public final class TaskCost {
  private static final int STAGES = 20;
  private static final int PARTITIONS = 200;
  private static final int ROUNDS = 41;
  private static final int COLD_TASKS = 1_000;
  private static final byte[] OTHER_DATA = new byte[4 << 20];

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static long sink;

  private TaskCost() {}

  private interface Round {
    /** Runs every task once. */
    void run(TaskContext[] tasks);
  }

  public static void main(String[] args) throws Exception {
    String refusal = NativeLoader.load(args[0]);
    if (refusal == null) {
      refusal = NativeAgent.start("");
    }
    if (refusal != null) {
      throw new IllegalStateException(refusal);
    }
    TaskContext[] tasks = new TaskContext[STAGES * PARTITIONS];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = task(i / PARTITIONS, i % PARTITIONS, i);
    }
    System.out.println("pid " + ProcessHandle.current().pid());
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String command; (command = commands.readLine()) != null; ) {
      System.out.println(command + " " + measure(command, tasks));
    }
    if (sink == 1) {
      System.out.println(sink);
    }
  }

  private static long measure(String command, TaskContext[] tasks) {
    switch (command) {
      case "nothing":
        return warm(tasks, all -> loop(all, null));
      case "tags":
        return warm(tasks, all -> loop(all, tags()));
      case "cold-nothing":
        return cold(tasks, null);
      case "cold-tags":
        return cold(tasks, tags());
      default:
        throw new IllegalArgumentException(command);
    }
  }

  private static TaskTags tags() {
    return new TaskTags(new StageDesk(), new RowDesk(), null, () -> "local-1");
  }

  private static void loop(TaskContext[] tasks, TaskTags tags) {
    for (TaskContext task : tasks) {
      one(task, tags);
    }
  }

  /** As Spark does: the context is gone when the plugin is told of the end. */
  private static void one(TaskContext task, TaskTags tags) {
    TaskContext$.MODULE$.setTaskContext(task);
    if (tags != null) {
      tags.start();
    }
    TaskContext$.MODULE$.unset();
    if (tags != null) {
      tags.end(false);
    }
  }

  private static long warm(TaskContext[] tasks, Round round) {
    long[] nanos = new long[ROUNDS];
    for (int i = -ROUNDS / 2; i < ROUNDS; i++) { // the first warm the code up
      long began = CLOCK.getCurrentThreadCpuTime();
      round.run(tasks);
      if (i >= 0) {
        nanos[i] = (CLOCK.getCurrentThreadCpuTime() - began) / tasks.length;
      }
    }
    Arrays.sort(nanos);
    return nanos[ROUNDS / 2];
  }

  private static long cold(TaskContext[] tasks, TaskTags tags) {
    long[] nanos = new long[COLD_TASKS];
    for (int i = 0; i < COLD_TASKS; i++) {
      for (int at = 0; at < OTHER_DATA.length; at += 64) {
        sink += OTHER_DATA[at]++;
      }
      long began = System.nanoTime();
      one(tasks[i], tags);
      nanos[i] = System.nanoTime() - began;
    }
    Arrays.sort(nanos);
    return nanos[COLD_TASKS / 2];
  }

  /** A real TaskContextImpl, whose constructor has other types at its end in each line of Spark. */
  private static TaskContext task(int stage, int partition, long attempt) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName("org.apache.spark.TaskContextImpl").getConstructors()[0];
    Properties properties = new Properties();
    properties.setProperty("spark.sql.execution.id", "17");
    Object[] leading = {stage, 0, partition, attempt, 0, PARTITIONS};
    Class<?>[] types = constructor.getParameterTypes();
    Object[] values = Arrays.copyOf(leading, types.length);
    for (int i = leading.length; i < types.length; i++) {
      if (types[i] == Properties.class) {
        values[i] = properties;
      } else if (types[i] == TaskMetrics.class) {
        values[i] = new TaskMetrics();
      } else if (types[i] == int.class) {
        values[i] = 1;
      }
    }
    return (TaskContext) constructor.newInstance(values);
  }
}

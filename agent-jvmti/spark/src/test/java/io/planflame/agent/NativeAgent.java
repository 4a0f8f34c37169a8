package io.planflame.agent;

import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agent's double for tests: the same signatures as the native one, every call kept as a line
 * and, with the system property planflame.record, written to a file. It hides the real class
 * because test classes come first on the class path.
 */
public final class NativeAgent {
  public static final int WORK_CLASSES = 1;
  public static final int WORK_REPLAY = 2;
  public static final int WORK_OFF = 4;
  public static final int TASK_FAILED = 2;

  public static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());
  private static final Map<ClassLoader, Long> LOADERS = new IdentityHashMap<>();
  private static Writer file;
  private static int work;

  /** Whether a reader is there. */
  public static volatile boolean sampling = true;

  /** Whether the log has room for rows and ends. */
  public static volatile boolean room = true;

  /** What dwell throws; null: nothing. */
  public static volatile Error failure;

  private NativeAgent() {}

  private static synchronized void record(String call) {
    CALLS.add(call);
    String path = System.getProperty("planflame.record");
    if (path == null) {
      return;
    }
    try {
      if (file == null) {
        file = new FileWriter(path, true);
      }
      file.write(call.replace("\n", "\\n") + "\n");
      file.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As at the start of a test. */
  public static void reset() {
    CALLS.clear();
    sampling = true;
    room = true;
    failure = null;
  }

  /** What awaitWork returns next. */
  public static synchronized void give(int bits) {
    work |= bits;
    NativeAgent.class.notifyAll();
  }

  public static String start(String options) {
    record("start " + options);
    return null;
  }

  public static void taskStart(long task, int stage, int attempt, int partition, int partitions, int number, long execution, int flags, double pi) {
    record("taskStart " + task + " " + stage + " " + attempt + " " + partition + " " + partitions + " " + number + " " + execution + " " + flags + " " + pi);
  }

  public static void taskEnd(
      long task, int stage, int attempt, int partition, int partitions, int number, long execution, int flags, double pi,
      long cpu, long deserialize, long gc) {
    record("taskEnd " + task + " " + stage + " " + attempt + " " + partition + " " + partitions + " " + number + " " + execution + " " + flags + " " + pi
        + " " + cpu + " " + deserialize + " " + gc);
  }

  public static synchronized long loaderId(ClassLoader loader) {
    return loader == null ? 0 : LOADERS.computeIfAbsent(loader, l -> (long) LOADERS.size() + 1);
  }

  public static boolean source(long loader, byte[] name, byte[] body, byte[] comments) {
    record("source " + loader + " " + text(name) + " " + body.length + " " + text(comments));
    return true;
  }

  public static boolean dictionary(long execution, int update, byte[] json) {
    record("dictionary " + execution + " " + update + " " + text(json));
    return true;
  }

  public static boolean stage(int stage, int attempt, long execution, long[] accumulators) {
    record("stage " + stage + " " + attempt + " " + execution + " " + Arrays.toString(accumulators));
    return true;
  }

  public static boolean stageInfo(int stage, byte[] json) {
    record("stageInfo " + stage + " " + text(json));
    return room;
  }

  public static boolean rows(int stage, int attempt, long execution, int tasks, long[] accumulated) {
    record("rows " + stage + " " + attempt + " " + execution + " " + tasks + " " + Arrays.toString(accumulated));
    return room;
  }

  public static boolean executionEnd(long execution, boolean failed, long nanos) {
    record("executionEnd " + execution + " " + failed + " " + nanos);
    return room;
  }

  public static void droppedRows(long tasks) {
    record("droppedRows " + tasks);
  }

  public static boolean application(byte[] json) {
    record("application " + text(json));
    return true;
  }

  public static boolean times(byte[] json) {
    record("times " + text(json));
    return room;
  }

  public static boolean dwell(byte[] json) {
    Error error = failure;
    if (error != null) {
      throw error;
    }
    record("dwell " + text(json));
    return room;
  }

  public static int threadId() {
    return 4711;
  }

  public static void applicationId(byte[] id) {
    record("applicationId " + text(id));
  }

  public static void dropped(long sources, long dictionaries) {
    record("dropped " + sources + " " + dictionaries);
  }

  public static int awaitWork(long timeoutMillis) {
    synchronized (NativeAgent.class) {
      try {
        if (work == 0) {
          NativeAgent.class.wait(timeoutMillis);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      int out = work | (System.getProperty("planflame.record") != null ? WORK_CLASSES : 0);
      work = 0;
      return out;
    }
  }

  public static void replayDone() {
    record("replayDone");
  }

  public static boolean sampling() {
    return sampling;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}

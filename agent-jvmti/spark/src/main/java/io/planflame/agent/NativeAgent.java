package io.planflame.agent;

/**
 * The native agent, as Java sees it. The library is loaded with {@link System#load} by whoever uses
 * this class; where the JVM was started with -agentpath the same file is loaded and the same agent
 * found.
 *
 * <p>No method throws, blocks on a reader, or allocates on the Java heap unless it says so. All are
 * safe from any thread. Before {@link #start} succeeded, and after the agent switched itself off,
 * every call is a no-op that returns the value stated as "off".
 */
public final class NativeAgent {
  /** {@link #awaitWork}: a generated class was prepared since the last call. */
  public static final int WORK_CLASSES = 1;

  /**
   * {@link #awaitWork}: a new reader asks for everything again: application, live sources,
   * dictionaries, stages, ends of executions, times.
   */
  public static final int WORK_REPLAY = 2;

  /** {@link #awaitWork}: the agent is off for good; the caller should end its thread. */
  public static final int WORK_OFF = 4;

  /** {@link #taskEnd}: the task failed or was killed. */
  public static final int TASK_FAILED = 2;

  private NativeAgent() {}

  /**
   * Starts the agent unless it runs already.
   *
   * @param options comma-separated key=value: {@code log_mib}, {@code code} (0 for a JVM without
   *     tasks); an unknown key or a value out of range is an error
   * @return null when the agent runs, else one line saying why it is off
   */
  public static native String start(String options);

  /**
   * Tells the application's id (UTF-8), which keys the selection of tasks: before the first task
   * starts. The latest call counts.
   */
  public static native void applicationId(byte[] id);

  /**
   * Task start, called on the task's thread; see FORMAT.md for the arguments. executionId is -1
   * outside SQL. Where a reader asked for a detail rate, the agent itself selects the task or not,
   * and replaces the inclusion probability.
   */
  public static native void taskStart(
      long taskAttemptId, int stageId, int stageAttempt, int partition, int partitions,
      int attemptNumber, long executionId, int flags, double inclusionProbability);

  /** Task end, called on the task's thread. */
  public static native void taskEnd(
      long taskAttemptId, int stageId, int stageAttempt, int partition, int partitions,
      int attemptNumber, long executionId, int flags, double inclusionProbability,
      long executorCpuNanos, long executorDeserializeCpuNanos, long gcMillis);

  /**
   * The agent's number for a class loader: the same that METHOD records carry. 0 for the bootstrap
   * loader (null) and when off.
   */
  public static native long loaderId(ClassLoader loader);

  /**
   * Writes a SOURCE record. Strings are UTF-8. False: dropped and counted, or off. Not for task
   * threads.
   */
  public static native boolean source(long loaderId, byte[] className, byte[] body, byte[] commentsJson);

  /** Writes a DICTIONARY record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean dictionary(long executionId, int update, byte[] json);

  /** Writes a STAGE record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean stage(int stageId, int stageAttempt, long executionId, long[] accumulatorIds);

  /**
   * Writes a ROWS record. False: dropped and counted, or off. Not for task threads.
   *
   * @param accumulated accumulator id and sum, alternately; ids ascend
   */
  public static native boolean rows(int stageId, int stageAttempt, long executionId, int tasks, long[] accumulated);

  /** Writes an EXECUTION_END record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean executionEnd(long executionId, boolean failed, long endUnixNanos);

  /** Writes a TIMES record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean times(byte[] json);

  /** Writes a DWELL record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean dwell(byte[] json);

  /** The kernel's number of the calling thread, in the JVM's own pid namespace. */
  public static native int threadId();

  /** Writes a STAGE_INFO record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean stageInfo(int stageId, byte[] json);

  /** Writes an APPLICATION record. False: dropped and counted, or off. Not for task threads. */
  public static native boolean application(byte[] json);

  /** Adds to the log's counters of sources and dictionaries that could not be had. */
  public static native void dropped(long sources, long dictionaries);

  /** Adds to the log's counter of tasks whose rows, or some of them, are in no ROWS record. */
  public static native void droppedRows(long tasks);

  /**
   * Waits until there is work for the plugin's poller or the time is over. Called by that one
   * background thread only.
   *
   * @return a set of WORK_ bits, 0 when the time was over
   */
  public static native int awaitWork(long timeoutMillis);

  /** Tells the agent that the poller has written again all that WORK_REPLAY asked for. */
  public static native void replayDone();

  /** True while a reader holds the lease and sampling is on. Off: false. */
  public static native boolean sampling();
}

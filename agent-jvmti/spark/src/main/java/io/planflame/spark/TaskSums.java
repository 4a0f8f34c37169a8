package io.planflame.spark;

import org.apache.spark.executor.TaskMetrics;

/** The metrics of a task that are added up, in Spark's own units. */
final class TaskSums {
  /** The keys in a stage's TIMES record, one for each value of {@link #of}. */
  static final String[] KEYS = {
    "run_ms", "cpu_ns", "deserialize_ms", "deserialize_cpu_ns", "gc_ms", "serialize_ms", "fetch_wait_ms", "shuffle_write_ns",
    "memory_spilled_bytes", "disk_spilled_bytes", "input_bytes", "input_rows", "output_bytes", "output_rows",
    "shuffle_read_bytes", "shuffle_read_rows", "shuffle_write_bytes", "shuffle_write_rows",
  };

  // Indices.
  static final int RUN = 0;
  static final int CPU = 1;
  static final int DESERIALIZE_CPU = 3;

  private TaskSums() {}

  static long[] of(TaskMetrics m) {
    return new long[] {
      m.executorRunTime(), m.executorCpuTime(), m.executorDeserializeTime(), m.executorDeserializeCpuTime(), m.jvmGCTime(),
      m.resultSerializationTime(), m.shuffleReadMetrics().fetchWaitTime(), m.shuffleWriteMetrics().writeTime(),
      m.memoryBytesSpilled(), m.diskBytesSpilled(), m.inputMetrics().bytesRead(), m.inputMetrics().recordsRead(),
      m.outputMetrics().bytesWritten(), m.outputMetrics().recordsWritten(),
      m.shuffleReadMetrics().totalBytesRead(), m.shuffleReadMetrics().recordsRead(),
      m.shuffleWriteMetrics().bytesWritten(), m.shuffleWriteMetrics().recordsWritten(),
    };
  }
}

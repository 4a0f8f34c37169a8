package io.planflame.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The figures of tasks that have ended and are in no record yet, oldest first. Bounded: a task
 * beyond it is left out. Not thread-safe.
 */
final class TaskFigures {
  static final int KEPT = 4096; // tasks; 1 MB
  static final int BATCH = 512; // tasks of one record; some 64 KiB

  /** The columns in front of {@link TaskSums#KEYS}. */
  private static final String[] COLUMNS = {
    "stage_id", "attempt", "task_id", "partition", "try", "succeeded", "launched_ms", "finished_ms", "operator_rows",
  };

  private static final class Row {
    final String host;
    final long[] values;
    final long[] sums;

    Row(String host, long[] values, long[] sums) {
      this.host = host;
      this.values = values;
      this.sums = sums;
    }
  }

  private final Deque<Row> waiting = new ArrayDeque<>();

  /**
   * A task has ended. Reports whether there is room for it.
   *
   * @param values one for each of the columns before the columns of {@link TaskSums}
   * @param sums of {@link TaskSums}, null where Spark has none
   */
  boolean add(String host, long[] values, long[] sums) {
    return waiting.size() < KEPT && waiting.add(new Row(host, values, sums == null ? new long[TaskSums.KEYS.length] : sums));
  }

  /** How many tasks wait for a record. */
  int size() {
    return waiting.size();
  }

  void clear() {
    waiting.clear();
  }

  /** The JSON of a TIMES record of the oldest tasks, {@link #BATCH} at most. They stay. */
  byte[] json(String applicationId) {
    List<String> hosts = new ArrayList<>();
    Json out = new Json().open('{')
        .key("version").value(1)
        .key("kind").value("tasks")
        .key("application_id").value(applicationId)
        .key("columns").open('[');
    for (String column : COLUMNS) {
      out.value(column);
    }
    out.value("host");
    for (String key : TaskSums.KEYS) {
      out.value(key);
    }
    out.close(']').key("tasks").open('[');
    int left = BATCH;
    for (Row row : waiting) {
      if (left-- == 0) {
        break;
      }
      int host = hosts.indexOf(row.host);
      if (host < 0) {
        host = hosts.size();
        hosts.add(row.host);
      }
      out.open('[');
      for (long value : row.values) {
        out.value(value);
      }
      out.value(host);
      for (long sum : row.sums) {
        out.value(sum);
      }
      out.close(']');
    }
    out.close(']').key("hosts").open('[');
    for (String host : hosts) {
      out.value(host);
    }
    return out.close(']').close('}').utf8();
  }

  /** The tasks of the last {@link #json} are written: they go. */
  void written() {
    for (int left = Math.min(BATCH, waiting.size()); left > 0; left--) {
      waiting.remove();
    }
  }
}

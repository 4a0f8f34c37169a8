package io.planflame.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What the driver's events say of one SQL execution. Not thread-safe. */
final class ExecutionTimes {
  private static final int LONGEST_NODE = 100;

  final long id;
  final SlotSweep.Execution slots = new SlotSweep.Execution();
  private final long root;
  private final long started;
  private final String rootNode;
  private long firstJob; // 0: it has none
  private int jobs;
  private long ended; // 0: it runs
  private boolean failed;
  private double held; // slot milliseconds of its stages, as the next
  private double idle;
  private long cpu; // of their tasks, in nanoseconds
  private String[] names = {"", "", ""}; // query, its name, plan
  private Map<String, long[]> phases;
  private byte[] json; // as it was written last

  ExecutionTimes(long id, long root, long started, String rootNode) {
    this.id = id;
    this.root = root;
    this.started = started;
    this.rootNode = rootNode.substring(0, Math.min(rootNode.length(), LONGEST_NODE));
  }

  void job(long at) {
    jobs++;
    firstJob = firstJob == 0 ? at : firstJob;
  }

  /** A stage of it is over, or a task of such a stage has ended since the last call. */
  void ran(StageTimes stage) {
    if (stage.tellSlots()) {
      held += stage.slots.held();
      idle += stage.slots.idle();
    }
    cpu += stage.tellCpu();
  }

  /** @param phases of QueryExecution.tracker: name → begin and end, in milliseconds */
  void ended(long at, boolean failed, Map<String, long[]> phases) {
    ended = at;
    this.failed = failed;
    this.phases = phases;
  }

  /** When it was over, 0 while it runs. */
  long ended() {
    return ended;
  }

  boolean isWritten() {
    return json != null;
  }

  /** When it was planned, and prepared its first job: begins and ends, in the order of time. */
  List<long[]> planning() {
    List<long[]> spans = new ArrayList<>();
    for (long[] phase : phases.values()) {
      spans.add(new long[] {phase[0], Math.min(phase[1], started)});
    }
    spans.sort(Comparator.comparingLong(span -> span[0]));
    spans.add(new long[] {started, firstJob == 0 ? ended : firstJob});
    return spans;
  }

  /** @param names the query's fingerprint, its name and its plan's fingerprint */
  byte[] json(String applicationId, String[] names) {
    if (json == null) {
      this.names = names;
      json = encode(applicationId);
    }
    return json;
  }

  /** The JSON as it was written. */
  byte[] json(String applicationId) {
    return json(applicationId, names);
  }

  private byte[] encode(String applicationId) {
    Json out = new Json().open('{')
        .key("version").value(1)
        .key("kind").value("execution")
        .key("application_id").value(applicationId)
        .key("execution_id").value(id)
        .key("root_id").value(root)
        .key("query").value(names[0])
        .key("query_name").value(names[1])
        .key("plan").value(names[2])
        .key("root_node").value(rootNode)
        .key("started_ms").value(started)
        .key("first_job_ms").value(firstJob)
        .key("ended_ms").value(ended)
        .key("failed").value(failed)
        .key("jobs").value(jobs)
        .key("task_free_ms").value(slots.taskFree())
        .key("held_us").value(Math.round(held * 1000))
        .key("idle_us").value(Math.round(idle * 1000))
        .key("cpu_ns").value(cpu);
    for (Map.Entry<String, long[]> phase : phases.entrySet()) {
      out.key(phase.getKey() + "_ms").value(phase.getValue()[1] - phase.getValue()[0]);
    }
    return out.close('}').utf8();
  }
}

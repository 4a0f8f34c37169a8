package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.TaskAccumulators;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.spark.executor.TaskMetrics;

/**
 * Learns which accumulators the tasks of a stage update. Task threads offer the metrics of the first tasks of a stage attempt and of
 * some spread over its partitions; the poller reads them until each of these tasks has ended, and writes a STAGE record whenever the
 * set has grown.
 */
final class StageDesk {
  private static final int FIRST_WITNESSES = 4; // the first tasks of a stage attempt
  private static final int SPREAD_WITNESSES = 16; // and so many over its partitions: a union runs other nodes in other partitions
  private static final int SLOTS = 1 << 12;
  private static final int QUEUE = 1024;
  private static final int KEPT_STAGES = 1024; // for replays; the oldest are forgotten

  /** A task whose metrics the poller reads. */
  static final class Witness {
    final int stageId;
    final int stageAttempt;
    final long executionId;
    final TaskMetrics metrics;
    private volatile boolean ended;

    Witness(int stageId, int stageAttempt, long executionId, TaskMetrics metrics) {
      this.stageId = stageId;
      this.stageAttempt = stageAttempt;
      this.executionId = executionId;
      this.metrics = metrics;
    }

    /** Called by the task's thread: the next reading is the last. */
    void ended() {
      ended = true;
    }
  }

  private static final class Stage {
    final int id;
    final int attempt;
    final long executionId;
    final Set<Long> accumulators = new TreeSet<>();
    int written = -1;

    Stage(int id, int attempt, long executionId) {
      this.id = id;
      this.attempt = attempt;
      this.executionId = executionId;
    }
  }

  /** What the desk tells about a stage whose accumulators it has read. */
  interface Observer {
    /** The tasks of {@code executionId} (≥ 0) update {@code accumulators}; called again when the set grows. */
    void stage(long executionId, Set<Long> accumulators);
  }

  // Per slot: stage id (high 32 bits), low 20 bits of the attempt, count of witnesses. Two stages in one slot only cost witnesses.
  private final AtomicLongArray offered = new AtomicLongArray(SLOTS);
  private final ArrayBlockingQueue<Witness> queue = new ArrayBlockingQueue<>(QUEUE);
  private final List<Witness> running = new ArrayList<>(); // poller only
  private final Map<Long, Stage> stages = // poller only
      new LinkedHashMap<Long, Stage>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Stage> eldest) {
          return size() > KEPT_STAGES;
        }
      };

  /** From a task's thread: a task starts. Returns its witness when it was taken, else null. Never blocks. */
  Witness offer(int stageId, int stageAttempt, int partition, int partitions, long executionId, TaskMetrics metrics) {
    int slot = (stageId * 31 + stageAttempt) & (SLOTS - 1);
    long key = ((long) (stageId + 1) << 32) | ((long) (stageAttempt & 0xfffff) << 12);
    long seen = offered.get(slot);
    long next = (seen & ~0xfffL) == key ? seen + 1 : key + 1;
    boolean first = (next & 0xfff) <= FIRST_WITNESSES && offered.compareAndSet(slot, seen, next);
    if (!first && partition % Math.max(1, partitions / SPREAD_WITNESSES) != 0) {
      return null;
    }
    Witness witness = new Witness(stageId, stageAttempt, executionId, metrics);
    return queue.offer(witness) ? witness : null;
  }

  /** From the poller: whether something can change soon. */
  boolean busy() {
    return !running.isEmpty() || !queue.isEmpty();
  }

  /** From the poller: reads the witnesses and writes the stages whose set has grown. A witness that cannot be read is let go. */
  void poll(Observer observer) {
    queue.drainTo(running);
    for (Iterator<Witness> it = running.iterator(); it.hasNext(); ) {
      boolean last = true;
      try {
        last = read(it.next(), observer);
      } catch (Throwable e) {
        Complaints.once("read the accumulators of a task", e);
      }
      if (last) {
        it.remove();
      }
    }
  }

  /** Returns whether this was the witness's last reading. */
  private boolean read(Witness witness, Observer observer) {
    boolean last = witness.ended; // before the reading, so that the last reading is complete
    long key = ((long) witness.stageId << 32) | (witness.stageAttempt & 0xffffffffL);
    Stage stage = stages.computeIfAbsent(key, k -> new Stage(witness.stageId, witness.stageAttempt, witness.executionId));
    TaskAccumulators.collect(witness.metrics, stage.accumulators);
    // An empty set is written only at the end: a task that has just started has updated nothing yet.
    if (stage.accumulators.size() > Math.max(stage.written, last ? -1 : 0)) {
      write(stage);
      if (stage.executionId >= 0) {
        observer.stage(stage.executionId, stage.accumulators);
      }
    }
    return last;
  }

  /** From the poller: writes everything again for a new reader. */
  void replay() {
    for (Stage stage : stages.values()) {
      if (stage.written >= 0) {
        write(stage);
      }
    }
  }

  private static void write(Stage stage) {
    long[] ids = new long[stage.accumulators.size()];
    int n = 0;
    for (long id : stage.accumulators) {
      ids[n++] = id;
    }
    NativeAgent.stage(stage.id, stage.attempt, stage.executionId, ids);
    stage.written = n;
  }
}

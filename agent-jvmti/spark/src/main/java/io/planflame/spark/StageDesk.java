package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.TaskAccumulators;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;
import org.apache.spark.executor.TaskMetrics;

/**
 * Learns which accumulators the tasks of a stage update. Task threads offer the metrics of the
 * first tasks of a stage attempt and of some spread over its partitions. The poller reads them in
 * turn until each of these tasks has ended, and writes a STAGE record whenever the set has grown.
 * Offering takes no lock and never waits; memory and the work of one poll are bounded, and a task
 * that finds no room is counted ({@link #refused}).
 */
final class StageDesk {
  private static final int FIRST_WITNESSES = 4; // the first tasks of a stage attempt
  private static final int SPREAD_WITNESSES = 16; // and so many over its partitions: a union runs other nodes in other partitions
  private static final int SLOTS = 1 << 12;
  static final int QUEUE = 1024; // witnesses that wait for the poller's first look
  private static final int RUNNING = 1024; // and those that it looks at in turn
  static final int READINGS = 64; // in one poll: some µs each
  private static final int MAX_QUIET = 4; // a running task is read at every sixteenth poll at least
  private static final int KEPT_STAGES = 1024; // for replays; the oldest are forgotten

  /** A task whose metrics the poller reads. */
  static final class Witness {
    final int stageId;
    final int stageAttempt;
    final long executionId;
    final TaskMetrics metrics;
    private volatile boolean ended;
    private int quiet; // readings that brought nothing, in a row, at most MAX_QUIET; poller only, like the next
    private int pause; // polls to leave it alone

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

    /**
     * Whether it is left alone this time: the longer nothing came of it the more seldom it is read,
     * but at its end at once.
     */
    private boolean rests() {
      return !ended && pause-- > 0;
    }

    private void wasRead(boolean news) {
      quiet = news ? 0 : Math.min(quiet + 1, MAX_QUIET);
      pause = (1 << quiet) - 1;
    }
  }

  private static final class Stage {
    final int id;
    final int attempt;
    final long executionId;
    final Set<Long> accumulators = new TreeSet<>();
    int written = -1;
    boolean seen;

    Stage(int id, int attempt, long executionId) {
      this.id = id;
      this.attempt = attempt;
      this.executionId = executionId;
    }
  }

  /** Adds the ids of the accumulators that a running task has updated so far. */
  interface Reader {
    void collect(TaskMetrics metrics, Set<Long> ids);

    /** Adds the ids of all accumulators that a task which has ended has updated. */
    default void collectAll(TaskMetrics metrics, Set<Long> ids) {
      collect(metrics, ids);
    }
  }

  private static final Reader SPARK = new Reader() {
    @Override
    public void collect(TaskMetrics metrics, Set<Long> ids) {
      TaskAccumulators.look(metrics, ids);
    }

    @Override
    public void collectAll(TaskMetrics metrics, Set<Long> ids) {
      TaskAccumulators.collect(metrics, ids);
    }
  };

  /** What the desk tells about a stage whose accumulators it has read. */
  interface Observer {
    /**
     * The tasks of {@code executionId} (-1: of none) update {@code accumulators}; called again when
     * the set grows.
     */
    void stage(long executionId, Set<Long> accumulators);

    /** Tasks of a stage run that belongs to no SQL execution; called once for each attempt. */
    default void withoutPlan(int stageId) {}
  }

  // Per slot: stage id (high 32 bits), low 20 bits of the attempt, count of witnesses. Two stages
  // in one slot only cost witnesses.
  private final AtomicLongArray offered = new AtomicLongArray(SLOTS);
  private final ConcurrentLinkedQueue<Witness> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger(); // size of queue, at least
  private final Tally refused = new Tally("leave out a task that tells its stage's accumulators, " + QUEUE + " are waiting");
  private final Queue<Witness> running = new ArrayDeque<>(); // poller only
  private final Reader reader;
  private volatile boolean closed;
  private final Map<Long, Stage> stages = // poller only
      new LinkedHashMap<Long, Stage>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Stage> eldest) {
          return size() > KEPT_STAGES;
        }
      };

  StageDesk() {
    this(SPARK);
  }

  StageDesk(Reader reader) {
    this.reader = reader;
  }

  /** From a task's thread: a task starts. Returns its witness when it was taken, else null. */
  Witness offer(int stageId, int stageAttempt, int partition, int partitions, long executionId, TaskMetrics metrics) {
    if (closed) {
      return null;
    }
    int slot = (stageId * 31 + stageAttempt) & (SLOTS - 1);
    long key = ((long) (stageId + 1) << 32) | ((long) (stageAttempt & 0xfffff) << 12);
    long seen = offered.get(slot);
    long next = (seen & ~0xfffL) == key ? seen + 1 : key + 1;
    boolean first = (next & 0xfff) <= FIRST_WITNESSES && offered.compareAndSet(slot, seen, next);
    if (!first && partition % Math.max(1, partitions / SPREAD_WITNESSES) != 0) {
      return null;
    }
    if (waiting.incrementAndGet() > QUEUE) {
      waiting.decrementAndGet();
      refused.add();
      return null;
    }
    Witness witness = new Witness(stageId, stageAttempt, executionId, metrics);
    queue.add(witness);
    if (closed) {
      queue.clear(); // the poller may have looked for the last time
      return null;
    }
    return witness;
  }

  /** Tasks left out because too many were waiting. */
  Tally refused() {
    return refused;
  }

  /** From the poller: whether some tasks' accumulators are still to be read. */
  boolean busy() {
    return !running.isEmpty() || !queue.isEmpty();
  }

  /**
   * From the poller: reads the next {@link #READINGS} witnesses and writes the stages whose set has
   * grown. A witness that cannot be read is let go.
   */
  void poll(Observer observer) {
    refused.tell();
    takeWaiting();
    int readings = 0;
    for (int left = running.size(); left > 0 && readings < READINGS; left--) {
      Witness witness = running.remove();
      boolean rests = witness.rests();
      readings += rests ? 0 : 1;
      if (rests || !readOrLetGo(witness, observer)) {
        running.add(witness);
      }
    }
  }

  /**
   * From the poller, before it ends: takes no more tasks, reads each witness once more and lets it
   * go.
   */
  void close(Observer observer) {
    closed = true;
    do {
      takeWaiting();
      while (!running.isEmpty()) {
        readOrLetGo(running.remove(), observer);
      }
    } while (!queue.isEmpty());
    refused.tellAll();
  }

  private void takeWaiting() {
    while (running.size() < RUNNING) {
      Witness witness = queue.poll();
      if (witness == null) {
        return;
      }
      waiting.decrementAndGet();
      running.add(witness);
    }
  }

  private boolean readOrLetGo(Witness witness, Observer observer) {
    try {
      return read(witness, observer);
    } catch (Throwable e) {
      Complaints.once("read the accumulators of a task", e);
      return true;
    }
  }

  /** Returns whether this was the witness's last reading. */
  private boolean read(Witness witness, Observer observer) {
    boolean last = witness.ended; // before the reading, so that the last reading is complete
    long key = ((long) witness.stageId << 32) | (witness.stageAttempt & 0xffffffffL);
    Stage stage = stages.computeIfAbsent(key, k -> new Stage(witness.stageId, witness.stageAttempt, witness.executionId));
    if (stage.executionId < 0 && !stage.seen) {
      stage.seen = true;
      observer.withoutPlan(stage.id);
    }
    if (last) {
      reader.collectAll(witness.metrics, stage.accumulators);
    } else {
      reader.collect(witness.metrics, stage.accumulators);
    }
    // An empty set is written only at the end: a task that has just started has updated nothing
    // yet.
    boolean news = stage.accumulators.size() > Math.max(stage.written, last ? -1 : 0);
    witness.wasRead(news);
    if (news) {
      write(stage);
      observer.stage(stage.executionId, stage.accumulators);
    }
    return last;
  }

  /**
   * From the poller: writes all stages again for a new reader that belong to no execution or to one
   * whose plans are {@code told} again.
   */
  void replay(LongPredicate told) {
    for (Stage stage : stages.values()) {
      if (stage.written >= 0 && (stage.executionId < 0 || told.test(stage.executionId))) {
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

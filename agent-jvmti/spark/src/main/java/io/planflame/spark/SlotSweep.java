package io.planflame.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Divides the time of all task slots among stages. A stage is active from its submission to its
 * completion. At each moment an active stage is given the slots that its tasks hold, and an equal
 * part of the slots that no task holds. So what the active stages are given adds up to all slots,
 * at every moment and therefore over any time, however the stages overlap.
 *
 * <p>Events carry the time at which they happened and come in any order; {@link #advance} works
 * them off in the order of their times. An event that is earlier than the sweep counts as if it
 * happened where the sweep stands. An execution's own time is right however late its begin and end
 * come. Times are milliseconds of the driver's clock. Not thread-safe.
 */
final class SlotSweep {
  static final int MOST_WAITING = 1 << 17; // events; beyond, the older half is worked off, however late others may come
  static final int KEPT_GAPS = 4096;

  /** An active stage, and what it was given so far. */
  static final class Stage {
    private final Execution execution; // null: outside SQL
    private int running;
    private boolean active;
    private double held; // slot milliseconds
    private double idle;

    Stage(Execution execution) {
      this.execution = execution;
    }

    /** Slot milliseconds that its tasks held while it was active. */
    double held() {
      return held;
    }

    /** Its part of the slot milliseconds that no task held while it was active. */
    double idle() {
      return idle;
    }
  }

  /** An open SQL execution. */
  static final class Execution {
    private int running;
    private long taskFree;

    /** Milliseconds while it was open in which none of its tasks ran. */
    long taskFree() {
      return taskFree;
    }
  }

  private interface Change {
    void apply();
  }

  private static final class Event {
    final long at;
    final long order;
    final Change change;

    Event(long at, long order, Change change) {
      this.at = at;
      this.order = order;
      this.change = change;
    }
  }

  private final PriorityQueue<Event> waiting =
      new PriorityQueue<>(Comparator.<Event>comparingLong(e -> e.at).thenComparingLong(e -> e.order));
  private final List<Stage> active = new ArrayList<>();
  private final List<Execution> open = new ArrayList<>();
  private final Deque<long[]> gaps = new ArrayDeque<>(); // from, to: no task ran; the last one may go on
  private long order;
  private long swept = Long.MIN_VALUE; // until when all is worked off
  private int slots;
  private int running;
  private double slotMillis;
  private double stageMillis; // of slotMillis, while a stage was active
  private long taskFree;

  /** From {@code at} on there are {@code delta} more slots. */
  void slots(long at, int delta) {
    add(at, () -> slots = Math.max(0, slots + delta));
  }

  /** A task of the stage starts. */
  void starts(long at, Stage stage) {
    add(at, () -> run(stage, 1));
  }

  /** A task of the stage ends. */
  void ends(long at, Stage stage) {
    add(at, () -> run(stage, -1));
  }

  private void run(Stage stage, int delta) {
    running += delta;
    stage.running += delta;
    if (stage.execution != null) {
      stage.execution.running += delta;
    }
  }

  void submitted(long at, Stage stage) {
    add(at, () -> {
      if (!stage.active) {
        stage.active = true;
        active.add(stage);
      }
    });
  }

  void completed(long at, Stage stage) {
    add(at, () -> {
      stage.active = false;
      active.remove(stage);
    });
  }

  void opens(long at, Execution execution) {
    add(at, () -> {
      open.add(execution);
      // Events of its tasks come later, so it had no task in the time that was swept since.
      execution.taskFree += Math.max(0, swept - at);
    });
  }

  void closes(long at, Execution execution) {
    add(at, () -> {
      open.remove(execution);
      if (execution.running <= 0) { // it was over since then
        execution.taskFree = Math.max(0, execution.taskFree - Math.max(0, swept - at));
      }
    });
  }

  /** Begins the sweep. */
  void begin(long at) {
    add(at, () -> { });
  }

  private void add(long at, Change change) {
    waiting.add(new Event(at, order++, change));
    if (waiting.size() > MOST_WAITING) {
      for (int left = MOST_WAITING / 2; left > 0; left--) {
        step(waiting.remove());
      }
    }
  }

  /** Works off all events up to {@code until}, and the time up to it. */
  void advance(long until) {
    while (!waiting.isEmpty() && waiting.peek().at <= until) {
      step(waiting.remove());
    }
    if (swept != Long.MIN_VALUE) { // else it has not begun
      pass(until);
    }
  }

  private void step(Event event) {
    pass(event.at);
    event.change.apply();
  }

  private void pass(long until) {
    if (swept == Long.MIN_VALUE) {
      swept = until;
    }
    long millis = until - swept;
    if (millis <= 0) {
      return;
    }
    slotMillis += (double) slots * millis;
    if (running <= 0) {
      taskFree += millis;
      gap(swept, until);
    }
    for (Execution execution : open) {
      execution.taskFree += execution.running <= 0 ? millis : 0;
    }
    divide(millis);
    swept = until;
  }

  /**
   * Spark starts a task before the driver has taken in the result of the one before. Then more
   * tasks run than there are slots, and each holds a part of one.
   */
  private void divide(long millis) {
    if (active.isEmpty()) {
      return;
    }
    stageMillis += (double) slots * millis;
    double each = running > slots ? (double) slots / running : 1;
    double idle = (double) Math.max(0, slots - running) * millis / active.size();
    for (Stage stage : active) {
      stage.held += Math.max(0, stage.running) * each * millis;
      stage.idle += idle;
    }
  }

  private void gap(long from, long to) {
    long[] last = gaps.peekLast();
    if (last != null && last[1] == from) {
      last[1] = to;
      return;
    }
    gaps.addLast(new long[] {from, to});
    if (gaps.size() > KEPT_GAPS) {
      gaps.removeFirst();
    }
  }

  /**
   * For how long no task ran between {@code from} and {@code to}. Gaps older than the {@link
   * #KEPT_GAPS} newest ones are missing.
   */
  long taskFree(long from, long to) {
    long sum = 0;
    for (long[] gap : gaps) {
      sum += Math.max(0, Math.min(to, gap[1]) - Math.max(from, gap[0]));
    }
    return sum;
  }

  /** Until when all events are worked off. */
  long swept() {
    return swept;
  }

  /**
   * Whether nothing is under way or waits: no event that is still to come can be older than now.
   */
  boolean isQuiet() {
    return waiting.isEmpty() && active.isEmpty() && running <= 0;
  }

  /** All slots over all time so far, in slot milliseconds. */
  double slotMillis() {
    return slotMillis;
  }

  /** Of {@link #slotMillis}, while a stage was active. */
  double stageMillis() {
    return stageMillis;
  }

  /** Milliseconds so far in which no task ran. */
  long taskFree() {
    return taskFree;
  }

  int slots() {
    return slots;
  }
}

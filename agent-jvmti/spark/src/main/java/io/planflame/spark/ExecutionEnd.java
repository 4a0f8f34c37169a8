package io.planflame.spark;

import io.planflame.agent.NativeAgent;

/**
 * When one execution whose tasks ran here is over. It asks seldom until the driver says so, waits
 * for tasks that are just ending, and lets their rows be written. Then it writes EXECUTION_END,
 * once. Poller thread only.
 */
final class ExecutionEnd {
  /** Writes all rows of an execution; false: there is no room now. */
  interface Rows {
    boolean settle(long executionId, long now);
  }

  static final long FIRST_PAUSE_NANOS = 200_000_000L;
  static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;
  static final int MAX_SILENT = 20; // questions in a row without an answer: more than a minute
  private static final long GRACE_NANOS = 200_000_000L; // the driver knows a task's result before the task's thread tells us of its end
  private static final long ROOM_PAUSE_NANOS = 1_000_000_000L; // the log has no room

  private final long executionId;
  private final boolean near; // the driver is in this JVM: a question costs nothing
  private long pause = FIRST_PAUSE_NANOS;
  private int silent;
  private long due;
  private boolean known; // it is over
  private boolean failed;
  private long unixNanos; // 0: it is not known when, and nothing is written
  private boolean done;

  ExecutionEnd(long executionId, boolean near, long now) {
    this.executionId = executionId;
    this.near = near;
    this.due = now + pause;
  }

  /** A stage of it has just begun here: its end may be near. */
  void stageBegan(long now) {
    if (!known) {
      pause = FIRST_PAUSE_NANOS;
      due = Math.min(due, now + pause);
    }
  }

  /** Whether the driver should be asked at {@code now}. */
  boolean isDue(long now) {
    return !known && due - now <= 0;
  }

  /** Asks at the next look. */
  void hurry(long now) {
    due = known ? due : now;
  }

  /** The driver says that it runs. */
  void runs(long now) {
    silent = 0;
    rest(now);
  }

  /** The driver does not answer; after some time no one asks any more. */
  void noAnswer(long now) {
    silent++;
    if (silent >= MAX_SILENT) {
      over(false, 0, now);
    }
    rest(now);
  }

  private void rest(long now) {
    pause = near ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * pause);
    due = now + pause;
  }

  /** The driver says that it is over. */
  void over(boolean failed, long unixNanos, long now) {
    if (!known) {
      known = true;
      this.failed = failed;
      this.unixNanos = unixNanos;
      done = unixNanos == 0;
      due = now + GRACE_NANOS;
    }
  }

  /** Whether the driver has said that it is over. */
  boolean isKnown() {
    return known;
  }

  /** Whether nothing more is to be done. */
  boolean isDone() {
    return done;
  }

  /** Writes the record when its time has come; {@code last}: now or never. */
  void write(Rows rows, long now, boolean last) {
    if (!known || done || !last && due - now > 0) {
      return;
    }
    done = rows.settle(executionId, now) && record();
    if (!done) {
      done = last || !NativeAgent.sampling(); // no one makes room: the next reader gets it from a replay
      due = now + ROOM_PAUSE_NANOS;
    }
  }

  /** Writes it again for a new reader. */
  void replay() {
    if (done && unixNanos != 0) {
      record();
    }
  }

  private boolean record() {
    return NativeAgent.executionEnd(executionId, failed, unixNanos);
  }
}

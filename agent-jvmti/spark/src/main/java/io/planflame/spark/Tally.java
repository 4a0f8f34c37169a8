package io.planflame.spark;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts something that had to be left out, on the thread that left it out and that must not write
 * to stderr itself: a task's, a listener's. Counting takes no lock and allocates nothing; another
 * thread tells people.
 */
final class Tally {
  private final String what;
  private final AtomicLong count = new AtomicLong();
  private final AtomicReference<Throwable> first = new AtomicReference<>();
  private boolean told; // telling thread only

  /** @param what what was left out and why, as the begin of a line for people */
  Tally(String what) {
    this.what = what;
  }

  /** One more. From any thread. */
  void add() {
    count.incrementAndGet();
  }

  /**
   * One more, because of {@code cause}; the first cause is kept for {@link #tell}. From any thread;
   * throws nothing.
   */
  void add(Throwable cause) {
    first.compareAndSet(null, cause);
    count.incrementAndGet();
  }

  /** How many so far. */
  long count() {
    return count.get();
  }

  /** Says in one line that there was a first one. One thread at a time. */
  void tell() {
    if (told || count.get() == 0) {
      return;
    }
    told = true;
    Throwable cause = first.get();
    Complaints.say(what + (cause == null ? "" : ": " + Complaints.describe(cause)) + " (how often is said at the end)");
  }

  /** Says in one line how many there were, when there were any. One thread at a time. */
  void tellAll() {
    tell();
    if (told) {
      Complaints.say(what + ": " + count.get() + " in all");
    }
  }
}

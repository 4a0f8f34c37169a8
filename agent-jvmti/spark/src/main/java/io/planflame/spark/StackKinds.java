package io.planflame.spark;

import java.util.EnumMap;
import java.util.Map;

/**
 * What stacks tell of a time in which a task stood still. A stack is due at the least time of a
 * dwell, and at each doubling. The time between two stacks is half of what the first tells and half
 * of what the second does. Only the desk's thread uses it.
 */
final class StackKinds {
  private final Map<DwellKind, Long> nanos = new EnumMap<>(DwellKind.class); // how long it was each
  private DwellKind last; // of the last stack; null: there was none
  private long told; // when it was taken, since the begin

  boolean isEmpty() {
    return last == null;
  }

  /** The kind of the last stack; null: there was none. */
  DwellKind last() {
    return last;
  }

  /** Reports whether a stack is due so long after the begin. */
  boolean wantsStack(long age) {
    return age >= Math.max(Dwell.LEAST_NANOS, 2 * told);
  }

  /** Takes what a stack tells so long after the begin. */
  void take(long age, DwellKind kind) {
    long since = age - told;
    nanos.merge(last == null ? kind : last, since / 2, Long::sum);
    nanos.merge(kind, since - since / 2, Long::sum);
    last = kind;
    told = age;
  }

  /** What it was for the longest, up to so long after the begin; null: there was no stack. */
  DwellKind longest(long age) {
    DwellKind longest = last;
    long most = 0;
    for (Map.Entry<DwellKind, Long> one : nanos.entrySet()) {
      long of = one.getValue() + (one.getKey() == last ? age - told : 0);
      if (of > most) {
        most = of;
        longest = one.getKey();
      }
    }
    return longest;
  }
}

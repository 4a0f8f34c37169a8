package io.planflame.spark;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the stacks of a task tell of the element that it is at, which a {@link KeyDesk} times. The
 * task's thread says when the element began, the desk's thread takes stacks.
 */
final class KeyWatch {
  private final AtomicLong begin = new AtomicLong(); // 0: no element
  private volatile Seen seen; // null: no stack yet
  private volatile boolean arrow; // a Python worker hands back rows in Arrow's format

  // The desk's.
  private final Map<DwellKind, Long> kinds = new EnumMap<>(DwellKind.class);
  private long of; // the element's begin
  private long told; // since then: the time of the last stack
  private DwellKind last;

  /** What most of the stacks of an element tell. */
  private static final class Seen {
    final long begin;
    final DwellKind kind;

    Seen(long begin, DwellKind kind) {
      this.begin = begin;
      this.kind = kind;
    }
  }

  /** On the task's thread: it goes on to an element; 0: there is none. */
  void at(long now) {
    begin.lazySet(now);
  }

  /** On the task's thread: reports whether the element that began then is to blame for its time. */
  boolean isAtWork(long then) {
    Seen known = seen;
    return known == null || known.begin != then || known.kind.isRecord() || known.kind == DwellKind.PYTHON || known.kind == DwellKind.OUTSIDE;
  }

  /** On the task's thread: reports whether that element waited for a Python worker. */
  boolean isPython(long then) {
    Seen known = seen;
    return known != null && known.begin == then && known.kind == DwellKind.PYTHON;
  }

  boolean isArrow() {
    return arrow;
  }

  /** Reports whether a stack is due: at the least time of a dwell, and at each doubling. */
  boolean wantsStack(long now) {
    long at = begin.get();
    if (at == 0) {
      return false;
    }
    if (at != of) {
      of = at;
      told = 0;
      last = null;
      kinds.clear();
    }
    return now - at >= Math.max(Dwell.LEAST_NANOS, 2 * told);
  }

  /** Takes what a stack tells of the element of {@link #wantsStack}. */
  void stack(long now, DwellKind kind, boolean isArrow) {
    arrow = isArrow;
    long since = now - of - told;
    kinds.merge(last == null ? kind : last, since / 2, Long::sum);
    kinds.merge(kind, since - since / 2, Long::sum);
    last = kind;
    told = now - of;
    DwellKind most = kind;
    for (Map.Entry<DwellKind, Long> one : kinds.entrySet()) {
      most = one.getValue() > kinds.get(most) ? one.getKey() : most;
    }
    seen = new Seen(of, most);
  }
}

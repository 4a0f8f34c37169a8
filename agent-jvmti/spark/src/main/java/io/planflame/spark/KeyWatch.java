package io.planflame.spark;

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
  private StackKinds kinds; // of the element; null: it has seen none
  private long of; // when that one began

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
    return known == null || known.begin != then || known.kind.isWork();
  }

  /** On the task's thread: reports whether that element waited for a Python worker. */
  boolean isPython(long then) {
    Seen known = seen;
    return known != null && known.begin == then && known.kind == DwellKind.PYTHON;
  }

  boolean isArrow() {
    return arrow;
  }

  /** Reports whether a stack is due. */
  boolean wantsStack(long now) {
    long at = begin.get();
    if (at == 0) {
      return false;
    }
    if (kinds == null || at != of) {
      of = at;
      kinds = new StackKinds();
    }
    return kinds.wantsStack(now - at);
  }

  /** Takes what a stack tells of the element of {@link #wantsStack}. */
  void stack(long now, DwellKind kind, boolean isArrow) {
    arrow = isArrow;
    kinds.take(now - of, kind);
    seen = new Seen(of, kinds.longest(now - of));
  }
}

package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.CodegenCache;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Writes the text of every class that Spark generates. The cache holds 100 classes by default, so a
 * burst can evict one before it is read: what was compiled and never seen is counted. Nothing here
 * keeps a class or its text alive. One reading writes {@link #MAX_FRESH} sources at most. Poller
 * thread only.
 */
final class SourceDesk {
  /** Where the cache comes from; opening Spark's initializes its code generator. */
  interface Opener {
    CodegenCache open() throws ClassNotFoundException;
  }

  /** New sources in one reading: some hundred KB each at worst, a few ms in all. */
  static final int MAX_FRESH = 64;

  /** A source already written. */
  private static final class Written {
    final WeakReference<Object> code;
    final long loader;
    final String className;
    boolean lost; // its text was gone or could not be read, and that is counted

    Written(Object code, long loader, String className) {
      this.code = new WeakReference<>(code);
      this.loader = loader;
      this.className = className;
    }
  }

  private final Map<ClassLoader, Written> written = new WeakHashMap<>();
  private final Opener opener;
  private CodegenCache cache; // null until the first generated class
  private long seen;
  private long before; // compiled before the first reading and already evicted then: not ours to count
  private long pending; // compiled and not seen at the last reading: perhaps still on its way into the cache
  private long reported;
  private boolean more;
  private long lookNanos;

  SourceDesk() {
    this(CodegenCache::open);
  }

  SourceDesk(Opener opener) {
    this.opener = opener;
  }

  /**
   * Reads the cache once.
   *
   * @return how many new sources were written; at {@link #MAX_FRESH} there may be {@link #more}
   */
  int poll() throws ClassNotFoundException {
    long begin = System.nanoTime();
    if (cache == null) {
      cache = opener.open();
      before = Math.max(0, cache.compiled() - cache.size());
    }
    if (nothingNew()) {
      lookNanos = System.nanoTime() - begin;
      return 0;
    }
    long seenBefore = seen;
    long[] writing = {0};
    more = false;
    cache.visit(entry -> {
      ClassLoader loader = entry.generated().getClassLoader();
      if (loader == null || written.containsKey(loader)) {
        return true;
      }
      if (seen - seenBefore == MAX_FRESH) {
        more = true;
        return false;
      }
      Written source = new Written(entry.code(), NativeAgent.loaderId(loader), entry.generated().getName());
      written.put(loader, source);
      seen++;
      long before = System.nanoTime();
      writeOrCount(source, entry.code());
      writing[0] += System.nanoTime() - before;
      return true;
    });
    lookNanos = System.nanoTime() - begin - writing[0];
    return (int) (seen - seenBefore);
  }

  /**
   * Whether every class that was compiled has been seen, or is counted as missing. Spark counts a
   * compilation before the class enters the cache, so what is on its way there is not overlooked.
   * Only what was compiled before the first reading cannot be told apart by counting.
   */
  private boolean nothingNew() {
    return before == 0 && !more && cache.compiled() == seen + reported;
  }

  /** Whether the last reading left new sources for the next one. */
  boolean more() {
    return more;
  }

  /** How long the last reading looked through the cache; what it wrote, once a class, apart. */
  long lookNanos() {
    return lookNanos;
  }

  /**
   * Counts what was compiled and evicted unseen; called when no class has been prepared for a
   * while, so that nothing is under way.
   */
  void settle() {
    if (cache == null || more) {
      return;
    }
    long missing = cache.compiled() - before - seen;
    if (missing > reported && missing == pending) {
      NativeAgent.dropped(missing - reported, 0);
      reported = missing;
    }
    pending = missing;
  }

  /**
   * Writes every source that is still alive again, for a new reader. A text that is lost is counted
   * once, however many readers come.
   */
  void replay() {
    for (Written source : written.values()) {
      Object code = source.code.get();
      if (code != null) {
        writeOrCount(source, code);
      } else {
        lose(source); // its class lives, its text is gone
      }
    }
  }

  /** A text that cannot be read must not keep the others from readers. */
  private static void writeOrCount(Written source, Object code) {
    try {
      write(source, code);
    } catch (Throwable e) {
      lose(source);
      Complaints.once("write the text of a generated class", e);
    }
  }

  private static void lose(Written source) {
    if (!source.lost) {
      source.lost = true;
      NativeAgent.dropped(1, 0);
    }
  }

  private static void write(Written source, Object code) {
    Json comments = new Json().open('{');
    for (Map.Entry<String, String> comment : CodegenCache.comments(code).entrySet()) {
      comments.key(comment.getKey()).value(comment.getValue());
    }
    comments.close('}');
    NativeAgent.source(
        source.loader,
        source.className.getBytes(StandardCharsets.UTF_8),
        CodegenCache.body(code).getBytes(StandardCharsets.UTF_8),
        comments.utf8());
  }
}

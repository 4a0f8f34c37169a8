package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.CodegenCache;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Writes the text of every class that Spark generates. The cache holds 100 classes by default, so a burst can evict one before it is
 * read: what was compiled and never seen is counted. Nothing here keeps a class or its text alive. Poller thread only.
 */
final class SourceDesk {
  /** A source already written. */
  private static final class Written {
    final WeakReference<Object> code;
    final long loader;
    final String className;

    Written(Object code, long loader, String className) {
      this.code = new WeakReference<>(code);
      this.loader = loader;
      this.className = className;
    }
  }

  private final Map<ClassLoader, Written> written = new WeakHashMap<>();
  private CodegenCache cache; // null until the first generated class: opening it initialises Spark's code generator
  private long seen;
  private long before; // compiled before the first reading and already evicted then: not ours to count
  private long pending; // compiled and not seen at the last reading: perhaps still on its way into the cache
  private long reported;

  /**
   * Reads the cache once.
   *
   * @return how many new sources were written
   */
  int poll() throws ClassNotFoundException {
    if (cache == null) {
      cache = CodegenCache.open();
      before = Math.max(0, cache.compiled() - cache.entries().size());
    }
    int fresh = 0;
    for (CodegenCache.Entry entry : cache.entries()) {
      ClassLoader loader = entry.generated().getClassLoader();
      if (loader != null && !written.containsKey(loader)) {
        Written source = new Written(entry.code(), NativeAgent.loaderId(loader), entry.generated().getName());
        written.put(loader, source);
        write(source, entry.code());
        fresh++;
      }
    }
    seen += fresh;
    return fresh;
  }

  /** Counts what was compiled and evicted unseen; called when no class has been prepared for a while, so that nothing is under way. */
  void settle() {
    if (cache == null) {
      return;
    }
    long missing = cache.compiled() - before - seen;
    if (missing > reported && missing == pending) {
      NativeAgent.dropped(missing - reported, 0);
      reported = missing;
    }
    pending = missing;
  }

  /** Writes every source that is still alive again, for a new reader. */
  void replay() {
    for (Written source : written.values()) {
      Object code = source.code.get();
      if (code != null) {
        write(source, code);
      } else {
        NativeAgent.dropped(1, 0); // its class lives, its text is gone
      }
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

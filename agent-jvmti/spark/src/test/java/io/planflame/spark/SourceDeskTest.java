package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.CodegenCache;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/**
 * The desk against a cache that holds what each test says; every class in it has a loader of its
 * own, as Spark's have.
 */
class SourceDeskTest {
  /** Stands for a CodeAndComment. */
  public static final class Code {
    public String body() {
      return "12345";
    }

    public Object comment() {
      return scala.collection.immutable.Map$.MODULE$.empty();
    }
  }

  /** A CodeAndComment of a Spark that this does not know. */
  public static final class Unreadable {
    public Object comment() {
      return scala.collection.immutable.Map$.MODULE$.empty();
    }
  }

  /** Stands for a generated class. */
  public static final class Generated {}

  /** Stands for Spark's histogram of compilations. */
  public static final class Compilations {
    long count;

    public long getCount() {
      return count;
    }
  }

  private static final class OwnLoader extends ClassLoader {
    Object generated() throws Exception {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (InputStream in = Generated.class.getResourceAsStream("SourceDeskTest$Generated.class")) {
        for (int b = in.read(); b >= 0; b = in.read()) {
          bytes.write(b);
        }
      }
      return defineClass(Generated.class.getName(), bytes.toByteArray(), 0, bytes.size()).getConstructor().newInstance();
    }
  }

  private int looks; // through the cache
  private final Map<Object, Object> entries =
      new ConcurrentHashMap<Object, Object>() {
        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
          looks++;
          return super.entrySet();
        }
      };
  private final Compilations compilations = new Compilations();
  private final List<Object> alive = new ArrayList<>(); // instances of the generated classes
  private final SourceDesk desk = new SourceDesk(() -> new CodegenCache(entries, compilations));

  private WeakReference<Object> compile() throws Exception {
    return compile(new Code());
  }

  private WeakReference<Object> compile(Object code) throws Exception {
    Object generated = new OwnLoader().generated();
    alive.add(generated);
    compilations.count++;
    entries.put(new Tuple2<>(alive.size(), code), new Tuple2<>(generated, 1));
    return new WeakReference<>(code);
  }

  private static void collect(WeakReference<Object> reference) {
    for (int i = 0; i < 100 && reference.get() != null; i++) {
      System.gc();
    }
    assertNull(reference.get(), "the collector leaves what no one holds");
  }

  private static List<String> calls(String kind) {
    List<String> out = new ArrayList<>(NativeAgent.CALLS);
    out.removeIf(call -> !call.startsWith(kind));
    return out;
  }

  @BeforeEach
  void forgetCalls() {
    NativeAgent.CALLS.clear();
  }

  @Test
  void writesEachClassOnce() throws Exception {
    compile();
    assertEquals(1, desk.poll());
    compile();
    assertEquals(1, desk.poll());
    assertEquals(0, desk.poll());
    List<String> written = calls("source");
    assertEquals(2, written.size());
    assertTrue(written.get(0).endsWith(" " + Generated.class.getName() + " 5 {}"), written.get(0));
  }

  @Test
  void aTextThatIsGoneIsCountedOnceHoweverManyReadersCome() throws Exception {
    WeakReference<Object> gone = compile();
    compile();
    desk.poll();
    entries.keySet().removeIf(key -> ((Tuple2<?, ?>) key)._1().equals(1)); // evicted, its class lives
    collect(gone);
    NativeAgent.CALLS.clear();
    for (int reader = 0; reader < 3; reader++) {
      desk.replay();
    }
    assertEquals(Collections.singletonList("dropped 1 0"), calls("dropped"));
    assertEquals(3, calls("source").size(), "the other source, for each reader");
  }

  @Test
  void aTextThatCannotBeReadIsCountedOnceAndTheOthersAreWritten() throws Exception {
    compile(new Unreadable());
    compile();
    compile(new Unreadable());
    assertEquals(3, desk.poll());
    assertEquals(1, calls("source").size());
    desk.replay();
    assertEquals(2, calls("source").size());
    assertEquals(Arrays.asList("dropped 1 0", "dropped 1 0"), calls("dropped"));
    assertEquals(0, desk.poll());
  }

  @Test
  void whatWasEvictedUnseenIsCountedOnceAndAReplayAddsNothing() throws Exception {
    compile();
    desk.poll();
    compilations.count += 2; // compiled and evicted between two readings
    for (int i = 0; i < 4; i++) {
      desk.settle();
    }
    desk.replay();
    desk.settle();
    assertEquals(Arrays.asList("dropped 2 0"), calls("dropped"));
  }

  @Test
  void oneReadingWritesABoundedNumber() throws Exception {
    compile();
    desk.poll();
    for (int i = 0; i < 2 * SourceDesk.MAX_FRESH + 3; i++) {
      compile();
    }
    assertEquals(SourceDesk.MAX_FRESH, desk.poll());
    assertTrue(desk.more());
    desk.settle();
    desk.settle();
    assertEquals(Collections.emptyList(), calls("dropped"), "what waits for the next reading is not lost");
    assertEquals(SourceDesk.MAX_FRESH, desk.poll());
    assertTrue(desk.more());
    assertEquals(3, desk.poll());
    assertFalse(desk.more());
    assertEquals(0, desk.poll());
  }

  @Test
  void theCacheIsNotLookedThroughWhenNothingWasCompiled() throws Exception {
    assertEquals(0, desk.poll());
    assertEquals(0, looks);
    compile();
    assertEquals(1, desk.poll());
    assertEquals(1, looks);
    assertEquals(0, desk.poll());
    assertEquals(1, looks);
    compilations.count++; // counted, and on its way into the cache
    assertEquals(0, desk.poll());
    compilations.count--;
    compile();
    assertEquals(1, desk.poll());
    assertEquals(3, looks);
  }

  @Test
  void whatIsCountedAsMissingIsNotWaitedFor() throws Exception {
    desk.poll();
    compilations.count++; // evicted unseen
    for (int i = 0; i < 3; i++) {
      desk.poll();
      desk.settle();
    }
    assertEquals(Collections.singletonList("dropped 1 0"), calls("dropped"));
    int before = looks;
    desk.poll();
    assertEquals(before, looks);
    compile();
    assertEquals(1, desk.poll());
  }

  @Test
  void aDeskThatCameLateLooksEveryTime() throws Exception {
    compilations.count = 7; // in a cache that holds none of them
    desk.poll();
    desk.poll();
    assertEquals(2, looks);
  }
}

package io.planflame.spark.shim;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.Function2;
import scala.Function3;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;
import scala.runtime.AbstractFunction3;

/**
 * Lets someone see the elements of the RDDs that a task computes. Only for a run that looks for
 * them: it stands between Spark and the closures of its tasks.
 *
 * <p>A task reads its RDD from Spark's serializer of closures on its own thread. This puts another
 * serializer in front of that one, which changes functions in the RDD that the task has read.
 */
public final class TaskRdds {
  private static final String PIPED = "org.apache.spark.rdd.MapPartitionsRDD";
  private static final String ZIPPED = "org.apache.spark.rdd.ZippedPartitionsRDD2"; // of a join
  private static final String SHUFFLED_ROWS = "org.apache.spark.sql.execution.ShuffledRowRDD";
  private static final int NONE = -1;
  private static final String[] GROUPED = {"org.apache.spark.rdd.ShuffledRDD", "org.apache.spark.rdd.CoGroupedRDD"};

  /**
   * Classes with closures that take the rows of a query and give none: collect, writers of files
   * and, in Spark 3.5 and 4, toPandas.
   */
  private static final String[] TAKERS = {
    "org.apache.spark.sql.execution.SparkPlan", "org.apache.spark.sql.execution.datasources.WriteFilesExec",
    "org.apache.spark.sql.Dataset", "org.apache.spark.sql.classic.Dataset",
  };

  /** Sees the elements of an RDD as a task computes them. On the task's thread. */
  public interface Viewer {
    /** Reports whether it wants to see what a task computes. */
    boolean wants(TaskContext task);

    /** The RDD of a task could not be changed. */
    void failed(Throwable e);

    /** Returns an iterator with the same elements. */
    Iterator<Object> see(TaskContext task, Iterator<Object> elements);

    /** Returns an iterator with the same rows, which a task of SQL reads of a shuffle. */
    Iterator<Object> count(TaskContext task, int shuffle, Iterator<Object> rows);
  }

  private TaskRdds() {}

  /** Shows the elements of the tasks of this JVM to a viewer. */
  public static void show(Viewer viewer) {
    SparkEnv env = SparkEnv.get();
    Members.writeField(env, "closureSerializer", new Front(env.closureSerializer(), viewer));
  }

  /** What a task read: an RDD, and the function that takes its elements, or a shuffle. */
  static <T> T seen(T task, Viewer viewer) {
    TaskContext context = TaskContext.get();
    try {
      if (context == null || !(task instanceof Tuple2) || !viewer.wants(context)) {
        return task;
      }
      Tuple2<?, ?> pair = (Tuple2<?, ?>) task;
      if (!(pair._1() instanceof RDD)) {
        return task;
      }
      guarded(() -> countRows(pair._1(), viewer), viewer);
      @SuppressWarnings("unchecked")
      T out = (T) new Tuple2<>(pair._1(), seen((RDD<?>) pair._1(), pair._2(), viewer));
      return out;
    } catch (Throwable e) {
      viewer.failed(e);
      return task;
    }
  }

  private static void guarded(Runnable change, Viewer viewer) {
    try {
      change.run();
    } catch (Throwable e) { // the others may do
      viewer.failed(e);
    }
  }

  /** Groups are seen where they come out of the shuffle, rows of SQL at the end of the plan. */
  private static Object seen(RDD<?> rdd, Object action, Viewer viewer) {
    List<Object> piped = new ArrayList<>();
    Object at = rdd;
    for (; at != null && at.getClass().getName().equals(PIPED); at = Members.readField(at, "prev")) {
      piped.add(at);
    }
    boolean grouped = at != null && (at.getClass().getName().equals(GROUPED[0]) || at.getClass().getName().equals(GROUPED[1]));
    boolean result = action instanceof Function2;
    if (piped.isEmpty() || !grouped && result && !takesRows(piped.get(0))) {
      return result ? input((Function2<?, ?, ?>) action, viewer) : action;
    }
    Object last = piped.get(grouped ? piped.size() - 1 : 0);
    Function3<?, ?, ?, ?> f = (Function3<?, ?, ?, ?>) Members.readField(last, "f");
    Members.writeField(last, "f", grouped || result ? input(f, viewer::see) : output(f, viewer));
    return action;
  }

  /** Shows the rows of the shuffles of SQL that an RDD reads. */
  private static void countRows(Object rdd, Viewer viewer) {
    String name = rdd == null ? "" : rdd.getClass().getName();
    if (name.equals(PIPED)) {
      Object of = Members.readField(rdd, "prev");
      int shuffle = shuffle(of);
      if (shuffle < 0) {
        countRows(of, viewer);
        return;
      }
      Function3<?, ?, ?, ?> f = (Function3<?, ?, ?, ?>) Members.readField(rdd, "f");
      Members.writeField(rdd, "f", input(f, (task, rows) -> viewer.count(task, shuffle, rows)));
    } else if (name.equals(ZIPPED)) {
      Object left = Members.readField(rdd, "rdd1");
      Object right = Members.readField(rdd, "rdd2");
      countRows(left, viewer);
      countRows(right, viewer);
      if (shuffle(left) >= 0 || shuffle(right) >= 0) {
        Members.writeField(rdd, "f", zipped((Function2<?, ?, ?>) Members.readField(rdd, "f"), shuffle(left), shuffle(right), viewer));
      }
    }
  }

  /** The shuffle whose rows an RDD is; {@link #NONE} if it is none. */
  private static int shuffle(Object rdd) {
    boolean is = rdd != null && rdd.getClass().getName().equals(SHUFFLED_ROWS);
    return is ? (Integer) Members.call(Members.call(rdd, "dependency"), "shuffleId") : NONE;
  }

  @SuppressWarnings("unchecked")
  private static Object zipped(Function2<?, ?, ?> f, int left, int right, Viewer viewer) {
    Function2<Object, Object, Object> of = (Function2<Object, Object, Object>) f;
    return new AbstractFunction2<Object, Object, Object>() {
      @Override
      public Object apply(Object leftRows, Object rightRows) {
        return of.apply(counted(left, leftRows), counted(right, rightRows));
      }

      private Object counted(int shuffle, Object rows) {
        return shuffle < 0 ? rows : viewer.count(TaskContext.get(), shuffle, (Iterator<Object>) rows);
      }
    };
  }

  /** Reports whether an RDD is of a closure of {@link #TAKERS}, which another of RDD's has. */
  private static boolean takesRows(Object rdd) {
    Object closure = Members.readField(Members.readField(rdd, "f"), "arg$1");
    return closure != null && Arrays.stream(TAKERS).anyMatch(taker -> closure.getClass().getName().startsWith(taker + "$$Lambda"));
  }

  @SuppressWarnings("unchecked")
  private static Object input(Function2<?, ?, ?> f, Viewer viewer) {
    Function2<Object, Object, Object> of = (Function2<Object, Object, Object>) f;
    return new AbstractFunction2<Object, Object, Object>() {
      @Override
      public Object apply(Object task, Object elements) {
        return of.apply(task, viewer.see((TaskContext) task, (Iterator<Object>) elements));
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static Object input(Function3<?, ?, ?, ?> f, BiFunction<TaskContext, Iterator<Object>, Iterator<Object>> seen) {
    Function3<Object, Object, Object, Object> of = (Function3<Object, Object, Object, Object>) f;
    return new AbstractFunction3<Object, Object, Object, Object>() {
      @Override
      public Object apply(Object task, Object partition, Object elements) {
        return of.apply(task, partition, seen.apply((TaskContext) task, (Iterator<Object>) elements));
      }
    };
  }

  @SuppressWarnings("unchecked")
  private static Object output(Function3<?, ?, ?, ?> f, Viewer viewer) {
    Function3<Object, Object, Object, Object> of = (Function3<Object, Object, Object, Object>) f;
    return new AbstractFunction3<Object, Object, Object, Object>() {
      @Override
      public Object apply(Object task, Object partition, Object elements) {
        return viewer.see((TaskContext) task, (Iterator<Object>) of.apply(task, partition, elements));
      }
    };
  }

  /** Stands in front of Spark's serializer. */
  private static final class Front extends Serializer {
    private final Serializer of;
    private final transient Viewer viewer;

    Front(Serializer of, Viewer viewer) {
      this.of = of;
      this.viewer = viewer;
    }

    @Override
    public SerializerInstance newInstance() {
      return new FrontInstance(of.newInstance(), viewer);
    }

    @Override
    public Serializer setDefaultClassLoader(ClassLoader loader) {
      of.setDefaultClassLoader(loader);
      return this;
    }
  }

  private static final class FrontInstance extends SerializerInstance {
    private final SerializerInstance of;
    private final Viewer viewer;

    FrontInstance(SerializerInstance of, Viewer viewer) {
      this.of = of;
      this.viewer = viewer;
    }

    @Override
    public <T> ByteBuffer serialize(T value, ClassTag<T> tag) {
      return of.serialize(value, tag);
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      return seen(of.deserialize(bytes, tag), viewer);
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      return seen(of.deserialize(bytes, loader, tag), viewer);
    }

    @Override
    public SerializationStream serializeStream(OutputStream to) {
      return of.serializeStream(to);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream from) {
      return of.deserializeStream(from);
    }
  }
}

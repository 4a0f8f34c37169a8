package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import scala.Option;
import scala.Some;
import scala.Tuple2;

class LinesTest {
  /** Stands for a TreeNode of Spark 4. */
  public static final class Node {
    private final Object origin;

    Node(Object origin) {
      this.origin = origin;
    }

    public Object origin() {
      return origin;
    }
  }

  /** Stands for Origin of Spark 4. */
  public static final class Origin {
    private final Option<?> stackTrace;
    private final Option<?> python;

    Origin(StackTraceElement[] frames, String python) {
      this.stackTrace = Option.apply(frames);
      this.python = python == null ? Option.empty() : new Some<>(new Tuple2<>("__gt__", python));
    }

    public Object stackTrace() {
      return stackTrace;
    }

    public Object pysparkErrorContext() {
      return python;
    }
  }

  /** Stands for Origin of Spark 3.5. */
  public static final class OldOrigin {}

  private static StackTraceElement frame(String type, String file, int line) {
    return new StackTraceElement(type, "m", file, line);
  }

  @Test
  void whatSparkKeepsIsReadAndNothingElse() {
    StackTraceElement[] reflection = {frame("jdk.internal.reflect.DirectMethodHandleAccessor", "DirectMethodHandleAccessor.java", 103)};
    assertEquals("etl.py:14", Lines.of(new Node(new Origin(reflection, "/home/ann/jobs/etl.py:14\n/home/ann/jobs/main.py:3"))));
    assertEquals("cell [5]:3", Lines.of(new Node(new Origin(reflection, "line 3 in cell [5]"))));
    assertEquals("", Lines.of(new Node(new Origin(reflection, null))), "a function of PySpark");
    assertEquals("Etl.scala:14", Lines.of(new Node(new Origin(
        new StackTraceElement[] {frame("org.apache.spark.sql.functions$", "functions.scala", 9), frame("org.example.Etl$", "Etl.scala", 14)}, null))));
    assertEquals("", Lines.of(new Node(new Origin(null, null))), "SQL text");
    assertEquals("", Lines.of(new Node(new OldOrigin())), "Spark 3.5");
  }

  @Test
  void theFirstFrameOfTheUsersInALongCallSite() {
    assertEquals("Etl.scala:14", Lines.firstOf("org.apache.spark.sql.Dataset.count(Dataset.scala:3613)\norg.example.Etl$.main(Etl.scala:14)\norg.example.Main.main(Main.java:3)"));
    assertEquals("", Lines.firstOf("org.apache.spark.sql.Dataset.count(Dataset.scala:1580)\njava.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n"
        + "java.base/java.lang.reflect.Method.invoke(Method.java:569)\npy4j.reflection.MethodInvoker.invoke(MethodInvoker.java:244)\njava.base/java.lang.Thread.run(Thread.java:840)"));
    assertEquals("", Lines.firstOf(""));
  }
}

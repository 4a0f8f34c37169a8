package io.planflame.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a task did while its counters stood still, by its stack. */
enum DwellKind {
  /** It worked on its current record. */
  RECORD("record"),
  /** It decoded the next record. */
  NEXT("next"),
  /** It waited for its input. */
  INPUT("input"),
  /** It had read no record yet. */
  BEFORE("before"),
  /** It had read the last record of an input, on which it may still have been at work. */
  AFTER("after"),
  /** It compiled generated code. */
  CODEGEN("codegen"),
  /** It loaded or initialized classes. */
  CLASS_LOADING("class_loading"),
  /** Another thread had a lock that it wanted. */
  LOCK("lock"),
  /** It sorted. */
  SORT("sort"),
  /** It spilled, wrote its output, waited for memory, or made a table of Spark's larger. */
  SPILL("spill"),
  /** It fetched blocks of a shuffle or a broadcast. */
  FETCH("fetch"),
  /** It waited for a Python worker, which reads ahead. */
  PYTHON("python"),
  /** It waited for a program that reads ahead, as of pipe and TRANSFORM. */
  OUTSIDE("outside");

  /** In a DWELL record. */
  final String wire;

  DwellKind(String wire) {
    this.wire = wire;
  }

  /** Reports whether a record is to blame. */
  boolean isRecord() {
    return this == RECORD || this == NEXT;
  }

  /** Reports whether it worked, or let another program work, on records that it had. */
  boolean isWork() {
    return isRecord() || this == PYTHON || this == OUTSIDE;
  }

  /** A kind that the frames of a class, or the methods of it with a prefix, tell. */
  private static final class Rule {
    final DwellKind kind;
    final String classes;
    final String methods;

    Rule(DwellKind kind, String classes, String methods) {
      this.kind = kind;
      this.classes = classes;
      this.methods = methods;
    }
  }

  /** The first frame from the leaf that a rule knows decides. Names of Spark 3.5 to 4.3. */
  private static final Rule[] RULES = {
    new Rule(CLASS_LOADING, "java.lang.ClassLoader", "loadClass"),
    new Rule(CLASS_LOADING, "java.lang.Class", "forName"),
    new Rule(CLASS_LOADING, "jdk.internal.loader.", ""),
    new Rule(CLASS_LOADING, "java.lang.invoke.MethodHandleNatives", "linkCallSite"),
    new Rule(CLASS_LOADING, "", "<clinit>"),
    new Rule(LOCK, "java.util.concurrent.locks.Reentrant", ""),
    new Rule(CODEGEN, "org.codehaus.janino.", ""),
    new Rule(CODEGEN, "org.codehaus.commons.compiler.", ""),
    new Rule(CODEGEN, "org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator", ""),
    new Rule(FETCH, "org.apache.spark.storage.ShuffleBlockFetcherIterator", ""),
    new Rule(FETCH, "org.apache.spark.MapOutputTracker", ""),
    new Rule(FETCH, "org.apache.spark.broadcast.", ""),
    new Rule(SPILL, "org.apache.spark.memory.", ""),
    new Rule(SPILL, "org.apache.spark.util.collection.", "spill"),
    new Rule(SPILL, "org.apache.spark.util.collection.", "maybeSpill"),
    new Rule(SPILL, "org.apache.spark.util.collection.unsafe.sort.", "spill"),
    new Rule(SPILL, "org.apache.spark.util.collection.unsafe.sort.UnsafeSorterSpill", ""),
    new Rule(SPILL, "org.apache.spark.shuffle.sort.ShuffleExternalSorter", "writeSortedFile"),
    new Rule(SORT, "org.apache.spark.util.collection.unsafe.sort.", ""),
    new Rule(SORT, "org.apache.spark.util.collection.TimSort", ""),
    new Rule(SORT, "org.apache.spark.util.collection.Sorter", ""),
    new Rule(SPILL, "org.apache.spark.unsafe.map.BytesToBytesMap", "growAndRehash"),
    new Rule(SPILL, "org.apache.spark.util.collection.AppendOnlyMap", "growTable"),
    new Rule(SPILL, "org.apache.spark.util.collection.OpenHashSet", "rehash"),
    new Rule(SPILL, "org.apache.spark.util.collection.PartitionedPairBuffer", "growArray"),
    new Rule(SPILL, "org.apache.spark.storage.DiskBlockObjectWriter", ""),
    new Rule(SPILL, "org.apache.parquet.hadoop.InternalParquetRecordWriter", "flush"),
    new Rule(SPILL, "org.apache.hadoop.fs.FSDataOutputStream", ""),
    new Rule(SPILL, "org.apache.orc.impl.WriterImpl", ""),
    new Rule(SPILL, "", "executeBatch"), // of JDBC
    new Rule(SPILL, "org.apache.kafka.clients.producer.", ""),
    new Rule(PYTHON, "org.apache.spark.api.python.", ""),
    new Rule(OUTSIDE, "org.apache.spark.rdd.PipedRDD", ""),
    new Rule(OUTSIDE, "org.apache.spark.sql.execution.BaseScriptTransformationExec", ""),
    new Rule(OUTSIDE, "org.apache.spark.sql.hive.execution.HiveScriptTransformationExec", ""),
    new Rule(OUTSIDE, "org.apache.spark.api.r.", ""),
    new Rule(NEXT, "org.apache.spark.rdd.HadoopRDD$$anon$", ""),
    new Rule(NEXT, "org.apache.spark.rdd.NewHadoopRDD$$anon$", ""),
    new Rule(NEXT, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$", ""),
    new Rule(NEXT, "org.apache.spark.sql.execution.datasources.v2.PartitionIterator", ""),
    new Rule(NEXT, "org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils$$anon$", ""),
    new Rule(NEXT, "org.apache.spark.serializer.JavaDeserializationStream", ""),
    new Rule(NEXT, "org.apache.spark.serializer.KryoDeserializationStream", ""),
  };

  /**
   * The kind that a stack tells, leaf first: {@link #RECORD} if no frame says otherwise. A thread
   * may be within a reader's frames only while it reads.
   */
  static DwellKind of(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      for (Rule rule : RULES) {
        if (frame.getClassName().startsWith(rule.classes) && frame.getMethodName().startsWith(rule.methods)) {
          return rule.kind;
        }
      }
    }
    return RECORD;
  }

  /**
   * The kind of a thread in a state with a stack.
   *
   * @param python a Python worker's rows are counted
   */
  static DwellKind of(Thread.State state, StackTraceElement[] stack, boolean python) {
    return state == Thread.State.BLOCKED ? LOCK : python ? besidePython(stack) : of(stack);
  }

  /**
   * The kind of a stack while a Python worker's rows are counted: {@link #NEXT} if the task waits
   * for the worker. It is {@link #PYTHON} if a record of the JVM is to blame, which is not counted.
   */
  static DwellKind besidePython(StackTraceElement[] stack) {
    DwellKind kind = of(stack);
    if (kind == PYTHON && waitsForPython(stack)) {
      return NEXT;
    }
    return kind.isRecord() ? PYTHON : kind;
  }

  private static boolean waitsForPython(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (name.startsWith("org.apache.spark.api.python.") || name.startsWith("org.apache.spark.sql.execution.python.")) {
        return true;
      }
      if (!isLibrary(name) && !name.startsWith("org.apache.arrow.")) {
        return false;
      }
    }
    return false;
  }

  /** Reports whether a task that waits for a Python worker wants rows in Arrow's format. */
  static boolean isArrow(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().contains("Arrow"));
  }

  private static boolean isLibrary(String className) {
    return className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("sun.") || className.startsWith("scala.");
  }

  private static final int FRAMES = 4;

  /**
   * The leaf and the first frames of a stack that are neither the JDK's nor Scala's, leaf first: of
   * class and method, at most {@link #FRAMES}.
   */
  static List<String> frames(StackTraceElement[] stack) {
    List<String> out = new ArrayList<>();
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (out.isEmpty() || !isLibrary(name)) {
        out.add(name.replaceAll("/0x[0-9a-f]+", "") + "." + frame.getMethodName());
      }
      if (out.size() == FRAMES) {
        break;
      }
    }
    return out;
  }
}

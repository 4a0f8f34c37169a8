package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DwellKindTest {
  /** Of "Class.method" from the leaf, as jstack prints them. */
  private static StackTraceElement[] stack(String... frames) {
    return Arrays.stream(frames).map(frame -> {
      int dot = frame.lastIndexOf('.');
      return new StackTraceElement(frame.substring(0, dot), frame.substring(dot + 1), null, 1);
    }).toArray(StackTraceElement[]::new);
  }

  @ParameterizedTest
  @CsvSource({
      "java.lang.Thread.sleep, RECORD", "java.lang.ClassLoader.loadClass, CLASS_LOADING", "java.lang.ClassLoader.getParent, RECORD",
      "org.codehaus.janino.UnitCompiler.compile, CODEGEN", "org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator$.compile, CODEGEN",
      "org.apache.spark.storage.ShuffleBlockFetcherIterator.next, FETCH", "org.apache.spark.broadcast.TorrentBroadcast.readBroadcastBlock, FETCH",
      "org.apache.spark.util.collection.ExternalSorter.spill, SPILL", "org.apache.spark.util.collection.ExternalSorter.insertAll, RECORD",
      "org.apache.spark.memory.ExecutionMemoryPool.acquireMemory, SPILL", "org.apache.spark.api.python.BasePythonRunner$ReaderIterator.hasNext, PYTHON",
      "org.apache.spark.util.collection.unsafe.sort.UnsafeExternalSorter.spill, SPILL", "org.apache.spark.util.collection.unsafe.sort.UnsafeInMemorySorter.getSortedIterator, SORT",
      "My.<clinit>, CLASS_LOADING", "org.codehaus.jackson.JsonParser.next, RECORD", "org.apache.spark.rdd.PipedRDD$$anon$1.hasNext, OUTSIDE",
      "org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils$$anon$1.getNext, NEXT", "org.postgresql.jdbc.PgStatement.executeBatch, SPILL", "org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils$.savePartition, RECORD",
      "java.util.concurrent.locks.ReentrantLock.lock, LOCK", "org.apache.spark.util.collection.AppendOnlyMap.growTable, SPILL", "org.apache.spark.util.collection.AppendOnlyMap.update, RECORD",
      "org.apache.spark.util.collection.OpenHashSet$mcJ$sp.rehash$mcJ$sp, SPILL", "java.util.HashMap.resize, RECORD",
      "org.apache.spark.rdd.HadoopRDD$$anon$1.getNext, NEXT", "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext, NEXT"})
  void theFirstKnownFrameDecides(String frame, DwellKind kind) {
    assertEquals(kind, DwellKind.of(stack("sun.misc.Unsafe.park", frame, "org.apache.spark.rdd.RDD.iterator", "org.apache.spark.scheduler.Task.run")));
    assertEquals(DwellKind.CODEGEN, DwellKind.of(stack("org.codehaus.commons.compiler.Cookable.cook", frame)));
  }

  @ParameterizedTest
  @CsvSource({
      "sun.nio.ch.EPoll.wait, NEXT", "org.apache.arrow.vector.ipc.ReadChannel.readFully, NEXT", "My.parse, PYTHON", "org.codehaus.janino.UnitCompiler.compile, CODEGEN",
      "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1.hasNext, PYTHON"})
  void besideAPythonWorkerOnlyItsRowsAreToBlame(String leaf, DwellKind kind) {
    assertEquals(kind, DwellKind.besidePython(stack(leaf, "org.apache.spark.api.python.BasePythonRunner$ReaderIterator.hasNext", "org.apache.spark.rdd.RDD.iterator")));
  }

  @Test
  void whoWaitsForALockIsNotToBlame() {
    StackTraceElement[] stack = stack("My.parse", "org.apache.spark.rdd.RDD.iterator");
    assertEquals(DwellKind.LOCK, DwellKind.of(Thread.State.BLOCKED, stack, false));
    assertEquals(DwellKind.RECORD, DwellKind.of(Thread.State.TIMED_WAITING, stack, false));
    assertEquals(DwellKind.PYTHON, DwellKind.of(Thread.State.RUNNABLE, stack, true));
  }

  @Test
  void theFramesAreOfTheUser() {
    assertEquals(Arrays.asList("java.lang.Thread.sleep", "My.parse", "My$$Lambda.call", "org.apache.spark.rdd.RDD.iterator"), DwellKind.frames(stack(
        "java.lang.Thread.sleep", "java.util.Map.get", "My.parse", "jdk.internal.X.y", "My$$Lambda/0x00007f1.call", "scala.Option.map", "org.apache.spark.rdd.RDD.iterator",
        "org.apache.spark.scheduler.Task.run")));
  }
}

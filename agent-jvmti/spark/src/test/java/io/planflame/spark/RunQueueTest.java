package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunQueueTest {
  @TempDir Path dir;

  private long of(String text) throws IOException {
    Path file = Files.write(dir.resolve("schedstat"), text.getBytes());
    RunQueue waits = new RunQueue(file.toString());
    long first = waits.nanos();
    assertEquals(first, waits.nanos(), "again, from the start");
    waits.close();
    assertEquals(0, waits.nanos());
    return first;
  }

  @Test
  void isTheSecondNumber() throws IOException {
    assertEquals(456, of("123 456 78\n"));
    assertEquals(9_223_372_036_854_775_807L, of("18446744073709551615 9223372036854775807 18446744073709551615\n"));
    assertEquals(0, of("12\n"));
    assertEquals(0, of(""));
    assertEquals(0, new RunQueue("/no/such/file").nanos());
  }

  @Test
  void anInterruptedTaskIsReadOn() throws IOException {
    RunQueue waits = new RunQueue(Files.write(dir.resolve("schedstat"), "123 456 78\n".getBytes()).toString());
    Thread.currentThread().interrupt();
    try {
      assertEquals(456, waits.nanos());
      assertEquals(456, waits.nanos());
    } finally {
      assertTrue(Thread.interrupted(), "it is still Spark's");
    }
    waits.close();
  }
}

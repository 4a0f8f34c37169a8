package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonRowsTest {
  @ParameterizedTest
  @CsvSource({
      "100, 65536, 1000, 2000, false, 32800", // 327 messages of 200 bytes fit the buffer
      "100, 1024, 1000, 2000, false, 600", "100, 1024, 1000, 20000, false, 100", // longer than the buffer
      "1, 4, 1000, 24000, false, 1", "1, 4, 1000, 300000, true, 2", // the end of a message in Arrow's format may stay behind
      "10000, 65536, 20000, 80000, true, 20000", "0, 4, 10, 10, true, 9223372036854775807", "7, 1, 0, 0, false, 7"})
  void whatABufferHolds(long batch, long buffer, long count, long bytes, boolean arrow, long pending) {
    assertEquals(pending, PythonRows.pending(batch, buffer, count, bytes, arrow));
  }
}

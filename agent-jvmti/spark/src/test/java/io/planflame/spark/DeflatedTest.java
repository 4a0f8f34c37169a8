package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeflatedTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 1000, 100_000})
  void textComesBack(int length) throws Exception {
    byte[] random = new byte[length];
    new Random(7).nextBytes(random);
    assertArrayEquals(random, Deflated.text(Deflated.of(random), length));
    byte[] even = new byte[length];
    assertArrayEquals(even, Deflated.text(Deflated.of(even), length));
  }

  @Test
  void aPlanIsSentInATenth() {
    String node = "{\"parent\":3,\"class\":\"org.apache.spark.sql.execution.ProjectExec\",\"operator\":\"project@12345678\"}";
    byte[] plan = String.join(",", Collections.nCopies(1000, node)).getBytes(StandardCharsets.UTF_8);
    assertTrue(Deflated.of(plan).length < plan.length / 10);
  }

  @Test
  void aTextThatIsTooLargeIsRefused() {
    assertMessage("a plan of 2 deflated bytes is cut off", Arrays.copyOf(Deflated.of(new byte[1000]), 2), 1000);
    byte[] large = Deflated.of(new byte[100_001]);
    assertMessage("a plan of " + large.length + " deflated bytes has more than 100000 bytes", large, 100_000);
  }

  @Test
  void whatIsNotDeflatedIsRefused() {
    assertThrows(DataFormatException.class, () -> Deflated.text("{}".getBytes(StandardCharsets.UTF_8), 1000));
    assertThrows(DataFormatException.class, () -> Deflated.text(new byte[0], 1000));
  }

  private static void assertMessage(String want, byte[] deflated, int most) {
    assertEquals(want, assertThrows(DataFormatException.class, () -> Deflated.text(deflated, most)).getMessage());
  }
}

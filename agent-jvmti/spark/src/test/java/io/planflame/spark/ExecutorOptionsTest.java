package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorOptionsTest {
  private static final String J = "-Dorg.codehaus.janino.source_debugging.enable=";

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "'' | -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:+PreserveFramePointer " + J + "true",
      "-Xss4m | -Xss4m -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:+PreserveFramePointer " + J + "true",
      "-XX:+UnlockDiagnosticVMOptions -XX:+PrintNMethods | -XX:+UnlockDiagnosticVMOptions -XX:+PrintNMethods -XX:+DebugNonSafepoints -XX:+PreserveFramePointer " + J + "true",
      "-XX:-PreserveFramePointer | -XX:-PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints " + J + "true",
      "-XX:-DebugNonSafepoints | -XX:-DebugNonSafepoints -XX:+PreserveFramePointer " + J + "true",
      J + "false | " + J + "false -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:+PreserveFramePointer"})
  void appendsAndNeverReplaces(String user, String want) {
    assertEquals(want, ExecutorOptions.append(user));
    assertEquals(want, ExecutorOptions.append(want), "twice is once");
  }
}

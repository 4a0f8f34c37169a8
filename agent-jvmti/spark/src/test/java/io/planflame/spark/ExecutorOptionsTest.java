package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorOptionsTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "'' | -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",
      "-Xss4m | -Xss4m -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",
      "-XX:+UnlockDiagnosticVMOptions -XX:+PrintNMethods | -XX:+UnlockDiagnosticVMOptions -XX:+PrintNMethods -XX:+DebugNonSafepoints",
      "-XX:-PreserveFramePointer | -XX:-PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints",
      "-XX:-DebugNonSafepoints | -XX:-DebugNonSafepoints",
      "-XX:+PreserveFramePointer | -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints"})
  void appendsAndNeverReplaces(String user, String want) {
    assertEquals(want, ExecutorOptions.append(user));
    assertEquals(want, ExecutorOptions.append(want), "twice is once");
  }
}

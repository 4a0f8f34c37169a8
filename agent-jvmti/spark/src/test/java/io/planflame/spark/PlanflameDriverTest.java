package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

class PlanflameDriverTest {
  @Test
  void withoutAnAgentNoOneWritesTheTimes() {
    PlanflameDriver driver = new PlanflameDriver();
    assertFalse(driver.keepLog("/nowhere/libplanflame.so", () -> new byte[0], new TimeDesk(id -> null, 1)));
    driver.shutdown();
  }
}

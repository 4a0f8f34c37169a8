package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PlanflameExecutorTest {
  /** In local mode the driver is in this JVM, and the poller has other work. */
  @Test
  void aPlanThatTakesLongToReadDoesNotHoldUpThePoller() {
    CountDownLatch read = new CountDownLatch(1);
    PlanBook book = new PlanBook("", 1, 1, () -> 5000, id -> {
      assertTimeoutPreemptively(Duration.ofMinutes(1), () -> read.await());
      return null;
    });
    DriverCall driver = PlanflameExecutor.driver(book, null);
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(7, 0);
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
      driver.ask(question);
      assertNull(driver.answered());
      read.countDown();
      DriverCall.Asked asked;
      do {
        asked = driver.answered();
        Thread.yield();
      } while (asked == null);
      assertEquals(7, asked.get().items.get(0).executionId);
    });
  }
}

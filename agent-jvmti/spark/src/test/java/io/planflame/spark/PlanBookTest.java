package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

/** What the driver forgets when it knows many executions. */
class PlanBookTest {
  private final PlanBook book = new PlanBook("");

  @Test
  void anExecutionThatRunsOutlivesManyThatAreOver() {
    ExecutionPlans runs = book.of(0);
    ExecutionPlans over = book.of(1);
    over.end(ExecutionPlans.End.UNKNOWN);
    for (long id = 2; id < 2000; id++) {
      book.of(id).end(ExecutionPlans.End.UNKNOWN);
    }
    assertSame(runs, book.of(0));
    assertNotSame(over, book.of(1));
  }
}

package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.fake.AdaptiveSparkPlanExec;
import io.planflame.spark.fake.Plan;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the driver forgets when it knows many executions, and what it answers all the same. */
class PlanBookTest {
  /** A node of somebody else's. */
  private static final class Unreadable extends Plan {
    Unreadable() {
      super("Scan");
    }

    @Override
    public String nodeName() {
      throw new IllegalStateException("of another engine");
    }
  }

  /** A node whose lock Spark holds while a job runs. */
  private static final class Held extends Plan {
    private final CountDownLatch jobEnds = new CountDownLatch(1);

    Held() {
      super("Exchange");
    }

    @Override
    public Object subqueries() {
      try {
        jobEnds.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return super.subqueries();
    }
  }

  private final PlanBook book = new PlanBook("");
  private long unixMillis = 5000;
  private Object running; // what Spark knows of an execution

  private PlanBook book(long keptBytes) {
    return new PlanBook("", keptBytes, 1, () -> unixMillis, id -> running);
  }

  private static ExecutionPlansTest.QueryExecution query() {
    return new ExecutionPlansTest.QueryExecution(new Plan("Scan").metric(40));
  }

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

  @Test
  void whatEndedLongestAgoIsForgottenFirst() {
    ExecutionPlans longest = book.of(0);
    for (long id = 1; id < 600; id++) {
      book.of(id).end(ExecutionPlans.End.UNKNOWN);
    }
    book.end(longest, new ExecutionPlans.End(false, 77));
    book.of(600);
    DictionaryQuestion question = new DictionaryQuestion();
    question.addEnd(0);
    assertEquals(77, book.answer(question).items.get(0).endUnixNanos);
  }

  @Test
  void plansThatAreTooLargeAreForgottenButNotTheEnd() {
    PlanBook small = book(1);
    ExecutionPlans plans = small.of(7);
    assertTrue(plans.observe(query()));
    small.of(8);
    assertTrue(plans.holds(40), "it runs");
    small.end(plans, new ExecutionPlans.End(true, 77));
    small.of(9);
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(7, 0);
    DictionaryAnswer.Item item = small.answer(question).items.get(0);
    assertEquals(0, item.dictionaries.length);
    assertEquals(0, item.accumulators.length);
    assertEquals(0, plans.bytes());
    assertTrue(item.failed);
    assertEquals(77, item.endUnixNanos);
    assertTrue(small.finalNames(7)[0].startsWith("q1-"), small.finalNames(7)[0]);
  }

  @Test
  void theNewestOwnsAnAccumulatorWhateverEndsFirst() {
    ExecutionPlans older = book.of(7);
    assertTrue(older.observe(query()));
    assertTrue(book.of(8).observe(query()));
    book.end(older, new ExecutionPlans.End(false, 77));
    DictionaryQuestion question = new DictionaryQuestion();
    question.addHomeless(new long[] {40});
    assertEquals(8, book.answer(question).owner(0));
  }

  /** A node of another engine may lack what Spark's nodes have. */
  @Test
  void aPlanThatCannotBeReadSpoilsNoOther() {
    AdaptiveSparkPlanExec bad = new AdaptiveSparkPlanExec(new Unreadable());
    AdaptiveSparkPlanExec good = new AdaptiveSparkPlanExec(new Plan("Scan"));
    List<AdaptiveSparkPlanExec> alive = Arrays.asList(bad, good);
    for (AdaptiveSparkPlanExec plan : alive) {
      book.planned().see(plan.of(new ExecutionPlansTest.QueryExecution(plan)));
    }
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(-2, 0);
    question.add(-3, 0);
    List<DictionaryAnswer.Item> items = book.answer(question).items;
    assertEquals(0, items.get(0).dictionaries.length);
    assertFalse(items.get(0).over);
    assertEquals(1, items.get(1).dictionaries.length);
    assertNull(book.of(-3).over());
    assertEquals(2, book.planned().unclaimed().size());
    assertEquals(2, alive.size(), "they live until here");
  }

  @Test
  void aPlanWhoseLockSparkHoldsKeepsNoOneWaiting() {
    PlanBook hasty = book(1 << 20);
    Held held = new Held();
    AdaptiveSparkPlanExec rdd = new AdaptiveSparkPlanExec(held);
    hasty.planned().see(rdd.of(new ExecutionPlansTest.QueryExecution(rdd)));
    assertTrue(hasty.of(7).observe(query()));
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(-2, 0);
    question.addHomeless(new long[] {40});
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
      for (int i = 0; i < 2; i++) {
        DictionaryAnswer answer = hasty.answer(question);
        assertEquals(7, answer.owner(0));
        assertEquals(0, answer.items.get(0).dictionaries.length);
      }
      held.jobEnds.countDown();
      hasty.requestUnclaimed().get();
    });
    assertEquals(1, hasty.of(-2).since(0).size());
    assertFalse(rdd.isFinalPlan(), "it lives until here");
  }

  @Test
  void anExecutionThatSparkHasNotKnownForAMinuteIsOver() {
    PlanBook timed = book(1 << 20);
    DictionaryQuestion plans = new DictionaryQuestion();
    plans.add(7, 0);
    DictionaryQuestion end = new DictionaryQuestion();
    end.addEnd(7);
    assertFalse(timed.answer(plans).items.get(0).over);
    unixMillis += 59_999;
    assertFalse(timed.answer(end).items.get(0).over);
    running = new Object();
    unixMillis += 60_000;
    assertFalse(timed.answer(end).items.get(0).over);
    running = null;
    assertFalse(timed.answer(end).items.get(0).over);
    assertEquals(0, timed.lost().count());
    unixMillis += 60_000;
    DictionaryAnswer.Item item = timed.answer(plans).items.get(0);
    assertTrue(item.over);
    assertFalse(item.failed);
    assertEquals(124_999_000_000L, item.endUnixNanos);
    assertEquals(1, timed.lost().count());
  }
}

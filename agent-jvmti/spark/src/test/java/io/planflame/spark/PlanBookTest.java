package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.fake.AdaptiveSparkPlanExec;
import io.planflame.spark.fake.Plan;
import java.util.Arrays;
import java.util.List;
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

  private final PlanBook book = new PlanBook("");

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
    PlanBook small = new PlanBook("", 1);
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
}

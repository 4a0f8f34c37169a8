package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.fake.AdaptiveSparkPlanExec;
import io.planflame.spark.fake.Plan;
import io.planflame.spark.fake.ShuffleExchangeExec;
import io.planflame.spark.fake.ShuffleQueryStageExec;
import io.planflame.spark.shim.PlannedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans that run for no SQL execution: who owns them, and for how long. */
class PlannedPlansTest {
  private final PlanBook book = new PlanBook("");
  private final AdaptiveSparkPlanExec root = new AdaptiveSparkPlanExec(new Plan("Scan").metric(40));
  private final ExecutionPlansTest.QueryExecution query = new ExecutionPlansTest.QueryExecution(root);

  PlannedPlansTest() {
    root.of(query);
  }

  private DictionaryAnswer ask(long... homeless) throws Exception {
    DictionaryQuestion question = new DictionaryQuestion();
    question.addHomeless(homeless);
    return book.answer(question);
  }

  @Test
  void aPlanThatNoExecutionRunsOwnsItsAccumulators() throws Exception {
    assertEquals(DictionaryAnswer.NO_OWNER, ask(40).owner(0));
    book.planned().see(root);
    DictionaryAnswer answer = ask(40, 41);
    assertEquals(-2, answer.owner(0));
    assertEquals(DictionaryAnswer.NO_OWNER, answer.owner(1));
    assertEquals(1, book.of(-2).since(0).size());
  }

  @Test
  void itIsOverWhenSparkWillNotChangeIt() {
    book.planned().see(root);
    book.readUnclaimed();
    assertNull(book.of(-2).over());
    root.replan(new Plan("Scan again").metric(42));
    root.finish();
    book.readUnclaimed();
    book.readUnclaimed();
    assertSame(ExecutionPlans.End.UNKNOWN, book.of(-2).over());
    assertEquals(2, book.of(-2).since(0).size());
  }

  @Test
  void whoAsksForItHearsThatItIsOver() throws Exception {
    book.planned().see(root);
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(-2, 0);
    assertFalse(book.answer(question).items.get(0).over);
    root.finish();
    DictionaryAnswer.Item item = book.answer(question).items.get(0);
    assertTrue(item.over);
    assertEquals(2, item.dictionaries.length); // the root's text says whether it is final
  }

  @Test
  void anExecutionClaimsItsPlan() throws Exception {
    book.planned().see(root);
    assertEquals(1, book.planned().unclaimed().size());
    assertTrue(book.of(7).observe(query));
    assertEquals(Collections.emptyList(), book.planned().unclaimed());
    assertEquals(7, ask(40).owner(0));
  }

  @Test
  void anExecutionThatComesLaterOwnsThem() throws Exception {
    book.of(7); // it has begun, and its plan is read later
    book.planned().see(root);
    assertEquals(-2, ask(40).owner(0));
    assertTrue(book.of(7).observe(query));
    assertEquals(7, ask(40).owner(0));
  }

  @Test
  void aPlanThatIsGoneIsOver() throws Exception {
    DictionaryQuestion question = new DictionaryQuestion();
    question.add(-9, 0);
    DictionaryAnswer.Item item = book.answer(question).items.get(0);
    assertTrue(item.over);
    assertFalse(item.failed);
    assertEquals(0, item.endUnixNanos);
  }

  @Test
  void partsOfAPlanAreLeftOut() {
    for (Plan part : Arrays.asList(
        new ShuffleExchangeExec(new Plan("Scan")), new Plan("Filter", new ShuffleQueryStageExec()), new AdaptiveSparkPlanExec(new Plan("Scan")).asSubquery())) {
      book.planned().see(part);
    }
    book.planned().see(new Object()); // no plan: nothing reaches the thread that plans
    assertEquals(Collections.emptyList(), book.planned().unclaimed());
    book.planned().see(new Plan("Filter", new Plan("Scan")));
    assertEquals(1, book.planned().unclaimed().size());
    assertNull(book.planned().unclaimed().get(0).queryExecution());
  }

  @Test
  void theOldestAreForgotten() {
    List<Plan> all = new ArrayList<>();
    for (int i = 0; i < PlannedPlans.KEPT + 3; i++) {
      all.add(new Plan("Scan"));
      book.planned().see(all.get(i));
    }
    assertEquals(PlannedPlans.KEPT, book.planned().unclaimed().size());
    assertNull(book.planned().of(-4));
    PlannedPlan oldest = book.planned().of(-5);
    assertNotNull(oldest);
    assertEquals(-5, oldest.id);
    assertEquals(PlannedPlans.KEPT + 3, all.size(), "they live until here");
  }

  @Test
  void theExtensionStandsBehindTheUsers() {
    String ours = "io.planflame.spark.SessionExtension";
    String both = "io.delta.sql.DeltaSparkSessionExtension," + ours;
    assertEquals(ours, SessionExtension.behind(""));
    assertEquals(both, SessionExtension.behind("io.delta.sql.DeltaSparkSessionExtension"));
    assertEquals(both, SessionExtension.behind(both));
  }
}

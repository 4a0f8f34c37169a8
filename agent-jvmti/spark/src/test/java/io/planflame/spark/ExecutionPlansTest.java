package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.planflame.spark.fake.AdaptiveSparkPlanExec;
import io.planflame.spark.fake.IncrementalExecution;
import io.planflame.spark.fake.Plan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** When a plan is read again, and when it need not be. */
class ExecutionPlansTest {
  /** A logical plan without sources. */
  public static final class OneRowRelation {
    public Object children() {
      return List$.MODULE$.empty();
    }

    public Object output() {
      return List$.MODULE$.empty();
    }
  }

  /** The lazy vals of Spark 3.5's. */
  static final class QueryExecution {
    final Object analyzed = new OneRowRelation();
    final Object optimizedPlan = new OneRowRelation();
    Object executedPlan;

    QueryExecution(Plan executed) {
      this.executedPlan = executed;
    }
  }

  private final Plan scan = new Plan("Scan");
  private final AdaptiveSparkPlanExec inner = new AdaptiveSparkPlanExec(new Plan("Subquery"));
  private final AdaptiveSparkPlanExec root = new AdaptiveSparkPlanExec(new Plan("Filter", scan).subquery(inner));
  private final QueryExecution query = new QueryExecution(root);
  private final ExecutionPlans plans = new ExecutionPlans(7, "");

  /** What one look asks the nodes for. */
  private List<String> observed() {
    Plan.READ.clear();
    assertTrue(plans.observe(query));
    return new ArrayList<>(Plan.READ);
  }

  private static final List<String> ADAPTIVES_ONLY = Arrays.asList("AdaptiveSparkPlan isFinalPlan=false", "AdaptiveSparkPlan isFinalPlan=false");

  @BeforeEach
  void readFirst() {
    List<String> tree = Arrays.asList("AdaptiveSparkPlan isFinalPlan=false", "Filter", "Scan", "AdaptiveSparkPlan isFinalPlan=false", "Subquery");
    List<String> once = new ArrayList<>(tree); // the first tree names; the one of now is the same
    once.addAll(ADAPTIVES_ONLY);
    assertEquals(once, observed());
    assertEquals(1, plans.since(0).size());
  }

  @Test
  void aPlanThatHasNotChangedIsNotReadAgain() {
    assertEquals(ADAPTIVES_ONLY, observed());
    assertEquals(ADAPTIVES_ONLY, observed());
    assertEquals(1, plans.since(0).size());
  }

  @Test
  void namesAreGivenOnTheFirstTreeHoweverLate() {
    AdaptiveSparkPlanExec late = new AdaptiveSparkPlanExec(new Plan("First"));
    late.replan(new Plan("Second"));
    query.executedPlan = late;
    ExecutionPlans others = new ExecutionPlans(8, "");
    Plan.READ.clear();
    assertTrue(others.observe(query));
    assertEquals(Arrays.asList("AdaptiveSparkPlan isFinalPlan=false", "First", "AdaptiveSparkPlan isFinalPlan=false", "Second"), Plan.READ);
    assertEquals(2, others.since(0).size());
  }

  @Test
  void whatAqePlansAnewIsRead() {
    root.replan(new Plan("Broadcast", scan).subquery(inner));
    assertTrue(observed().contains("Broadcast"));
    assertEquals(2, plans.since(0).size());
    assertEquals(ADAPTIVES_ONLY, observed());
  }

  @Test
  void aSubqueryThatIsPlannedAnewIsRead() {
    inner.replan(new Plan("Other"));
    assertTrue(observed().contains("Other"));
    assertEquals(2, plans.since(0).size());
    assertEquals(ADAPTIVES_ONLY, observed());
  }

  @Test
  void aPlanThatBecameFinalIsRead() {
    root.finish();
    assertTrue(observed().contains("Scan"));
    assertEquals(2, plans.since(0).size());
    assertEquals(Arrays.asList("AdaptiveSparkPlan isFinalPlan=true", "AdaptiveSparkPlan isFinalPlan=false"), observed());
  }

  @Test
  void anotherRootIsRead() {
    query.executedPlan = new Plan("Command");
    assertEquals(Collections.singletonList("Command"), observed());
    assertEquals(2, plans.since(0).size());
    assertEquals(Collections.emptyList(), observed());
  }

  @Test
  void afterTheEndNothingIsKeptOfThePlan() {
    assertTrue(plans.keeps());
    plans.end(new ExecutionPlans.End(true, 23));
    plans.end(ExecutionPlans.End.UNKNOWN);
    assertFalse(plans.keeps());
    assertEquals(23, plans.over().unixNanos);
    assertTrue(plans.finalNames()[0].startsWith("q1-"), plans.finalNames()[0]);
    root.replan(new Plan("Broadcast", scan).subquery(inner));
    assertEquals(Collections.emptyList(), observed());
    assertFalse(plans.keeps());
    assertEquals(1, plans.since(0).size());
  }

  /** An executor must not hear that a plan has an accumulator whose update it does not get. */
  @Test
  void anUpdateThatIsLeftOutHoldsNothing() {
    for (long id = 1; id <= 300; id++) {
      root.replan(new Plan("Broadcast").metric(id));
      assertTrue(plans.observe(query));
    }
    assertEquals(256, plans.since(0).size());
    assertTrue(plans.holds(255));
    assertFalse(plans.holds(256));
    assertFalse(plans.holds(300));
  }

  @Test
  void aBatchOfAStreamHasASink() throws Exception {
    ExecutionPlans batch = new ExecutionPlans(8, "");
    assertTrue(batch.observe(new IncrementalExecution(new OneRowRelation(), new Plan("Save", new Plan("Scan")))));
    batch.started("", "clicks\nid = 0f0c\nrunId = 5a3e\nbatch = 17", "");
    batch.rename();
    assertEquals(2, batch.since(0).size());
    String json = new String(Deflated.text(batch.since(1).get(0), 1 << 20), StandardCharsets.UTF_8);
    assertTrue(json.contains("\"query_name\":\"clicks\""), json);
    assertTrue(json.contains("{\"parent\":-1,\"class\":\"io.planflame.StreamSink\",\"name\":\"StreamSink\""), json);
    assertTrue(json.contains("{\"parent\":0,\"class\":\"io.planflame.spark.fake.Plan\",\"name\":\"Save\""), json);
    assertTrue(json.contains("{\"parent\":1,\"class\":\"io.planflame.spark.fake.Plan\",\"name\":\"Scan\""), json);
  }

  @Test
  void withoutAPlanThereIsNothingToRead() {
    assertFalse(plans.observe(null));
    assertFalse(plans.observe(new QueryExecution(null)));
  }
}

package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.planflame.spark.fake.Plan;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

class PhysicalReaderTest {
  /** An aggregate without functions, of another engine. It tells no distribution. */
  public static final class XHashAggregateExec extends Plan {
    XHashAggregateExec() {
      super("XHashAggregate");
    }

    public Object aggregateExpressions() {
      return List$.MODULE$.empty();
    }
  }

  @Test
  void anAggregateOfAnotherEngineIsRead() {
    Plan aggregate = new XHashAggregateExec();
    PlanNode node = PhysicalReader.read(aggregate, new LogicalReader(new HashSet<>()), new PlanState(aggregate)).get(0);
    assertEquals("", node.mode);
  }
}

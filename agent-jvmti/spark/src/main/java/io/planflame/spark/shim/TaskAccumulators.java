package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.util.AccumulatorV2;
import scala.Function1;

/**
 * The accumulators that a running task has updated: they tell which plan nodes its stage runs. Those it merely registered do not, for
 * the closure of a stage often holds the whole plan; so an accumulator counts once it is no longer zero. Spark 3.5.3 and later guard the
 * buffer by TaskMetrics.withExternalAccums; earlier 3.5 has only the bare externalAccums.
 */
public final class TaskAccumulators {
  private TaskAccumulators() {}

  /** Adds the ids of the accumulators that the task has updated so far to {@code ids}; complete when the task has ended. */
  public static void collect(TaskMetrics metrics, Set<Long> ids) {
    for (Object accumulator : all(metrics)) {
      AccumulatorV2<?, ?> known = (AccumulatorV2<?, ?>) accumulator;
      if (!known.isZero()) {
        ids.add(known.id());
      }
    }
  }

  private static List<Object> all(TaskMetrics metrics) {
    if (!Members.has(metrics, "withExternalAccums", 1)) {
      return Scala.list(Members.call(metrics, "externalAccums"));
    }
    List<Object> accumulators = new ArrayList<>();
    Function1<Object, Object> copy = buffer -> accumulators.addAll(Scala.list(buffer));
    Members.call(metrics, "withExternalAccums", copy);
    return accumulators;
  }
}

package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
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
    List<Object> accumulators = new ArrayList<>();
    if (Members.has(metrics, "withExternalAccums", 1)) {
      Function1<Object, Object> copy = buffer -> accumulators.addAll(Scala.list(buffer));
      Members.call(metrics, "withExternalAccums", copy);
    } else {
      accumulators.addAll(Scala.list(Members.call(metrics, "externalAccums")));
    }
    for (Object accumulator : accumulators) {
      if (Boolean.FALSE.equals(Members.call(accumulator, "isZero"))) {
        ids.add((Long) Members.call(accumulator, "id"));
      }
    }
  }
}

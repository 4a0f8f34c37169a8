package io.planflame.spark.shim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A batch of a streaming query: Spark's IncrementalExecution (3.5 and 4.x, in different packages).
 */
public final class StreamBatch {
  /** The class of the node that stands for the sink. */
  public static final String SINK = "StreamSink";

  private StreamBatch() {}

  /** Whether a QueryExecution is a batch of a streaming query. */
  public static boolean is(Object queryExecution) {
    return queryExecution.getClass().getName().endsWith(".IncrementalExecution");
  }

  /**
   * The plan of a batch with a root of ours that writes. Spark's plan has none where the sink is of
   * its older kind: files, foreachBatch. There no one else is in the plan to whom the writers' CPU
   * could belong.
   */
  public static List<PlanNode> withSink(List<PlanNode> nodes) {
    if (nodes.isEmpty() || nodes.get(0).simpleClass().startsWith("WriteTo")) {
      return nodes;
    }
    List<PlanNode> out = new ArrayList<>();
    out.add(new PlanNode(SINK, -1, 0, "io.planflame." + SINK, SINK, SINK, false, -1, -1, "", null, Collections.emptyList(), "", Collections.emptyMap()));
    for (PlanNode node : nodes) {
      out.add(node.below());
    }
    return out;
  }
}

package io.planflame.spark.shim;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerInterface;

/**
 * Registers a listener on a queue (a thread) of its own, so that neither it nor a user's slow
 * listener delays the other.
 */
public final class ListenerQueue {
  private static final String NAME = "planflame";

  private ListenerQueue() {}

  /**
   * Adds {@code listener}. LiveListenerBus.addToQueue is Spark's own and the same in 3.5 and 4.x;
   * without it the shared queue serves.
   */
  public static void add(SparkContext context, SparkListenerInterface listener) {
    Object bus = Members.call(context, "listenerBus");
    if (Members.has(bus, "addToQueue", 2)) {
      Members.call(bus, "addToQueue", listener, NAME);
    } else {
      context.addSparkListener(listener);
    }
  }
}

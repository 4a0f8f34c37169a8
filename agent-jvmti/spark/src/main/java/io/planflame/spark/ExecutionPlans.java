package io.planflame.spark;

import io.planflame.identity.Identity;
import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.LogicalReader;
import io.planflame.spark.shim.PhysicalReader;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** All updates of one execution's plan, on the driver. Safe from any thread: every method holds the object's monitor. */
final class ExecutionPlans {
  private static final int MAX_UPDATES = 256;

  final long executionId;
  private final String label;
  private final List<byte[]> updates = new ArrayList<>();
  private final Set<Long> accumulators = new TreeSet<>();
  private Identity identity;
  private PlanNames names;
  private PlanUpdate last;
  private String description = "";
  private String jobName = "";
  private boolean over;
  private long lostUpdates;

  /** @param label the name the user gave to all queries of the application, or "" */
  ExecutionPlans(long executionId, String label) {
    this.executionId = executionId;
    this.label = label;
  }

  /** The start event's description and the name that the user gave the job, "" where there is none. */
  synchronized void describe(String text, String userName) {
    String before = queryName();
    description = text;
    jobName = userName.isEmpty() ? jobName : userName;
    if (last != null && !queryName().equals(before)) {
      add(last);
    }
  }

  /**
   * Reads the plan as it is now; an update is added when it says something new.
   *
   * @return whether a plan could be read
   */
  synchronized boolean observe(Object queryExecution) {
    Object executed = queryExecution == null ? null : Executions.executed(queryExecution);
    if (executed == null) {
      return false;
    }
    LogicalReader logical = new LogicalReader();
    if (names == null) {
      Object analyzed = Executions.analyzed(queryExecution);
      if (analyzed == null) {
        return false;
      }
      Object optimized = Executions.optimized(queryExecution);
      identity = new Identity(logical.read(analyzed), optimized == null ? null : logical.read(optimized));
      names = new PlanNames(identity);
    }
    List<PlanNode> nodes = PhysicalReader.read(executed, logical);
    PlanUpdate update = new PlanUpdate(nodes, names.name(nodes));
    if (!update.sameAs(last)) {
      add(update);
    }
    return true;
  }

  /** Whether all these accumulators are in an update. */
  synchronized boolean knows(Set<Long> ids) {
    return accumulators.containsAll(ids);
  }

  synchronized void end() {
    over = true;
  }

  synchronized boolean isOver() {
    return over;
  }

  synchronized boolean isEmpty() {
    return updates.isEmpty();
  }

  /** The updates from number {@code from} on. */
  synchronized List<byte[]> since(int from) {
    return from >= updates.size() ? Collections.emptyList() : new ArrayList<>(updates.subList(from, updates.size()));
  }

  synchronized Set<Long> accumulators() {
    return new TreeSet<>(accumulators);
  }

  private String queryName() {
    return !label.isEmpty() ? label : !jobName.isEmpty() ? jobName : identity == null ? "" : identity.generatedName();
  }

  private void add(PlanUpdate update) {
    last = update;
    accumulators.addAll(update.accumulators());
    if (updates.size() >= MAX_UPDATES) {
      if (lostUpdates++ == 0) {
        Complaints.say("execution " + executionId + " has more than " + MAX_UPDATES + " plans, later ones are left out");
      }
      return;
    }
    updates.add(update.json(executionId, updates.size(), identity, queryName(), description));
  }
}

package io.planflame.spark;

import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.PlannedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The driver's plans, execution by execution, filled by the listener and by executors' questions,
 * whichever comes first. Thread-safe.
 */
final class PlanBook {
  private static final int KEPT_EXECUTIONS = 512;
  private static final long KEPT_BYTES = 64L << 20; // of plans of executions that are over
  private static final AtomicReference<PlanBook> OF_THIS_JVM = new AtomicReference<>();

  private final String label;
  private final StageBook stages;
  private final PlannedPlans planned = new PlannedPlans();
  private final Map<Long, ExecutionPlans> executions = new LinkedHashMap<>();

  /** @param label the name the user gave to all queries of the application, or "" */
  PlanBook(String label) {
    this.label = label;
    this.stages = new StageBook(label);
  }

  /** Makes this the book that executors in the same JVM (local mode) read directly. */
  static void publish(PlanBook book) {
    OF_THIS_JVM.set(book);
  }

  static void retract(PlanBook book) {
    OF_THIS_JVM.compareAndSet(book, null);
  }

  /** The book of the driver in this JVM, null on an executor of a cluster. */
  static PlanBook ofThisJvm() {
    return OF_THIS_JVM.get();
  }

  /** The names of stages without a plan. */
  StageBook stages() {
    return stages;
  }

  /** The plans that sessions have made. */
  PlannedPlans planned() {
    return planned;
  }

  /**
   * Reads the plans that no SQL execution has claimed: tasks outside SQL may run their code. Each
   * goes under the id of an execution that is none.
   */
  void readUnclaimed() {
    for (PlannedPlan plan : planned.unclaimed()) {
      try {
        of(plan.id).observePlanned(plan);
      } catch (Throwable e) {
        Complaints.once("read the plan of an RDD", e);
      }
    }
  }

  /** The plans of an execution, empty when it is new. */
  ExecutionPlans of(long executionId) {
    synchronized (executions) {
      ExecutionPlans known = executions.get(executionId);
      if (known != null) {
        return known;
      }
      forgetOldest();
      ExecutionPlans plans = new ExecutionPlans(executionId, label);
      executions.put(executionId, plans);
      forgetBeyond(PlannedPlans.has(executionId));
      return plans;
    }
  }

  /**
   * Plans of RDDs have room of their own: they push no execution out that runs. What is over goes
   * first.
   */
  private void forgetBeyond(boolean planned) {
    long beyond = executions.keySet().stream().filter(id -> PlannedPlans.has(id) == planned).count() - (planned ? PlannedPlans.KEPT : KEPT_EXECUTIONS);
    for (boolean over : new boolean[] {true, false}) {
      Iterator<Map.Entry<Long, ExecutionPlans>> it = executions.entrySet().iterator();
      while (beyond > 0 && it.hasNext()) {
        Map.Entry<Long, ExecutionPlans> oldest = it.next();
        if (PlannedPlans.has(oldest.getKey()) == planned && (oldest.getValue().over() != null || !over)) {
          it.remove();
          beyond--;
        }
      }
    }
  }

  /** Before a new execution: drops the oldest that are over while all together are too large. */
  private void forgetOldest() {
    long bytes = 0;
    for (ExecutionPlans plans : executions.values()) {
      bytes += plans.bytes();
    }
    Iterator<ExecutionPlans> it = executions.values().iterator();
    while (bytes > KEPT_BYTES && it.hasNext()) {
      ExecutionPlans oldest = it.next();
      if (oldest.over() != null) {
        bytes -= oldest.bytes();
        it.remove();
      }
    }
  }

  /**
   * The {@link ExecutionPlans#finalNames} of an execution; empty of one that is not in the book.
   */
  String[] finalNames(long executionId) {
    synchronized (executions) {
      ExecutionPlans known = executions.get(executionId);
      return known == null ? new String[] {"", "", ""} : known.finalNames();
    }
  }

  /**
   * How an execution ended, null while it runs. One that is not in the book was forgotten, since
   * whoever asks has asked for its plans before.
   */
  private ExecutionPlans.End over(long executionId) {
    synchronized (executions) {
      ExecutionPlans known = executions.get(executionId);
      return known == null ? ExecutionPlans.End.UNKNOWN : known.over();
    }
  }

  /** Answers an executor, reading plans that no event has told of yet. */
  DictionaryAnswer answer(DictionaryQuestion question) throws ReflectiveOperationException {
    DictionaryAnswer answer = new DictionaryAnswer();
    for (DictionaryQuestion.Item item : question.items) {
      if (item.endOnly) {
        answer.add(item.executionId, 0, over(item.executionId), Collections.emptyList(), Collections.emptySet());
        continue;
      }
      ExecutionPlans plans = of(item.executionId);
      if (plans.over() == null) {
        read(plans);
      }
      answer.add(item.executionId, item.from, plans.over(), plans.since(item.from), plans.accumulators());
    }
    if (question.homeless().length > 0) {
      readUnclaimed();
    }
    answer.setOwners(owners(question.homeless()));
    for (int stage : question.stages) {
      answer.stages.add(stages.of(stage));
    }
    return answer;
  }

  private void read(ExecutionPlans plans) throws ReflectiveOperationException {
    if (!PlannedPlans.has(plans.executionId)) {
      Object running = Executions.queryExecution(plans.executionId);
      if (running != null) {
        plans.observe(running);
      }
      return;
    }
    PlannedPlan plan = planned.of(plans.executionId);
    if (plan == null) {
      plans.end(ExecutionPlans.End.UNKNOWN);
    } else {
      plans.observePlanned(plan);
    }
  }

  /**
   * The executions whose plans hold accumulators, the newest that does; one that is none if no SQL
   * execution does.
   */
  private long[] owners(long[] accumulators) {
    long[] owners = new long[accumulators.length];
    Arrays.fill(owners, DictionaryAnswer.NO_OWNER);
    List<ExecutionPlans> all;
    synchronized (executions) {
      all = new ArrayList<>(executions.values());
    }
    for (ExecutionPlans plans : all) {
      for (int i = 0; i < owners.length; i++) {
        boolean sql = owners[i] >= 0;
        if (plans.holds(accumulators[i]) && !(sql && PlannedPlans.has(plans.executionId))) {
          owners[i] = plans.executionId;
        }
      }
    }
    return owners;
  }
}

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * The driver's plans, execution by execution, filled by the listener and by executors' questions,
 * whichever comes first. Thread-safe.
 */
final class PlanBook {
  private static final int KEPT_EXECUTIONS = 512;
  private static final long KEPT_BYTES = 64L << 20; // of plans of executions that are over
  private static final long PATIENCE_MILLIS = 5000; // a first plan takes a cold JVM a second or two
  private static final long LOST_MILLIS = 60_000; // a listener's queue is rarely that far behind
  private static final AtomicReference<PlanBook> OF_THIS_JVM = new AtomicReference<>();

  /** What Spark knows of executions that run. */
  interface Running {
    /** The QueryExecution of one, null if Spark does not know it. */
    Object queryExecution(long executionId) throws ReflectiveOperationException;
  }

  private final String label;
  private final StageBook stages;
  private final PlannedPlans planned = new PlannedPlans();
  private final Map<Long, ExecutionPlans> executions = new LinkedHashMap<>(); // by start, or by end once that has come
  private final long keptBytes;
  private final LongSupplier unixMillis;
  private final Running running;
  private final Set<Long> asked = ConcurrentHashMap.newKeySet(); // ids of plans of RDDs
  private final SharedWork rdds;
  private final Tally lost = new Tally("end an execution without its end event, which Spark has dropped");

  /** @param label the name the user gave to all queries of the application, or "" */
  PlanBook(String label) {
    this(label, KEPT_BYTES, PATIENCE_MILLIS, System::currentTimeMillis, Executions::queryExecution);
  }

  PlanBook(String label, long keptBytes, long patienceMillis, LongSupplier unixMillis, Running running) {
    this.label = label;
    this.keptBytes = keptBytes;
    this.rdds = new SharedWork("planflame-plans", patienceMillis, this::readPlanned);
    this.unixMillis = unixMillis;
    this.running = running;
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

  /** Has {@link #readUnclaimed} run on a thread of its own, and returns its end. Never blocks. */
  Future<?> requestUnclaimed() {
    return rdds.request();
  }

  /**
   * What the thread for plans of RDDs does. No other thread may: Spark makes a shuffle under the
   * lock of its node, and the job that samples the shuffle's rows may take long.
   */
  private void readPlanned() {
    for (Long id : asked) {
      asked.remove(id);
      readOrSay(of(id));
    }
    readUnclaimed();
  }

  /**
   * Reads the plans that no SQL execution has claimed: tasks outside SQL may run their code. Each
   * goes under the id of an execution that is none. May block for as long as a job of Spark runs.
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
      forgetPlans();
      ExecutionPlans plans = new ExecutionPlans(executionId, label);
      executions.put(executionId, plans);
      forgetBeyond(PlannedPlans.has(executionId));
      return plans;
    }
  }

  /** An execution is over. What ended longest ago is forgotten first. */
  void end(ExecutionPlans plans, ExecutionPlans.End end) {
    plans.end(end);
    synchronized (executions) {
      executions.remove(plans.executionId);
      executions.put(plans.executionId, plans);
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

  /**
   * Before a new execution: drops plans of those that are over while all together are too large.
   * Executors still hear of their ends.
   */
  private void forgetPlans() {
    long bytes = 0;
    for (ExecutionPlans plans : executions.values()) {
      bytes += plans.bytes();
    }
    for (ExecutionPlans oldest : executions.values()) {
      if (bytes > keptBytes && oldest.over() != null) {
        bytes -= oldest.bytes();
        oldest.forget();
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
    ExecutionPlans known;
    synchronized (executions) {
      known = executions.get(executionId);
    }
    return known == null ? ExecutionPlans.End.UNKNOWN : overOrLost(known);
  }

  /**
   * How an execution ended, null while it runs. One that Spark has not known of for a minute is
   * over: Spark drops events while a listener's queue is full.
   */
  private ExecutionPlans.End overOrLost(ExecutionPlans plans) {
    if (plans.over() == null && !PlannedPlans.has(plans.executionId)) {
      try {
        long now = unixMillis.getAsLong();
        long since = plans.markKnown(running.queryExecution(plans.executionId) != null, now);
        if (now - since >= LOST_MILLIS) {
          lost.add();
          lost.tell();
          end(plans, new ExecutionPlans.End(false, TimeUnit.MILLISECONDS.toNanos(since)));
        }
      } catch (Throwable e) {
        Complaints.once("ask Spark whether an execution runs", e);
      }
    }
    return plans.over();
  }

  /** Executions that were ended without Spark's event. */
  Tally lost() {
    return lost;
  }

  /** Answers an executor, reading plans that no event has told of yet. */
  DictionaryAnswer answer(DictionaryQuestion question) {
    DictionaryAnswer answer = new DictionaryAnswer();
    readForAnswer(question);
    for (DictionaryQuestion.Item item : question.items) {
      if (item.endOnly) {
        answer.add(item.executionId, 0, over(item.executionId), Collections.emptyList(), Collections.emptySet());
        continue;
      }
      ExecutionPlans plans = of(item.executionId);
      if (plans.over() == null && !PlannedPlans.has(item.executionId)) {
        readOrSay(plans);
      }
      Set<Long> named = plans.accumulators(); // before the updates, which may become more
      ExecutionPlans.End over = overOrLost(plans); // before them, too
      answer.add(item.executionId, item.from, over, plans.since(item.from), named);
    }
    answer.setOwners(owners(question.homeless()));
    for (int stage : question.stages) {
      answer.stages.add(stages.of(stage));
    }
    return answer;
  }

  /** Reads plans of RDDs that a question is about; what takes long is for a later answer. */
  private void readForAnswer(DictionaryQuestion question) {
    boolean wanted = question.homeless().length > 0;
    for (DictionaryQuestion.Item item : question.items) {
      if (!item.endOnly && PlannedPlans.has(item.executionId) && of(item.executionId).over() == null) {
        asked.add(item.executionId);
        wanted = true;
      }
    }
    try {
      if (wanted) {
        rdds.requestAndWait();
      }
    } catch (Throwable e) {
      Complaints.once("have the plan of an RDD read", e);
    }
  }

  /** A plan that cannot be read must not keep executors from the others. */
  private void readOrSay(ExecutionPlans plans) {
    try {
      read(plans);
    } catch (Throwable e) {
      Complaints.once("read a plan for an executor", e);
    }
  }

  private void read(ExecutionPlans plans) throws ReflectiveOperationException {
    if (!PlannedPlans.has(plans.executionId)) {
      Object queryExecution = running.queryExecution(plans.executionId);
      if (queryExecution != null) {
        plans.observe(queryExecution);
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
        if (plans.holds(accumulators[i]) && rank(plans.executionId) > rank(owners[i])) {
          owners[i] = plans.executionId;
        }
      }
    }
    return owners;
  }

  /**
   * No owner is below plans of RDDs. These are below SQL executions, and older ones below newer.
   */
  private static long rank(long owner) {
    return owner >= 0 ? owner : Long.MIN_VALUE - owner;
  }
}

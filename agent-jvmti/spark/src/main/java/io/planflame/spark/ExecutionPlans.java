package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.agent.NativeLoader;
import io.planflame.identity.Identity;
import io.planflame.spark.shim.Executions;
import io.planflame.spark.shim.InfoReader;
import io.planflame.spark.shim.LogicalReader;
import io.planflame.spark.shim.PhysicalReader;
import io.planflame.spark.shim.PlanNode;
import io.planflame.spark.shim.PlanState;
import io.planflame.spark.shim.PlannedPlan;
import io.planflame.spark.shim.StreamBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All updates of one execution's plan, on the driver. Safe from any thread: what does not say
 * otherwise holds the object's monitor.
 */
final class ExecutionPlans {
  private static final int MAX_UPDATES = 256;
  private static final long MAX_BYTES = 64L << 20; // of all updates, deflated; the last one may go beyond

  /** How an execution ended. */
  static final class End {
    /** Over, but no one knows when and how: it was forgotten. */
    static final End UNKNOWN = new End(false, 0);

    final boolean failed;
    final long unixNanos;

    End(boolean failed, long unixNanos) {
      this.failed = failed;
      this.unixNanos = unixNanos;
    }
  }

  final long executionId;
  private final QueryName name;
  private final List<byte[]> updates = new CopyOnWriteArrayList<>(); // Deflated; changed under this object's lock
  private volatile long bytes; // of updates; changed under this object's lock
  private final Set<Long> accumulators = ConcurrentHashMap.newKeySet();
  private final Map<String, PlanNode> nodesByText = new HashMap<>();
  private final Map<String, PlanNames.Named> namesByText = new HashMap<>();
  private final Set<Long> literalNames = new HashSet<>(); // ids of columns, which AQE's later plans may not define
  private Identity identity;
  private PlanNames names;
  private PlanUpdate last;
  private PlanState read; // null: nothing was, or it is over
  private volatile String description = "";
  private volatile String callSite = "";
  private String writtenName = ""; // in the last update, as the next
  private String writtenCallSite = "";
  private volatile End over; // null: it runs
  private volatile long missingSince; // Unix milliseconds; 0: Spark knows it
  private volatile String[] finalNames; // of an execution that is over
  private boolean full; // updates are left out, and that is said

  /** @param label the name the user gave to all queries of the application, or "" */
  ExecutionPlans(long executionId, String label) {
    this.executionId = executionId;
    this.name = new QueryName(label);
  }

  /**
   * From the start event: the session's explicit name, the description, the job group; "" where
   * there is none. Never blocks.
   */
  void started(String explicit, String text, String jobGroup) {
    description = text;
    name.ofStart(explicit, text, jobGroup);
  }

  /**
   * From a job of the execution: its explicit name, description and group; "" if there is none.
   * Never blocks.
   *
   * @return whether the query's name may have changed: {@link #rename} should follow
   */
  boolean ranJob(String explicit, String text, String jobGroup) {
    String before = name.or("");
    name.ofJob(explicit, text, jobGroup);
    return !name.or("").equals(before);
  }

  /**
   * From the start event or a job: the user's own line that ran it, "" if this does not know it;
   * the first that is known stays. Never blocks.
   *
   * @return whether {@link #rename} should follow
   */
  boolean calledAt(String line) {
    boolean news = callSite.isEmpty() && !line.isEmpty();
    callSite = news ? line : callSite;
    return news;
  }

  /** Adds an update when the query's name or call site is another than in the last one. */
  synchronized void rename() {
    if (last != null && !(queryName().equals(writtenName) && callSite.equals(writtenCallSite))) {
      add(last);
    }
  }

  /**
   * Reads the plan as it is now, unless that was done; an update is added when it says something
   * new.
   *
   * @return whether a plan could be read
   */
  synchronized boolean observe(Object queryExecution) {
    if (over != null) {
      return !updates.isEmpty(); // no update follows
    }
    Object executed = queryExecution == null ? null : Executions.executed(queryExecution);
    if (executed == null) {
      return false;
    }
    if (executionId >= 0 && names == null) {
      PlannedPlan.claim(executed);
    }
    LogicalReader logical = new LogicalReader(literalNames);
    boolean stream = StreamBatch.is(queryExecution);
    if (names == null) {
      if (stream) {
        name.isStream();
      }
      Object analyzed = Executions.analyzed(queryExecution);
      if (analyzed == null) {
        return false;
      }
      Object optimized = Executions.optimized(queryExecution);
      identity = new Identity(logical.read(analyzed), optimized == null ? null : logical.read(optimized), literalNames);
      names = new PlanNames(identity);
      PlanState first = new PlanState(executed);
      List<PlanNode> nodes = PhysicalReader.readInitial(executed, logical, first);
      addIfNew(stream ? StreamBatch.withSink(nodes) : nodes); // names are given on the first tree, however late we read
      read = first;
    }
    if (read == null || !read.isCurrent(executed)) {
      PlanState now = new PlanState(executed);
      List<PlanNode> nodes = PhysicalReader.read(executed, logical, now);
      addIfNew(stream ? StreamBatch.withSink(nodes) : nodes);
      read = now;
    }
    rename();
    return true;
  }

  /**
   * Reads a plan that runs for no SQL execution, and ends with it if Spark will not change it any
   * more.
   */
  synchronized void observePlanned(PlannedPlan plan) throws ReflectiveOperationException {
    if (over != null) {
      return;
    }
    boolean last = plan.isFinal(); // before it is read
    Object queryExecution = plan.queryExecution();
    boolean done = queryExecution == null ? observeAlone(plan.collapsed()) : observe(queryExecution);
    if (done && last) {
      end(End.UNKNOWN);
    }
  }

  /** Reads a plan of which nothing but itself is known. */
  private boolean observeAlone(Object executed) {
    LogicalReader logical = new LogicalReader(literalNames);
    List<PlanNode> nodes = PhysicalReader.read(executed, logical, new PlanState(executed));
    for (PlanNode node : nodes) {
      if (node.link != null) {
        identity = new Identity(node.link, null, literalNames);
        names = new PlanNames(identity);
        addIfNew(nodes);
        return true;
      }
    }
    return true; // of no query's making
  }

  /**
   * Takes the picture of a plan that an event carried, if it has accumulators that no plan read so
   * far had. Such a plan had moved on before it could be read. Its nodes get the names of nodes
   * with the same text.
   */
  synchronized void observeShown(Object sparkPlanInfo) {
    Set<Long> shown = InfoReader.accumulators(sparkPlanInfo);
    boolean asLast = last != null && last.accumulators().containsAll(shown); // which may be left out
    if (names == null || asLast || accumulators.containsAll(shown)) {
      return; // nothing was ever read: nothing to name it by; or it says nothing new
    }
    List<PlanNode> nodes = InfoReader.read(sparkPlanInfo, nodesByText);
    List<PlanNames.Named> named = new ArrayList<>();
    for (PlanNode node : nodes) {
      named.add(namesByText.getOrDefault(node.text, new PlanNames.Named()));
    }
    add(new PlanUpdate(nodes, named));
  }

  private void addIfNew(List<PlanNode> nodes) {
    PlanUpdate update = new PlanUpdate(nodes, names.name(nodes));
    for (int i = 0; i < nodes.size(); i++) {
      nodesByText.putIfAbsent(nodes.get(i).text, nodes.get(i).withoutLink());
      namesByText.putIfAbsent(nodes.get(i).text, update.names.get(i));
    }
    if (!update.sameAs(last)) {
      add(update);
    }
  }

  /** It is over, and no update follows. The first call counts. */
  synchronized void end(End end) {
    if (over != null) {
      return;
    }
    finalNames = new String[] {identity == null ? "" : identity.query(), queryName(), identity == null ? "" : identity.plan()};
    over = end;
    identity = null; // nothing more will be read
    names = null;
    last = null;
    read = null;
    nodesByText.clear();
    namesByText.clear();
    literalNames.clear();
  }

  /** Reports whether it keeps what only the naming of further updates needs: tests ask. */
  synchronized boolean keeps() {
    return identity != null || names != null || last != null || read != null || !nodesByText.isEmpty() || !namesByText.isEmpty() || !literalNames.isEmpty();
  }

  /** Drops the updates of an execution that is over; its end and its final names stay. */
  synchronized void forget() {
    updates.clear();
    accumulators.clear();
    bytes = 0;
  }

  /** How it ended, null while it runs. Never blocks. */
  End over() {
    return over;
  }

  /**
   * The query's fingerprint, its name and its plan's fingerprint; null before it is over. Never
   * blocks.
   */
  String[] finalNames() {
    return finalNames;
  }

  /** Bytes of all updates, deflated; never blocks. */
  long bytes() {
    return bytes;
  }

  /** The updates from number {@code from} on, each {@link Deflated}. Never blocks. */
  List<byte[]> since(int from) {
    List<byte[]> all = new ArrayList<>(updates);
    return from >= all.size() ? Collections.emptyList() : all.subList(from, all.size());
  }

  /**
   * Notes whether Spark knows of the execution at {@code unixMillis}. Never blocks.
   *
   * @return since when Spark has not known of it, in Unix milliseconds; {@code unixMillis} if it
   *     does
   */
  long markKnown(boolean known, long unixMillis) {
    long before = missingSince;
    long since = known || before == 0 ? unixMillis : before;
    missingSince = known ? 0 : since;
    return since;
  }

  /** The accumulators of all nodes of all updates. Never blocks. */
  Set<Long> accumulators() {
    return new TreeSet<>(accumulators);
  }

  /** Whether a node of some update has the accumulator. Never blocks. */
  boolean holds(long accumulator) {
    return accumulators.contains(accumulator);
  }

  /** The query's name as far as it is known now, "" when it is not. */
  synchronized String queryName() {
    return name.or(identity == null ? "" : identity.generatedName());
  }

  private void add(PlanUpdate update) {
    last = update.withoutLinks();
    writtenName = queryName(); // also when it is left out: once is enough
    writtenCallSite = callSite;
    if (updates.size() >= MAX_UPDATES || bytes >= MAX_BYTES) {
      leaveOut();
      return;
    }
    byte[] deflated = Deflated.of(update.json(executionId, updates.size(), identity, writtenName, description, writtenCallSite));
    updates.add(deflated);
    bytes += deflated.length;
    accumulators.addAll(update.accumulators()); // last: who finds one finds its update
  }

  private void leaveOut() {
    if (NativeLoader.isLoaded()) {
      NativeAgent.dropped(0, 1);
    }
    if (!full) {
      full = true;
      Complaints.say("execution " + executionId + " has " + updates.size() + " plans of " + (bytes >> 20) + " MiB, deflated; later ones are left out");
    }
  }
}

package io.planflame.spark;

import java.util.ArrayList;
import java.util.List;

/**
 * What an executor asks the driver. It asks for the plans of several executions, each from an
 * update on, or only whether it is over. It asks whose accumulators are, and for the names of
 * stages without a plan. On the wire {@code Object[]{"planflame", version, long[] executions, int[]
 * from, boolean[] only whether it is over, long[] accumulators, int[] stages}}. JDK types only,
 * since executors may load the plugin's classes with another loader.
 */
final class DictionaryQuestion {
  static final String MAGIC = "planflame";
  static final int VERSION = 2;

  /** One execution asked for. */
  static final class Item {
    final long executionId;
    final int from;
    final boolean endOnly; // no plan is read for it

    Item(long executionId, int from, boolean endOnly) {
      this.executionId = executionId;
      this.from = from;
      this.endOnly = endOnly;
    }
  }

  final List<Item> items = new ArrayList<>();
  private long[] homeless = {};
  final List<Integer> stages = new ArrayList<>();

  /** Asks for updates from number {@code from} on. */
  void add(long executionId, int from) {
    items.add(new Item(executionId, from, false));
  }

  /** Asks only whether an execution is over. */
  void addEnd(long executionId) {
    items.add(new Item(executionId, 0, true));
  }

  /** Asks also which executions' plans hold these accumulators. */
  void addHomeless(long[] accumulators) {
    homeless = accumulators.clone();
  }

  /** The accumulators of which the executor knows no plan. */
  long[] homeless() {
    return homeless.clone();
  }

  boolean isEmpty() {
    return items.isEmpty() && homeless.length == 0 && stages.isEmpty();
  }

  Object encode() {
    long[] ids = new long[items.size()];
    int[] from = new int[items.size()];
    boolean[] endOnly = new boolean[items.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = items.get(i).executionId;
      from[i] = items.get(i).from;
      endOnly[i] = items.get(i).endOnly;
    }
    return new Object[] {MAGIC, VERSION, ids, from, endOnly, homeless, stages.stream().mapToInt(Integer::intValue).toArray()};
  }

  /** @throws IllegalArgumentException for any other message, saying what is wrong with it */
  static DictionaryQuestion decode(Object message) {
    Object[] fields = fields(message, 7);
    long[] ids = (long[]) fields[2];
    int[] from = (int[]) fields[3];
    if (ids.length != from.length) {
      throw new IllegalArgumentException("question names " + ids.length + " executions and " + from.length + " updates");
    }
    boolean[] endOnly = (boolean[]) fields[4];
    if (ids.length != endOnly.length) {
      throw new IllegalArgumentException("question names " + ids.length + " executions and " + endOnly.length + " kinds of question");
    }
    DictionaryQuestion question = new DictionaryQuestion();
    for (int i = 0; i < ids.length; i++) {
      question.items.add(new Item(ids[i], Math.max(0, from[i]), endOnly[i]));
    }
    question.homeless = (long[]) fields[5];
    for (int stage : (int[]) fields[6]) {
      question.stages.add(stage);
    }
    return question;
  }

  /** The fields of a message of ours, at least {@code count}: a later version may append some. */
  static Object[] fields(Object message, int count) {
    if (!(message instanceof Object[]) || ((Object[]) message).length < count || !MAGIC.equals(((Object[]) message)[0])) {
      throw new IllegalArgumentException("not a message of planflame: " + (message == null ? "null" : message.getClass().getName()));
    }
    Object version = ((Object[]) message)[1];
    if (!Integer.valueOf(VERSION).equals(version)) {
      throw new IllegalArgumentException("message version " + version + ", want " + VERSION + ": driver and executors run different jars");
    }
    return (Object[]) message;
  }
}

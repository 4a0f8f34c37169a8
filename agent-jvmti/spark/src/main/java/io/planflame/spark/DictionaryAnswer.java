package io.planflame.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the driver answers. On the wire {@code Object[]{"planflame", version, long[] executions,
 * int[] first update, boolean[] over, byte[][][] dictionaries, long[][] accumulators, boolean[]
 * failed, long[] end, long[] owners, byte[][] stages, boolean[] more}}.
 */
final class DictionaryAnswer {
  /** The answer for one execution. */
  static final class Item {
    final long executionId;
    final int first;
    final boolean over;
    final boolean failed; // when it is over
    final long endUnixNanos; // when it is over; 0: not known
    final byte[][] dictionaries; // each Deflated
    final long[] accumulators; // of all updates
    final boolean more; // updates follow, for which this answer has no room

    Item(long executionId, int first, ExecutionPlans.End end, byte[][] dictionaries, long[] accumulators, boolean more) {
      this.executionId = executionId;
      this.first = first;
      this.over = end != null;
      this.failed = over && end.failed;
      this.endUnixNanos = over ? end.unixNanos : 0;
      this.dictionaries = dictionaries;
      this.accumulators = accumulators;
      this.more = more;
    }

    /** The accumulators of {@code ids} that stand in no update. */
    Set<Long> unknown(Set<Long> ids) {
      Set<Long> out = new TreeSet<>(ids);
      for (long id : accumulators) {
        out.remove(id);
      }
      return out;
    }
  }

  /** The owner of an accumulator that stands in no plan. */
  static final long NO_OWNER = -1;

  /** Bytes of updates in one answer, deflated; the last one may go beyond. */
  static final int MAX_BYTES = 16 << 20;

  final List<Item> items = new ArrayList<>();
  private long[] owners = {};
  private long room = MAX_BYTES;

  /**
   * For each of the question's homeless accumulators the execution whose plan holds it, or {@link
   * #NO_OWNER}.
   */
  void setOwners(long[] owners) {
    this.owners = owners.clone();
  }

  /** The owner of the question's homeless accumulator number {@code i}. */
  long owner(int i) {
    return i < owners.length ? owners[i] : NO_OWNER;
  }

  /**
   * The JSON of each stage asked for, in the question's order, null for one that the driver does
   * not know.
   */
  final List<byte[]> stages = new ArrayList<>();

  /**
   * Adds an execution whose updates from {@code first} on are {@code dictionaries}, each {@link
   * Deflated}, and whose nodes have {@code accumulators}; end: null while it runs. Updates without
   * room are left to the next answer.
   */
  void add(long executionId, int first, ExecutionPlans.End end, List<byte[]> dictionaries, Set<Long> accumulators) {
    long[] ids = accumulators.stream().mapToLong(Long::longValue).toArray();
    int taken = 0;
    while (taken < dictionaries.size() && room > 0) {
      room -= dictionaries.get(taken++).length;
    }
    byte[][] fit = dictionaries.subList(0, taken).toArray(new byte[0][]);
    items.add(new Item(executionId, first, end, fit, ids, taken < dictionaries.size()));
  }

  Object encode() {
    int n = items.size();
    long[] ids = new long[n];
    int[] first = new int[n];
    boolean[] over = new boolean[n];
    byte[][][] dictionaries = new byte[n][][];
    long[][] accumulators = new long[n][];
    boolean[] failed = new boolean[n];
    long[] end = new long[n];
    boolean[] more = new boolean[n];
    for (int i = 0; i < n; i++) {
      Item item = items.get(i);
      ids[i] = item.executionId;
      first[i] = item.first;
      over[i] = item.over;
      dictionaries[i] = item.dictionaries;
      accumulators[i] = item.accumulators;
      failed[i] = item.failed;
      end[i] = item.endUnixNanos;
      more[i] = item.more;
    }
    return new Object[] {
      DictionaryQuestion.MAGIC, DictionaryQuestion.VERSION, ids, first, over, dictionaries, accumulators, failed, end, owners, stages.toArray(new byte[0][]), more};
  }

  /** @throws IllegalArgumentException for any other message */
  static DictionaryAnswer decode(Object message) {
    Object[] fields = DictionaryQuestion.fields(message, 12);
    long[] ids = (long[]) fields[2];
    int[] first = (int[]) fields[3];
    boolean[] over = (boolean[]) fields[4];
    byte[][][] dictionaries = (byte[][][]) fields[5];
    long[][] accumulators = (long[][]) fields[6];
    boolean[] failed = (boolean[]) fields[7];
    long[] end = (long[]) fields[8];
    boolean[] more = (boolean[]) fields[11];
    DictionaryAnswer answer = new DictionaryAnswer();
    for (int i = 0; i < ids.length; i++) {
      ExecutionPlans.End known = over[i] ? new ExecutionPlans.End(failed[i], end[i]) : null;
      answer.items.add(new Item(ids[i], first[i], known, dictionaries[i], accumulators[i], more[i]));
    }
    answer.owners = (long[]) fields[9];
    answer.stages.addAll(Arrays.asList((byte[][]) fields[10]));
    return answer;
  }
}

package io.planflame.spark;

import java.util.ArrayList;
import java.util.List;

/**
 * What an executor asks the driver: the plans of several executions, each from an update on. On the wire {@code Object[]{"planflame",
 * version, long[] executions, int[] from}}: JDK types only, since executors may load the plugin's classes with another loader.
 */
final class DictionaryQuestion {
  static final String MAGIC = "planflame";
  static final int VERSION = 1;

  /** One execution asked for. */
  static final class Item {
    final long executionId;
    final int from;

    Item(long executionId, int from) {
      this.executionId = executionId;
      this.from = from;
    }
  }

  final List<Item> items = new ArrayList<>();

  void add(long executionId, int from) {
    items.add(new Item(executionId, from));
  }

  Object encode() {
    long[] ids = new long[items.size()];
    int[] from = new int[items.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = items.get(i).executionId;
      from[i] = items.get(i).from;
    }
    return new Object[] {MAGIC, VERSION, ids, from};
  }

  /** @throws IllegalArgumentException for any other message, saying what is wrong with it */
  static DictionaryQuestion decode(Object message) {
    Object[] fields = fields(message, 4);
    long[] ids = (long[]) fields[2];
    int[] from = (int[]) fields[3];
    if (ids.length != from.length) {
      throw new IllegalArgumentException("question names " + ids.length + " executions and " + from.length + " updates");
    }
    DictionaryQuestion question = new DictionaryQuestion();
    for (int i = 0; i < ids.length; i++) {
      question.add(ids[i], Math.max(0, from[i]));
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

package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;

/**
 * Gets the plans of the executions whose tasks run here and writes them, and then their ends. One
 * question carries all that is due. An execution is asked for again, ever more seldom, until its
 * plans name every accumulator that its stages update. Then, more cheaply, it is asked for until it
 * is over. Accumulators that its plans do not name are of code that another execution's plan
 * compiled ({@link Elsewhere}): that plan is got, too. An execution whose plans could not be had is
 * counted once. Poller thread only, but for {@link #ending}.
 */
final class DictionaryDesk {
  /** Where plans come from: the driver over RPC, or the book of the same JVM. */
  interface Driver {
    /** May block; throws when there is no answer. */
    DictionaryAnswer ask(DictionaryQuestion question) throws Exception;
  }

  private static final long FIRST_PAUSE_NANOS = 50_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;
  private static final int MAX_FRUITLESS = 20; // questions in a row that brought nothing: about a minute
  private static final long NO_EXECUTION = -1;
  static final int MAX_ASKED = 64; // executions in one question; the others come with the next
  private static final int KEPT_EXECUTIONS = 128; // beyond, those that are over are forgotten
  private static final int MOST_EXECUTIONS = 1024; // beyond, others too
  private static final long KEPT_BYTES = 16L << 20; // of all dictionaries kept for replays, deflated
  private static final int LARGEST = 4 << 20; // of a dictionary: the agent takes no larger record, and may take less

  private static final class Execution {
    final long id;
    final Set<Long> wanted = new HashSet<>();
    final List<byte[]> dictionaries = new ArrayList<>(); // Deflated, for replays
    long bytes; // of its dictionaries
    int told; // updates that the driver has sent
    boolean open = true;
    boolean counted; // as dropped
    boolean partial; // the last answer had no room for all
    final ExecutionEnd end;
    int fruitless;
    long pause = FIRST_PAUSE_NANOS;
    long due; // System.nanoTime

    Execution(long id, boolean near, long now) {
      this.id = id;
      this.end = new ExecutionEnd(id, near, now);
      this.due = now;
    }

    /** Reports whether all updates that were told are kept for replays. */
    boolean isKept() {
      return dictionaries.size() == told;
    }

    /** Takes the next update, which is counted if it cannot be written. */
    void tell(byte[] dictionary) {
      if (!write(told, dictionary)) {
        NativeAgent.dropped(0, 1);
      }
      if (isKept()) {
        dictionaries.add(dictionary);
        bytes += dictionary.length;
      }
      told++;
    }

    /** Writes an update; false: it cannot be. */
    boolean write(int update, byte[] dictionary) {
      try {
        NativeAgent.dictionary(id, update, Deflated.text(dictionary, LARGEST));
        return true;
      } catch (DataFormatException e) {
        Complaints.once("inflate a plan", e);
        return false;
      }
    }

    /** Lets go of what only replays need. Returns how many bytes that was. */
    long letGo() {
      long freed = bytes;
      dictionaries.clear();
      bytes = 0;
      return freed;
    }

    /** The driver is asked for what it has not told yet. */
    void reopen() {
      open = true;
      fruitless = 0;
      pause = FIRST_PAUSE_NANOS;
    }
  }

  private final DriverCall driver;
  private final boolean near;
  private final ExecutionEnd.Rows rows;
  private final Tally forgotten = new Tally("forget an execution before its end, more than " + MOST_EXECUTIONS + " run here");
  private final Map<Long, Execution> executions = new LinkedHashMap<>();
  private final Elsewhere elsewhere = new Elsewhere();
  private final StageInfoDesk stages = new StageInfoDesk();
  private volatile boolean ending;

  /**
   * @param driver what answers
   * @param near whether the driver is in this JVM, so that a question costs next to nothing
   * @param rows what is written of an execution before its end
   */
  DictionaryDesk(DriverCall driver, boolean near, ExecutionEnd.Rows rows) {
    this.driver = driver;
    this.near = near;
    this.rows = rows;
  }

  /** A stage of {@code executionId} (-1: of none) updates {@code accumulators}. */
  void want(long executionId, Set<Long> accumulators, long now) {
    if (executionId == NO_EXECUTION) {
      elsewhere.want(accumulators, now);
      return;
    }
    Execution execution = executions.computeIfAbsent(executionId, id -> new Execution(id, near, now));
    execution.end.stageBegan(now);
    if (execution.wanted.addAll(accumulators)) {
      execution.reopen();
      execution.due = Math.min(execution.due, now);
    }
    forgetOldest();
  }

  /** Tasks of a stage run that belongs to no SQL execution: its names go the same way. */
  void wantNames(int stageId, long now) {
    stages.want(stageId, now);
  }

  /** Whether plans are still to come. */
  boolean busy() {
    return stages.busy() || elsewhere.busy() || executions.values().stream().anyMatch(e -> e.open);
  }

  /**
   * Asks for what is due at {@code now} (System.nanoTime) and writes what comes back, and the ends
   * whose time has come.
   */
  void poll(long now) {
    poll(now, MAX_ASKED);
    writeEnds(now, false);
    forgotten.tell();
  }

  /** Asks at once for the ends that are not known yet. */
  void hurryEnds(long now) {
    for (Execution execution : executions.values()) {
      execution.end.hurry(now);
    }
    poll(now);
  }

  private void writeEnds(long now, boolean last) {
    for (Execution execution : executions.values()) {
      execution.end.write(rows, now, last);
    }
  }

  private void poll(long now, int most) {
    if (!driver.isOpen()) {
      DictionaryQuestion question = due(now, most);
      if (!question.isEmpty()) {
        driver.ask(question);
      }
    }
    DriverCall.Asked answered = driver.answered();
    if (answered != null) {
      take(answered, now);
    }
  }

  private DictionaryQuestion due(long now, int most) {
    DictionaryQuestion question = new DictionaryQuestion();
    stages.addDue(question, now, most);
    for (Execution execution : executions.values()) {
      if (question.items.size() >= most) {
        break;
      }
      if (execution.open && execution.due - now <= 0) {
        question.add(execution.id, execution.told);
      } else if (execution.end.isDue(now)) {
        question.addEnd(execution.id);
      }
    }
    question.addHomeless(elsewhere.due(now));
    return question;
  }

  /** Reports whether the driver has more to tell than one answer has room for. */
  private boolean take(DriverCall.Asked answered, long now) {
    Map<Long, DictionaryAnswer.Item> answers = new LinkedHashMap<>();
    List<byte[]> names = Collections.emptyList();
    try {
      DictionaryAnswer answer = answered.get();
      for (DictionaryAnswer.Item item : answer.items) {
        answers.put(item.executionId, item);
      }
      elsewhere.take(answered.question.homeless(), answer, now, (owner, accumulator) -> want(owner, Collections.singleton(accumulator), now));
      names = answer.stages;
    } catch (Throwable e) {
      if (!ending) { // else no wonder: the driver ends too. What is missing is counted below
        Complaints.once("ask the driver for plans", e);
      }
    }
    stages.take(answered.question.stages, names, now);
    boolean more = false;
    for (DictionaryQuestion.Item asked : answered.question.items) {
      Execution execution = executions.get(asked.executionId);
      if (execution == null) {
        continue; // forgotten meanwhile, and counted
      }
      DictionaryAnswer.Item answer = answers.get(asked.executionId);
      if (!asked.endOnly) {
        take(execution, answer, now);
      }
      more |= answer != null && answer.more;
      if (answer == null) {
        execution.end.noAnswer(now);
      } else if (answer.over) {
        execution.end.over(answer.failed, answer.endUnixNanos, now);
      } else {
        execution.end.runs(now);
      }
    }
    forgetOldest();
    return more;
  }

  /**
   * From any thread: the executor is about to end, a driver that does not answer is nothing to
   * complain of.
   */
  void ending() {
    ending = true;
  }

  /**
   * Asks a last time for everything that is still open or not known to be over, due or not. Counts
   * what cannot be had, and writes the ends that are known.
   */
  void flush(long now) {
    boolean more = true;
    while (more) {
      for (Execution execution : executions.values()) {
        execution.due = now;
        execution.end.hurry(now);
      }
      stages.hurry(now);
      DictionaryQuestion question = due(now, Integer.MAX_VALUE);
      more = !question.isEmpty() && take(driver.askHere(question), now);
    }
    stages.close();
    for (Execution execution : executions.values()) {
      close(execution);
    }
    writeEnds(now, true);
    forgotten.tellAll();
  }

  /**
   * Whether the end of an execution is still to come of which a driver in this JVM will soon know.
   */
  boolean awaitsEnds() {
    return near && executions.values().stream().anyMatch(e -> !e.end.isKnown());
  }

  /** Reports whether a replay has told all plans of an execution that are known. */
  boolean has(long executionId) {
    Execution execution = executions.get(executionId);
    return execution != null && execution.isKept();
  }

  /**
   * Writes everything again for a new reader, which lets what came first go if it has no room. The
   * driver is asked again for plans that were let go.
   */
  void replay() {
    stages.replay();
    replay(true);
    replay(false);
  }

  private void replay(boolean over) {
    for (Execution execution : executions.values()) {
      if (execution.end.isDone() != over) {
        continue;
      }
      if (!execution.isKept()) {
        getAgain(execution);
      }
      for (int update = 0; update < execution.dictionaries.size(); update++) {
        execution.write(update, execution.dictionaries.get(update));
      }
    }
  }

  /** A driver that has said that an execution is over may have forgotten it: that is counted. */
  private static void getAgain(Execution execution) {
    if (!execution.end.isKnown()) {
      execution.told = 0;
      execution.reopen();
    } else {
      count(execution);
    }
  }

  /** Writes the ends again for a new reader, when all else of the executions has been. */
  void replayEnds() {
    for (Execution execution : executions.values()) {
      execution.end.replay();
    }
  }

  private void take(Execution execution, DictionaryAnswer.Item answer, long now) {
    if (answer != null && answer.first != execution.told) {
      return; // a replay came after the question: it is asked again
    }
    boolean news = answer != null && (answer.more || answer.dictionaries.length > 0);
    boolean complete = false;
    if (answer != null) {
      for (byte[] dictionary : answer.dictionaries) {
        execution.tell(dictionary);
      }
    }
    if (answer != null && execution.told > 0) {
      Set<Long> homeless = answer.unknown(execution.wanted);
      elsewhere.want(homeless, now);
      elsewhere.found(execution.wanted, homeless, execution.id);
      complete = !answer.more && elsewhere.settled(homeless, execution.id);
    }
    boolean hopeless = answer != null && answer.over && !news;
    if (hopeless && execution.partial) {
      count(execution); // the driver has let go of what it had no room to tell
    }
    execution.partial = answer != null ? answer.more : execution.partial;
    if (complete || hopeless) {
      close(execution);
      return;
    }
    execution.fruitless = news ? 0 : execution.fruitless + 1;
    execution.pause = news ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, execution.pause * 2);
    execution.due = now + execution.pause;
    if (execution.fruitless >= MAX_FRUITLESS) {
      close(execution);
    }
  }

  /** No more questions, unless a stage brings new accumulators. */
  private static void close(Execution execution) {
    execution.open = false;
    if (execution.told == 0) {
      count(execution);
    }
  }

  /** Counts plans that are not told, once for an execution. */
  private static void count(Execution execution) {
    if (!execution.counted) {
      execution.counted = true;
      NativeAgent.dropped(0, 1);
    }
  }

  /**
   * Keeps memory within bounds. Executions that are over go first. The largest of the others lose
   * only their dictionaries. One whose plans are still asked for stays.
   */
  private void forgetOldest() {
    long bytes = 0;
    for (Execution execution : executions.values()) {
      bytes += execution.bytes;
    }
    Iterator<Execution> over = executions.values().iterator();
    while ((executions.size() > KEPT_EXECUTIONS || bytes > KEPT_BYTES) && over.hasNext()) {
      Execution oldest = over.next();
      if (!oldest.open && oldest.end.isDone()) {
        bytes -= oldest.bytes;
        over.remove();
      }
    }
    while (bytes > KEPT_BYTES) {
      bytes -= Collections.max(executions.values(), Comparator.comparingLong((Execution e) -> e.bytes)).letGo();
    }
    Iterator<Execution> any = executions.values().iterator();
    while (executions.size() > MOST_EXECUTIONS && any.hasNext()) {
      if (!any.next().open) {
        forgotten.add();
        any.remove();
      }
    }
  }
}

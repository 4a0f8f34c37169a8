package io.planflame.spark;

import io.planflame.agent.NativeAgent;
import io.planflame.spark.shim.PythonRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.TaskContext;

/**
 * Names the records at which tasks stood still. Its thread looks at the input counters of running
 * tasks: a counter that does not move is a {@link Dwell}. A task pays for one object at its start
 * and a mark at its end, which take no lock and never wait.
 *
 * <p>Made only if the user wants records. Without it there is no thread and no class of it.
 */
final class RecordDesk implements Runnable, WatchedTask.Desk, KeyDesk.Out {
  static final int STACKS = 10; // a second
  static final int WRITTEN = 600; // dwells a minute
  static final int WRITTEN_APART = WRITTEN / 2; // of which so many may be no records
  static final int WAITING = 1024; // keys: ten tasks have 640
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;
  private static final long COUNTS_NANOS = 10 * SECOND_NANOS; // between two records of counts
  private static final long REST_NANOS = SECOND_NANOS; // between two looks at threads while no one reads
  private static final long STOP_MILLIS = 50;

  /** A thread that runs tasks. */
  private static final class Place implements WatchedTask.Clocks {
    final Thread thread = Thread.currentThread();
    final int tid = NativeAgent.threadId();
    volatile WatchedTask current; // null: none runs
    WatchedTask watched; // the desk's, as the next: which it looked at last
    RunQueue waits; // null until the first reading

    @Override
    public TaskClocks read() {
      waits = waits == null ? RunQueue.of(tid) : waits;
      return TaskClocks.read(thread, waits);
    }

    @Override
    public void close() {
      if (waits != null) {
        waits.close();
      }
    }

    void held(long nanos) {
      if (watched != null) {
        watched.held(nanos);
      }
    }
  }

  /** A slow key of a {@link KeyDesk}. */
  private static final class Key {
    final byte[] json;
    final String line; // null: none

    Key(byte[] json, String line) {
      this.json = json;
      this.line = line;
    }
  }

  private final ThreadLocal<Place> here = new ThreadLocal<>();
  private final Queue<Place> fresh = new ConcurrentLinkedQueue<>();
  private final Queue<Key> keys = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger(); // keys
  private final AtomicLong droppedKeys = new AtomicLong();
  private final AtomicLong keysApart = new AtomicLong();
  private final Tally failedKeys = new Tally("take the time of a task's keys");
  private final List<Place> places = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long began = System.nanoTime();
  private final RecordPace pace = new RecordPace(began, 0);
  private volatile boolean stopping;
  private Thread thread;
  private RunQueue own; // of the desk's thread; null until its first turn
  private TaskClocks clocks; // of the desk's thread, at most a second ago; null: not known
  private long turned = Long.MAX_VALUE; // the end of its last turn; the largest: no one read then
  private long rested = began;
  private long secondBegan = began;
  private int stacks; // in this second
  private long minuteBegan = began;
  private int written; // in this minute
  private int writtenApart;
  private long countsWritten = began;
  private long tasksThen; // of that record

  // What a record of counts says.
  private long tasks;
  private long looks;
  private long explained;
  private long droppedTask;
  private long droppedMinute;
  private long failures;

  void start() {
    thread = new Thread(this, "planflame-records");
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    thread.start();
  }

  /** On a task's thread: it starts. */
  void taskStarts(TaskContext task) {
    if (ended.getCount() == 0) {
      return; // no one looks at it
    }
    Place place = here.get();
    if (place == null) {
      place = new Place();
      here.set(place);
      fresh.add(place);
    }
    place.current = new WatchedTask(task, place);
  }

  /** On a task's thread: it ends. */
  void taskEnds() {
    Place place = here.get();
    if (place != null) {
      place.current = null;
    }
  }

  /** On a task's thread: writes and says it soon. */
  @Override
  public void key(byte[] json, String line) {
    if (waiting.incrementAndGet() > WAITING) {
      waiting.decrementAndGet();
      droppedKeys.incrementAndGet();
      return;
    }
    keys.add(new Key(json, line));
  }

  @Override
  public void dropped(long count) {
    droppedKeys.addAndGet(count);
  }

  @Override
  public void apart() {
    keysApart.incrementAndGet();
  }

  @Override
  public void watch(KeyWatch watch) {
    Place place = here.get();
    WatchedTask task = place == null ? null : place.current;
    if (task != null) {
      task.keys(watch);
    }
  }

  @Override
  public void failed(Throwable e) {
    failedKeys.add(e);
  }

  @Override
  public void run() {
    try {
      while (!stopping) {
        LockSupport.parkNanos(pace.period());
        try {
          turn(System.nanoTime());
        } catch (Throwable e) { // of one look: the next may do
          Complaints.once("look at records", e);
        }
      }
      poll(System.nanoTime());
      places.forEach(this::finish);
      places.forEach(Place::close);
      if (own != null) {
        own.close();
      }
      writeCounts(System.nanoTime());
      failedKeys.tellAll();
    } catch (Throwable e) {
      Complaints.once("watch records", e);
    } finally {
      ended.countDown();
    }
  }

  private void turn(long now) {
    if (NativeAgent.sampling()) {
      if (now - turned - pace.period() > Dwell.LEAST_NANOS) {
        late(now - turned - pace.period());
      }
      poll(now);
      turned = System.nanoTime(); // a stack may have waited until its thread could be stopped
    } else {
      turned = Long.MAX_VALUE;
      if (now - rested > REST_NANOS) {
        rest(now);
      }
    }
    failedKeys.tell();
    if (pace.isDue(now)) {
      clocks = ownClocks();
      pace.tell(now, clocks == null ? TaskClocks.ownCpu() : clocks.cpuNanos);
    }
    if (now - countsWritten > COUNTS_NANOS && tasks > tasksThen) {
      writeCounts(now);
    }
  }

  private TaskClocks ownClocks() {
    own = own == null ? RunQueue.of(NativeAgent.threadId()) : own;
    return TaskClocks.read(thread, own);
  }

  /** A turn is late by so long: the whole JVM may have stood still. */
  private void late(long nanos) {
    TaskClocks before = clocks;
    clocks = ownClocks();
    long stood = stood(before, clocks, nanos);
    if (stood > Dwell.LEAST_NANOS) {
      places.forEach(place -> place.held(stood));
    }
  }

  /**
   * How long the whole JVM stood still in the time by which a turn is late: stopped, frozen, or its
   * machine was. Pauses of the collector and waits for a core are counted elsewhere.
   *
   * @param before of the desk's thread, before that time; null: not known
   */
  static long stood(TaskClocks before, TaskClocks now, long late) {
    if (before == null || now == null) {
      return 0;
    }
    return late - (now.cpuNanos - before.cpuNanos) - (now.queueNanos - before.queueNanos) - (now.gcMillis - before.gcMillis) * 1_000_000;
  }

  /** Ends the thread after it has written what it has, and waits a moment for it. */
  void stop() throws InterruptedException {
    stopping = true;
    LockSupport.unpark(thread);
    ended.await(STOP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Looks at the tasks that run, and writes what those saw that have ended. */
  void poll(long now) {
    looks++;
    for (Key key = keys.poll(); key != null; key = keys.poll()) {
      waiting.decrementAndGet();
      NativeAgent.dwell(key.json);
      if (key.line != null) {
        Complaints.say(key.line);
      }
    }
    takePlaces();
    for (int i = places.size() - 1; i >= 0; i--) {
      Place place = places.get(i);
      if (place.current != place.watched) {
        finish(place);
        place.watched = place.current;
        tasks += place.watched == null ? 0 : 1;
      }
      look(place, now);
      leaveDead(i);
    }
  }

  /** No one reads: keeps neither threads nor tasks that have ended. */
  private void rest(long now) {
    rested = now;
    takePlaces();
    for (int i = places.size() - 1; i >= 0; i--) {
      Place place = places.get(i);
      if (place.current != place.watched) {
        finish(place);
      }
      leaveDead(i);
    }
  }

  private void takePlaces() {
    for (Place place = fresh.poll(); place != null; place = fresh.poll()) {
      places.add(place);
    }
  }

  private void leaveDead(int i) {
    Place place = places.get(i);
    if (place.watched == null && !place.thread.isAlive()) {
      places.remove(i).close();
    }
  }

  private void look(Place place, long now) {
    WatchedTask task = place.watched;
    if (task == null || task.failed) {
      return;
    }
    try {
      task.look(this, now);
    } catch (Throwable e) {
      failed(task, e);
    }
  }

  private void failed(WatchedTask task, Throwable e) {
    task.failed = true; // what it saw is not to be relied on
    failures++;
    Complaints.once("watch the records of a task", e);
  }

  /** Writes the dwells of the task that the place's thread ran. */
  private void finish(Place place) {
    WatchedTask task = place.watched;
    place.watched = null;
    if (task == null || task.failed) {
      return;
    }
    try {
      task.finish(this, System.nanoTime());
      for (Dwell dwell : task.dwells()) {
        write(task.json(dwell), !dwell.kind().isRecord());
      }
      byte[] half = task.half();
      if (half != null) {
        write(half, false);
      }
      droppedTask += task.dropped();
    } catch (Throwable e) {
      failed(task, e);
    }
  }

  private void write(byte[] json, boolean apart) {
    if (mayWrite(apart)) {
      NativeAgent.dwell(json);
    } else {
      droppedMinute++;
    }
  }

  private boolean mayWrite(boolean apart) {
    long now = System.nanoTime();
    if (now - minuteBegan > MINUTE_NANOS) {
      minuteBegan = now;
      written = 0;
      writtenApart = 0;
    }
    if (written >= WRITTEN || apart && writtenApart >= WRITTEN_APART) {
      return false;
    }
    written++;
    writtenApart += apart ? 1 : 0;
    return true;
  }

  @Override
  public boolean mayStack(long now) {
    if (now - secondBegan > SECOND_NANOS) {
      secondBegan = now;
      stacks = 0;
    }
    return stacks++ < STACKS;
  }

  @Override
  public long sparkBuffer() {
    return PythonRows.sparkBuffer();
  }

  @Override
  public void explained() {
    explained++;
  }

  private void writeCounts(long now) {
    countsWritten = now;
    tasksThen = tasks;
    long cpu = TaskClocks.ownCpu();
    NativeAgent.dwell(new Json().open('{')
        .key("version").value(1)
        .key("kind").value("counts")
        .key("tasks").value(tasks)
        .key("looks").value(looks)
        .key("explained").value(explained + keysApart.get())
        .key("dropped_task").value(droppedTask + droppedKeys.get())
        .key("dropped_minute").value(droppedMinute)
        .key("failures").value(failures + failedKeys.count())
        .key("cpu_ns").value(cpu)
        .key("elapsed_ns").value(now - began)
        .key("first_cpu_ns").value(pace.firstCpu())
        .key("first_elapsed_ns").value(pace.firstElapsed())
        .key("period_ns").value(pace.period())
        .close('}').utf8());
  }
}

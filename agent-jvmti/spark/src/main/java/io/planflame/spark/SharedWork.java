package io.planflame.spark;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Work that may take as long as a job of Spark, on a daemon thread of its own. All who request it
 * before a run begins share that run. Thread-safe.
 */
final class SharedWork {
  private final Runnable work;
  private final long patienceMillis;
  private final ThreadPoolExecutor thread;
  private FutureTask<?> next; // null: no run is about to begin
  private volatile boolean slow; // someone gave up on the run that lasts

  /**
   * @param name of the thread, which ends when there is no work for a while
   * @param patienceMillis how long {@link #requestAndWait} waits
   */
  SharedWork(String name, long patienceMillis, Runnable work) {
    this.work = work;
    this.patienceMillis = patienceMillis;
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), run -> {
      Thread made = new Thread(run, name);
      made.setDaemon(true);
      made.setContextClassLoader(loader);
      return made;
    });
    thread.allowCoreThreadTimeOut(true);
  }

  /** Requests a run that begins after this call. Never blocks. */
  synchronized FutureTask<?> request() {
    if (next == null) {
      FutureTask<?> run = new FutureTask<>(this::run, null);
      thread.execute(run);
      next = run; // not before: an executor that finds no thread throws
    }
    return next;
  }

  private void run() {
    synchronized (this) {
      next = null;
    }
    try {
      work.run();
    } finally {
      slow = false;
    }
  }

  /** Requests a run and waits for its end, but not while a run lasts that someone gave up on. */
  void requestAndWait() throws InterruptedException, ExecutionException {
    FutureTask<?> run = request();
    try {
      run.get(slow ? 0 : patienceMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      slow = true;
    }
  }
}

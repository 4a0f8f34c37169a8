package io.planflame.spark;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A question to the driver that does not hold up whoever asks: the driver may take as long as
 * spark.rpc.askTimeout, two minutes, while its JVM collects garbage. One at a time. Poller thread
 * only, but for what runs on the executor.
 */
final class DriverCall {
  private final DictionaryDesk.Driver driver;
  private final Executor executor;
  private Asked asked; // null: nothing is

  /** A question and what became of it. */
  static final class Asked {
    final DictionaryQuestion question;
    private DictionaryAnswer answer;
    private Throwable failure;
    private volatile boolean done; // the two before are complete

    Asked(DictionaryQuestion question) {
      this.question = question;
    }

    /** The answer; throws what asking threw. */
    DictionaryAnswer get() throws Throwable {
      if (failure != null) {
        throw failure;
      }
      return answer;
    }

    private void run(DictionaryDesk.Driver driver) {
      try {
        answer = driver.ask(question);
      } catch (Throwable e) {
        failure = e;
      }
      done = true;
    }
  }

  /** @param executor runs what may block */
  DriverCall(DictionaryDesk.Driver driver, Executor executor) {
    this.driver = driver;
    this.executor = executor;
  }

  /** A daemon thread that ends when there is nothing to ask for a while. */
  static Executor thread() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ThreadPoolExecutor one = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
      Thread thread = new Thread(work, "planflame-driver");
      thread.setDaemon(true);
      thread.setContextClassLoader(loader);
      return thread;
    });
    one.allowCoreThreadTimeOut(true);
    return one;
  }

  /** Whether a question is on its way: no other may be asked. */
  boolean isOpen() {
    return asked != null;
  }

  void ask(DictionaryQuestion question) {
    Asked now = new Asked(question);
    executor.execute(() -> now.run(driver));
    asked = now; // not before: an executor that finds no thread throws
  }

  /**
   * The question that has been answered, or could not be; null while there is none. It is given
   * once.
   */
  Asked answered() {
    Asked now = asked;
    if (now == null || !now.done) {
      return null;
    }
    asked = null;
    return now;
  }

  /** Asks here and now, and leaves what is on its way to itself. */
  Asked askHere(DictionaryQuestion question) {
    asked = null;
    Asked now = new Asked(question);
    now.run(driver);
    return now;
  }
}

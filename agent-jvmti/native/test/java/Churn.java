import io.planflame.agent.NativeAgent;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;

/**
 * Compiles and unloads "generated" classes for ever new loaders: what a long-lived executor does to
 * the agent.
 *
 * <p>Arguments: lib, options, loaders (how many), rows (work in each), begin ("stdin": not before a
 * line was read), wait as in Workload. Prints "loader N" for each class, the number that its METHOD
 * records must carry.
 */
public final class Churn {
  static final String NAME = "org.apache.spark.sql.catalyst.expressions.GeneratedClass";
  static volatile long sink;

  static final class Fresh extends ClassLoader {
    Fresh() {
      super(null);
    }

    Class<?> define(byte[] bytes) {
      return defineClass(NAME, bytes, 0, bytes.length);
    }
  }

  public static void main(String[] args) throws Exception {
    String lib = Workload.option(args, "lib", null);
    System.load(lib != null ? lib : System.getProperty("planflame.lib"));
    System.out.println("start " + NativeAgent.start(Workload.option(args, "options", "")));
    byte[] bytes;
    try (InputStream in = Churn.class.getResourceAsStream("/" + NAME.replace('.', '/') + ".class")) {
      bytes = in.readAllBytes();
    }
    int loaders = Integer.parseInt(Workload.option(args, "loaders", "200"));
    long rows = Long.parseLong(Workload.option(args, "rows", "200000"));
    AtomicInteger classesWork = new AtomicInteger();
    Thread poller = new Thread(() -> {
      for (int work = 0; (work & NativeAgent.WORK_OFF) == 0; work = NativeAgent.awaitWork(1000))
        if ((work & NativeAgent.WORK_CLASSES) != 0) classesWork.incrementAndGet();
    }, "planflame-poller");
    poller.setDaemon(true);
    poller.start();
    if (Workload.option(args, "begin", "").equals("stdin")) Workload.awaitLine();
    for (int i = 0; i < loaders; i++) {
      Fresh loader = new Fresh();
      LongUnaryOperator generated = (LongUnaryOperator) loader.define(bytes).getDeclaredConstructor().newInstance();
      long number = NativeAgent.loaderId(loader);
      if (number != NativeAgent.loaderId(loader)) throw new AssertionError("a loader has two numbers");
      System.out.println("loader " + number);
      for (int k = 0; k < 20; k++) sink += generated.applyAsLong(rows / 20);
      generated = null;
      loader = null;
      if (i % 20 == 19) System.gc();
    }
    System.out.println("classes " + classesWork.get());
    System.out.println("done");
    String wait = Workload.option(args, "wait", "0");
    if (wait.equals("stdin")) while (System.in.read() >= 0) {}
    else Thread.sleep(Long.parseLong(wait));
  }
}

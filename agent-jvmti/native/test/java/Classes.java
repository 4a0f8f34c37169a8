import io.planflame.agent.NativeAgent;
import java.io.InputStream;

/**
 * Defines "generated" classes of a usual size, each in a loader of its own, and lets them go: what
 * a long-lived executor does in weeks.
 *
 * <p>Arguments: lib (absent: no agent at all), classes (how many), keep (how many of the last stay
 * loaded). Prints "ready" and waits for a line before it begins, then "done" and waits for the end
 * of standard input.
 */
public final class Classes {
  static final String NAME = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIterator";

  static final class Fresh extends ClassLoader {
    Fresh() {
      super(null);
    }

    Object make(byte[] bytes) throws ReflectiveOperationException {
      return defineClass(NAME, bytes, 0, bytes.length).getDeclaredConstructor().newInstance();
    }
  }

  public static void main(String[] args) throws Exception {
    String lib = Workload.option(args, "lib", null);
    if (lib != null) {
      System.load(lib);
      System.out.println("start " + NativeAgent.start(""));
    }
    byte[] bytes;
    try (InputStream in = Classes.class.getResourceAsStream("/" + NAME.replace('.', '/') + ".class")) {
      bytes = in.readAllBytes();
    }
    Object[] kept = new Object[Integer.parseInt(Workload.option(args, "keep", "50"))];
    int classes = Integer.parseInt(Workload.option(args, "classes", "20000"));
    define(bytes, kept, 2000); // what is not ours to count: the JVM's own tables and arenas grow to their size
    System.out.println("ready");
    Workload.awaitLine();
    define(bytes, kept, classes);
    System.out.println("done");
    while (System.in.read() >= 0) {}
  }

  private static void define(byte[] bytes, Object[] kept, int classes) throws Exception {
    for (int i = 0; i < classes; i++) {
      kept[i % kept.length] = new Fresh().make(bytes);
      if (i % 500 == 499) System.gc();
    }
    System.gc();
  }
}

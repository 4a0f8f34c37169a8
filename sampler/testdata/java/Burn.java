import io.planflame.agent.NativeAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.MessageDigest;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A "Spark executor" without Spark: one thread that runs tasks of known content, for the sampler's
 * tests.
 *
 * <p>Arguments: path of the agent's library; milliseconds of CPU of each task. Prints "ready",
 * waits until sampling is on, warms up in task 0, then runs one task of each kind; prints "done
 * NANOS", the thread's CPU; ends when its input does. Task attempt 1 is plain arithmetic, 2 an
 * intrinsic stub (SHA-512), 3 native code (libz), 4 many small calls.
 */
public final class Burn {
  static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  static volatile long sink;

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    String off = NativeAgent.start("");
    if (off != null) {
      throw new IllegalStateException(off);
    }
    System.out.println("ready");
    while (!NativeAgent.sampling()) {
      Thread.sleep(5);
    }
    long millis = Long.parseLong(args[1]);
    Throwable[] failed = new Throwable[1];
    Thread worker = new Thread(() -> {
      try {
        tasks(millis);
      } catch (Throwable t) {
        failed[0] = t;
      }
    }, "Executor task launch worker-0");
    worker.start();
    worker.join();
    if (failed[0] != null) {
      throw new IllegalStateException(failed[0]);
    }
    while (System.in.read() >= 0) {
      // until the test closes our input
    }
  }

  static void tasks(long millis) throws Exception {
    byte[] packed = packed();
    // Events need a moment to be opened by a reader; a task of its own takes the warming up.
    for (long task = 0; task <= 4; task++) {
      NativeAgent.taskStart(task, 7, 0, (int) task, 5, 0, -1, 0, 1);
      if (task == 0) {
        for (long kind = 1; kind <= 4; kind++) {
          run(kind, 3 * millis / 4, packed);
        }
      } else {
        run(task, millis, packed);
      }
      NativeAgent.taskEnd(task, 7, 0, (int) task, 5, 0, -1, 0, 1, 0, 0, 0);
    }
    System.out.println("done " + CLOCK.getCurrentThreadCpuTime());
  }

  static void run(long kind, long millis, byte[] packed) throws Exception {
    long end = CLOCK.getCurrentThreadCpuTime() + millis * 1_000_000;
    while (CLOCK.getCurrentThreadCpuTime() < end) {
      if (kind == 1) {
        sink += hot(200_000);
      } else if (kind == 2) {
        sink += sha(packed);
      } else if (kind == 3) {
        sink += inflate(packed);
      } else {
        sink += calls(200_000);
      }
    }
  }

  static long hot(int n) {
    long x = 88172645463325252L;
    for (int i = 0; i < n; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }

  static final MessageDigest SHA;

  static {
    try {
      SHA = MessageDigest.getInstance("SHA-512");
    } catch (Exception e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static long sha(byte[] data) {
    long sum = 0;
    for (int i = 0; i < 20; i++) {
      sum += SHA.digest(data)[3];
    }
    return sum;
  }

  static long inflate(byte[] packed) throws Exception {
    Inflater inflater = new Inflater();
    inflater.setInput(packed);
    byte[] out = new byte[1 << 12];
    long n = 0;
    while (!inflater.finished()) {
      n += inflater.inflate(out);
    }
    inflater.end();
    return n;
  }

  static byte[] packed() {
    byte[] data = new byte[1 << 18];
    long x = 7;
    for (int i = 0; i < data.length; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
      data[i] = (byte) ((x >>> 60) + (i >>> 9 & 3));
    }
    Deflater deflater = new Deflater();
    deflater.setInput(data);
    deflater.finish();
    byte[] packed = new byte[data.length];
    int n = deflater.deflate(packed);
    deflater.end();
    return java.util.Arrays.copyOf(packed, n);
  }

  interface Shape {
    long area(long x);
  }

  static final class Square implements Shape {
    public long area(long x) {
      return x * x;
    }
  }

  static final class Circle implements Shape {
    public long area(long x) {
      return 3 * x * x + 1;
    }
  }

  static final class Line implements Shape {
    public long area(long x) {
      return x ^ 1;
    }
  }

  static final Shape[] SHAPES = {new Square(), new Circle(), new Line()};

  /** Interface calls with three receivers: itable stubs and prologues. */
  static long calls(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += SHAPES[i % 3].area(i);
    }
    return sum;
  }
}

import io.planflame.agent.NativeAgent;

/**
 * A check of an array's bounds that C2 can neither drop nor move out of a loop, and that never
 * fails, so that its failure is an uncommon trap. Not to be inlined (CompileCommand): the copies of
 * an unrolled loop share a trap, and such a one proves nothing.
 *
 * <p>Arguments: lib=PATH.
 */
public final class Bounds {
  static volatile long sink;

  static long element(int[] of, int at) {
    long x = 3L * at;
    x ^= of[at]; // of this line the test asks
    return mixed(mixed(mixed(mixed(mixed(mixed(x)))))); // so much that the branch to the trap is no short one
  }

  static long mixed(long x) {
    x ^= x << 13;
    x ^= x >>> 7;
    return x ^ x << 17;
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0].substring("lib=".length()));
    System.out.println("start " + NativeAgent.start(""));
    int[] of = new int[1000];
    for (int i = 0; i < 2_000_000; i++) sink += element(of, i % of.length);
    System.out.println("done");
    while (System.in.read() >= 0) {}
  }
}

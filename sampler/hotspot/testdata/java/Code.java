import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;

/**
 * Runs code that both of HotSpot's compilers inline, loop and guard by uncommon traps, says "ready"
 * and waits until its input ends.
 */
public class Code {
    interface Node { long value(int depth); }

    record Leaf(int n) implements Node {
        public long value(int depth) { return n + depth; }
    }

    record Sum(Node left, Node right) implements Node {
        public long value(int depth) { return left.value(depth + 1) + right.value(depth + 1); }
    }

    static Node tree(int n) { return n < 2 ? new Leaf(n) : new Sum(tree(n - 1), tree(n - 2)); }

    static int parse(String s) {
        try {
            return Integer.parseInt(s);
        } catch (NumberFormatException e) {
            return s.length();
        }
    }

    static long round(int seed) {
        Map<String, List<Integer>> groups = new HashMap<>();
        IntBinaryOperator mix = (a, b) -> a * 31 + b;
        for (int i = 0; i < 200; i++) {
            String key = switch (i % 4) {
                case 0 -> "a" + i % 10;
                case 1 -> String.valueOf(i);
                default -> "x";
            };
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(mix.applyAsInt(seed, parse(key)));
        }
        long sum = tree(8).value(0);
        for (List<Integer> g : groups.values()) {
            sum += g.stream().mapToInt(Integer::intValue).max().orElse(0);
        }
        synchronized (groups) {
            return sum + groups.size();
        }
    }

    public static void main(String[] args) throws Exception {
        long sum = 0;
        for (int i = 0; i < 3_000; i++) {
            sum += round(i);
        }
        System.out.println("ready " + sum);
        while (System.in.read() >= 0) { }
    }
}

import java.util.function.IntUnaryOperator;

/**
 * Has methods of every sort that must be named, lets the JVM compile them, says "ready" and waits
 * until its input ends.
 */
public class Names {
    static int grüße(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum;
    }

    /** A name with a NUL's neighbours: one, two, three bytes and a surrogate pair in UTF-8. */
    static int a\u00e9\u20ac\ud835\udc9c(int n) { return n * 3; }

    /** Many blank lines: differences that need the long form of the line table. */
    static int far(int n) {
        int x = n + 1;









        x = x * 31;






































        return x;
    }

    interface Shape { int size(); }

    static class Square implements Shape {
        final int side;
        Square(int side) { this.side = side; }
        public int size() { return side * side; }
    }

    public static void main(String[] args) throws Exception {
        int n = 0;
        IntUnaryOperator hidden = x -> x + 7;
        for (int i = 0; i < 20_000; i++) {
            n += grüße(i % 10) + a\u00e9\u20ac\ud835\udc9c(i) + far(i) + new Square(i).size() + hidden.applyAsInt(i);
            n += new StringBuilder().append(i).toString().hashCode();
        }
        System.out.println("ready " + n);
        while (System.in.read() >= 0) { }
    }
}

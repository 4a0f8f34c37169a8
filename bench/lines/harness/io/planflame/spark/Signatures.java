package io.planflame.spark;

import io.planflame.spark.shim.Members;
import io.planflame.spark.shim.Scala;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;

/**
 * Signs generated code with the operator that writes it, in comments: <code>/*@&lt;3*&#47; …
 * /*@&gt;*&#47;</code> around what operator 3 wrote, <code>/*@&lt;3e*&#47;</code> where an
 * expression of it did. Signatures nest; the innermost counts. Comments are not compiled and Spark
 * measures code without them, so that apart from them the text must stay as it was: whoever reads
 * it checks that.
 *
 * <p>{@link SigningAgent} has Spark call the public methods. They do nothing on threads that are
 * not between {@link #begin} and {@link #end}.
 */
public final class Signatures {
  private static final ThreadLocal<Signatures> CURRENT = new ThreadLocal<>();
  private static volatile String refused = "";

  private final Map<Object, Integer> owners = new IdentityHashMap<>();
  private final Deque<Object> stack = new ArrayDeque<>();

  private Signatures() {}

  /** Begins to sign on this thread. */
  static void begin() {
    if (!refused.isEmpty()) {
      throw new IllegalStateException(refused);
    }
    CURRENT.set(new Signatures());
  }

  /** Ends it, and returns operator → its number in the signatures. */
  static Map<Object, Integer> end() {
    Signatures s = CURRENT.get();
    CURRENT.remove();
    return s == null ? new IdentityHashMap<>() : s.owners;
  }

  static void refuse(String what, Throwable e) {
    refused = what + ": " + e;
  }

  private int number(Object operator) {
    return owners.computeIfAbsent(operator, key -> owners.size());
  }

  /** {@code operator} begins to generate code. */
  public static void enter(Object operator) {
    Signatures s = CURRENT.get();
    if (s != null) {
      s.stack.push(operator);
    }
  }

  /** Its text is complete. */
  public static String text(String text) {
    Signatures s = CURRENT.get();
    if (s == null) {
      return text;
    }
    return s.sign(s.stack.pop(), text);
  }

  /**
   * {@code operator} begins to pack its row, or to make a method of its consumer's code, because
   * the consumer wants it.
   */
  public static void enterConsumer(Object operator) {
    Signatures s = CURRENT.get();
    if (s != null) {
      s.stack.push(Members.call(operator, "parent"));
    }
  }

  /** The row's code, an ExprCode, is complete. */
  public static void row(Object code) {
    Signatures s = CURRENT.get();
    if (s != null) {
      s.sign(s.stack.pop(), (ExprCode) code, "");
    }
  }

  /** An expression's code, an ExprCode, is complete. */
  public static void expression(Object code) {
    Signatures s = CURRENT.get();
    if (s != null && !s.stack.isEmpty()) {
      s.sign(s.stack.peek(), (ExprCode) code, "e");
    }
  }

  /**
   * The operator at work hands these columns, a Seq of ExprCode or null, to its consumer, who
   * evaluates them when it likes.
   */
  public static void outputs(Object columns) {
    Signatures s = CURRENT.get();
    if (s != null && columns != null && !s.stack.isEmpty()) {
      for (Object column : Scala.list(columns)) {
        s.sign(s.stack.peek(), (ExprCode) column, "");
      }
    }
  }

  /** The operator at work moves text into a method or class of its own. */
  public static String function(String text) {
    Signatures s = CURRENT.get();
    return s == null || s.stack.isEmpty() ? text : s.sign(s.stack.peek(), text);
  }

  private String sign(Object operator, String text) {
    return text == null || text.trim().isEmpty() ? text : open(operator, "") + text + CLOSE;
  }

  private void sign(Object operator, ExprCode code, String kind) {
    String text = code.code().toString();
    if (text.replaceAll("(?s)/\\*.*?\\*/", "").trim().isEmpty()) {
      return; // Spark asks whether there is any code
    }
    code.code_$eq(block(open(operator, kind), code.code()));
  }

  private String open(Object operator, String kind) {
    return "/*@<" + number(operator) + kind + "*/";
  }

  private static final String CLOSE = "/*@>*/";

  /** Keeps the inner block as it is: Spark rewrites the variables in it later. */
  private static Block block(String open, Block inner) {
    return new CodeBlock(Lists.of(Arrays.asList(open, CLOSE)), Lists.of(Arrays.<JavaCode>asList(inner)));
  }
}

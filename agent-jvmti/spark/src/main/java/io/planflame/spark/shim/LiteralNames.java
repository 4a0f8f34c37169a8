package io.planflame.spark.shim;

import io.planflame.identity.Pretty;
import java.util.Set;

/**
 * The columns whose names hold a literal. Spark names an expression without an alias after its
 * text, and the columns of a pivot after its values. An alias of the user's does not count, unless
 * one of its words is a literal of the expression. Not thread-safe.
 */
final class LiteralNames {
  private static final String COUNT_ALL = "count(1)"; // Spark's own literal
  private static final String PIVOT = "__pivot_"; // begins the name of what Spark takes a pivot's columns from

  private final Set<Long> ids;

  /** @param ids the columns known so far; gets those that are seen */
  LiteralNames(Set<Long> ids) {
    this.ids = ids;
  }

  /** For printing: all that has been seen by then counts. */
  Pretty pretty() {
    return new Pretty(ids);
  }

  /** Takes note of an alias. Those below it must have been seen. */
  void see(long id, String name, Object alias) {
    if (Pretty.isPlain(name) && !name.equals(COUNT_ALL) && holdsPart(name, alias)) {
      ids.add(id);
    }
  }

  private boolean holdsPart(String name, Object expression) {
    for (Object child : Scala.list(Members.call(expression, "children"))) {
      if (isIn(name, child) || holdsPart(name, child)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(String name, Object expression) {
    switch (TermReader.kind(expression)) {
      case "Literal":
        return hasWord(name, text(Members.call(expression, "value")));
      case "AttributeReference":
        String column = String.valueOf(Members.call(expression, "name"));
        return column.startsWith(PIVOT) || ids.contains(TermReader.exprId(expression)) && hasWord(name, column);
      default:
        return false;
    }
  }

  /** A literal's value as it stands in a name; "" of a type whose text no plain name holds. */
  private static String text(Object value) {
    String type = value == null ? "" : value.getClass().getSimpleName();
    boolean shown = value instanceof Number || value instanceof Boolean || type.equals("UTF8String") || type.equals("Decimal");
    return shown ? value.toString().trim() : "";
  }

  /** Reports whether {@code word} stands in {@code name}, and not as a part of a longer word. */
  private static boolean hasWord(String name, String word) {
    for (int at = word.isEmpty() ? -1 : name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
      if (!isWithin(name, at) && !isWithin(name, at + word.length())) {
        return true;
      }
    }
    return false;
  }

  /** Reports whether the characters before and at an index belong to one word. */
  private static boolean isWithin(String name, int index) {
    return index > 0 && index < name.length() && Character.isJavaIdentifierPart(name.charAt(index - 1))
        && Character.isJavaIdentifierPart(name.charAt(index));
  }
}

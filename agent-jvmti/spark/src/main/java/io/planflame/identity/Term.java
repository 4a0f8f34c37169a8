package io.planflame.identity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A neutral expression: what {@link Identity} needs of a Catalyst expression. Immutable.
 *
 * <p>{@code kind} is the simple class name (Add, AttributeReference, ScalarSubquery). {@code text}
 * tells two of a kind apart (a column's or UDF's name, a sort direction, "distinct"), and is never
 * a literal's value. {@code id} is the expression id of an attribute or alias, or the id of a
 * common expression; {@link #NO_ID} elsewhere. {@code plan} is the tree of a subquery expression,
 * else null. {@code line} is the user's own line, "" unknown, for people only.
 */
public final class Term {
  /** The id of a term that has none. */
  public static final long NO_ID = -1;

  final String kind;
  final String text;
  final long id;
  final List<Term> children;
  final Tree plan;

  final String line;

  public Term(String kind, String text, long id, List<Term> children, Tree plan) {
    this(kind, text, id, children, plan, "");
  }

  private Term(String kind, String text, long id, List<Term> children, Tree plan, String line) {
    this.kind = kind;
    this.text = text;
    this.id = id;
    this.children = Collections.unmodifiableList(new ArrayList<>(children));
    this.plan = plan;
    this.line = line;
  }

  /** The same, written on the user's {@code line}; itself if that is "" or it has one. */
  public Term at(String userLine) {
    return userLine.isEmpty() || !line.isEmpty() ? this : new Term(kind, text, id, children, plan, userLine);
  }

  /** A function of its children. */
  public static Term of(String kind, Term... children) {
    return new Term(kind, "", NO_ID, Arrays.asList(children), null);
  }

  /** A literal of whatever value. */
  public static Term literal() {
    return of("Literal");
  }

  /** A column. */
  public static Term column(String name, long id) {
    return new Term("AttributeReference", name, id, Collections.emptyList(), null);
  }

  /** {@code child AS name}. */
  public static Term alias(Term child, String name, long id) {
    return new Term("Alias", name, id, Collections.singletonList(child), null);
  }

  public String kind() {
    return kind;
  }

  public long id() {
    return id;
  }

  public String text() {
    return text;
  }
}

package io.planflame.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A neutral logical plan node: what {@link Identity} needs of a Catalyst LogicalPlan. Immutable
 * once built with {@link Builder}.
 *
 * <p>{@code kind} is the simple class name. {@code args} holds its expressions by the name of the
 * field, {@code output} its output columns. {@code text} is a join type, {@code id} a CTE's id.
 * {@code source} names a leaf: catalog name, or format and schema. {@code label} is a leaf's,
 * alias's or written table's name. {@code line} is the user's own line of the call that made the
 * node, "" unknown. Both are for people only and take no part in any hash.
 */
public final class Tree {
  final String kind;
  final String text;
  final long id;
  final String source;
  final String label;
  final String line;
  final Map<String, List<Term>> args;
  final List<Term> output;
  final List<Tree> children;

  private Tree(Builder b) {
    kind = b.kind;
    text = b.text;
    id = b.id;
    source = b.source;
    label = b.label;
    line = b.line;
    args = Collections.unmodifiableMap(new LinkedHashMap<>(b.args));
    output = Collections.unmodifiableList(new ArrayList<>(b.output));
    children = Collections.unmodifiableList(new ArrayList<>(b.children));
  }

  public String kind() {
    return kind;
  }

  public List<Tree> children() {
    return children;
  }

  public List<Term> output() {
    return output;
  }

  List<Term> arg(String name) {
    List<Term> terms = args.get(name);
    return terms == null ? Collections.<Term>emptyList() : terms;
  }

  /** Builds a {@link Tree}. */
  public static final class Builder {
    private final String kind;
    private String text = "";
    private long id = Term.NO_ID;
    private String source = "";
    private String label = "";
    private String line = "";
    private final Map<String, List<Term>> args = new LinkedHashMap<>();
    private List<Term> output = Collections.emptyList();
    private List<Tree> children = Collections.emptyList();

    public Builder(String kind) {
      this.kind = kind;
    }

    public Builder text(String value) {
      text = value;
      return this;
    }

    public Builder id(long value) {
      id = value;
      return this;
    }

    public Builder source(String value) {
      source = value;
      return this;
    }

    public Builder label(String value) {
      label = value;
      return this;
    }

    public Builder line(String value) {
      line = value;
      return this;
    }

    public Builder arg(String name, List<Term> terms) {
      args.put(name, new ArrayList<>(terms));
      return this;
    }

    public Builder output(List<Term> columns) {
      output = columns;
      return this;
    }

    public Builder children(List<Tree> trees) {
      children = trees;
      return this;
    }

    public Tree build() {
      return new Tree(this);
    }
  }
}

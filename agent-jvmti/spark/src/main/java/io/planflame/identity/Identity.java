package io.planflame.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The names of one execution: its query, its plan, its operators. Identity version 1.
 *
 * <p>Operators are named from the logical node that they stem from, by its own normalized arguments
 * and the sources below it. They are never named by position: positions move when the optimizer
 * inserts a node. Not thread-safe.
 */
public final class Identity {
  /** Version of all names below; another normal form is another version and other prefixes. */
  public static final int VERSION = 1;

  private static final int MAX_SOURCES_IN_NAME = 3;
  private static final int OPERATOR_TEXT = 60;

  private final String query;
  private final String plan;
  private final String generatedName;
  private final Plans operands = new Plans(false);
  private final Aliases aliases;
  private final UserLines lines;
  private final Pretty pretty;

  /**
   * The logical node that an operator stems from and the operator's name without a twin's number.
   */
  public static final class Origin {
    private final Tree tree;
    private final String name;
    private final String arguments;
    private final String words;
    private final String alias;
    private final String line;

    Origin(Tree tree, String name, String arguments, String words, String alias, String line) {
      this.tree = tree;
      this.name = name;
      this.arguments = arguments;
      this.words = words;
      this.alias = alias;
      this.line = line;
    }

    /**
     * The node itself; the same object for the operators that stem from the same node of one
     * reading.
     */
    public Tree tree() {
      return tree;
    }

    /** {@code role@signature}. */
    public String name() {
      return name;
    }

    /** Role and normalized arguments, without the sources below. */
    public String arguments() {
      return arguments;
    }

    /** The first words of its arguments, for people, without literals; "" if there are none. */
    public String words() {
      return words;
    }

    /**
     * What tells it from another operator of the same words, for people: a leaf's alias in the
     * query, a join's type; "" if nothing does.
     */
    public String alias() {
      return alias;
    }

    /** The user's own line of its arguments, {@code etl.py:14}; "" if Spark does not know it. */
    public String line() {
      return line;
    }
  }

  /** Names a query none of whose columns' names hold a literal. */
  public Identity(Tree analyzed, Tree optimized) {
    this(analyzed, optimized, Collections.emptySet());
  }

  /**
   * Names a query.
   *
   * @param analyzed the analyzed plan
   * @param optimized the optimized plan, or null when it was not computed: then {@link #plan} is
   *     empty
   * @param literalNames ids of columns whose names hold a literal; the set may still grow
   */
  public Identity(Tree analyzed, Tree optimized, Set<Long> literalNames) {
    pretty = new Pretty(literalNames);
    query = "q1-" + Hash.of(new Plans(true).ofRoot(analyzed), 16);
    plan = optimized == null ? "" : "p1-" + Hash.of(new Plans(true).ofRoot(optimized), 16);
    generatedName = generateName(analyzed);
    aliases = new Aliases(analyzed);
    operands.of(analyzed); // columns are known by the analyzed plan's definitions first: the optimiser rewrites them
    lines = new UserLines(analyzed, operands.terms());
    if (optimized != null) {
      operands.of(optimized);
    }
  }

  /**
   * {@code q1-} and 16 hexadecimal digits: the same for the same query with other literals, paths,
   * aliases, hints.
   */
  public String query() {
    return query;
  }

  /**
   * {@code p1-} and 16 hexadecimal digits: the same function of the optimized plan; empty when that
   * was not known.
   */
  public String plan() {
    return plan;
  }

  /** A name for people, made from what the query does and reads: {@code aggregate lineitem}. */
  public String generatedName() {
    return generatedName;
  }

  /**
   * The normal form that {@link #query} is the hash of, for tests and for people who wonder why two
   * queries differ.
   */
  public static String normalForm(Tree analyzed) {
    return new Plans(true).ofRoot(analyzed);
  }

  /** Where the operator of {@code role} comes from whose logical link is {@code link}. */
  public Origin origin(String role, Tree link) {
    Tree tree = Roles.resolve(role, link);
    Set<String> sources = new TreeSet<>();
    sources(tree, sources);
    String arguments = role + "(" + Roles.arguments(role, tree, operands.terms()) + ")";
    String name = role + "@" + Hash.of(arguments + "[" + String.join(",", sources) + "]", 8);
    String alias = tree.children.isEmpty() ? aliases.of(tree) : tree.kind.equals("Join") ? Roles.joinType(tree) : "";
    return new Origin(tree, name, arguments, Roles.words(tree, pretty, OPERATOR_TEXT), alias, lines.of(tree));
  }

  /**
   * {@code r1-} and 16 hexadecimal digits: the name of a job without SQL, from the names of its
   * stages.
   */
  public static String jobQuery(String stages) {
    return "r1-" + Hash.of(stages, 16);
  }

  /** The name of a stage without SQL, from what it is called: {@code rdd@3fa91c20}. */
  public static String stageOperator(String name) {
    return "rdd@" + Hash.of(name, 8);
  }

  /**
   * The name of an operator without a logical node, called after the operator {@code neighbour}
   * that it works for.
   */
  public static String neighbourName(String role, String neighbour, int side) {
    return role + "@" + Hash.of(role + " of " + neighbour + " side " + side, 8);
  }

  /**
   * The name of an operator that works for a bloom filter: it must not be taken for the query's own
   * of the same arguments.
   */
  public static String bloomFilterName(String role, String name) {
    return role + "@" + Hash.of(name + " for a bloom filter", 8);
  }

  private static void sources(Tree tree, Set<String> out) {
    if (tree.children.isEmpty()) {
      out.add(tree.source.isEmpty() ? tree.kind : tree.source);
    }
    for (Tree child : tree.children) {
      sources(child, out);
    }
  }

  private static String generateName(Tree root) {
    Set<String> kinds = new LinkedHashSet<>();
    List<String> labels = new ArrayList<>();
    describe(root, "", kinds, labels);
    String verb = kinds.contains("Aggregate") || kinds.contains("Distinct") ? "aggregate"
        : kinds.contains("Join") ? "join"
        : kinds.contains("Window") ? "window"
        : kinds.contains("Sort") ? "sort"
        : kinds.contains("Filter") ? "filter" : "scan";
    if (verb.equals("scan") && !root.children.isEmpty() && !root.label.isEmpty() && !Kinds.WRAPPERS.contains(root.kind)) {
      return "write " + root.label; // what it reads says less
    }
    List<String> first = labels.subList(0, Math.min(MAX_SOURCES_IN_NAME, labels.size()));
    String more = labels.size() > MAX_SOURCES_IN_NAME ? ", …" : "";
    return labels.isEmpty() ? verb : verb + " " + String.join(", ", first) + more;
  }

  private static void describe(Tree tree, String alias, Set<String> kinds, List<String> labels) {
    kinds.add(tree.kind);
    boolean named = (tree.kind.equals("SubqueryAlias") || tree.kind.equals("View")) && !tree.label.isEmpty();
    String name = named ? tree.label : alias; // the innermost wins: an alias in the query is not the table's name
    if (tree.children.isEmpty() && !tree.kind.equals("CTERelationRef")) {
      String label = !alias.isEmpty() && !tree.source.startsWith("table:") ? alias : tree.label;
      if (!label.isEmpty() && !labels.contains(label)) {
        labels.add(label);
      }
    }
    for (Tree child : tree.children) {
      boolean passes = tree.kind.equals("SubqueryAlias") || tree.kind.equals("View") || tree.kind.equals("Project");
      describe(child, passes ? name : "", kinds, labels);
    }
  }
}

package io.planflame.spark.shim;

import io.planflame.identity.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * One node of a physical plan as it was read; indices are positions in the pre-order list it stands
 * in.
 */
public final class PlanNode {
  /** An SQLMetric: accumulator id, name as the user interface shows it, type. */
  public static final class Metric {
    public final long id;
    public final String name;
    public final String type;

    public Metric(long id, String name, String type) {
      this.id = id;
      this.name = name;
      this.type = type;
    }
  }

  /** Index of the parent, -1 for the root. */
  public final int parent;

  /** Which child of its parent this is, from 0; subqueries count on behind the children. */
  public final int side;

  public final String className;
  public final String name;
  public final String text;

  /** Whether this is the root of a subquery's tree. */
  public final boolean subquery;

  /** Index of the WholeStageCodegen node into which this one is compiled, -1 none. */
  public final int codegen;

  /** Of a WholeStageCodegen node itself, else -1. */
  public final int codegenStageId;

  /** "partial", "final" …, empty if there is none. */
  public final String mode;

  /** The logical node that Spark links to this one, null if there is none. */
  public final Tree link;

  public final List<Metric> metrics;

  /**
   * What people want to know besides the logical node's arguments, "" if nothing. See {@link
   * Details}.
   */
  public final String details;

  /** What the cost of a row depends on, by name. See {@link CostCounts}. */
  public final Map<String, Integer> counts;

  /**
   * The same object for the same physical node: a reused subquery stands in the list more than
   * once.
   */
  public final Object identity;

  public PlanNode(
      Object identity, int parent, int side, String className, String name, String text, boolean subquery, int codegen,
      int codegenStageId, String mode, Tree link, List<Metric> metrics, String details, Map<String, Integer> counts) {
    this.identity = identity;
    this.parent = parent;
    this.side = side;
    this.className = className;
    this.name = name;
    this.text = text;
    this.subquery = subquery;
    this.codegen = codegen;
    this.codegenStageId = codegenStageId;
    this.mode = mode;
    this.link = link;
    this.metrics = new ArrayList<>(metrics);
    this.details = details;
    this.counts = Collections.unmodifiableMap(counts);
  }

  /** The same without link and identity: holds no plan alive. */
  public PlanNode withoutLink() {
    return new PlanNode("", parent, side, className, name, text, subquery, codegen, codegenStageId, mode, null, metrics, details, counts);
  }

  /** The same with every index one larger: of a list before which a root was put. */
  PlanNode below() {
    return new PlanNode(
        identity, parent + 1, side, className, name, text, subquery, codegen < 0 ? codegen : codegen + 1, codegenStageId, mode, link, metrics, details, counts);
  }

  /** The class's own name: HashAggregateExec. */
  public String simpleClass() {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}

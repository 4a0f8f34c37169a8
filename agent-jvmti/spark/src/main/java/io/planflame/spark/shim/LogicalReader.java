package io.planflame.spark.shim;

import io.planflame.identity.Term;
import io.planflame.identity.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns Catalyst's logical plans into neutral trees, node by node, without judging them. One reader
 * serves one reading: the same node becomes the same tree. Not thread-safe.
 */
public final class LogicalReader {
  private final Map<Object, Tree> trees = new IdentityHashMap<>();
  private final LiteralNames literalNames;
  private final TermReader terms;

  /** @param literalNames gets the ids of the columns whose names hold a literal */
  public LogicalReader(Set<Long> literalNames) {
    this.literalNames = new LiteralNames(literalNames);
    terms = new TermReader(this);
  }

  /** The columns read so far whose names hold a literal. */
  LiteralNames literalNames() {
    return literalNames;
  }

  /** The neutral tree of a LogicalPlan. */
  public Tree read(Object plan) {
    Tree tree = trees.get(plan);
    if (tree == null) {
      tree = convert(plan);
      trees.put(plan, tree);
    }
    return tree;
  }

  private Tree convert(Object plan) {
    String kind = TermReader.kind(plan);
    List<Tree> children = children(plan); // first: a column may get its name from one below
    Tree.Builder out = new Tree.Builder(kind).output(output(plan)).line(Lines.of(plan));
    switch (kind) {
      case "LogicalQueryStage":
        return out.children(Collections.singletonList(read(Members.call(plan, "logicalPlan")))).build();
      case "WithCTE":
        List<Tree> parts = new ArrayList<>();
        parts.add(read(Members.call(plan, "plan")));
        parts.addAll(all(Members.call(plan, "cteDefs")));
        return out.children(parts).build();
      case "CTERelationDef":
        return out.id((Long) Members.call(plan, "id")).children(children).build();
      case "CTERelationRef":
        return out.id((Long) Members.call(plan, "cteId")).build();
      case "SubqueryAlias":
        return out.label((String) Members.call(plan, "alias")).children(children).build();
      case "View":
        Object table = Members.call(Members.call(plan, "desc"), "identifier");
        return out.label((String) Members.call(table, "table")).children(children).build();
      case "Join":
        out.text(upTo(String.valueOf(Members.call(plan, "joinType")), '('));
        return arguments(out, plan, "condition").children(children).build();
      case "Project":
        return arguments(out, plan, "projectList").children(children).build();
      case "Filter":
        return arguments(out, plan, "condition").children(children).build();
      case "Sort":
        return arguments(out, plan, "order").children(children).build();
      case "Aggregate":
        return arguments(out, plan, "groupingExpressions", "aggregateExpressions").children(children).build();
      case "Window":
        return arguments(out, plan, "windowExpressions", "partitionSpec", "orderSpec").children(children).build();
      default:
        if (children.isEmpty()) {
          return out.source(Sources.identity(plan, kind)).label(Sources.label(plan)).build();
        }
        return arguments(out.label(Details.target(plan)), plan, "expressions").children(children).build();
    }
  }

  private Tree.Builder arguments(Tree.Builder out, Object plan, String... fields) {
    for (String field : fields) {
      Object value = Members.call(plan, field);
      Object inOption = Scala.orNull(value);
      if (inOption != null) {
        out.arg(field, Collections.singletonList(terms.read(inOption)));
      } else if (value instanceof scala.Option) {
        out.arg(field, Collections.emptyList());
      } else {
        List<Object> expressions = Members.has(value, "iterator", 0) ? Scala.list(value) : Arrays.asList(value);
        out.arg(field, terms.all(expressions));
      }
    }
    return out;
  }

  /** The output columns; empty for a node that cannot say yet (unresolved, a command). */
  private List<Term> output(Object plan) {
    try {
      return terms.all(Scala.list(Members.call(plan, "output")));
    } catch (IllegalStateException unresolved) {
      return Collections.emptyList();
    }
  }

  private List<Tree> children(Object plan) {
    return all(Members.call(plan, "children"));
  }

  private List<Tree> all(Object plans) {
    List<Tree> out = new ArrayList<>();
    for (Object plan : Scala.list(plans)) {
      out.add(read(plan));
    }
    return out;
  }

  private static String upTo(String text, char end) {
    int at = text.indexOf(end);
    return at < 0 ? text : text.substring(0, at);
  }
}

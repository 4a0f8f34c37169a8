package io.planflame.identity;

import java.util.Arrays;
import java.util.Collections;

/** Builds neutral trees the way the shim reads them, for tests. */
final class Plan {
  private Plan() {}

  static Tree leaf(String source, Term... columns) {
    return new Tree.Builder("LogicalRelation").source(source).output(Arrays.asList(columns)).build();
  }

  static Tree filter(Tree child, Term condition) {
    return new Tree.Builder("Filter").arg("condition", Collections.singletonList(condition)).output(child.output)
        .children(Collections.singletonList(child)).build();
  }

  static Tree project(Tree child, Term... terms) {
    return new Tree.Builder("Project").arg("projectList", Arrays.asList(terms)).output(attributes(terms))
        .children(Collections.singletonList(child)).build();
  }

  static Tree join(String type, Tree left, Tree right, Term condition) {
    java.util.List<Term> output = new java.util.ArrayList<>(left.output);
    output.addAll(right.output);
    return new Tree.Builder("Join").text(type)
        .arg("condition", condition == null ? Collections.<Term>emptyList() : Collections.singletonList(condition))
        .output(output).children(Arrays.asList(left, right)).build();
  }

  static Tree aggregate(Tree child, Term group, Term... results) {
    return new Tree.Builder("Aggregate").arg("groupingExpressions", Collections.singletonList(group))
        .arg("aggregateExpressions", Arrays.asList(results)).output(attributes(results)).children(Collections.singletonList(child)).build();
  }

  static Tree wrap(String kind, Tree child) {
    return new Tree.Builder(kind).label("alias").output(child.output).children(Collections.singletonList(child)).build();
  }

  static Term sum(Term child) {
    return Term.of("AggregateExpression", Term.of("Sum", child));
  }

  static Term and(Term left, Term right) {
    return Term.of("And", left, right);
  }

  private static java.util.List<Term> attributes(Term... terms) {
    java.util.List<Term> out = new java.util.ArrayList<>();
    for (Term term : terms) {
      out.add(term.kind.equals("Alias") ? Term.column(term.text, term.id) : term);
    }
    return out;
  }
}

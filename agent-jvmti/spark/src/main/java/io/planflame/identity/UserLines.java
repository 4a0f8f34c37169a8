package io.planflame.identity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The user's lines of expressions, and of columns that the optimizer has rewritten. They take no part in any identity. Not thread-safe. */
final class UserLines {
  private static final String SEVERAL = "";

  private final Map<Long, String> byColumn = new HashMap<>(); // :: alias → line, as analyzed
  private final Map<String, String> byFunction = new HashMap<>(); // :: name of a Python function → line of the column that it makes

  UserLines(Tree analyzed) {
    collect(analyzed);
  }

  private void collect(Tree tree) {
    for (List<Term> terms : tree.args.values()) {
      for (Term term : terms) {
        if (term.kind.equals("Alias")) {
          String line = within(term);
          if (!line.isEmpty()) {
            byColumn.putIfAbsent(term.id, line);
            functions(term, line);
          }
        }
      }
    }
    for (Tree child : tree.children) {
      collect(child);
    }
  }

  private void functions(Term term, String line) {
    if (term.kind.startsWith("PythonUD")) {
      byFunction.merge(term.text, line, (was, now) -> was.equals(now) ? was : SEVERAL);
    }
    for (Term child : term.children) {
      functions(child, line);
    }
  }

  /** The line of the first of {@code terms} that has one, "" if none has. */
  String of(List<Term> terms) {
    for (Term term : terms) {
      String line = within(term);
      if (line.isEmpty() && term.kind.equals("Alias")) {
        line = byColumn.getOrDefault(term.id, "");
      }
      if (!line.isEmpty()) {
        return line;
      }
    }
    return "";
  }

  /** The line of a term or of the first part of it that has one. */
  private String within(Term term) {
    if (!term.line.isEmpty()) {
      return term.line;
    }
    if (byFunction.containsKey(term.text) && term.kind.startsWith("PythonUD")) {
      return byFunction.get(term.text);
    }
    for (Term child : term.children) {
      String line = within(child);
      if (!line.isEmpty()) {
        return line;
      }
    }
    return "";
  }
}

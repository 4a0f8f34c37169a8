package io.planflame.spark;

import io.planflame.identity.Roles;
import io.planflame.spark.PlanNames.Named;
import io.planflame.spark.shim.PlanNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names of operators for people. No name is empty, and no two operators of an execution have
 * the same one: what tells them apart is added, and a number if nothing does. An operator keeps its
 * words in later trees. Not thread-safe.
 */
final class OperatorNames {
  private static final int MAX_SOURCES = 3;
  private static final int MAX_WORDS = 60;
  private static final int LEVELS = 5; // of candidate
  private static final String TO = " → ";

  private final Map<String, String> words = new HashMap<>(); // :: operator → its words
  private final Set<String> taken = new LinkedHashSet<>(); // role and words
  private List<PlanNode> nodes;
  private List<Named> named;

  /** Sets {@link Named#operatorName} of every node that has an operator. */
  void name(List<PlanNode> tree, List<Named> names) {
    nodes = tree;
    named = names;
    List<List<Integer>> passes = new ArrayList<>(); // the names of later ones are made of the words of earlier ones
    for (int pass = 0; pass < 4; pass++) {
      passes.add(new ArrayList<>());
    }
    for (int i = 0; i < nodes.size(); i++) {
      Named at = named.get(i);
      if (!at.operator.isEmpty()) {
        passes.get(at.linked ? (isSource(i) ? 0 : 1) : at.role.equals("columnar-to-row") ? 3 : 2).add(i);
      }
    }
    for (List<Integer> pass : passes) {
      nameNew(pass);
    }
    for (int i = 0; i < nodes.size(); i++) {
      if (!named.get(i).operator.isEmpty()) {
        named.get(i).operatorName = (shortName(nodes.get(i)) + " " + words.get(named.get(i).operator).trim()).trim();
      }
    }
    nodes = null;
    named = null;
  }

  private void nameNew(List<Integer> pass) {
    Map<String, Integer> fresh = new LinkedHashMap<>(); // :: operator → its first node
    for (int i : pass) {
      if (!words.containsKey(named.get(i).operator)) {
        fresh.putIfAbsent(named.get(i).operator, i);
      }
    }
    tellApart(new ArrayList<>(fresh.values()), 0);
  }

  /** Gives each node words of its own, of the first level on which they differ from all others'. */
  private void tellApart(List<Integer> alike, int level) {
    if (level == LEVELS) {
      for (int i : alike) {
        number(i);
      }
      return;
    }
    Map<String, List<Integer>> byWords = new LinkedHashMap<>();
    for (int i : alike) {
      byWords.computeIfAbsent(key(i, candidate(i, level)), w -> new ArrayList<>()).add(i);
    }
    byWords.forEach((text, same) -> {
      if (same.size() == 1 && taken.add(text)) {
        words.put(named.get(same.get(0)).operator, candidate(same.get(0), level));
      } else {
        tellApart(same, level + 1);
      }
    });
  }

  private void number(int index) {
    String plain = candidate(index, 0);
    String numbered = plain;
    for (int n = 2; !taken.add(key(index, numbered)); n++) {
      numbered = (plain + " #" + n).trim();
    }
    words.put(named.get(index).operator, numbered);
  }

  /** What must differ: the class of a join or an aggregate may change while it runs. */
  private String key(int index, String text) {
    String role = named.get(index).role;
    boolean keepsClass = role.equals("write") || role.equals(Roles.SCAN);
    return (keepsClass ? shortName(nodes.get(index)) : role) + " " + text;
  }

  /** The words of a node: plain ones on level 0, then ever longer ones. */
  private String candidate(int index, int level) {
    String plain = plain(index);
    Named at = named.get(index);
    switch (level) {
      case 1:
        return at.alias.isEmpty() ? plain : plain + (at.role.equals(Roles.SCAN) ? " " : ", ") + at.alias;
      case 2:
        return at.linked && !isSource(index) ? plain + of(sources(index)) : plain;
      case 3:
        return at.linked ? plain + consumer(index, false) : plain(index, true);
      case 4:
        return plain + consumer(index, true);
      default:
        return plain;
    }
  }

  private String plain(int index) {
    return plain(index, false);
  }

  private String plain(int index, boolean withWords) {
    Named at = named.get(index);
    PlanNode node = nodes.get(index);
    if (at.role.equals("columnar-to-row")) {
      int below = linkedBelow(index);
      return below < 0 ? "" : "of " + shortName(nodes.get(below)) + " " + words.get(named.get(below).operator);
    }
    if (!at.linked) {
      return (sources(index) + consumer(index, withWords)).trim();
    }
    if (at.role.equals(Roles.EXCHANGE)) {
      return sources(index) + (at.words.isEmpty() ? TO + "repartition" : " by " + at.words);
    }
    if (at.role.equals("write")) {
      String written = written(index);
      return written.isEmpty() ? orElse(at.words, sources(index)) : written;
    }
    boolean cached = at.role.equals(Roles.SCAN) && !isSource(index);
    return cached ? orElse(sources(index), cut(node.details)) : orElse(at.words, cut(node.details), sources(index));
  }

  /**
   * What a write writes: Spark 3.4 and later plan the files and the commit as two nodes, and the
   * latter alone knows the path.
   */
  private String written(int index) {
    for (int at = nodes.get(index).parent; at >= 0; at = nodes.get(at).parent) {
      if (named.get(at).role.equals("write") && !nodes.get(at).details.isEmpty()) {
        return nodes.get(at).details;
      }
    }
    return nodes.get(index).details;
  }

  /** What the nodes at and below one read, as far as a name has room. */
  private String sources(int index) {
    Set<String> out = new LinkedHashSet<>();
    for (int i = index; i < nodes.size() && (i == index || PlanNames.isBelow(nodes, i, index)); i++) {
      String read = isSource(i) ? words.getOrDefault(named.get(i).operator, "").replaceFirst(TO + ".*", "").trim() : "";
      if (!read.isEmpty() && !inSubquery(i, index)) {
        out.add(read);
      }
    }
    List<String> first = new ArrayList<>(out).subList(0, Math.min(MAX_SOURCES, out.size()));
    return cut(String.join(", ", first)) + (out.size() > MAX_SOURCES ? ", …" : "");
  }

  /**
   * Whether a node reads what the query is about: of a cached table that is what the table was made
   * of.
   */
  private boolean isSource(int index) {
    return named.get(index).role.equals(Roles.SCAN) && !nodes.get(index).simpleClass().equals("InMemoryTableScanExec");
  }

  private boolean inSubquery(int index, int ancestor) {
    for (int at = index; at > ancestor; at = nodes.get(at).parent) {
      if (nodes.get(at).subquery) {
        return true;
      }
    }
    return false;
  }

  /**
   * {@code → join, left}: the operator that a node works for, and on which side; "" if there is
   * none above it.
   */
  private String consumer(int index, boolean withWords) {
    int child = index;
    for (int at = nodes.get(index).parent; at >= 0; at = nodes.get(at).parent) {
      if (named.get(at).linked) {
        String who = words.getOrDefault(named.get(at).operator, named.get(at).words);
        return TO + named.get(at).role + (withWords && !who.isEmpty() ? " " + who : "") + side(child, at);
      }
      child = at;
    }
    return "";
  }

  private String side(int child, int consumer) {
    if (nodes.get(child).subquery) {
      return ", subquery";
    }
    boolean two = named.get(consumer).role.equals("join") && nodes.get(child).side < 2;
    return !two ? "" : nodes.get(child).side == 0 ? ", left" : ", right";
  }

  private int linkedBelow(int index) {
    for (int i = index + 1; i < nodes.size() && PlanNames.isBelow(nodes, i, index); i++) {
      if (named.get(i).linked) {
        return i;
      }
    }
    return -1;
  }

  private static String of(String sources) {
    return sources.isEmpty() ? "" : " of " + sources;
  }

  private static String orElse(String... candidates) {
    for (String candidate : candidates) {
      if (!candidate.isEmpty()) {
        return candidate;
      }
    }
    return "";
  }

  private static String cut(String text) {
    return text.length() <= MAX_WORDS ? text : text.substring(0, MAX_WORDS - 1) + "…";
  }

  /** The class's own name; of what Spark adds by itself and of writes what people call it. */
  private static String shortName(PlanNode node) {
    String simple = node.simpleClass();
    switch (simple) {
      case "ShuffleExchangeExec":
        return "Exchange";
      case "BroadcastExchangeExec":
        return "Broadcast";
      case "DataWritingCommandExec":
        return "Write";
      default:
        return node.name.startsWith("Scan ") ? "Scan" : simple.endsWith("Exec") ? simple.substring(0, simple.length() - 4) : simple;
    }
  }
}

package io.planflame.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers operators that have the same name: the first of an execution keeps it, the second is
 * {@code name~2}, and so on. Numbers are given on the first tree of an execution. AQE copies nodes,
 * so operators of later trees are found again by their text, which holds expression ids, else by
 * their order. AQE may replace an operator's sources in a later tree (an input found empty becomes
 * a local relation). Then it is found again by its arguments, if these belong to one name only. Not
 * thread-safe.
 */
public final class Twins {
  private static final class Twin {
    final Set<String> texts = new HashSet<>();
    Object bound; // the logical node in the tree being named
  }

  private final Map<String, List<Twin>> byName = new HashMap<>();
  private final Map<String, Set<String>> namesByArguments = new HashMap<>(); // of the first tree
  private Set<String> textsOfTree = new HashSet<>();
  private int trees;

  /** A new tree begins whose nodes have these texts. */
  public void begin(Set<String> texts) {
    trees++;
    textsOfTree = texts;
  }

  /** The tree is named: its nodes are no longer held. */
  public void end() {
    for (List<Twin> twins : byName.values()) {
      for (Twin twin : twins) {
        twin.bound = null;
      }
    }
  }

  /**
   * The name of an operator of the tree.
   *
   * @param name role and signature
   * @param arguments role and arguments without sources
   * @param node what it stems from, compared by identity
   * @param text as Spark shows it
   */
  public String number(String name, String arguments, Object node, String text) {
    return number(known(name, arguments), node, text);
  }

  private String known(String name, String arguments) {
    Set<String> names = namesByArguments.computeIfAbsent(arguments, a -> new HashSet<>());
    if (trees == 1) {
      names.add(name);
    }
    return byName.containsKey(name) || names.size() != 1 ? name : names.iterator().next();
  }

  private String number(String name, Object node, String text) {
    List<Twin> twins = byName.computeIfAbsent(name, n -> new ArrayList<>());
    int index = find(twins, node, text);
    Twin twin = twins.get(index);
    twin.bound = node;
    twin.texts.add(text);
    return index == 0 ? name : name + "~" + (index + 1);
  }

  private int find(List<Twin> twins, Object node, String text) {
    for (int i = 0; i < twins.size(); i++) {
      if (twins.get(i).bound == node) {
        return i;
      }
    }
    for (int i = 0; i < twins.size(); i++) {
      if (twins.get(i).bound == null && twins.get(i).texts.contains(text)) {
        return i;
      }
    }
    for (int i = 0; i < twins.size(); i++) {
      if (twins.get(i).bound == null && !appears(twins.get(i))) {
        return i;
      }
    }
    twins.add(new Twin());
    return twins.size() - 1;
  }

  /** Whether the twin's own operator is somewhere in the tree being named. */
  private boolean appears(Twin twin) {
    for (String text : twin.texts) {
      if (textsOfTree.contains(text)) {
        return true;
      }
    }
    return false;
  }
}

package io.planflame.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers operators that have the same name: the first of an execution keeps it, the second is {@code name~2}, and so on. Numbers are
 * given on the first tree of an execution; operators of later trees (AQE copies nodes) are found again by their text, which holds
 * expression ids, else by their order. Not thread-safe.
 */
public final class Twins {
  private static final class Twin {
    final Set<String> texts = new HashSet<>();
    Object bound; // the logical node in the tree being named
  }

  private final Map<String, List<Twin>> byName = new HashMap<>();
  private Set<String> textsOfTree = new HashSet<>();

  /** A new tree begins whose nodes have these texts. */
  public void begin(Set<String> texts) {
    textsOfTree = texts;
    for (List<Twin> twins : byName.values()) {
      for (Twin twin : twins) {
        twin.bound = null;
      }
    }
  }

  /** The name of the operator with this text that stems from {@code node}, compared by identity. */
  public String number(String name, Object node, String text) {
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

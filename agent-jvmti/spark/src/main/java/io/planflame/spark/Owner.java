package io.planflame.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * To whom an application belongs, as the user says it: the settings spark.planflame.label.NAME,
 * bounded in number and length, and OpenTelemetry's variables of the JVM's environment, which the
 * reader decodes. What is beyond the bounds is left out and counted. Immutable.
 */
final class Owner {
  /** Labels that an application may have. The reader has bounds of its own. */
  static final int MOST_LABELS = 16;

  /** Characters of a label's value. */
  static final int LONGEST_VALUE = 128;

  /**
   * Characters of a variable; a longer one is left out, for a part of it would say something else.
   */
  static final int LONGEST_VARIABLE = 4096;

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,62}");

  /** Attributes that the reader gives itself: a label may not replace them. */
  private static final Pattern RESERVED = Pattern.compile("spark\\..*|process\\..*|host\\.name|service\\.name|service\\.instance\\.id");

  private static final String NAMESPACE = "k8s.namespace.name";

  private static final List<String> VARIABLES = Collections.unmodifiableList(Arrays.asList("OTEL_RESOURCE_ATTRIBUTES", "OTEL_SERVICE_NAME"));

  private final Map<String, String> labels = new TreeMap<>();
  private final Map<String, String> environment = new TreeMap<>();
  private final List<String> refused = new ArrayList<>();

  private Owner() {}

  /**
   * @param conf the plugin's settings, as {@link Settings#of} gives them
   * @param namespace the Kubernetes namespace of the executors, "" none: the label
   *     k8s.namespace.name unless the user sets that
   * @param environment of the JVM
   */
  static Owner of(Map<String, String> conf, String namespace, Map<String, String> environment) {
    Owner out = new Owner();
    for (Map.Entry<String, String> setting : new TreeMap<>(conf).entrySet()) {
      if (setting.getKey().startsWith(Settings.LABEL_PREFIX)) {
        out.label(setting.getKey(), setting.getValue().trim());
      }
    }
    if (!namespace.isEmpty() && namespace.length() <= LONGEST_VALUE) {
      out.labels.putIfAbsent(NAMESPACE, namespace);
    }
    for (String name : VARIABLES) {
      String value = environment.getOrDefault(name, "");
      if (value.length() > LONGEST_VARIABLE) {
        out.refused.add(name + " of " + value.length() + " characters is left out, want " + LONGEST_VARIABLE + " or less");
      } else if (!value.isEmpty()) {
        out.environment.put(name, value);
      }
    }
    return out;
  }

  private void label(String key, String value) {
    String name = key.substring(Settings.LABEL_PREFIX.length());
    String why = "";
    if (!NAME.matcher(name).matches()) {
      why = "want a name of up to 63 letters, digits, dots, hyphens and underscores behind " + Settings.LABEL_PREFIX;
    } else if (RESERVED.matcher(name).matches()) {
      why = name + " is planflame's own to give";
    } else if (value.isEmpty() || value.length() > LONGEST_VALUE) {
      why = "want a value of 1 to " + LONGEST_VALUE + " characters";
    } else if (labels.size() >= MOST_LABELS) {
      why = "an application has " + MOST_LABELS + " labels at most";
    }
    if (why.isEmpty()) {
      labels.put(name, value);
    } else {
      refused.add(Settings.shown(key, value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "…" : value) + " is left out: " + why);
    }
  }

  /** What is beyond the bounds: a line each, naming the key. */
  List<String> refused() {
    return Collections.unmodifiableList(refused);
  }

  /** Adds labels, dropped_labels and environment to the APPLICATION record's object. */
  void write(Json out) {
    out.key("labels").open('{');
    for (Map.Entry<String, String> label : labels.entrySet()) {
      out.key(label.getKey()).value(label.getValue());
    }
    out.close('}').key("dropped_labels").value(refused.size()).key("environment").open('{');
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      out.key(variable.getKey()).value(variable.getValue());
    }
    out.close('}');
  }
}

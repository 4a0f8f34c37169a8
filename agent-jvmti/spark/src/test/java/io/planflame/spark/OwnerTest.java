package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnerTest {
  private static final String PREFIX = "spark.planflame.label.";

  private static Map<String, String> map(String... pairs) {
    Map<String, String> out = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      out.put(pairs[i], pairs[i + 1]);
    }
    return out;
  }

  private static String written(Owner owner) {
    Json out = new Json().open('{');
    owner.write(out);
    return out.close('}').toString();
  }

  private static String times(String text, int n) {
    return String.join("", Collections.nCopies(n, text));
  }

  @Test
  void labelsAndOpenTelemetrysVariablesAreWritten() {
    Owner owner = Owner.of(map(PREFIX + "team", " fraud ", PREFIX + "cost-center.id", "a \"b\"", "spark.planflame.query.name", "nightly"), "",
        map("OTEL_RESOURCE_ATTRIBUTES", "tenant=t%2C3", "OTEL_SERVICE_NAME", "", "HOME", "/root"));
    assertEquals(Collections.emptyList(), owner.refused());
    assertEquals("{\"labels\":{\"cost-center.id\":\"a \\\"b\\\"\",\"team\":\"fraud\"},\"dropped_labels\":0,"
        + "\"environment\":{\"OTEL_RESOURCE_ATTRIBUTES\":\"tenant=t%2C3\"}}", written(owner));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "te am | fraud | want a name of up to 63 letters, digits, dots, hyphens and underscores behind spark.planflame.label.",
      "7team | fraud | want a name of up to 63 letters, digits, dots, hyphens and underscores behind spark.planflame.label.",
      "spark.app | fraud | spark.app is planflame's own to give",
      "service.name | fraud | service.name is planflame's own to give",
      "team | `  ` | want a value of 1 to 128 characters"})
  void aBadLabelIsLeftOutAndCounted(String name, String value, String why) {
    Owner owner = Owner.of(map(PREFIX + name, value), "", map());
    assertEquals(Collections.singletonList(PREFIX + name + "=\"" + value.trim() + "\" is left out: " + why), owner.refused());
    assertEquals("{\"labels\":{},\"dropped_labels\":1,\"environment\":{}}", written(owner));
  }

  @Test
  void numberAndLengthAreBounded() {
    Map<String, String> conf = new TreeMap<>();
    for (int i = 10; i < 29; i++) {
      conf.put(PREFIX + "l" + i, "v");
    }
    conf.put(PREFIX + times("n", 64), "v");
    conf.put(PREFIX + "a", times("w", 129));
    conf.put(PREFIX + "b", times("w", 128));
    Owner owner = Owner.of(conf, "", map("OTEL_RESOURCE_ATTRIBUTES", times("x", 4097), "OTEL_SERVICE_NAME", times("y", 4096)));
    List<String> refused = owner.refused();
    assertEquals(7, refused.size(), refused.toString()); // 19 labels and b, of which 16 have room; the long name, the long value, the long variable
    assertEquals(Arrays.asList(
        PREFIX + "a=\"" + times("w", 128) + "…\" is left out: want a value of 1 to 128 characters",
        PREFIX + "l25=\"v\" is left out: an application has 16 labels at most"), refused.subList(0, 2));
    assertEquals("OTEL_RESOURCE_ATTRIBUTES of 4097 characters is left out, want 4096 or less", refused.get(6));
  }

  @Test
  void theNamespaceOfExecutorsOnKubernetesIsALabel() {
    assertEquals("etl", ApplicationRecord.namespace("k8s://https://api:443", "etl"));
    assertEquals("", ApplicationRecord.namespace("yarn", "etl"));
    assertEquals("{\"labels\":{\"k8s.namespace.name\":\"etl\"},\"dropped_labels\":0,\"environment\":{}}", written(Owner.of(map(), "etl", map())));
    assertEquals("{\"labels\":{\"k8s.namespace.name\":\"own\"},\"dropped_labels\":0,\"environment\":{}}",
        written(Owner.of(map(PREFIX + "k8s.namespace.name", "own"), "etl", map())));
  }
}

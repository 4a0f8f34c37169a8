package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void nests() {
    Json json = new Json().open('{').key("a").value(-1).key("b").open('[').value(true).value("x").open('{').close('}').close(']')
        .key("c").value((String) null).close('}');
    assertEquals("{\"a\":-1,\"b\":[true,\"x\",{}],\"c\":\"\"}", json.toString());
  }

  @Test
  void escapes() {
    assertEquals("\"q\\\" b\\\\ n\\n r\\r t\\t \\u0001 \\ud800 é\"", new Json().value("q\" b\\ n\n r\r t\t \u0001 \ud800 é").toString());
    assertArrayEquals("\"é\"".getBytes(StandardCharsets.UTF_8), new Json().value("é").utf8());
  }
}

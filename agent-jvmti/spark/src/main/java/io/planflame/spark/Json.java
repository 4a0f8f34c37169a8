package io.planflame.spark;

import java.nio.charset.StandardCharsets;

/**
 * Writes JSON text, RFC 8259, without any library. Commas are put by itself; nesting is the
 * caller's care. Not thread-safe.
 */
final class Json {
  private final StringBuilder out = new StringBuilder(1024);
  private boolean comma;

  Json open(char bracket) {
    separate();
    out.append(bracket);
    comma = false;
    return this;
  }

  Json close(char bracket) {
    out.append(bracket);
    comma = true;
    return this;
  }

  Json key(String name) {
    separate();
    quote(name);
    out.append(':');
    comma = false;
    return this;
  }

  Json value(String text) {
    separate();
    quote(text == null ? "" : text);
    comma = true;
    return this;
  }

  Json value(long number) {
    separate();
    out.append(number);
    comma = true;
    return this;
  }

  Json value(boolean truth) {
    separate();
    out.append(truth);
    comma = true;
    return this;
  }

  /** An already encoded value. */
  Json raw(String json) {
    separate();
    out.append(json);
    comma = true;
    return this;
  }

  /** How long the text is so far. */
  int length() {
    return out.length();
  }

  byte[] utf8() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void separate() {
    if (comma) {
      out.append(',');
    }
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"': out.append("\\\""); break;
        case '\\': out.append("\\\\"); break;
        case '\n': out.append("\\n"); break;
        case '\r': out.append("\\r"); break;
        case '\t': out.append("\\t"); break;
        default:
          if (c < 0x20 || Character.isSurrogate(c)) {
            out.append(String.format("\\u%04x", (int) c)); // a lone surrogate has no UTF-8 form
          } else {
            out.append(c);
          }
      }
    }
    out.append('"');
  }
}

package io.planflame.spark;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file's name as it may leave the JVM. Paths hold values: of partition columns, of customers. So
 * a name is a hash of the whole path and the extension, and the number that Spark or Hadoop gave
 * the file, if one did.
 */
final class FileName {
  private static final int HASH_BYTES = 4;
  private static final Pattern NUMBERED = Pattern.compile("(part-(?:[mr]-)?\\d{1,6})(?:[-._].*)?");
  private static final Pattern EXTENSION = Pattern.compile("\\.([A-Za-z]{1,7})$"); // letters alone: digits may be a value

  private FileName() {}

  /** The hash: the first 8 hexadecimal digits of the path's SHA-256, as sha256sum has it. */
  static String hash(String path) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
      StringBuilder out = new StringBuilder();
      for (int i = 0; i < HASH_BYTES; i++) {
        out.append(String.format("%02x", digest[i]));
      }
      return out.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JVM has it
    }
  }

  /** For people: part-00003.csv, or 6f1c09ab.csv. */
  static String shown(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    Matcher numbered = NUMBERED.matcher(name);
    Matcher extension = EXTENSION.matcher(name);
    return (numbered.matches() ? numbered.group(1) : hash(path)) + (extension.find() ? "." + extension.group(1) : "");
  }
}

package io.planflame.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Short names for long texts: the first hexadecimal digits of SHA-256. */
public final class Hash {
  private Hash() {}

  /** The first {@code digits} (≤ 64) hexadecimal digits of the SHA-256 of {@code text} in UTF-8. */
  public static String of(String text, int digits) {
    byte[] sum;
    try {
      sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    StringBuilder out = new StringBuilder(64);
    for (byte b : sum) {
      out.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return out.substring(0, digits);
  }
}

package io.planflame.identity;

import java.util.regex.Pattern;

/**
 * Text that belongs to one run only, which no name must have: each run would be a series of its
 * own.
 */
public final class RunText {
  /** UUIDs, dates with or without a time, long hexadecimal ids, numbers of four digits and more. */
  private static final Pattern OF_A_RUN = Pattern.compile(
      "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
          + "|\\d{4}[-/.]\\d{1,2}(?:[-/.]\\d{1,2})?(?:[T _]\\d{1,2}:?\\d{2}(?::?\\d{2}(?:[.,]\\d+)?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?"
          + "|(?<![0-9A-Za-z])(?=[a-fA-F]*\\d)[0-9a-fA-F]{12,}(?![0-9A-Za-z])"
          + "|\\d{4,}");

  private RunText() {}

  /**
   * The text with "?" for what changes from run to run: {@code load 2026-11-21} is {@code load ?}.
   */
  public static String without(String text) {
    return OF_A_RUN.matcher(text).replaceAll("?");
  }
}

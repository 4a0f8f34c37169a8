package io.planflame.spark;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Deflates the JSON of plans, which repeats itself much. The driver sends each plan to all
 * executors, and both sides keep them in this form.
 */
final class Deflated {
  private static final int USUAL_RATIO = 8;

  private Deflated() {}

  /** Deflates a text, fast rather than well: a listener's thread may wait for it. */
  static byte[] of(byte[] text) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(text);
      deflater.finish();
      byte[] out = new byte[text.length / USUAL_RATIO + 64];
      int n = deflater.deflate(out);
      while (!deflater.finished()) {
        out = Arrays.copyOf(out, 2 * out.length);
        n += deflater.deflate(out, n, out.length - n);
      }
      return Arrays.copyOf(out, n);
    } finally {
      deflater.end();
    }
  }

  /**
   * The text that was deflated.
   *
   * @throws DataFormatException if the text has more than {@code most} bytes, or is none
   */
  static byte[] text(byte[] deflated, int most) throws DataFormatException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(deflated);
      byte[] out = new byte[(int) Math.min(most + 1L, (long) USUAL_RATIO * deflated.length + 64)];
      int n = inflater.inflate(out);
      while (n == out.length && n <= most) {
        out = Arrays.copyOf(out, (int) Math.min(most + 1L, 2L * n));
        n += inflater.inflate(out, n, out.length - n);
      }
      if (n > most) {
        throw new DataFormatException("a plan of " + deflated.length + " deflated bytes has more than " + most + " bytes");
      }
      if (!inflater.finished()) {
        throw new DataFormatException("a plan of " + deflated.length + " deflated bytes is cut off");
      }
      return Arrays.copyOf(out, n);
    } finally {
      inflater.end();
    }
  }
}

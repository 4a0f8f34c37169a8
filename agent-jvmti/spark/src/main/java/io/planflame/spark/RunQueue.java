package io.planflame.spark;

import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * For how long a thread of this JVM could have run and had no core. The file stays open, since
 * opening it costs ten times what reading it does. It is no channel, which an interrupt of the
 * reading thread closes: Spark interrupts tasks. Not thread-safe.
 */
final class RunQueue {
  private static final int MOST_BYTES = 64; // three numbers of up to 20 digits

  private final RandomAccessFile file; // null: the kernel keeps none
  private final byte[] text = new byte[MOST_BYTES];

  /** @param path a schedstat (Linux, Documentation/scheduler/sched-stats) */
  RunQueue(String path) {
    RandomAccessFile opened = null;
    try {
      opened = new RandomAccessFile(path, "r");
    } catch (IOException e) {
      opened = null; // the thread has ended, or the kernel keeps none
    }
    file = opened;
  }

  static RunQueue of(int tid) {
    return new RunQueue("/proc/self/task/" + tid + "/schedstat");
  }

  /** The second number, in nanoseconds; 0 where the kernel does not tell. */
  long nanos() {
    if (file == null) {
      return 0;
    }
    try {
      file.seek(0);
      int n = file.read(text);
      int numbers = 0;
      long value = 0;
      for (int i = 0; i < n; i++) {
        byte c = text[i];
        if (c == ' ') {
          if (++numbers == 2) {
            return value;
          }
          value = 0;
        } else {
          value = 10 * value + c - '0';
        }
      }
      return 0;
    } catch (IOException e) {
      return 0; // the thread has ended
    }
  }

  void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      Complaints.once("close a thread's waits for a core", e);
    }
  }
}

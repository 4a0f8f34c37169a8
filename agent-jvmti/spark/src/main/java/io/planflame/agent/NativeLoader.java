package io.planflame.agent;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings libplanflame.so into this JVM: the path the user names, else the library in the jar. The
 * latter is copied into a private directory and deleted as soon as it is loaded (the mapping keeps
 * it). Thread-safe; loads once a class loader.
 */
public final class NativeLoader {
  /** Oldest JVM that the agent supports. */
  static final int MIN_JDK = 17;

  private static final String LIBRARY = "libplanflame.so";
  private static String outcome = "";
  private static boolean tried;

  private NativeLoader() {}

  /**
   * Loads the library.
   *
   * @param path where it lies, or null for the one in the jar
   * @return null when it is loaded, else one line saying why not; the same answer every time
   */
  public static synchronized String load(String path) {
    if (!tried) {
      tried = true;
      outcome = unsupported(System.getProperty("java.specification.version"), System.getProperty("os.name"), System.getProperty("os.arch"));
      if (outcome == null) {
        outcome = path != null ? loadFile(new File(path)) : loadBundled();
      }
    }
    return outcome;
  }

  /**
   * Whether the library is loaded in this JVM: without it a call of {@link NativeAgent} is an
   * error.
   */
  public static synchronized boolean isLoaded() {
    return tried && outcome == null;
  }

  /** Why this JVM cannot be profiled, in one line, or null when it can. */
  static String unsupported(String javaVersion, String os, String arch) {
    int feature = feature(javaVersion);
    if (feature < MIN_JDK) {
      return "needs JDK " + MIN_JDK + " or newer, this JVM is Java " + javaVersion;
    }
    if (!"Linux".equals(os)) {
      return "needs Linux, this is " + os;
    }
    if (platform(arch) == null) {
      return "has no native agent for " + arch;
    }
    return null;
  }

  /**
   * The feature release in java.specification.version: 8 for "1.8", 17 for "17"; 0 when it is not
   * understood.
   */
  static int feature(String javaVersion) {
    String text = javaVersion == null ? "" : javaVersion;
    if (text.startsWith("1.")) {
      text = text.substring(2);
    }
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 || end > 4 ? 0 : Integer.parseInt(text.substring(0, end));
  }

  private static String platform(String arch) {
    return "amd64".equals(arch) || "x86_64".equals(arch) ? "linux-x86_64" : null;
  }

  private static String loadFile(File file) {
    if (!file.isFile()) {
      return "spark.planflame.native.path=\"" + file + "\" is not a file";
    }
    return link(file.getAbsoluteFile());
  }

  private static String loadBundled() {
    String resource = platform(System.getProperty("os.arch")) + "/" + LIBRARY;
    List<String> failures = new ArrayList<>();
    for (String parent : new String[] {System.getProperty("java.io.tmpdir"), System.getProperty("user.dir")}) {
      String failure = extractAndLink(resource, new File(parent));
      if (failure == null) {
        return null;
      }
      failures.add(failure);
    }
    return String.join("; ", failures);
  }

  private static String extractAndLink(String resource, File parent) {
    Path dir = null;
    Path file = null;
    try {
      dir = Files.createTempDirectory(
          parent.toPath(), "planflame-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      file = dir.resolve(LIBRARY);
      try (InputStream in = NativeLoader.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new FileNotFoundException("the jar holds no " + resource);
        }
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      }
      return link(file.toFile());
    } catch (IOException | RuntimeException e) {
      return "extract the native agent into " + parent + ": " + oneLine(e);
    } finally {
      remove(file);
      remove(dir);
    }
  }

  /**
   * System.load; a noexec mount, another architecture and a second class loader all end in an
   * UnsatisfiedLinkError.
   */
  private static String link(File file) {
    try {
      System.load(file.getPath());
      return null;
    } catch (UnsatisfiedLinkError | SecurityException e) {
      return "load the native agent from " + file.getParent() + ": " + oneLine(e);
    }
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage() == null ? e : e.getMessage()).replace('\n', ' ');
  }

  private static void remove(Path path) {
    if (path != null) {
      path.toFile().delete(); // best effort: what stays is one small private file in a temporary directory
    }
  }
}

package io.planflame.spark.shim;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;

/**
 * Line numbers in the code that Janino generates, which is how a sample finds its operator, without
 * the files that come with them.
 *
 * <p>Janino (3.1.9, which Spark 3.5 to 4.3 ships) reads one system property, {@link #PROPERTY}, for
 * two things. SimpleCompiler, when it is made, reads whether classes get line numbers. Scanner
 * reads it whenever it is made for a text without a file's name. Then it copies the text into a new
 * file janino*.java in java.io.tmpdir, deleted when the JVM ends. Spark names its generated text,
 * but its dozen and more default imports (ClassBodyEvaluator.setDefaultImports) are scanned without
 * a name. So there are as many files a compilation, each with an entry in the JVM's list of files
 * to delete. They stay for as long as the JVM lives, and for ever if it is killed. So Scanner is
 * given a property of its own, {@link #FILES}, before anybody else loads it: its class file, but
 * for the one constant, is defined in its own class loader.
 */
public final class JaninoLines {
  /** What Janino reads: true, lines are on. */
  public static final String PROPERTY = "org.codehaus.janino.source_debugging.enable";

  /**
   * What Janino's Scanner reads from {@link #enable} on: true, for whoever wants to step through
   * the texts, the files come. As long as PROPERTY.
   */
  public static final String FILES = "io.planflame.janino.source_debugging.enable";

  private static final String GENERATOR = "org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator";
  private static final String COMPILER = "org.codehaus.janino.SimpleCompiler";
  private static final String SCANNER = "org.codehaus.janino.Scanner";

  /** Scanner's constant that holds the name of the property it reads. */
  private static final String SCANNERS = "SYSTEM_PROPERTY_SOURCE_DEBUGGING_ENABLE";

  private JaninoLines() {}

  /**
   * Switches lines on in this JVM, before the first code is generated; a second call does nothing.
   * Where the user has switched them off ({@link #PROPERTY} false) or there is no Spark SQL,
   * nothing happens.
   *
   * @return null, or in one line what is wrong: lines stay as the user has set them, off by default
   */
  public static String enable() {
    try {
      return enable(Class.forName(GENERATOR, false, Members.loader()).getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    } catch (LinkageError e) {
      return "generated code has no line numbers: " + e;
    }
  }

  /** As {@link #enable()}, of the Janino that a class loader sees. */
  static synchronized String enable(ClassLoader spark) {
    String set = System.getProperty(PROPERTY);
    if (set != null && !Boolean.parseBoolean(set)) {
      return null;
    }
    try {
      Class<?> compiler = Class.forName(COMPILER, false, spark);
      try {
        define(compiler);
      } catch (InvocationTargetException e) {
        if (!(e.getCause() instanceof LinkageError && isOurs(compiler))) {
          throw e;
        }
      }
      System.setProperty(PROPERTY, "true");
      return null;
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      String why = "Janino's Scanner cannot be told to write no temporary files: " + String.valueOf(cause).replace('\n', ' ');
      return set != null
          ? why + "; every class that Spark generates leaves some until this JVM ends"
          : why + "; generated code has no line numbers, so its operators are not told apart (-D" + PROPERTY + "=true switches them on, with those files)";
    }
  }

  /**
   * Whether the Scanner that is loaded already is the one of {@link #define}, of an earlier
   * SparkContext's plugin say.
   */
  private static boolean isOurs(Class<?> compiler) throws ReflectiveOperationException {
    return FILES.equals(Class.forName(SCANNER, false, compiler.getClassLoader()).getField(SCANNERS).get(null));
  }

  /** Loads Scanner with the other constant; compiler is a class of its package and loader. */
  private static void define(Class<?> compiler) throws ReflectiveOperationException, IOException {
    byte[] scanner = bytes(compiler.getClassLoader(), SCANNER);
    if (!replace(scanner, PROPERTY, FILES)) {
      throw new IOException("it does not read " + PROPERTY + " as Janino 3.1.9's does");
    }
    // Java 9's, from code that Java 8 can load.
    MethodHandles.Lookup in = (MethodHandles.Lookup) MethodHandles.class.getMethod("privateLookupIn", Class.class, MethodHandles.Lookup.class)
        .invoke(null, compiler, MethodHandles.lookup());
    MethodHandles.Lookup.class.getMethod("defineClass", byte[].class).invoke(in, (Object) scanner);
  }

  private static byte[] bytes(ClassLoader loader, String className) throws IOException {
    String name = className.replace('.', '/') + ".class";
    try (InputStream in = loader.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no " + name);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] some = new byte[8192];
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        out.write(some, 0, n);
      }
      return out.toByteArray();
    }
  }

  /**
   * Replaces a text in a class file's constant pool (CONSTANT_Utf8: 1, length, bytes) by another of
   * its length; false if it is not there.
   */
  private static boolean replace(byte[] classFile, String from, String to) {
    byte[] old = constant(from);
    byte[] replacement = constant(to);
    for (int at = 0; at + old.length <= classFile.length; at++) {
      int same = 0;
      while (same < old.length && classFile[at + same] == old[same]) {
        same++;
      }
      if (same == old.length) {
        System.arraycopy(replacement, 0, classFile, at, replacement.length); // a constant is in the pool once
        return true;
      }
    }
    return false;
  }

  private static byte[] constant(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[utf8.length + 3];
    out[0] = 1;
    out[1] = (byte) (utf8.length >> 8);
    out[2] = (byte) utf8.length;
    System.arraycopy(utf8, 0, out, 3, utf8.length);
    return out;
  }
}

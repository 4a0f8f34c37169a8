package io.planflame.spark.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.codehaus.commons.compiler.ICookable;
import org.codehaus.janino.ClassBodyEvaluator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the real Janino, each test with one of its own. */
class JaninoLinesTest {
  private URLClassLoader janino;

  @BeforeEach
  void load() {
    forget();
    janino = new URLClassLoader(new URL[] {jar(ClassBodyEvaluator.class), jar(ICookable.class)}, null);
  }

  @AfterEach
  void close() throws Exception {
    janino.close();
    forget();
  }

  private static void forget() {
    System.clearProperty(JaninoLines.PROPERTY);
    System.clearProperty(JaninoLines.FILES);
  }

  private static URL jar(Class<?> of) {
    return of.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  void linesComeWithoutFiles() throws Exception {
    assertNull(JaninoLines.enable(janino));
    assertNull(fileOfUnnamedText());
    assertEquals("generated.java:3", lineThatFails());
    assertNull(JaninoLines.enable(janino), "twice is once");
    assertEquals("generated.java:3", lineThatFails());
  }

  /**
   * What the class is there for: with the property alone each text without a name is copied to a
   * file.
   */
  @Test
  void propertyAloneWritesFiles() throws Exception {
    System.setProperty(JaninoLines.PROPERTY, "true");
    String file = fileOfUnnamedText();
    assertNotNull(file);
    assertTrue(Files.deleteIfExists(Paths.get(file)));
    assertEquals("generated.java:3", lineThatFails());
  }

  @Test
  void linesThatTheUserSwitchedOnComeWithoutFilesToo() throws Exception {
    System.setProperty(JaninoLines.PROPERTY, "true");
    assertNull(JaninoLines.enable(janino));
    assertNull(fileOfUnnamedText());
    assertEquals("generated.java:3", lineThatFails());
  }

  @Test
  void filesThatTheUserWantsCome() throws Exception {
    System.setProperty(JaninoLines.FILES, "true");
    assertNull(JaninoLines.enable(janino));
    assertEquals("generated.java:3", lineThatFails());
    Path file = Paths.get(fileOfUnnamedText());
    assertTrue(Files.deleteIfExists(file));
  }

  @Test
  void linesThatTheUserSwitchedOffStayOff() throws Exception {
    System.setProperty(JaninoLines.PROPERTY, "false");
    assertNull(JaninoLines.enable(janino));
    assertNull(lineThatFails());
    assertEquals("false", System.getProperty(JaninoLines.PROPERTY));
  }

  @Test
  void tooLateIsSaidAndLeavesLinesOff() throws Exception {
    fileOfUnnamedText(); // loads Scanner
    String said = JaninoLines.enable(janino);
    assertNotNull(said);
    assertTrue(said.contains("generated code has no line numbers") && said.contains("duplicate"), said);
    assertNull(System.getProperty(JaninoLines.PROPERTY));
    assertNull(lineThatFails());
  }

  @Test
  void aLoaderWithoutJaninoIsSaid() throws Exception {
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      String said = JaninoLines.enable(empty);
      assertNotNull(said);
      assertTrue(said.contains("SimpleCompiler"), said);
    }
  }

  /** The file that Janino's Scanner keeps a copy of a text without a name in; null for none. */
  private String fileOfUnnamedText() throws Exception {
    Class<?> scanner = janino.loadClass("org.codehaus.janino.Scanner");
    Object it = scanner.getConstructor(String.class, Reader.class).newInstance(null, new StringReader("java.util.List"));
    return (String) scanner.getMethod("getFileName").invoke(it);
  }

  /**
   * FILE:LINE of the third line of a class compiled as Spark compiles, which throws; null where the
   * class has no lines.
   */
  private String lineThatFails() throws Exception {
    Class<?> evaluator = janino.loadClass("org.codehaus.janino.ClassBodyEvaluator");
    Object it = evaluator.getConstructor().newInstance();
    evaluator.getMethod("setDefaultImports", String[].class).invoke(it, (Object) new String[] {"java.util.List", "java.util.Map"});
    evaluator.getMethod("cook", String.class, String.class).invoke(it, "generated.java", "\npublic static void fail() {\nthrow new IllegalStateException();\n}\n");
    Class<?> generated = (Class<?>) evaluator.getMethod("getClazz").invoke(it);
    Throwable thrown = assertThrows(InvocationTargetException.class, () -> generated.getMethod("fail").invoke(null)).getCause();
    StackTraceElement at = thrown.getStackTrace()[0];
    return at.getLineNumber() < 0 ? null : at.getFileName() + ":" + at.getLineNumber();
  }
}

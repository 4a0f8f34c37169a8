package io.planflame.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeLoaderTest {
  private static final String NO_FILE = "spark.planflame.native.path=\"/nonexistent/libplanflame.so\" is not a file";

  @ParameterizedTest
  @CsvSource({"1.8, 8", "11, 11", "17, 17", "25, 25", "17-ea, 17", "'', 0", "99999, 0"})
  void readsTheFeatureRelease(String version, int want) {
    assertEquals(want, NativeLoader.feature(version));
  }

  @Test
  void unsupportedPlatformsGetOneLine() {
    assertNull(NativeLoader.unsupported("17", "Linux", "amd64"));
    assertEquals("needs JDK 17 or newer, this JVM is Java 11", NativeLoader.unsupported("11", "Linux", "amd64"));
    assertEquals("needs Linux, this is Mac OS X", NativeLoader.unsupported("21", "Mac OS X", "amd64"));
    assertEquals("has no native agent for s390x", NativeLoader.unsupported("21", "Linux", "s390x"));
  }

  @Test
  void aMissingLibraryIsNamed() {
    assertEquals(NO_FILE, NativeLoader.load("/nonexistent/libplanflame.so"));
    assertEquals(NO_FILE, NativeLoader.load(null), "the first answer stays");
    assertFalse(NativeLoader.isLoaded());
  }
}

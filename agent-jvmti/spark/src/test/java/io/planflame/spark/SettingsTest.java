package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final String KNOWN = "known are spark.planflame.enabled, spark.planflame.native.path, spark.planflame.jar, spark.planflame.log.mib, "
      + "spark.planflame.records, spark.planflame.keys, spark.planflame.query.name and spark.planflame.label.NAME";

  private boolean on;

  private String stderrOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return new String(said.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Map<String, String> conf(String... settings) {
    Map<String, String> conf = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      conf.put(settings[i], settings[i + 1]);
    }
    return conf;
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "spark.planflame.log.mib | banana | planflame: profiling is off: spark.planflame.log.mib=\"banana\", want a whole number of MiB from 4 to 256",
      "spark.planflame.log.mib | 3 | planflame: profiling is off: spark.planflame.log.mib=\"3\", want a whole number of MiB from 4 to 256",
      "spark.planflame.log.mib | 257 | planflame: profiling is off: spark.planflame.log.mib=\"257\", want a whole number of MiB from 4 to 256",
      "spark.planflame.log.mib | -8 | planflame: profiling is off: spark.planflame.log.mib=\"-8\", want a whole number of MiB from 4 to 256",
      "spark.planflame.enabled | maybe | planflame: profiling is off: spark.planflame.enabled=\"maybe\", want true or false",
      "spark.planflame.records | some | planflame: profiling is off: spark.planflame.records=\"some\", want true or false",
      "spark.planflame.keys | 4:17,7 | planflame: profiling is off: spark.planflame.keys=\"4:17,7\", want at most ten times STAGE:PARTITION, comma separated",
      "spark.planflame.keys | 4:17 | planflame: profiling is off: spark.planflame.keys=\"4:17\", want spark.planflame.records=true with it",
      "spark.planflame.native.path | `` | planflame: profiling is off: spark.planflame.native.path=\"\", want the path of libplanflame.so"})
  void aBadValueIsOneLineAndOff(String key, String value, String want) {
    assertEquals(want + System.lineSeparator(), stderrOf(() -> on = PlanflameDriver.wanted(conf(key, value))));
    assertEquals(false, on);
  }

  @Test
  void anUnknownKeyIsWarnedOfInOneLineAndOn() {
    Map<String, String> conf = conf("spark.planflame.log.mbi", "16\n32", "spark.planflame.log.mib", " 32 ");
    String want = "planflame: warning: spark.planflame.log.mbi=\"16 32\" is not a setting of planflame and has no effect; " + KNOWN + System.lineSeparator();
    assertEquals(want, stderrOf(() -> on = PlanflameDriver.wanted(conf)));
    assertEquals(true, on);
    assertEquals("log_mib=32", Settings.agentOptions(conf));
  }

  @Test
  void aLabelNeedsAName() {
    assertEquals(Collections.emptyList(), Settings.check(conf("spark.planflame.label.team", "fraud", "spark.planflame.query.name", "nightly")));
    assertEquals(
        Collections.singletonList("spark.planflame.label.=\"fraud\" is left out: want a name of up to 63 letters, digits, dots, hyphens and underscores behind "
            + "spark.planflame.label."),
        Settings.check(conf("spark.planflame.label.", "fraud")));
  }

  @Test
  void switchedOffSaysNothingWhateverElseIsWrong() {
    Map<String, String> conf = conf("spark.planflame.enabled", " False ", "spark.planflame.log.mib", "banana", "spark.planflame.unknown", "1");
    assertEquals("", stderrOf(() -> on = PlanflameDriver.wanted(conf)));
    assertEquals(false, on);
  }

  @Test
  void anExecutorWhoseDriverIsOffIsOffWithoutAWord() {
    PlanflameExecutor executor = new PlanflameExecutor();
    String said = stderrOf(() -> {
      executor.init(null, Collections.singletonMap(PlanflameDriver.STATE, PlanflameDriver.OFF));
      executor.onTaskStart();
      executor.onTaskSucceeded();
      executor.shutdown();
    });
    assertEquals("", said);
  }
}

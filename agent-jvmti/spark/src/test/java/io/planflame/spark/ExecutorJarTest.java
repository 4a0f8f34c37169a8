package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutorJarTest {
  @ParameterizedTest
  @CsvSource({"local,true", "local[2],true", "'local[*,3]',true", "'local-cluster[2,1,1024]',false", "spark://host:7077,false", "yarn,false", "'',false"})
  void theExecutorIsTheDriverInLocalModeAlone(String master, boolean want) {
    assertEquals(want, ExecutorJar.inDriver(master));
  }

  @ParameterizedTest
  @CsvSource({
      "'',''",
      "io.planflame.spark.PlanflamePlugin,''",
      "'a.B, io.planflame.spark.PlanflamePlugin ,c.D','a.B,c.D'",
      "'a.B,',a.B",
  })
  void otherPluginsStay(String list, String want) {
    assertEquals(want, ExecutorJar.without(list));
  }
}

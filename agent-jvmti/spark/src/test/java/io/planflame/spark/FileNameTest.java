package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNameTest {
  @ParameterizedTest
  @CsvSource({
      "file:/data/country=DE/part-00003-6f1c-c000.snappy.parquet, part-00003.parquet", "hdfs:/x/part-m-00017.gz, part-m-00017.gz", "/x/part-00004, part-00004",
      "abc, ba7816bf", "/x/smith.4711, ff3d0d82", "/x/part-smith.csv, 110ae7df.csv"})
  void holdsNoValue(String path, String shown) {
    assertEquals(shown, FileName.shown(path));
  }
}

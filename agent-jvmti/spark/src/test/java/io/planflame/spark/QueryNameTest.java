package io.planflame.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Properties;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryNameTest {
  private static final String UUID = "0f0c5a3e-7b1d-4c52-9a55-0a1b2c3d4e5f";

  @ParameterizedTest
  @ValueSource(strings = {
      "tpch q6", "base q01", "nightly-margin (EU), stage 2", "update customers", "merge daily", "load orders", "refresh dashboard", "create report",
      "show case", "from bronze to silver", "selection of parts", "Withdrawals", "marge trimestrielle: été", "a/b.c@d#1 & 50%"})
  void aShortNameIsALabelAsItIs(String name) {
    assertEquals(name, QueryName.fit("  " + name + "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      // Statements
      "SELECT 1", "select ssn from people", "( select 1 )", "(SELECT count(1) FROM t)", "/* nightly */ select x from t", "WITH t AS (SELECT 1) TABLE t",
      "values (1), (2)", "INSERT INTO t VALUES (1)", "insert overwrite t select x from s", "explain extended table t", "DELETE FROM t", "merge into t",
      "from t insert into u", "create table t (a int)", "CREATE OR REPLACE VIEW v AS TABLE t", "drop table if exists t", "alter table t add columns (x int)",
      "SHOW TABLES IN secret", "describe table t", "cache lazy table t", "refresh table t", "load data inpath x", "analyze table t", "truncate table t",
      // What only text in a language has
      "set spark.password=geheim", "where name = bob", "customer 'Bob'", "\"Bob\"", "a; b", "price > 10", "two\nlines", "tab\tbed", "{json}", "`t`",
      "id = 0f0c<br/>batch = 3",
      // Call sites, ids, nothing
      "collect at job.py:30", "$anonfun$1 at <console>:22", "", "   ", "17", "2026-11-21", UUID, "0123456789abcdef01234567", "--", "?",
      // 65 characters
      "12345678 a name of more than sixty-four characters is no longer one"})
  void whatIsNoNameIsNoLabel(String text) {
    assertEquals("", QueryName.fit(text));
  }

  @Test
  void whatBelongsToOneRunIsMasked() {
    assertEquals("load ? for ?", QueryName.fit("load 2026-11-21 for 4711"));
    assertEquals("load ?", QueryName.fit("load 2026/11/21 10:15:59.123+0100"));
    assertEquals("manual__?", QueryName.fit("manual__2026-11-21T10:15:59Z"));
    assertEquals("job ? of q6", QueryName.fit("job " + UUID + " of q6"));
    assertEquals("job ?", QueryName.fit("job 0123456789abcdef"));
    assertEquals("facade of q21, 300 columns", QueryName.fit("facade of q21, 300 columns"), "short numbers and words are a name's own");
    assertEquals("", QueryName.fit(null));
  }

  @Test
  void sixtyFourCharactersAreANameAndOneMoreIsNot() {
    String longest = new String(new char[QueryName.MAX_LENGTH]).replace('\0', 'n');
    assertEquals(longest, QueryName.fit(longest));
    assertEquals("", QueryName.fit(longest + "n"));
  }

  @Test
  void aStreamHasItsOwnNameAndNamesWhatRunsForItsBatches() {
    for (String end : new String[] {"<br/>", "\n"}) {
      String ids = "id = " + UUID + end + "runId = " + UUID + end + "batch = 17";
      QueryName stream = new QueryName("");
      stream.isStream();
      stream.ofStart("", "clicks 2026-11-21" + end + ids, UUID);
      assertEquals("clicks ?", stream.or("aggregate clicks"));
      QueryName inner = new QueryName("");
      inner.ofJob("", "clicks" + end + ids, UUID);
      assertEquals("clicks: aggregate", inner.or("aggregate"));
      assertEquals("clicks", inner.or(""));
      QueryName nameless = new QueryName("");
      nameless.isStream();
      nameless.ofStart("", ids, UUID);
      assertEquals("aggregate clicks", nameless.or("aggregate clicks"));
      nameless.ofStart("", end + ids, UUID);
      assertEquals("aggregate clicks", nameless.or("aggregate clicks"));
      assertEquals("", QueryName.streamOf("select 1" + end + ids), "a label carries no query");
    }
    QueryName named = new QueryName("etl");
    named.ofStart("", "clicks\nid = " + UUID + "\nrunId = " + UUID + "\nbatch = 17", "");
    assertEquals("etl", named.or("aggregate"));
  }

  @Test
  void theMoreParticularNameWins() {
    QueryName name = new QueryName("");
    assertEquals("scan t", name.or("scan t"));
    name.ofJob("", "", "nightly group");
    assertEquals("nightly group", name.or("scan t"));
    name.ofStart("", "nightly margin", "");
    assertEquals("nightly margin", name.or("scan t"));
    name.ofJob("", "a job's own words", "");
    assertEquals("nightly margin", name.or("scan t"), "the execution's description, not of one of its jobs");
    name.ofStart("of the session", "nightly margin", "");
    assertEquals("of the session", name.or("scan t"));
    name.ofJob("of the thread", "nightly margin", "");
    assertEquals("of the thread", name.or("scan t"));
    name.ofStart("of the session", "nightly margin", "");
    assertEquals("of the thread", name.or("scan t"), "whichever event is read last");
  }

  @Test
  void anExplicitNameIsTakenAsItIs() {
    QueryName name = new QueryName("of the application");
    name.ofStart("", "nightly margin", "");
    assertEquals("of the application", name.or(""));
    name.ofJob(" select\n2026-11-21 ", "nightly margin", "");
    assertEquals("select 2026-11-21", name.or(""), "in one line");
  }

  @Test
  void sqlInTheDescriptionFallsBackToTheGroupAndThenToTheGeneratedName() {
    QueryName name = new QueryName("");
    name.ofStart("", "select ssn from people", "etl");
    assertEquals("etl", name.or("scan people"));
    name = new QueryName("");
    name.ofStart("", "select ssn from people", UUID);
    name.ofJob("", "select ssn from people", UUID);
    assertEquals("scan people", name.or("scan people"));
  }

  private static void job(PlanListener listener, String execution, String... properties) {
    Properties local = new Properties();
    local.setProperty("spark.sql.execution.id", execution);
    for (int i = 0; i < properties.length; i += 2) {
      local.setProperty(properties[i], properties[i + 1]);
    }
    listener.onJobStart(new SparkListenerJobStart(1, 2, scala.collection.immutable.List$.MODULE$.empty(), local));
  }

  @Test
  void theListenerReadsAJobsLocalProperties() throws Exception {
    PlanBook book = new PlanBook("of the application");
    PlanListener listener = new PlanListener(book);
    job(listener, "7", Settings.QUERY_NAME, "of the thread", "spark.job.description", "select ssn from people", "spark.jobGroup.id", UUID);
    job(listener, "8", "spark.job.description", "nightly margin");
    listener.shutdown(1000);
    assertEquals("of the thread", book.of(7).queryName(), "the local property wins over the application's name");
    assertEquals("of the application", book.of(8).queryName());

    book = new PlanBook("");
    listener = new PlanListener(book);
    job(listener, "7", "spark.job.description", "select ssn from people", "spark.jobGroup.id", UUID);
    job(listener, "8", "spark.job.description", "nightly margin");
    listener.shutdown(1000);
    assertEquals("", book.of(7).queryName());
    assertEquals("nightly margin", book.of(8).queryName());
  }
}

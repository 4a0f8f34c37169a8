// Package sparkconf adds planflame to a user's Spark configuration without replacing anything that
// stands there.
//
// Spark reads a setting from several places. In client mode the first place that has it wins:
// SparkConf in the program, the command line of spark-submit, spark-defaults.conf in
// SPARK_CONF_DIR. Programs set spark.plugins and spark.jars themselves, and pyspark does so for
// Spark Connect. So our settings use keys that Spark joins to those, and that programs leave alone
// (Spark 3.5 and 4.x):
//
//	spark.plugins.defaultList         Spark puts it in front of spark.plugins
//	spark.driver.defaultJavaOptions   Spark puts it in front of spark.driver.extraJavaOptions, so the user's options win
//	classes in SPARK_CONF_DIR         the folder is on the class path of every JVM that Spark's scripts start
//	spark.jars                        for executors on other machines; if a program sets it too, the plugin adds the jar itself
//
// Each place that has one of these keys gets ours appended:
//
//	spark-defaults.conf             copied with its folder, ours appended at its end (a later line of a properties file wins)
//	spark-env.sh                    replaced by one that sources it
//	--properties-file               copied, ours appended; the command line then names the copy
//	--conf, --jars                  rewritten in their place
//	PYSPARK_SUBMIT_ARGS             the same, for programs that start Spark from Python
//
// A script may start any Spark, so whose configuration is to be merged is certain only when Spark
// starts. Spark's scripts source spark-env.sh first, when SPARK_HOME is known. Ours calls this
// program's command MergeCommand and points SPARK_CONF_DIR to the folder that it prints. If the
// command fails, SPARK_CONF_DIR becomes what it would have been without us.
//
//	Launch ─▶ SPARK_CONF_DIR=DIR/conf ─▶ spark-env.sh ─▶ Merge ─▶ SPARK_CONF_DIR=DIR/conf-…
//
// A submission with deploy mode cluster is left as it is: its JVMs run elsewhere, and would look
// for files of ours there.
//
// Not reached are a Spark that reads another SPARK_CONF_DIR and a SparkConf that loads no defaults.
//
// The package knows nothing of profiling: what is to be added is an Additions.
package sparkconf

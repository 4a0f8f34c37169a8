// Package sparkconf adds planflame to a user's Spark configuration without replacing anything that stands there.
//
// Spark reads a setting from several places; in client mode the first of these that has it wins: SparkConf in the program, the command
// line of spark-submit, spark-defaults.conf in SPARK_CONF_DIR. A list-like setting (plugins, jars, JVM options) of an earlier place hides
// the one of a later place as a whole, so each place that has the setting gets ours appended:
//
//	spark-defaults.conf        copied with its folder, ours appended at its end (a later line of a properties file wins)
//	--properties-file          copied, ours appended; the command line then names the copy
//	--conf, --jars, --driver-java-options on the command line     rewritten in their place
//	PYSPARK_SUBMIT_ARGS        the same, for programs that start Spark from Python
//
// What a program sets in its own SparkConf cannot be reached from outside.
//
// The package knows nothing of profiling: what is to be added is an Additions.
package sparkconf

#!/bin/sh
# Checks that every member which the plugin calls by name exists in a Spark line.
# usage: link.sh SPARK_VERSION SCALA_BINARY   from Maven Central, e.g. link.sh 4.0.1 2.13
#        link.sh JARS_FOLDER                  of an installed Spark
# Needs: mvn package (target/).
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -d "$1" ]; then
  classpath=$(cd "$1" && pwd)/'*'
else
  list=$(mktemp)
  trap 'rm -f "$list"' EXIT
  mvn -q -B -Dstyle.color=never -f "$here/it/link/pom.xml" -Dspark.version="$1" -Dscala.binary="$2" dependency:build-classpath -Dmdep.outputFile="$list"
  classpath=$(cat "$list")
fi
java -cp "$here/target/test-classes:$here/target/planflame-spark.jar:$classpath" io.planflame.spark.shim.LinkCheck

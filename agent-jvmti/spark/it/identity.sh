#!/bin/sh
# Runs identity.py on one Spark with the plugin and the agent's double, and keeps what was recorded.
# usage: identity.sh SPARK_VENV RECORD [MODE,MODE… [QUERY,QUERY…]]     e.g. identity.sh build/spark/4.3.0 build/it/4.3.0.rec
# Needs: mvn package (target/), TPC-H data in build/tpch/sf0.01. scripts/test-identity does it all.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$here/../.." && pwd)
venv=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
record=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
rm -f "$record"
for needed in "$here/target/planflame-spark.jar" "$here/target/test-classes/io/planflame/agent/NativeAgent.class" "$root/build/tpch/sf0.01/lineitem.parquet"; do
  [ -e "$needed" ] || { echo "identity.sh: $needed is missing (mvn package, scripts/fetch-tpch 0.01)" >&2; exit 1; }
done
libm=$(ldconfig -p | awk '/libm\.so\.6 .*x86-64/ {print $NF; exit}')
[ -n "$libm" ] || { echo "identity.sh: ldconfig knows no libm.so.6 for x86-64" >&2; exit 1; }
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT
ln -s "$root"/build/tpch/sf0.01/*.parquet "$other"/
SPARK_HOME=$("$venv/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
PYSPARK_PYTHON=$venv/bin/python
SPARK_LOCAL_IP=127.0.0.1
export SPARK_HOME PYSPARK_PYTHON SPARK_LOCAL_IP
# C1 and the serial collector with room: names do not depend on them, and a JVM as short-lived as
# this one is much faster with them. C1 alone reserves 48 MiB for code; this session needs 47 (46
# without the plugin). A JVM whose code cache is full fails at the next method handle's intrinsic,
# whoever asked for it. test-classes come first: the double hides the native agent, so any shared
# object (the C maths library) will do as the library.
"$SPARK_HOME/bin/spark-submit" --master 'local[2]' --driver-memory 2g \
  --driver-class-path "$here/target/test-classes:$here/target/planflame-spark.jar" \
  --driver-java-options "-Dplanflame.record=$record -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xmn1g -XX:MetaspaceSize=400m" \
  --conf spark.plugins=io.planflame.spark.PlanflamePlugin \
  --conf spark.planflame.native.path="$libm" \
  --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 --conf spark.log.level=ERROR \
  "$here/it/identity.py" "$root/build/tpch/sf0.01" "$other" "$root/test/jobs/tpch" ${3:+"$3"} ${4:+"$4"}

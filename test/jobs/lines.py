#!/usr/bin/env python3
"""Runs statements and has the line oracle (bench/lines/harness) examine each: spark-submit test/jobs/lines.py --spec SPEC --out DIR.

SPEC is a JSON object:
  {"tables": {"lineitem": "file.parquet", …}, "statements": [{"id": "q01", "sql": "SELECT …", "conf": {"spark.sql.…": "…"}}, …], "mutations": 8}
Tables become temporary views. Each statement runs once, with its settings if it has any; then the oracle writes DIR/ID.json. mutations is
how many changes of one plan node are written at most. The JVM needs the oracle's jar as Java agent and, with the plugin's, on the driver's
class path.
"""
import argparse
import json
import os
import time

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", required=True, help="what to run")
    parser.add_argument("--out", required=True, help="folder for what the oracle writes")
    args = parser.parse_args()
    with open(args.spec, encoding="utf-8") as f:
        spec = json.load(f)
    os.makedirs(args.out, exist_ok=True)
    spark = SparkSession.builder.appName("planflame lines").config("spark.sql.codegen.comments", "true").getOrCreate()
    for name, path in spec["tables"].items():
        spark.read.parquet(path).createOrReplaceTempView(name)
    oracle = spark._jvm.io.planflame.spark.LineOracle(spark._jsc.sc(), spec["mutations"])
    for statement in spec["statements"]:
        start = time.monotonic()
        conf = statement.get("conf") or {}
        for key, value in conf.items():
            spark.conf.set(key, value)
        frame = spark.sql(statement["sql"])
        oracle.reset()
        frame.collect()
        ran = time.monotonic()
        units = oracle.examine(frame._jdf.queryExecution(), statement["id"], os.path.abspath(os.path.join(args.out, statement["id"] + ".json")))
        for key in conf:
            spark.conf.unset(key)
        print(f"{statement['id']}: {units} classes, ran {ran - start:.1f} s, examined {time.monotonic() - ran:.1f} s", flush=True)
    spark.stop()


main()

#!/usr/bin/env python3
"""A Spark session that runs TPC-H queries on request, for benches that must do something between two passes: python test/jobs/console.py --data DIR.

Reads a JSON object a line from standard input and answers each with a line on standard output that begins with "console ":
  {"queries": [6, 1]}       runs the queries one after the other; answer {"seconds": 1.5}
  {"profiler": "start,…"}   a command for async-profiler, whose jar must be on the class path; --async-profiler is its library;
                            answer {"text": "…", "samples": 120}, the samples since it was started
Before the first it says {"pid": …} of the JVM. It ends with its input.
"""
import argparse
import json
import os
import sys
import time

from pyspark.sql import SparkSession

import tpch


def answer(**values):
    print("console " + json.dumps(values), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of the tables")
    parser.add_argument("--async-profiler", help="path of libasyncProfiler.so")
    args = parser.parse_args()
    args.sql_dir = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tpch")
    spark = SparkSession.builder.appName("planflame overhead").getOrCreate()
    for table in tpch.TABLES:
        spark.read.parquet(os.path.join(args.data, f"{table}.parquet")).createOrReplaceTempView(table)
    answer(pid=spark._jvm.java.lang.ProcessHandle.current().pid())
    for line in sys.stdin:
        command = json.loads(line)
        if "queries" in command:
            start = time.monotonic()
            for query in command["queries"]:
                spark.sparkContext.setJobDescription(f"tpch q{query}")
                spark.sql(tpch.statement(args, query)).collect()
            answer(seconds=time.monotonic() - start)
        elif "profiler" in command:
            profiler = spark._jvm.one.profiler.AsyncProfiler.getInstance(os.path.abspath(args.async_profiler))
            text = profiler.execute(command["profiler"])
            answer(text=text, samples=profiler.getSamples())
        else:
            sys.exit(f"console: {line.strip()} is no command")
    spark.stop()


main()

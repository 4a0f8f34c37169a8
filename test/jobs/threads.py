#!/usr/bin/env python3
"""Keeps the JVM's other threads busy and says what its process used: spark-submit test/jobs/threads.py --report FILE [--rows N].

Groups and sorts rows in a small heap, so that the garbage collector, the JIT compilers, the shuffle and the driver have work. FILE gets
{"process_cpu_seconds": …} of the JVM, which is this program's parent, by /proc/PID/stat, read when the work is done.
"""
import argparse
import json
import os

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", required=True, help="file of the JVM's own account, JSON")
    parser.add_argument("--rows", type=int, default=600_000)
    args = parser.parse_args()
    if args.rows < 1:
        parser.error(f"--rows {args.rows}: at least 1")
    spark = SparkSession.builder.appName("threads").config("spark.sql.shuffle.partitions", 4).getOrCreate()
    spark.sparkContext.setJobDescription("threads")
    words = spark.range(args.rows).select((F.col("id") % 5000).alias("k"), F.sha2(F.col("id").cast("string"), 256).alias("w"))
    words.groupBy("k").agg(F.collect_list("w").alias("all")).select("k", F.sort_array("all")[0].alias("first")).orderBy("first").collect()
    with open(f"/proc/{os.getppid()}/stat", encoding="utf-8") as f:
        fields = f.read().rpartition(")")[2].split()
    with open(args.report, "w", encoding="utf-8") as f:
        json.dump({"process_cpu_seconds": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}, f)
    spark.stop()


if __name__ == "__main__":
    main()

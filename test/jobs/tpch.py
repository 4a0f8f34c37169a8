#!/usr/bin/env python3
"""Runs TPC-H queries over parquet files: spark-submit test/jobs/tpch.py --data DIR [--queries 1,3,6] [--repeat N].

DIR holds one parquet file or folder a table (lineitem.parquet …), as tpchgen-cli writes them. Every query runs as a job named "tpch qN".
With --results FILE the SHA-256 of each query's rows is written there: results with and without a profiler must be the same.
"""
import argparse
import hashlib
import json
import os
import sys
import time

import jvm  # beside this file
from pyspark.sql import SparkSession

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of the tables")
    parser.add_argument("--queries", default=",".join(str(n) for n in range(1, 23)), help="numbers, or 'all' (default)")
    parser.add_argument("--repeat", type=int, default=1, help="how often each query runs")
    parser.add_argument("--sql-dir", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "tpch"))
    parser.add_argument("--results", help="file for the hashes of the results, JSON")
    args = parser.parse_args()
    if args.repeat < 1:
        parser.error(f"--repeat {args.repeat}: at least 1")
    try:
        args.queries = list(range(1, 23)) if args.queries == "all" else [int(q) for q in args.queries.split(",")]
    except ValueError:
        parser.error(f"--queries {args.queries}: not a list of numbers")
    for q in args.queries:
        if not os.path.isfile(sql_file(args, q)):
            parser.error(f"--queries: {sql_file(args, q)} is not there")
    return args


def sql_file(args, query):
    return os.path.join(args.sql_dir, f"q{query:02d}.sql")


def statement(args, query):
    with open(sql_file(args, query), encoding="utf-8") as f:
        return f.read().strip().rstrip(";")


def text(value):
    # Sums of doubles depend on the order of tasks: their last digits are no part of the result.
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def digest(rows):
    lines = sorted("\x1f".join(text(v) for v in row) for row in rows)
    return hashlib.sha256("\x1e".join(lines).encode()).hexdigest()


def main():
    args = arguments()
    spark = SparkSession.builder.appName("tpch").getOrCreate()
    for table in TABLES:
        spark.read.parquet(os.path.join(args.data, f"{table}.parquet")).createOrReplaceTempView(table)
    hashes = {}
    for query in args.queries:
        # One query after the other, not the whole list again: Spark keeps the code of its last 100
        # compiled stages only.
        for repeat in range(args.repeat):
            spark.sparkContext.setJobDescription(f"tpch q{query}")
            start = time.monotonic()
            rows = spark.sql(statement(args, query)).collect()
            seconds = time.monotonic() - start
            found = digest(rows)
            if hashes.setdefault(f"q{query}", found) != found:
                sys.exit(f"q{query}: run {repeat} gave another result")
            print(f"q{query:<2d} {len(rows):6d} rows {seconds:7.2f} s", flush=True)
    if args.results:
        with open(args.results, "w", encoding="utf-8") as f:
            json.dump(hashes, f, indent=1, sort_keys=True)
    print(jvm.compiler_line(spark), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()

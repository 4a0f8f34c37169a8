"""Two TPC-H queries at once, again and again, until the time is over.

Usage: concurrent.py --data DIR --sql-dir DIR --seconds N --results FILE
Each thread repeats one query; FILE gets one line a query: its name and its first result (all repeats must give the same).
"""

import argparse
import pathlib
import threading
import time

from pyspark.sql import SparkSession

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def repeat(spark, name, text, until, results):
    spark.sparkContext.setJobDescription(f"tpch {name}")
    first = None
    while first is None or time.monotonic() < until:
        rows = [tuple(r) for r in spark.sql(text).collect()]
        if first is not None and rows != first:
            raise SystemExit(f"{name}: results differ between repeats")
        first = rows
    results[name] = first


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--data", required=True)
    args.add_argument("--sql-dir", required=True)
    args.add_argument("--seconds", type=float, required=True)
    args.add_argument("--results", required=True)
    args = args.parse_args()

    spark = SparkSession.builder.appName("concurrent").getOrCreate()
    for table in TABLES:
        found = sorted(str(p) for p in pathlib.Path(args.data).glob(f"{table}*"))
        spark.read.parquet(*found).createOrReplaceTempView(table)
    until = time.monotonic() + args.seconds
    results = {}
    threads = [
        threading.Thread(target=repeat, args=(spark, name, (pathlib.Path(args.sql_dir) / f"{name}.sql").read_text(), until, results))
        for name in ("q06", "q03")
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if len(results) != 2:
        raise SystemExit("a query failed")
    with open(args.results, "w") as out:
        for name in sorted(results):
            out.write(f"{name} {results[name]}\n")
    spark.stop()


if __name__ == "__main__":
    main()

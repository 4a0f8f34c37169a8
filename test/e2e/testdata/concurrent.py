"""Two TPC-H queries at once, again and again, until the time is over or someone says stop.

Usage: concurrent.py --data DIR --sql-dir DIR --seconds N --stop FILE --results FILE
Each thread repeats one query, runs it once at least, and ends after N seconds or when the file --stop is there. The file --results gets one
line a query: its name and its first result (all repeats must give the same).
"""

import argparse
import pathlib
import threading
import time

from pyspark.sql import SparkSession

TABLES = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"]


def repeat(spark, name, text, goes_on, results):
    spark.sparkContext.setJobDescription(f"tpch {name}")
    first = None
    while first is None or goes_on():
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
    args.add_argument("--stop", required=True)
    args.add_argument("--results", required=True)
    args = args.parse_args()

    spark = SparkSession.builder.appName("concurrent").getOrCreate()
    for table in TABLES:
        found = sorted(str(p) for p in pathlib.Path(args.data).glob(f"{table}*"))
        spark.read.parquet(*found).createOrReplaceTempView(table)
    until = time.monotonic() + args.seconds

    def goes_on():
        return time.monotonic() < until and not pathlib.Path(args.stop).exists()

    results = {}
    threads = [
        threading.Thread(target=repeat, args=(spark, name, (pathlib.Path(args.sql_dir) / f"{name}.sql").read_text(), goes_on, results))
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

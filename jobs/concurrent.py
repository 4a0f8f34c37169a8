#!/usr/bin/env python3
"""Runs two different queries at the same time, again and again: spark-submit jobs/concurrent.py [--seconds N] [--rows N].

One sums in a filter and an aggregate ("concurrent filter"), the other joins and sorts ("concurrent join"); both share executors, threads and
the cache of generated classes, and must not be taken for each other.
"""
import argparse
import threading
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def repeat(spark, description, query, until, failures):
    try:
        while time.monotonic() < until:
            spark.sparkContext.setJobDescription(description)
            query().collect()
    except Exception as e:  # shown by the main thread: a thread's own failure would go unseen
        failures.append(f"{description}: {e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10, help="how long both run")
    parser.add_argument("--rows", type=int, default=5_000_000)
    args = parser.parse_args()
    spark = SparkSession.builder.appName("concurrent").getOrCreate()
    numbers = spark.range(args.rows)

    def filtered():
        return numbers.where(F.xxhash64("id") % 3 == 0).agg(F.sum(F.col("id") * 2))

    def joined():
        left = numbers.select("id", (F.col("id") % 1000).alias("k"))
        right = spark.range(1000).select(F.col("id").alias("k"), F.sqrt("id").alias("v"))
        return left.join(right, "k").groupBy("k").agg(F.sum("v").alias("s")).orderBy("s").limit(10)

    until, failures = time.monotonic() + args.seconds, []
    threads = [
        threading.Thread(target=repeat, args=(spark, "concurrent filter", filtered, until, failures)),
        threading.Thread(target=repeat, args=(spark, "concurrent join", joined, until, failures)),
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    spark.stop()
    if failures:
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()

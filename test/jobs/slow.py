#!/usr/bin/env python3
"""Runs queries without a slow task, then the same queries with one each, for a reason each: spark-submit test/jobs/slow.py [--warmup] [--seed N] [--walls FILE].

The reasons are a hot key of a join (data skew), a row of which a pattern takes exponential time (computation skew), a row that sleeps (wait), and 2,000 rows of a file of which the
pattern takes milliseconds (computation skew). SQL execution ids are 0 to 3 without and 4 to 7 with them; --warmup runs the first four once more before. --seed moves the rows and the
key. --walls FILE gets how long each run took: a line each, seconds.
"""
import argparse
import os
import tempfile
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--warmup", action="store_true", help="run the queries without a slow task twice")
parser.add_argument("--seed", type=int, default=0, help="which row and which key")
parser.add_argument("--walls", help="file for the seconds of each run")
args = parser.parse_args()

PARTITIONS = 16
spark = SparkSession.builder.appName("slow").getOrCreate()
spark.conf.set("spark.sql.adaptive.enabled", "false")  # it would split the partition of the hot key
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
spark.conf.set("spark.sql.shuffle.partitions", str(PARTITIONS))
spark.conf.set("spark.sql.files.openCostInBytes", "128m")  # a file is a partition


def bad(of, n, many=1):
    """Ids up to n, some of which are bad."""
    first = (n // 32 * 7 + args.seed * 611_953) % (n - many)
    return of.withColumn("bad", F.col("id").between(first, first + many - 1))


def ids(n=2_000_000):
    return bad(spark.range(0, n, 1, PARTITIONS), n)


def join(hot):
    """Joins by a key that three rows of four have, or by keys that all have as many."""
    key = F.lit((7 + args.seed * 31) % 500)
    left = spark.range(0, 400_000, 1, 4).select(F.when((F.col("id") % 4 > 0) & F.lit(hot), key).otherwise(F.col("id") % 4000).alias("k"), F.col("id").alias("v"))
    right = spark.range(0, 400_000, 1, 4).select((F.col("id") % 500).alias("k"), F.col("id").alias("w"))
    return left.join(right, "k").agg(F.sum(F.hash("v", "w")))


def regexp(slow, rows=None, length=26):
    """A pattern that takes exponential time on bad rows. Of a constant text Spark would match it while it plans."""
    text = F.when(F.col("bad") & F.lit(slow), F.expr(f"repeat('a', CAST({length} + id - id AS INT))")).otherwise(F.col("id").cast("string"))
    return (rows or ids()).where(text.rlike(r"(a+)+\1b"))


def many(slow, n=400_000):
    """The same on many rows of a file, none of which is slow by itself."""
    if not os.listdir(folder):
        for part in range(PARTITIONS):
            with open(os.path.join(folder, f"{part}.csv"), "w", encoding="ascii") as file:
                file.writelines(f"{i}\n" for i in range(part * n // PARTITIONS, (part + 1) * n // PARTITIONS))
    return regexp(slow, bad(spark.read.schema("id LONG").csv(folder), n, 2000), 16)


def sleep(slow):
    """A row that sleeps."""
    return ids().select(F.expr(f"CASE WHEN bad AND {slow} THEN reflect('java.lang.Thread', 'sleep', 3000L) END"), F.hash("id"))


walls = []
with tempfile.TemporaryDirectory() as folder:
    for slow in [False] * (1 + args.warmup) + [True]:
        for job in (join, regexp, sleep, many):
            df = job(slow)
            began = time.monotonic()
            df.write.format("noop").mode("overwrite").save()
            walls.append(time.monotonic() - began)
spark.range(10).count()  # the JVM outlives the threads of the slow tasks: the reader looks at them when it hears of a task's end
if args.walls:
    with open(args.walls, "w", encoding="utf-8") as out:
        out.writelines(f"{w:.3f}\n" for w in walls)
spark.stop()

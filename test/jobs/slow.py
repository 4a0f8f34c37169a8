#!/usr/bin/env python3
"""Runs queries without a slow task, then the same queries with one each, for a reason each: spark-submit test/jobs/slow.py [--warmup] [--seed N] [--walls FILE].

The reasons are a hot key of a join (data skew), a row of which a pattern takes exponential time (computation skew) and a row that sleeps (wait). SQL execution ids are 0 to 2
without and 3 to 5 with them; --warmup runs the first three once more before. --seed moves the row and the key. --walls FILE gets how long each run took: a line each, seconds.
"""
import argparse
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


def rows(n):
    """n rows, one of which is bad."""
    return spark.range(0, n, 1, PARTITIONS).withColumn("bad", F.col("id") == (n // 32 * 7 + args.seed * 611_953) % n)


def join(hot):
    """Joins by a key that three rows of four have, or by keys that all have as many."""
    key = F.lit((7 + args.seed * 31) % 500)
    left = spark.range(0, 400_000, 1, 4).select(F.when((F.col("id") % 4 > 0) & F.lit(hot), key).otherwise(F.col("id") % 4000).alias("k"), F.col("id").alias("v"))
    right = spark.range(0, 400_000, 1, 4).select((F.col("id") % 500).alias("k"), F.col("id").alias("w"))
    return left.join(right, "k").agg(F.sum(F.hash("v", "w")))


def regexp(slow):
    """A pattern that takes exponential time on one row. Of a constant text Spark would match it while it plans."""
    text = F.when(F.col("bad") & F.lit(slow), F.expr("repeat('a', CAST(26 + id - id AS INT))")).otherwise(F.col("id").cast("string"))
    return rows(2_000_000).where(text.rlike(r"(a+)+\1b"))


def sleep(slow):
    """A row that sleeps."""
    return rows(2_000_000).select(F.expr(f"CASE WHEN bad AND {slow} THEN reflect('java.lang.Thread', 'sleep', 3000L) END"), F.hash("id"))


walls = []
for slow in [False] * (1 + args.warmup) + [True]:
    for job in (join, regexp, sleep):
        df = job(slow)
        began = time.monotonic()
        df.write.format("noop").mode("overwrite").save()
        walls.append(time.monotonic() - began)
spark.range(10).count()  # the JVM outlives the threads of the slow tasks: the reader looks at them when it hears of a task's end
if args.walls:
    with open(args.walls, "w", encoding="utf-8") as out:
        out.writelines(f"{w:.3f}\n" for w in walls)
spark.stop()

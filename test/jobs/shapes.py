#!/usr/bin/env python3
"""Runs work of a shape that is hard on profilers: spark-submit test/jobs/shapes.py --shape SHAPE [--size N].

  empty     a session that starts and ends
  tiny      --size tasks (20,000) of about a millisecond each, in one stage
  distinct  --size queries (500), each with generated code of its own
  wide      a table of --size columns (300), each of them computed and summed; --rows rows (20,000)
"""
import argparse
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

SIZES = {"empty": 0, "tiny": 20_000, "distinct": 500, "wide": 300}
ROWS_OF_A_TINY_TASK = 10_000


def empty(spark, args):
    pass


def tiny(spark, args):
    burn = F.lit(0).cast("long")
    for seed in range(10):
        burn = burn.bitwiseXOR(F.xxhash64(F.col("id"), F.lit(seed)))
    # To the noop sink: a count would write a shuffle file a task.
    spark.range(0, args.size * ROWS_OF_A_TINY_TASK, 1, args.size).where(burn % 7 == 9).write.format("noop").mode("overwrite").save()


def distinct(spark, args):
    for n in range(args.size):
        # Literals stand in the generated code: every query is another class.
        spark.sql(
            f"SELECT id % {n + 3} AS k, sum(id * {n + 5}) AS s, max(id + {n}) AS m FROM range(1000) WHERE id % {n + 7} <> 3 GROUP BY id % {n + 3}"
        ).collect()


def wide(spark, args):
    columns = [(F.col("id") * (n + 3) % (n + 7)).alias(f"c{n}") for n in range(args.size)]
    table = spark.range(args.rows).select(*columns)
    table.agg(*[F.sum(f"c{n}") for n in range(args.size)]).collect()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", required=True, choices=sorted(SIZES))
    parser.add_argument("--size", type=int, help="how many; each shape has its own default")
    parser.add_argument("--rows", type=int, default=20_000, help="of the wide table")
    args = parser.parse_args()
    if args.size is None:
        args.size = SIZES[args.shape]
    if args.size < 0:
        parser.error(f"--size {args.size}: at least 0")
    spark = SparkSession.builder.appName(f"shape {args.shape}").config("spark.sql.shuffle.partitions", 2).getOrCreate()
    start = time.monotonic()
    globals()[args.shape](spark, args)
    print(f"{args.shape}: {args.size} in {time.monotonic() - start:.2f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()

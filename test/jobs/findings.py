#!/usr/bin/env python3
"""Does what planflame finds: spark-submit test/jobs/findings.py --shape cpu|time --out DIR.

  cpu    computes an aggregate twice, calls a Python function for each row, infers a schema, and sorts more than its memory holds
  time   short tasks but for one, a function that sleeps, a stream whose batch waits on the driver, and a program that sleeps behind it
"""
import argparse
import os
import time

import jvm  # beside this file
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

BEGAN = time.monotonic()


def twice(spark, out):
    orders = spark.range(16_000_000).select((F.col("id") % 500_000).alias("customer"), (F.col("id") % 997).alias("sku"), (F.rand(1) * 100).alias("amount"))
    top = orders.filter("amount > 5").groupBy("customer").agg(F.sum("amount").alias("amount"), F.max("sku").alias("sku"))
    top.write.mode("overwrite").parquet(os.path.join(out, "top"))
    top.orderBy(F.desc("amount")).show(3)


def rows_in_python(spark):
    @F.udf(returnType=LongType())
    def digits(value):
        return sum(int(digit) for _ in range(12) for digit in str(value))

    spark.conf.set("spark.planflame.query.name", "digits")
    spark.range(300_000).select(F.sum(digits("id"))).collect()


def inferred(spark, out):
    path = os.path.join(out, "orders.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("at,price,note,sku\n")
        f.writelines(f"2026-01-{1 + i % 28:02d} 10:00:{i % 60:02d},{i / 7:.4f},n{i},{i}\n" for i in range(400_000))
    spark.conf.set("spark.planflame.query.name", "orders")
    spark.read.csv([path] * 8, header=True, inferSchema=True).agg(F.sum("price")).collect()


def spilling(spark):
    spark.conf.set("spark.planflame.query.name", "sorted")
    rows = spark.range(0, 12_000_000, 1, 2).select("id", *[F.rand(seed).alias(f"x{seed}") for seed in range(4)])
    rows.sortWithinPartitions("x0").write.format("noop").mode("overwrite").save()


def part_of_the_run(share):
    """Seconds that stay a share of the run, however slow the machine is."""
    return max(3, share * (time.monotonic() - BEGAN))


def in_python(spark):
    """Starts Python's workers, which takes long on a busy machine."""
    spark.range(0, 2, 1, 2).select(F.udf(lambda value: value, LongType())("id")).collect()


def skewed(spark):
    seconds = part_of_the_run(0.3)

    def burn(partition, rows):
        until = time.monotonic() + (seconds if partition == 0 else 0.05)
        while time.monotonic() < until:
            pass
        return rows

    spark.sparkContext.setJobDescription("skewed")
    spark.sparkContext.parallelize(range(8), 8).mapPartitionsWithIndex(burn).collect()


def waiting(spark):
    seconds = part_of_the_run(0.8) / 50  # a cold JVM is busy for up to a second, which must be less than a twentieth

    @F.udf(returnType=LongType())
    def ask(value):
        time.sleep(seconds)
        return value

    spark.sparkContext.setJobDescription("waiting")
    spark.range(0, 100, 1, 2).select(F.sum(ask("id"))).collect()


def batch_on_the_driver(spark, out):
    folder = os.path.join(out, "numbers")
    spark.range(0, 10, 1, 1).write.mode("overwrite").parquet(folder)

    def send(batch, _):
        batch.collect()
        time.sleep(part_of_the_run(0.25))

    stream = spark.readStream.schema("id LONG").parquet(folder).writeStream.queryName("sent").foreachBatch(send)
    stream.trigger(availableNow=True).start().awaitTermination()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=("cpu", "time"), required=True)
    parser.add_argument("--out", required=True, help="folder to write into")
    args = parser.parse_args()
    # A sort spills every so many rows, however much memory there is.
    spark = SparkSession.builder.appName("findings " + args.shape).config("spark.shuffle.spill.numElementsForceSpillThreshold", 300_000).getOrCreate()
    if args.shape == "cpu":
        twice(spark, args.out)
        rows_in_python(spark)
        inferred(spark, args.out)
        spilling(spark)
    else:
        in_python(spark)
        waiting(spark)
        batch_on_the_driver(spark, args.out)
        skewed(spark)  # late, so that it is a share of nearly all of the run
        time.sleep(part_of_the_run(0.5))
    print(jvm.compiler_line(spark), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()

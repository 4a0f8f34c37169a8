#!/usr/bin/env python3
"""Does what planflame finds: spark-submit jobs/findings.py --shape cpu|time --out DIR.

  cpu    writes and shows one aggregate, which is computed twice, and then calls a Python function for each row
  time   a stage whose first task runs far longer than the others, and one whose tasks sleep
"""
import argparse
import os
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType


def twice(spark, out):
    orders = spark.range(4_000_000).select((F.col("id") % 50_000).alias("customer"), (F.col("id") % 997).alias("sku"), (F.rand(1) * 100).alias("amount"))
    top = orders.filter("amount > 5").groupBy("customer").agg(F.sum("amount").alias("amount"), F.countDistinct("sku").alias("skus"))
    top.write.mode("overwrite").parquet(os.path.join(out, "top"))
    top.orderBy(F.desc("amount")).show(3)


def rows_in_python(spark):
    @F.udf(returnType=LongType())
    def digits(value):
        return sum(int(digit) for _ in range(12) for digit in str(value))

    spark.range(400_000).select(F.sum(digits("id"))).collect()


def skewed(spark):
    def burn(partition, rows):
        until = time.process_time() + (4 if partition == 0 else 0.1)
        while time.process_time() < until:
            pass
        return rows

    spark.sparkContext.setJobDescription("skewed")
    spark.sparkContext.parallelize(range(8), 8).mapPartitionsWithIndex(burn).collect()


def waiting(spark):
    @F.udf(returnType=LongType())
    def ask(value):
        time.sleep(0.05)
        return value

    spark.sparkContext.setJobDescription("waiting")
    spark.range(0, 400, 1, 2).select(F.sum(ask("id"))).collect()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", choices=("cpu", "time"), required=True)
    parser.add_argument("--out", required=True, help="folder to write into")
    args = parser.parse_args()
    spark = SparkSession.builder.appName("findings " + args.shape).getOrCreate()
    if args.shape == "cpu":
        twice(spark, args.out)
        rows_in_python(spark)
    else:
        skewed(spark)
        waiting(spark)
    spark.stop()


if __name__ == "__main__":
    main()

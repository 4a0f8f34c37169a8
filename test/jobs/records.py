#!/usr/bin/env python3
"""Matches each row of a CSV file with a pattern that takes exponential time on texts of one letter.

Usage: spark-submit test/jobs/records.py FILE [PARQUET]

It does the same with the least text of each of fifty groups, and with the rows in the folder PARQUET, which it makes of FILE if it is not there.
"""

import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("records").getOrCreate()
rows = spark.read.schema("id LONG, text STRING").csv(sys.argv[1])


def run(of):
    of.write.format("noop").mode("overwrite").save()


PATTERN = r"(a+)+\1b"
run(rows.where(rows.text.rlike(PATTERN)))
groups = rows.groupBy((rows.id % 50).alias("group")).agg(F.min("text").alias("text"))
run(groups.select("group", groups.text.rlike(PATTERN)))
for folder in sys.argv[2:]:
    if not os.path.exists(folder):
        rows.coalesce(1).write.parquet(folder)
    run(spark.read.parquet(folder).where(F.col("text").rlike(PATTERN)))
spark.stop()

#!/usr/bin/env python3
"""Matches each row of a CSV file with a pattern that takes exponential time on texts of one letter.

Usage: spark-submit test/jobs/records.py FILE [PARQUET]

It does the same with the rows in the folder PARQUET, which it makes of FILE if it is not there.
"""

import os
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("records").getOrCreate()
rows = spark.read.schema("id LONG, text STRING").csv(sys.argv[1])


def match(of):
    of.where(of.text.rlike(r"(a+)+\1b")).write.format("noop").mode("overwrite").save()


match(rows)
for folder in sys.argv[2:]:
    if not os.path.exists(folder):
        rows.coalesce(1).write.parquet(folder)
    match(spark.read.parquet(folder))
spark.stop()

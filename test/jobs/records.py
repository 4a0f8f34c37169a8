#!/usr/bin/env python3
"""Matches each row of a CSV file with a pattern that takes exponential time on texts of one letter.

Usage: spark-submit test/jobs/records.py FILE
"""

import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("records").getOrCreate()
rows = spark.read.schema("id LONG, text STRING").csv(sys.argv[1])
rows.where(rows.text.rlike(r"(a+)+\1b")).write.format("noop").mode("overwrite").save()
spark.stop()

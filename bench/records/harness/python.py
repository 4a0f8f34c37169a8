#!/usr/bin/env python3
"""Runs Programs.java's SQL on CSV with a Python UDF in place of Java's. Its arguments are the same."""

import sys
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

spark = SparkSession.builder.appName("slow records").getOrCreate()


def weigher(how, seconds):
    def weigh(note):
        if not note.startswith("canary-"):
            return 1
        if how == "sleep":
            time.sleep(seconds)
            return 2
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return 3

    return f.udf(weigh, "int")


def program(name, rows):
    if name == "movies":
        return rows.groupBy("key").agg(f.avg("value").alias("mean")).groupBy(f.round("mean")).count()
    if name == "students":
        return rows.groupBy("key").agg(f.collect_list("value"))
    keys = f.explode(f.expr("array(key, 'all ' || substr(key, 2, 1))"))
    return rows.select(keys.alias("key"), "value").groupBy("key").agg(f.max("value") - f.min("value"))


for arg in sys.argv[1:]:
    name, _, how, millis, file = arg.split(",", 4)
    rows = spark.read.schema("key STRING, value DOUBLE, note STRING").csv(file)
    rows = rows.where(weigher(how, int(millis) / 1000)("note") > 0)
    program(name, rows).write.format("noop").mode("overwrite").save()
spark.stop()

"""A job for where the time goes: a function that waits, a skewed join, a sort that spills, and a driver that does something else."""

import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

spark = SparkSession.builder.appName("times").getOrCreate()


def named(name):
    spark.conf.set("spark.planflame.query.name", name)


def run(df):
    df.write.format("noop").mode("overwrite").save()


def wait(x):
    time.sleep(0.2)
    return x


named("waits")
run(spark.range(0, 8, 1, 4).select(F.udf(wait, LongType())("id").alias("v")))

named("skewed")  # without AQE, which would split the partition; the sides of the join are stages that overlap
spark.conf.set("spark.sql.adaptive.enabled", "false")
spark.conf.set("spark.sql.shuffle.partitions", "8")
left = spark.range(0, 500000, 1, 3).select(F.when(F.col("id") % 10 < 9, F.lit(7)).otherwise(F.col("id")).alias("k"), F.col("id").alias("v"))
right = spark.range(0, 40000, 1, 2).select((F.col("id") % 20000).alias("k"), F.col("id").alias("w"))
run(left.join(right, "k").agg(F.sum(F.hash("v", "w"))))
spark.conf.unset("spark.sql.shuffle.partitions")

named("spills")  # the command line sets after how many rows
run(spark.range(0, 200000, 1, 1).sortWithinPartitions((F.col("id") * 7919 % 200003).desc()))

named("late")
time.sleep(1.5)
spark.range(10).count()

named("")
spark.sparkContext.parallelize(range(100), 2).count()
spark.stop()

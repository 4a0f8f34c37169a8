"""Three queries without a slow task, then the same with one each, for a reason each: the names of the last three are the verdicts."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.appName("slow").getOrCreate()
spark.conf.set("spark.sql.adaptive.enabled", "false")  # it would split the partition of the hot key
spark.conf.set("spark.sql.shuffle.partitions", "16")


def run(name, df):
    spark.conf.set("spark.planflame.query.name", name)
    df.write.format("noop").mode("overwrite").save()


def rows(n):
    """n rows in 16 partitions, with a row that is in the middle of one of them."""
    return spark.range(0, n, 1, 16).withColumn("bad", F.col("id") == n // 32 * 7)


def join(hot):
    """Joins by a key that three rows of four share, or by none such."""
    left = spark.range(0, 400_000, 1, 4).select(F.when((F.col("id") % 4 > 0) & F.lit(hot), F.lit(7)).otherwise(F.col("id") % 4000).alias("k"), F.col("id").alias("v"))
    right = spark.range(0, 400_000, 1, 4).select((F.col("id") % 500).alias("k"), F.col("id").alias("w"))
    return left.join(right, "k").agg(F.sum(F.hash("v", "w")))


def regexp(slow):
    """A pattern that takes exponential time on one row. Of a constant text Spark would match it as it plans."""
    text = F.when(F.col("bad") & F.lit(slow), F.expr("repeat('a', CAST(26 + id - id AS INT))")).otherwise(F.col("id").cast("string"))
    return rows(2_000_000).where(text.rlike(r"(a+)+\1b"))


def sleep(slow):
    """A row that sleeps."""
    return rows(2_000_000).select(F.expr(f"CASE WHEN bad AND {slow} THEN reflect('java.lang.Thread', 'sleep', 3000L) END"), F.hash("id"))


spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
JOBS = {"data skew": join, "computation skew": regexp, "wait": sleep}
for name, job in JOBS.items():
    run("clean", job(False))
for name, job in JOBS.items():
    run(name, job(True))
spark.stop()

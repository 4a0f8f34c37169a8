#!/usr/bin/env python3
"""Runs code of plans in tasks of other SQL executions, and of none: spark-submit test/jobs/plans.py --dir DIR.

Every shape filters by hashes, so that most of the CPU is the filter's, and ends in a query that reads what another plan made. DIR is an empty folder.
"""
import argparse
import operator

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

ROWS = 600_000
TIMES = 5  # rows made of each
HASHES = 20
FILES = 4


def hashes(column):
    out = column
    for _ in range(HASHES):
        out = F.hash(out, column)
    return out


def costly(df):
    """Rows of events, each TIMES times, of which a costly filter leaves six of seven."""
    each = F.explode(F.sequence(F.lit(1), F.lit(TIMES)))
    return df.select("*", each.alias("n")).where(hashes(F.col("v") + F.col("n")) % 7 != 3)


def sums(df):
    return costly(df).groupBy("k").agg(F.sum("v").alias("s"))


class Shapes:
    def __init__(self, spark, folder):
        self.spark, self.folder = spark, folder
        spark.sparkContext.setCheckpointDir(folder + "/checkpoints")
        rows = spark.range(0, ROWS, 1, FILES)
        rows.select((F.col("id") % 1000).alias("k"), F.col("id").alias("v"), F.timestamp_seconds(F.col("id") / 100).alias("t")).write.parquet(folder + "/events")

    def events(self):
        return self.spark.read.parquet(self.folder + "/events")

    def stream(self):
        schema = self.events().schema
        return self.spark.readStream.schema(schema).option("maxFilesPerTrigger", FILES // 2).parquet(self.folder + "/events")

    def run_stream(self, writer):
        writer.trigger(availableNow=True).start().awaitTermination()

    def foreach_batch(self):
        def write(batch, _):
            by_digit = batch.groupBy((F.col("k") % 10).alias("digit")).agg(F.sum("s").alias("total"))
            by_digit.write.mode("overwrite").parquet(self.folder + "/digits")

        writer = sums(self.stream()).writeStream.outputMode("complete").queryName("clicks").option("checkpointLocation", self.folder + "/clicks")
        self.run_stream(writer.foreachBatch(write))

    def digits(self):
        """What the last batch of foreach_batch has written."""
        self.spark.sparkContext.setJobDescription("read digits")
        return self.spark.read.parquet(self.folder + "/digits").collect()

    def sink(self):
        minutes = costly(self.stream()).withWatermark("t", "10 minutes").groupBy(F.window("t", "1 minute"), "k").agg(F.sum("v").alias("s"))
        writer = minutes.writeStream.outputMode("append").queryName("minutes").option("checkpointLocation", self.folder + "/minutes")
        self.run_stream(writer.format("parquet").option("path", self.folder + "/out"))

    def checkpoint(self):
        self.spark.sparkContext.setJobDescription("read checkpoint")
        sums(self.events().select("k", "v")).checkpoint(eager=False).agg(F.max("s")).collect()

    def local_checkpoint(self):
        self.spark.sparkContext.setJobDescription("read local checkpoint")
        sums(self.events().where("v >= 0")).localCheckpoint(eager=False).agg(F.max("s")).collect()

    def cache(self):
        table = sums(self.events().where("k >= 0")).cache()
        self.spark.sparkContext.setJobDescription("build cache")
        table.count()
        self.spark.sparkContext.setJobDescription("read cache")
        table.agg(F.max("s")).collect()

    def python_rdd(self):
        self.spark.sparkContext.setLocalProperty("spark.job.description", None)
        return dict(sums(self.events().where("k >= 1")).rdd.map(lambda row: (row.k % 10, row.s)).reduceByKey(operator.add).collect())

    def narrow_python_rdd(self):
        costly(self.events().where("k >= 2 AND v % 4 = 0")).where("n = 3").rdd.map(lambda row: row.v).count()

    def narrow_rdd(self):
        self.spark.sparkContext.setJobDescription("rdd of filter")
        few = F.hash("v", "n") % 50 == 1  # the cost of an RDD's count is no operator's
        costly(self.events().where("k >= 3")).where(few)._jdf.queryExecution().toRdd().count()

    def rdd_without_aqe(self):
        self.spark.sparkContext.setJobDescription("rdd without aqe")
        self.spark.conf.set("spark.sql.adaptive.enabled", "false")
        sums(self.events().where("k >= 4"))._jdf.queryExecution().toRdd().count()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", required=True)
    args = parser.parse_args()
    spark = SparkSession.builder.appName("plans").config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false").getOrCreate()
    shapes = Shapes(spark, args.dir)
    shapes.foreach_batch()
    shapes.sink()
    shapes.checkpoint()
    shapes.local_checkpoint()
    shapes.cache()
    batch = shapes.python_rdd()
    shapes.narrow_python_rdd()
    shapes.narrow_rdd()
    shapes.rdd_without_aqe()
    stream = dict(shapes.digits())
    for digit in range(1, 10):  # k = 0 is in the stream alone
        if stream[digit] != batch[digit]:
            raise SystemExit(f"the stream has {stream[digit]} for digit {digit}, the batch {batch[digit]}")
    spark.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Burns CPU in Python workers, which account for themselves: spark-submit jobs/python_udf.py --report DIR [--shape SHAPE] [--rows N] [--work N].

  one    a UDF in one stage
  two    a UDF on either side of an exchange, the first with twice the work
  pair   two UDFs in one stage, in a plan node each
  rdd    a function of an RDD, without any SQL
  arrow  mapInArrow (needs pyarrow)

Every worker writes DIR/PID.FUNCTION, JSON, fifty times a second and anew: its own CPU by getrusage, and that within the function by its
process clock.
"""
import argparse
import json
import os
import resource
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType

SHAPES = ("one", "two", "pair", "rdd", "arrow")


class Burner:
    """A function that burns CPU and keeps account of it, and of the process that it runs in."""

    def __init__(self, name, work, report):
        self.name, self.work, self.report = name, work, report
        self.seconds, self.written = 0.0, 0.0

    def __call__(self, value):
        start = time.process_time()
        x = value
        for i in range(self.work):
            x = (x * 31 + i) & 0xFFFFFFFF
        # A worker that is used again gets the function anew, so what it had is in its file. Cloudpickle gives each function globals of its own.
        if self.written == 0.0 and os.path.exists(self.path()):
            with open(self.path(), encoding="utf-8") as f:
                self.seconds = json.load(f)["function_seconds"]
        self.seconds += time.process_time() - start
        if time.monotonic() - self.written > 0.02:
            self.written = time.monotonic()
            self.write()
        return x

    def path(self):
        return os.path.join(self.report, f"{os.getpid()}.{self.name}")

    def write(self):
        used = resource.getrusage(resource.RUSAGE_SELF)
        with open(self.path() + ".new", "w", encoding="utf-8") as f:
            json.dump({"cpu_seconds": used.ru_utime + used.ru_stime, "function_seconds": self.seconds}, f)
        os.replace(self.path() + ".new", self.path())


def burner(args, name, factor=1):
    return Burner(name, args.work * factor, args.report)


def named(args, name, factor=1):
    f = burner(args, name, factor)

    def call(value):
        return f(value)

    call.__name__ = name
    return F.udf(call, LongType())


def one(spark, args):
    return spark.range(args.rows).select(named(args, "burn")("id").alias("x")).agg(F.sum("x")).collect()


def two(spark, args):
    before = spark.range(args.rows).select(named(args, "before", 2)("id").alias("x"))
    return before.repartition(4, "x").select(named(args, "after")("x").alias("y")).agg(F.sum("y")).collect()


def pair(spark, args):
    kept = spark.range(args.rows).where(named(args, "keep")("id") >= 0)
    return kept.select(named(args, "change")("id").alias("x")).agg(F.sum("x")).collect()


def rdd(spark, args):
    f = burner(args, "mapped")
    return spark.sparkContext.range(0, args.rows, numSlices=4).map(f).sum()


def arrow(spark, args):
    import pyarrow as pa

    f = burner(args, "batches")

    def batches(iterator):
        for batch in iterator:
            yield pa.RecordBatch.from_pydict({"x": [f(v) for v in batch.column(0).to_pylist()]})

    return spark.range(args.rows).mapInArrow(batches, "x long").agg(F.sum("x")).collect()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", required=True, help="folder of the workers' own accounts; there already")
    parser.add_argument("--shape", default="one", choices=SHAPES)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--work", type=int, default=2_000, help="steps of a function's loop for a row")
    args = parser.parse_args()
    if not os.path.isdir(args.report):
        parser.error(f"--report {args.report}: no folder")
    if args.rows < 1 or args.work < 1:
        parser.error("--rows and --work: at least 1")
    spark = SparkSession.builder.appName(f"python {args.shape}").getOrCreate()
    spark.sparkContext.setJobDescription(f"python {args.shape}")
    start = time.monotonic()
    globals()[args.shape](spark, args)
    print(f"{args.shape}: {args.rows} rows in {time.monotonic() - start:.2f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()

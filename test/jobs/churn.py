#!/usr/bin/env python3
"""Keeps the JIT busy with classes that come and go: spark-submit test/jobs/churn.py --seconds N [--rows N] [--seed N] [--log FILE].

Every statement has constants and a shape of its own, so Spark generates, compiles and soon forgets a class for it: the cache of generated
code holds eight, and every fiftieth statement asks for a collection, which unloads what was forgotten. Each statement runs over two tables
of one schema, first without and then with nulls and with a branch that the first never takes: what C2 believed after the first
is wrong for the second, and it de-optimises. Every result is checked against one that Python computes; a wrong one ends the job with exit code 1.
The seconds count from when the tables are written, and one statement runs at least. LOG gets a JSON object about every five seconds and
at the end, the sums since the JVM's start:
  {"seconds": 5.1, "statements": 12, "loaded": 15012, "unloaded": 210, "compile_ms": 8123, "texts": 0}
texts is how many files with texts that Janino compiled lie in java.io.tmpdir: a JVM's own only where that folder is.
"""
import argparse
import glob
import json
import random
import sys
import tempfile
import time

from pyspark.sql import SparkSession


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--log", default="/dev/stdout")
    return parser.parse_args()


def write_tables(spark, folder, rows):
    """The two tables; v of the second is null in every seventh row and negative in every eleventh."""
    spark.range(rows).selectExpr("id AS v", "id % 97 AS g").write.parquet(f"{folder}/even")
    spark.range(rows).selectExpr("IF(id % 7 = 0, NULL, IF(id % 11 = 0, -id, id)) AS v", "id % 97 AS g").write.parquet(f"{folder}/odd")
    for table in ("even", "odd"):
        spark.read.parquet(f"{folder}/{table}").createOrReplaceTempView(table)


def value(table, i):
    if table == "even":
        return i
    if i % 7 == 0:
        return None
    return -i if i % 11 == 0 else i


class Statement:
    """A statement that no other has been like: count and sum of the rows of one residue class, through layers of work that leaves the
    result as it is."""

    def __init__(self, rnd):
        self.modulus = rnd.choice([m for m in range(11, 90) if m % 7])  # no residue class holds nulls only: its sum would be null
        self.residue = rnd.randrange(self.modulus)
        self.factor, self.offset, self.less = rnd.randrange(1, 1000), rnd.randrange(1000), rnd.randrange(1000)
        layers = [f"xxhash64(v, {rnd.getrandbits(40)}) <> {-rnd.getrandbits(40)}" for _ in range(rnd.randrange(1, 9))]
        layers += [f"hash(g, {rnd.getrandbits(20)}) % {rnd.randrange(2, 50)} < {rnd.randrange(60, 90)}" for _ in range(rnd.randrange(1, 6))]
        rnd.shuffle(layers)
        self.where = " AND ".join(layers)
        self.grouped = rnd.random() < 0.5

    def text(self, table):
        branch = f"CASE WHEN v < 0 THEN v * {self.factor} - {self.less} ELSE v * {self.factor} + {self.offset} END"
        work = f"count(*) AS n, sum({branch}) AS s FROM {table} WHERE abs(v) % {self.modulus} = {self.residue} AND {self.where}"
        inner = f"SELECT g, {work} GROUP BY g" if self.grouped else f"SELECT {work}"
        return f"SELECT sum(n), sum(s) FROM ({inner})"

    def expected(self, table, rows):
        values = (value(table, i) for i in range(self.residue, rows, self.modulus))
        results = [v * self.factor - self.less if v < 0 else v * self.factor + self.offset for v in values if v is not None]
        return (len(results), sum(results))


def main():
    args = arguments()
    spark = SparkSession.builder.appName("churn").config("spark.sql.codegen.cache.maxEntries", 8).config("spark.sql.shuffle.partitions", 2).getOrCreate()
    management = spark._jvm.java.lang.management.ManagementFactory
    classes, compiler = management.getClassLoadingMXBean(), management.getCompilationMXBean()
    texts = f"{spark._jvm.java.lang.System.getProperty('java.io.tmpdir')}/janino*.java"
    rnd = random.Random(args.seed)
    done = 0
    with tempfile.TemporaryDirectory(prefix="churn-") as folder, open(args.log, "w", encoding="utf-8") as log:

        def report():
            print(json.dumps({
                "seconds": round(time.monotonic() - began, 1), "statements": done, "loaded": classes.getTotalLoadedClassCount(),
                "unloaded": classes.getUnloadedClassCount(), "compile_ms": compiler.getTotalCompilationTime(), "texts": len(glob.glob(texts)),
            }), file=log, flush=True)

        write_tables(spark, folder, args.rows)
        began = reported = time.monotonic()
        while done == 0 or time.monotonic() - began < args.seconds:
            statement = Statement(rnd)
            spark.sparkContext.setJobDescription(f"churn {done % 20}")
            for table in ("even", "odd"):
                got = tuple(spark.sql(statement.text(table)).head())
                if got != statement.expected(table, args.rows):
                    sys.exit(f"{got} is not {statement.expected(table, args.rows)}: {statement.text(table)}")
            done += 1
            if done % 50 == 0:
                spark._jvm.java.lang.System.gc()
            if time.monotonic() - reported >= 5:
                reported = time.monotonic()
                report()
        report()
    spark.stop()


if __name__ == "__main__":
    main()

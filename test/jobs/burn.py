#!/usr/bin/env python3
"""Burns CPU in a filter that dominates everything else: spark-submit test/jobs/burn.py [--rows N] [--hashes N] [--repeat N].

The filter nests --hashes rounds of xxhash64 over different seeds, without allocation; more than nine tenths of the CPU must be shown at it.
"""
import argparse

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--hashes", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    spark = SparkSession.builder.appName("burn").getOrCreate()
    burn = F.lit(0).cast("long")
    for seed in range(args.hashes):
        burn = burn.bitwiseXOR(F.xxhash64(F.col("id"), F.lit(seed)))
    for _ in range(args.repeat):
        spark.sparkContext.setJobDescription("burn in a filter")
        print(spark.range(args.rows).where(burn % 7 != 3).count())
    spark.stop()


if __name__ == "__main__":
    main()

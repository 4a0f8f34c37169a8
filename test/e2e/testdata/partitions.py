"""One query of many partitions and no tables, a few times: partitions.py --partitions N --rows N --repeat N.

A filter that hashes each row's text, and an aggregate over what is left. Every partition does the same work.
"""

import argparse

from pyspark.sql import SparkSession

QUERY = """
SELECT id % 5000 AS k, count(*) AS n, sum(id) AS s FROM range(0, {rows}, 1, {partitions})
WHERE length(sha2(cast(id AS string), 256)) > 3 GROUP BY id % 5000
"""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--partitions", type=int, required=True)
    args.add_argument("--rows", type=int, required=True)
    args.add_argument("--repeat", type=int, required=True)
    args = args.parse_args()
    spark = SparkSession.builder.appName("partitions").getOrCreate()
    spark.sparkContext.setJobDescription("many partitions")
    for _ in range(args.repeat):
        if len(spark.sql(QUERY.format(rows=args.rows, partitions=args.partitions)).collect()) != 5000:
            raise SystemExit("the query lost groups")
    spark.stop()


if __name__ == "__main__":
    main()

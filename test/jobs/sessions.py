#!/usr/bin/env python3
"""Runs two queries over TPC-H tables in a session of some shape: python test/jobs/sessions.py --shape SHAPE --data DIR.

  code      a session whose settings are all in this program: master, and what --conf KEY=VALUE says
  connect   Spark Connect: --remote local[2] starts a server in a JVM below this program, sc://HOST:PORT uses one that runs
  notebook  a session with the first query, and when it has stopped another one with the second, in the same Python

The rows go to stdout as JSON, one line a query.
"""
import argparse
import json
import os

from pyspark.sql import SparkSession

QUERIES = {
    "orders by priority": """
        SELECT o_orderpriority AS key, count(*) AS n, sum(pmod(xxhash64(o_orderkey, id), 1000)) AS total
        FROM orders CROSS JOIN range({times}) WHERE o_orderkey % 10 <> 3 GROUP BY o_orderpriority""",
    "parts by brand": """
        SELECT p_brand AS key, count(*) AS n, sum(pmod(xxhash64(l_orderkey, id), 1000)) AS total
        FROM lineitem JOIN part ON l_partkey = p_partkey CROSS JOIN range({times}) GROUP BY p_brand""",
}
TABLES = ["orders", "lineitem", "part"]


def builder(args, name):
    b = SparkSession.builder.appName(name).master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
    for setting in args.conf:
        b = b.config(*setting.split("=", 1))
    return b


def show(name, rows):
    print(json.dumps({"query": name, "rows": sorted([r.key, r.n, r.total] for r in rows)}), flush=True)


def run(spark, args, names):
    for table in TABLES:
        spark.read.parquet(os.path.join(args.data, f"{table}.parquet")).createOrReplaceTempView(table)
    for name in names:
        spark.conf.set("spark.planflame.query.name", name)
        show(name, spark.sql(QUERIES[name].format(times=args.times)).collect())


def code(args):
    spark = builder(args, "settings in code").getOrCreate()
    run(spark, args, QUERIES)
    spark.stop()


def connect(args):
    b = SparkSession.builder.remote(args.remote)
    for setting in args.conf:
        b = b.config(*setting.split("=", 1))
    spark = b.getOrCreate()
    run(spark, args, QUERIES)
    spark.stop()


def notebook(args):
    for n, name in enumerate(QUERIES, 1):
        spark = builder(args, f"notebook, session {n}").getOrCreate()
        run(spark, args, [name])
        spark.stop()


SHAPES = {"code": code, "connect": connect, "notebook": notebook}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", required=True, choices=sorted(SHAPES))
    parser.add_argument("--data", required=True, help="folder of the tables")
    parser.add_argument("--times", type=int, default=100, help="how often each row counts (100)")
    parser.add_argument("--remote", default="local[2]", help="where Spark Connect is (local[2])")
    parser.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE", help="a setting of the session, made in code")
    args = parser.parse_args()
    SHAPES[args.shape](args)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs a bench's statements in interleaved passes: spark-submit test/jobs/passes.py --spec SPEC --log LOG.

SPEC is a JSON object:
  {"tables": {"lineitem": "file.parquet", …}, "editions": {"orders": ["file.parquet", …], …}, "functions": {"name": "package.Class", …}, "setup": ["SQL", …],
   "statements": [{"id": "filter/1", "sql": "SELECT …"}, {"id": "sort/1", "sql": "SELECT …", "discard": true}, …],
   "warmup": 1, "passes": 5, "seed": 7}
Tables become temporary views, functions (Java classes of user-defined functions, on the class path) get their names, and setup statements
run once. A view that has editions is another of them in each pass, in turn. Then every statement runs once a pass, in an order that each pass draws again from the seed, so that no statement always follows the same other one; warm-up passes come first. Rows are collected on the driver,
rows of a statement with "discard" are written to the noop sink. "conf" of a statement are settings of the SQL session while it runs. LOG gets a JSON object a line:
  {"id": "filter/1", "pass": 0, "execution": 12, "seconds": 1.25}
pass counts from 0, warm-up passes from -1 downwards; execution is the sql_execution_id.
"""
import argparse
import json
import random
import sys
import time

from pyspark.sql import SparkSession


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", required=True, help="what to run")
    parser.add_argument("--log", required=True, help="file for what has run")
    args = parser.parse_args()
    with open(args.spec, encoding="utf-8") as f:
        args.spec = json.load(f)
    if not args.spec["statements"]:
        parser.error("--spec: no statements")
    return args


class Executions:
    """The ids of the executions that this session has run, from Spark's own store."""

    def __init__(self, spark):
        self.store = spark._jsparkSession.sharedState().statusStore()
        self.bus = spark.sparkContext._jsc.sc().listenerBus()
        self.seen = self.ids()

    def ids(self):
        self.bus.waitUntilEmpty(60_000)
        found = self.store.executionsList()
        return {found.apply(i).executionId() for i in range(found.size())}

    def skip(self):
        """Those up to now are no statements'."""
        self.seen = self.ids()

    def new(self):
        """The one execution since the last call."""
        now = self.ids()
        new, self.seen = now - self.seen, now
        if len(new) != 1:
            sys.exit(f"{len(new)} executions where one was expected: {sorted(new)}")
        return new.pop()


def main():
    args = arguments()
    spec = args.spec
    # The store forgets the oldest executions; one more than fits would look as if none had run.
    runs = len(spec["statements"]) * (spec["warmup"] + spec["passes"])
    spark = SparkSession.builder.appName("planflame bench").config("spark.sql.ui.retainedExecutions", runs + 1000).getOrCreate()
    for name, path in spec["tables"].items():
        spark.read.parquet(path).createOrReplaceTempView(name)
    for name, function in spec.get("functions", {}).items():
        spark.udf.registerJavaFunction(name, function)
    for statement in spec.get("setup", []):
        spark.sql(statement).collect()
    executions = Executions(spark)
    editions = spec.get("editions", {})
    order = random.Random(spec["seed"])
    with open(args.log, "w", encoding="utf-8") as log:
        for number in range(-spec["warmup"], spec["passes"]):
            statements = list(spec["statements"])
            order.shuffle(statements)
            for name, paths in editions.items():
                spark.read.parquet(paths[number % len(paths)]).createOrReplaceTempView(name)
            executions.skip()
            began = time.monotonic()
            for statement in statements:
                spark.sparkContext.setJobDescription(statement["id"])
                for key, value in statement.get("conf", {}).items():
                    spark.conf.set(key, value)
                start = time.monotonic()
                rows = spark.sql(statement["sql"])
                if statement.get("discard"):
                    rows.write.format("noop").mode("overwrite").save()
                else:
                    rows.collect()
                seconds = time.monotonic() - start
                for key in statement.get("conf", {}):
                    spark.conf.unset(key)
                print(json.dumps({"id": statement["id"], "pass": number, "execution": executions.new(), "seconds": seconds}), file=log, flush=True)
            print(f"pass {number}: {len(statements)} statements in {time.monotonic() - began:.1f} s", flush=True)
    spark.stop()


main()

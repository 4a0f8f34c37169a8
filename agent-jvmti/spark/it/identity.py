"""Runs TPC-H queries in several modes in one Spark session; the agent's double records every dictionary.

Arguments: folder of the data, folder of the same data at another path, folder of the query texts [, modes [, queries]]. Without the last
two: all queries plain and with other literals, the telling ones in the other modes. The job description is "MODE QUERY".
"""
import glob
import os
import re
import sys

from pyspark.sql import SparkSession

PLAIN = {
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.autoBroadcastJoinThreshold": "10485760",
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "true",
    "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "10GB",
}
MODES = {
    "base": {},
    "literals": {},
    "path": {},
    "no-aqe": {"spark.sql.adaptive.enabled": "false"},
    # Joins are planned as sort-merge joins, and AQE makes broadcast joins of them when it knows
    # sizes.
    "aqe-joins": {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold": "10485760"},
    "sort-merge": {"spark.sql.adaptive.enabled": "false", "spark.sql.autoBroadcastJoinThreshold": "-1"},
    "bloom": {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "0",
    },
}


def tables(folder):
    for path in glob.glob(os.path.join(folder, "*.parquet")):
        spark.read.parquet(path).createOrReplaceTempView(os.path.basename(path).split(".")[0])


# Two operators of a kind, correlated and scalar subqueries, a CTE used twice, self-joins, inputs
# found empty, no join at all.
TELLING = "q02,q03,q06,q15,q17,q20,q21,q22".split(",")
# Elsewhere all. Bloom filters are injected into these five, on 3.5 and 4.x alike.
QUERIES = {
    "path": "q03,q15,q20".split(","),
    "no-aqe": TELLING,
    "aqe-joins": "q03,q15,q20,q21,q22".split(","),
    "sort-merge": TELLING,
    "bloom": "q02,q03,q17,q20,q21".split(","),
}


def other_literal(match):
    kind, text = match.group(1) or "", match.group(2)
    if kind == "interval ":
        return match.group(0)
    if kind == "date ":
        year, month, _ = text.split("-")
        return "date '%d-%s-11'" % (int(year) - 1, month)
    if "%" in text:
        return "'%s'" % re.sub(r"([A-Za-z]+)", r"\1e", text)  # a pattern keeps its form
    return "'%s'" % (str(int(text) + 1) if text.isdigit() else text + " other")


def other_literals(sql):
    """Other strings, dates, numbers; the same query."""
    sql = re.sub(r"(date |interval )?'([^']*)'", other_literal, sql)
    return re.sub(r"([<>=] |between )(\d+)(?![\d.-])\b", lambda m: m.group(1) + str(int(m.group(2)) + 1), sql)


def run(modes, queries):
    for mode in modes:
        tables(other_path if mode == "path" else data)
        for key in {key for settings in MODES.values() for key in settings}:
            spark.conf.unset(key)
        for key, value in {**PLAIN, **MODES[mode]}.items():
            spark.conf.set(key, value)
        for query in queries or QUERIES.get(mode, ALL):
            with open(os.path.join(texts, query + ".sql"), encoding="utf-8") as file:
                sql = file.read()
            spark.sparkContext.setJobDescription(mode + " " + query)
            spark.sql(other_literals(sql) if mode == "literals" else sql).collect()
            print("%s %s" % (mode, query), flush=True)


data, other_path, texts = sys.argv[1:4]
ALL = sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(texts, "q*.sql")))
spark = SparkSession.builder.getOrCreate()
try:
    run(sys.argv[4].split(",") if len(sys.argv) > 4 else MODES, sys.argv[5].split(",") if len(sys.argv) > 5 else None)
finally:
    spark.stop()

"""Runs the 22 TPC-H queries in several modes in one Spark session; the agent's double records every dictionary.

Arguments: folder of the data, folder of the same data at another path, folder of the query texts. The job description is "MODE QUERY".
"""
import glob
import os
import re
import sys

from pyspark.sql import SparkSession

data, other_path, queries = sys.argv[1:4]
spark = SparkSession.builder.getOrCreate()

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
    "sort-merge": {"spark.sql.adaptive.enabled": "false", "spark.sql.autoBroadcastJoinThreshold": "-1"},
    "bloom": {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold": "0",
    },
}


def tables(folder):
    for path in glob.glob(os.path.join(folder, "*.parquet")):
        spark.read.parquet(path).createOrReplaceTempView(os.path.basename(path).split(".")[0])


def other_literals(sql):
    """Other strings, dates, numbers; the same query."""
    sql = re.sub(r"date '(\d{4})-(\d\d)-\d\d'", lambda m: "date '%d-%s-11'" % (int(m.group(1)) - 1, m.group(2)), sql)
    sql = re.sub(r"'(BUILDING|EUROPE|ASIA|GERMANY|FRANCE|BRAZIL|AMERICA|CANADA|SAUDI ARABIA|R|F)'", "'AFRICA'", sql)
    return re.sub(r"< 24$", "< 31", sql, flags=re.M)


for mode, settings in MODES.items():
    if len(sys.argv) > 4 and mode not in sys.argv[4].split(","):
        continue
    tables(other_path if mode == "path" else data)
    for key, value in {**PLAIN, **settings}.items():
        spark.conf.set(key, value)
    for path in sorted(glob.glob(os.path.join(queries, "q*.sql"))):
        if len(sys.argv) > 5 and os.path.basename(path)[:-4] not in sys.argv[5].split(","):
            continue
        sql = open(path).read()
        spark.sparkContext.setJobDescription(mode + " " + os.path.basename(path)[:-4])
        spark.sql(other_literals(sql) if mode == "literals" else sql).collect()
spark.stop()

#!/usr/bin/env python3
"""Runs one query again and again in one session, as a service does: spark-submit jobs/nightly.py --data DIR --text FILE --runs FILE --stop FILE.

DIR holds the tables of TPC-H. The query counts orders' first lines by the supplier's nation, but for those whose comment is like a text: the edit
distance of comment and text is most of its CPU, and grows with the text's length. FILE --text holds the number of letters that the text has; it is
read before each run, so that somebody can make the expression dearer, and cheaper again, under way. It is a literal: the query stays the same query.
After each run the file --runs gets a line: letters, and the Unix time of the run's end in seconds. The job ends when the file --stop is there.
"""
import argparse
import os
import time

from pyspark.sql import SparkSession

QUERY = """
SELECT s_nationkey, count(*) AS lines, sum(l_extendedprice) AS price
FROM lineitem JOIN supplier ON s_suppkey = l_suppkey
WHERE l_linenumber = 1 AND levenshtein(l_comment, '{text}') > 5
GROUP BY s_nationkey
"""
WORDS = "carefully final deposits detect slyly against the quickly ironic packages "


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of the tables")
    parser.add_argument("--text", required=True, help="file with the number of letters of the text")
    parser.add_argument("--runs", required=True, help="file that gets a line a run")
    parser.add_argument("--stop", required=True, help="file that ends the job")
    parser.add_argument("--pause", type=float, default=0, help="seconds between two runs")
    args = parser.parse_args()

    spark = SparkSession.builder.appName("nightly").getOrCreate()
    for table in ("lineitem", "supplier"):
        spark.read.parquet(os.path.join(args.data, f"{table}.parquet")).createOrReplaceTempView(table)
    spark.sparkContext.setJobDescription("nightly lines")
    with open(args.runs, "w", encoding="utf-8", buffering=1) as runs:
        while not os.path.exists(args.stop):
            with open(args.text, encoding="utf-8") as f:
                letters = int(f.read())
            text = (WORDS * (1 + letters // len(WORDS)))[:letters]
            if not spark.sql(QUERY.format(text=text)).collect():
                raise SystemExit("the query has no rows")
            runs.write(f"{letters} {time.time():.3f}\n")
            time.sleep(args.pause)
    spark.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs one query again and again in one session, when it is told to: spark-submit test/jobs/nightly.py --data DIR --order FILE --runs FILE --stop FILE.

DIR holds the tables of TPC-H. The query counts orders' first lines by the supplier's nation, but for those whose comment is like a text: the edit
distance of comment and text is much of its CPU, and grows with the text. The text is a literal, so that the query stays the same query.
FILE --order holds two numbers: letters of the text, and how often the query is to run with it. When the file changes, its order is carried out, after
the run that is under way. After each run the file --runs gets a line: letters, and the Unix time of its end in seconds. The job ends when the
file --stop is there.
"""
import argparse
import os
import time

from pyspark.sql import SparkSession

QUERY = """
SELECT s_nationkey, count(*) AS lines, sum(l_extendedprice) AS price
FROM lineitem JOIN supplier ON s_suppkey = l_suppkey
WHERE l_linenumber = 1 AND levenshtein(l_comment, '{text}') > 2
GROUP BY s_nationkey
"""
WORDS = "carefully final deposits detect slyly against the quickly ironic packages "


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of the tables")
    parser.add_argument("--order", required=True, help="file that says what to run")
    parser.add_argument("--runs", required=True, help="file that gets a line a run")
    parser.add_argument("--stop", required=True, help="file that ends the job")
    args = parser.parse_args()

    spark = SparkSession.builder.appName("nightly").getOrCreate()
    for table in ("lineitem", "supplier"):
        spark.read.parquet(os.path.join(args.data, f"{table}.parquet")).createOrReplaceTempView(table)
    spark.sparkContext.setJobDescription("nightly lines")
    order, letters, left = "", 0, 0
    with open(args.runs, "w", encoding="utf-8", buffering=1) as runs:
        while not os.path.exists(args.stop):
            with open(args.order, encoding="utf-8") as f:
                now = f.read()
            if now != order:
                order = now
                letters, left = (int(n) for n in now.split())
            if left == 0:
                time.sleep(0.1)
                continue
            left -= 1
            text = (WORDS * (1 + letters // len(WORDS)))[:letters]
            if not spark.sql(QUERY.format(text=text)).collect():
                raise SystemExit("the query has no rows")
            runs.write(f"{letters} {time.time():.3f}\n")
    spark.stop()


if __name__ == "__main__":
    main()

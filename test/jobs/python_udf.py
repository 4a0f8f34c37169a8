#!/usr/bin/env python3
"""Burns CPU in Python workers, which account for themselves: spark-submit test/jobs/python_udf.py --report DIR [--shape SHAPE,…] [--rows N] [--work N].

  one         a UDF in one stage
  two         a UDF on either side of an exchange, the first with twice the work
  pair        two UDFs in one stage, in a plan node each
  rdd         a function of an RDD, without any SQL
  made        a DataFrame made of such an RDD
  arrow       mapInArrow
  arrowudf    a UDF over Arrow
  mapped      mapInPandas
  vector      a pandas UDF
  grouped     applyInPandas
  joined      two applyInPandas, joined: their stages run at once
  cogrouped   cogroup().applyInPandas
  aggregated  a pandas UDF that aggregates groups
  windowed    the same over a window
  table       a Python UDTF
  source      a Python data source (Spark 4)
  sink        a Python data sink (Spark 4)

One session runs all shapes, in order, each with the job description "python SHAPE". From arrow on they need pandas and pyarrow.

Every worker writes DIR/PID.FUNCTION, JSON, whole, fifty times a second: its own CPU by getrusage, and the CPU within the function by its
process clock. At the end DIR/workers.json has the CPU of all workers by shape, as the kernel's clocks of their processes say.
"""
import argparse
import json
import os
import resource
import threading
import time

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType


class Workers:
    """The CPU of this session's Python workers, by the clocks of their processes; those that end are read every 0.1 s."""

    def __init__(self):
        self.seconds, self.lock = {}, threading.Lock()

    def watch(self):
        while True:
            time.sleep(0.1)
            self.total()

    def total(self):
        with self.lock:
            parents = {}
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                        parents[int(pid)] = int(f.read().rpartition(")")[2].split()[1])
                except OSError:
                    continue
            for pid, parent in parents.items():
                # Spark's JVM is the parent of this program and of the daemons that fork workers.
                if parents.get(parent) == os.getppid() and parent != os.getpid():
                    try:
                        self.seconds[pid] = max(self.seconds.get(pid, 0), time.clock_gettime((~pid << 3) | 2))  # CPUCLOCK_SCHED of a process
                    except OSError:
                        continue
            return sum(self.seconds.values())


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
        # A worker that is used again gets the function again, so what it had is in its file.
        # Cloudpickle gives each function globals of its own.
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


def made(spark, args):
    f = burner(args, "made")
    numbers = spark.sparkContext.range(0, args.rows, numSlices=4).map(lambda v: (f(v),))
    return spark.createDataFrame(numbers, "x long").agg(F.sum("x")).collect()


def arrow(spark, args):
    import pyarrow as pa

    f = burner(args, "batches")

    def batches(iterator):
        for batch in iterator:
            yield pa.RecordBatch.from_pydict({"x": [f(v) for v in batch.column(0).to_pylist()]})

    return spark.range(args.rows).mapInArrow(batches, "x long").agg(F.sum("x")).collect()


def arrowudf(spark, args):
    f = burner(args, "arrowed")

    def arrowed(value):
        return f(value)

    return spark.range(args.rows).select(F.udf(arrowed, LongType(), useArrow=True)("id").alias("x")).agg(F.sum("x")).collect()


def mapped(spark, args):
    f = burner(args, "frames")

    def frames(iterator):
        for frame in iterator:
            yield frame.assign(id=frame["id"].map(f))

    return spark.range(args.rows).mapInPandas(frames, "id long").agg(F.sum("id")).collect()


def vector(spark, args):
    f = burner(args, "vectors")
    return spark.range(args.rows).select(F.pandas_udf(lambda s: s.map(f), LongType())("id").alias("x")).agg(F.sum("x")).collect()


def keyed(spark, args):
    return spark.range(args.rows).withColumn("k", F.col("id") % 8)


def in_groups(args, name):
    f = burner(args, name)

    def group(frame):
        return frame.assign(id=frame["id"].map(f))

    group.__name__ = name
    return group


def grouped(spark, args):
    return keyed(spark, args).groupBy("k").applyInPandas(in_groups(args, "groups"), "id long, k long").agg(F.sum("id")).collect()


def joined(spark, args):
    sides = [keyed(spark, args).groupBy("k").applyInPandas(in_groups(args, name), "id long, k long") for name in ("left", "right")]
    return sides[0].join(sides[1].hint("shuffle_hash"), "k").agg(F.count("*")).collect()


def cogrouped(spark, args):
    f, all_groups = burner(args, "cogroups"), keyed(spark, args).groupBy("k")

    def cogroups(a, b):
        return a.assign(id=a["id"].map(f))[["id"]]

    return all_groups.cogroup(keyed(spark, args).limit(100).groupBy("k")).applyInPandas(cogroups, "id long").agg(F.sum("id")).collect()


def in_total(args, name):
    f = burner(args, name)
    return F.pandas_udf(lambda s: int(s.map(f).sum() & 0xFFFF), LongType(), F.PandasUDFType.GROUPED_AGG)


def aggregated(spark, args):
    return keyed(spark, args).groupBy("k").agg(in_total(args, "totals")("id").alias("x")).agg(F.sum("x")).collect()


def windowed(spark, args):
    from pyspark.sql import Window

    over = in_total(args, "windows")("id").over(Window.partitionBy("k"))
    return keyed(spark, args).select(over.alias("x")).agg(F.sum("x")).collect()


def table(spark, args):
    f = burner(args, "rows")

    class Rows:
        def eval(self, n: int):
            yield (f(n),)

    spark.udtf.register("rows_of", F.udtf(Rows, returnType="x: bigint"))
    spark.range(args.rows).createOrReplaceTempView("numbers")
    return spark.sql("SELECT sum(x) FROM numbers, LATERAL rows_of(id)").collect()


def source(spark, args):
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

    f, rows = burner(args, "reads"), args.rows

    class Reader(DataSourceReader):
        def partitions(self):
            return [InputPartition(i) for i in range(4)]

        def read(self, partition):
            for i in range(rows // 4):
                yield (f(i),)

    class Burned(DataSource):
        @classmethod
        def name(cls):
            return "burned"

        def schema(self):
            return "x bigint"

        def reader(self, schema):
            return Reader()

    spark.dataSource.register(Burned)
    return spark.read.format("burned").load().agg(F.sum("x")).collect()


def sink(spark, args):
    from pyspark.sql.datasource import DataSource, DataSourceWriter, WriterCommitMessage

    f = burner(args, "writes")

    class Writer(DataSourceWriter):
        def write(self, iterator):
            for row in iterator:
                f(row[0])
            return WriterCommitMessage()

    class Burning(DataSource):
        @classmethod
        def name(cls):
            return "burning"

        def writer(self, schema, overwrite):
            return Writer()

    spark.dataSource.register(Burning)
    spark.range(args.rows).write.format("burning").mode("append").save()


SHAPES = (one, two, pair, rdd, made, arrow, arrowudf, mapped, vector, grouped, joined, cogrouped, aggregated, windowed, table, source, sink)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", required=True, help="folder of the workers' own accounts; there already")
    parser.add_argument("--shape", default="one", help="of " + ", ".join(f.__name__ for f in SHAPES))
    parser.add_argument("--events", help="folder of Spark's event log")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--work", type=int, default=2_000, help="steps of a function's loop for a row")
    args = parser.parse_args()
    if not os.path.isdir(args.report):
        parser.error(f"--report {args.report}: no folder")
    if args.rows < 1 or args.work < 1:
        parser.error("--rows and --work: at least 1")
    shapes = args.shape.split(",")
    unknown = set(shapes) - {f.__name__ for f in SHAPES}
    if unknown:
        parser.error(f"--shape {', '.join(sorted(unknown))}: no such shape")
    builder = SparkSession.builder.appName("python")
    if args.events:
        builder = builder.config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", f"file://{args.events}")
        builder = builder.config("spark.eventLog.compress", "false").config("spark.eventLog.rolling.enabled", "false")
    spark = builder.getOrCreate()
    workers, by_shape = Workers(), {}
    threading.Thread(target=workers.watch, daemon=True).start()
    for shape in shapes:
        spark.sparkContext.setJobDescription(f"python {shape}")
        start, before = time.monotonic(), workers.total()
        globals()[shape](spark, args)
        by_shape[shape] = workers.total() - before
        print(f"{shape}: {args.rows} rows in {time.monotonic() - start:.2f} s, {by_shape[shape]:.2f} s of CPU", flush=True)
    with open(os.path.join(args.report, "workers.json"), "w", encoding="utf-8") as f:
        json.dump(by_shape, f)
    spark.stop()


if __name__ == "__main__":
    main()

"""Jobs whose operators, stages and lines have names that test/e2e/names_test.go knows; the lines that it names end in a comment of their own.

Arguments: an empty folder. With spark-submit or planflame run.
"""
import sys
from operator import add

from pyspark.sql import SparkSession, Window, functions as F

out = sys.argv[1]
spark = SparkSession.builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
sc = spark.sparkContext

base = spark.range(2000).select("id", (F.col("id") % 40).alias("sku"), (F.col("id") % 7).alias("day"), F.col("id").cast("string").alias("note"))
base.write.mode("overwrite").option("header", True).csv(out + "/raw")
base.select(F.col("sku").alias("key"), "note").distinct().write.mode("overwrite").parquet(out + "/items")

raw = spark.read.option("header", True).option("inferSchema", True).csv(out + "/raw")
clean = raw.filter(F.col("id") > 3).withColumn("amount", F.col("id") * 2)  # clean
clean.select("sku", "amount", "day").write.mode("overwrite").partitionBy("day").parquet(out + "/2026-11-24")

sales, items = spark.read.parquet(out + "/2026-11-24"), spark.read.parquet(out + "/items")
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", -1)
joined = sales.join(items, sales.sku == items["key"], "left")  # join
joined.groupBy("note").agg(F.sum("amount").alias("total")).collect()  # collect

a, b = items.alias("a"), items.alias("b")
a.join(b, F.col("a.key") == F.col("b.key")).select("a.note", "b.key").collect()

ranked = sales.withColumn("place", F.row_number().over(Window.partitionBy("day").orderBy("amount")))
ranked.filter(F.col("place") < 4).union(ranked.filter(F.col("place") > 200)).select("sku", "place").collect()

pairs = sc.parallelize(range(1000), 2).map(lambda x: (x % 10, x))
pairs.reduceByKey(add).collect()  # rdd

# An ETL as people write them: strings, functions and SQL beside Column methods.
items.filter("key > 2").collect()  # string
sales.where("day > 2 and sku < 30").select("sku", F.expr("amount * 3 as tripled")).write.mode("overwrite").json(out + "/tripled")  # write
sales.join(items.withColumnRenamed("key", "sku"), "sku").groupBy("note").count().show(3)  # using
sales.selectExpr("amount + 1 as next", "day").write.mode("overwrite").parquet(out + "/next")  # selectExpr
items.withColumn("part", F.explode(F.split("note", "1"))).groupBy("part").agg(F.count("*"), F.max("key")).collect()  # explode
sales.withColumn("size", F.when(F.col("amount") > 100, "big").otherwise("small")).groupBy("size").agg(F.avg("amount")).collect()  # when
twice = F.udf(lambda x: x * 2, "long")
sales.filter("day = 1").withColumn("twice", twice("amount")).agg(F.sum("twice")).collect()  # udf
sales.orderBy("amount", "day").limit(10).collect()  # topk
sales.dropDuplicates(["sku", "day"]).sort(F.desc("sku")).count()  # distinct
own = sales.selectExpr("sku", "amount % 5 as rest")  # own
own.alias("l").join(own.alias("r"), F.expr("l.sku = r.sku and l.rest < r.rest")).count()  # self
sales.createOrReplaceTempView("sales")
spark.sql("""
  select day, count(*) as n, sum(amount * 2) as total
  from sales where sku > 3 group by day having count(*) > 1 order by total""").collect()  # sql
sales.toPandas()  # pandas

# Operators with parts: long enough for samples of each.
for hint in "shuffle_hash", "merge":
    spark.sql(f"""
      select /*+ {hint}(b) */ pmod(a.id, 300000) as hash, sum(b.id) as total
      from range(3000000) a join range(2000000) b on a.id = b.id group by pmod(a.id, 300000)""").write.format("noop").mode("overwrite").save()
spark.stop()

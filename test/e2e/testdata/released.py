from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.master("local[2]").appName("released").getOrCreate()
t = spark.range(30_000_000).select((F.col("id") % 1000).alias("k"), F.sqrt("id").alias("x"))
rows = t.groupBy("k").agg(F.sum("x").alias("s")).orderBy(F.desc("s")).limit(5).collect()
assert len(rows) == 5 and rows[0].k == 999, rows
print("job done")
spark.stop()

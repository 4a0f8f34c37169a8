"""Captures plans, stages and generated source of small queries from a real Spark; README.md says how it is run.

For each case a folder OUT/CASE is written:
  plan-<execution>-<update>.json   a plan dictionary as drawn in agent-jvmti/FORMAT.md (identity fields are left out)
  stages.json                      [{"stage", "attempt", "execution", "accumulators": [id, ...]}, ...]
  <n>-<class>.java                 CodeAndComment.body, the text that Janino compiled, straight from Spark's codegen cache
  <n>-<class>.comments.json        CodeAndComment.comment: placeholder -> text
With STACKS=1 in the environment also
  stacks.txt                       different stacks of task threads, as jstack showed them while the case ran
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

from pyspark.sql import SparkSession

CASES = {}
DATA, OUT, ONLY = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3:]


def case(name, **conf):
    def register(run):
        CASES[name] = (run, {k.replace("__", "."): v for k, v in conf.items()})
        return run
    return register


def sql(text, times=1):
    def run(spark):
        for _ in range(times):
            spark.sql(text).write.format("noop").mode("overwrite").save()
    return run


case("q6")(sql("""select sum(l_extendedprice * l_discount) as revenue from lineitem
  where l_shipdate >= date '1994-01-01' and l_shipdate < date '1995-01-01' and l_discount between 0.05 and 0.07 and l_quantity < 24"""))
case("two-of-a-kind")(sql("""select c_name, n_name, o_totalprice from orders join customer on o_custkey = c_custkey
  join nation on c_nationkey = n_nationkey where o_totalprice > 1000 and o_totalprice > c_acctbal * 2"""))
case("udf-in-sort")(sql("""select u from (select slow(l_comment) as u from lineitem where l_quantity < 10) sort by u"""))
case("grouping-expression")(sql("""select sha2(l_comment, 512) as h, count(*) as n from lineitem group by sha2(l_comment, 512)"""))
case("subqueries")(sql("""select count(*) from lineitem where l_quantity > (select avg(l_quantity) from lineitem where l_tax > 0.01)
  and l_extendedprice > (select avg(ps_supplycost) from partsupp where ps_availqty > 10)"""))
case("shared-class")(lambda spark: (sql("select sum(l_quantity) from lineitem where l_tax > 0.01")(spark),
                                    sql("select sum(l_quantity) from lineitem2 where l_tax > 0.01")(spark)))
case("split-methods")(sql("select l_returnflag, " + ", ".join(
    f"sum(l_extendedprice * {i}) as s{i}, avg(l_discount + {i}) as a{i}" for i in range(1, 9)) +
    " from lineitem group by l_returnflag"))
case("aqe-replan", spark__sql__autoBroadcastJoinThreshold="-1", spark__sql__adaptive__autoBroadcastJoinThreshold="1048576")(sql(
    """select o_orderpriority, sum(l_quantity) as q from lineitem join orders on l_orderkey = o_orderkey
    where o_totalprice > 400000 group by o_orderpriority"""))
case("sort-merge-join", spark__sql__autoBroadcastJoinThreshold="-1", spark__sql__adaptive__enabled="false")(sql(
    """select o_orderpriority, l_shipmode, l_tax + o_totalprice as x from lineitem join orders on l_orderkey = o_orderkey
    where l_quantity < o_totalprice"""))
case("codegen-off", spark__sql__codegen__wholeStage="false")(sql("""select l_returnflag, sum(l_quantity) as q from lineitem
    where l_tax > 0.01 group by l_returnflag order by q"""))
case("wide-300")(sql("select " + ", ".join(f"l_linenumber + {i} as c{i}" for i in range(300)) + " from lineitem where l_linenumber > 1"))
case("wide-300-fused", spark__sql__codegen__maxFields="1000")(sql(
    "select " + ", ".join(f"l_linenumber + {i} as c{i}" for i in range(300)) + " from lineitem where l_linenumber > 1"))
case("window")(sql("""select l_orderkey, rank() over (partition by l_suppkey order by l_tax) as r from lineitem where l_quantity < 3"""))
case("generate-distinct")(sql("""select distinct w from (select explode(split(l_comment, ' ')) as w from lineitem) where length(w) > 3"""))
case("limit-range")(sql("""select /*+ BROADCAST(b) */ a.id + 1 as x from range(0, 100000, 1, 2) a join range(50) b on a.id % 50 = b.id where a.id % 3 = 1 limit 1000"""))
case("object-aggregate")(sql("select l_suppkey, collect_set(l_partkey) as c, percentile_approx(l_quantity, 0.5) as p from lineitem group by l_suppkey"))
case("union")(sql("""select k, sum(v) as s from (select l_suppkey as k, l_tax as v from lineitem where l_tax > 0.02
    union all select o_custkey as k, o_totalprice as v from orders where o_totalprice > 1000) group by k"""))
case("two-aggregates")(sql("select m, count(*) as n from (select id % 10 as k, max(id) as m from range(0, 1000, 1, 1) group by id % 10) group by m"))
case("shuffled-hash-join", spark__sql__autoBroadcastJoinThreshold="-1")(sql("""select /*+ SHUFFLE_HASH(o) */ o_orderpriority, l_tax from lineitem
    left join orders o on l_orderkey = o_orderkey where l_tax > 0.01"""))


def udf_jar(folder):
    """Compiles the Java UDF `slow` of the case udf-in-sort."""
    source = os.path.join(folder, "Slow.java")
    with open(source, "w") as f:
        f.write("""public class Slow implements org.apache.spark.sql.api.java.UDF1<String, Long> {
  public Long call(String s) { long h = 7; for (int i = 0; i < 20; i++) for (int k = 0; k < s.length(); k++) h = h * 31 + s.charAt(k); return h; } }
""")
    import pyspark
    jars = os.path.join(os.path.dirname(pyspark.__file__), "jars", "*")
    subprocess.run(["javac", "-cp", jars, "-d", folder, source], check=True)
    subprocess.run(["jar", "cf", os.path.join(folder, "slow.jar"), "-C", folder, "Slow.class"], check=True)
    return os.path.join(folder, "slow.jar")


def cached_sources(jvm):
    """[(class, body, {placeholder: text})] of Spark's codegen cache; empties the cache."""
    generator = jvm.java.lang.Class.forName("org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator$")
    module = generator.getField("MODULE$").get(None)
    field = next(f for f in generator.getDeclaredFields() if f.getName().split("$")[-1] == "cache")
    field.setAccessible(True)
    cache = field.get(module)
    guava = cache.getClass().getSuperclass().getDeclaredFields()
    for f in list(cache.getClass().getDeclaredFields()) + list(guava):
        if f.getName() == "cache":
            f.setAccessible(True)
            cache = f.get(cache)
            break
    out = []
    for key in list(cache.asMap().keySet().toArray()):
        code = key.productElement(key.productArity() - 1)
        comments, it = {}, code.comment().iterator()
        while it.hasNext():
            pair = it.next()
            comments[pair._1()] = pair._2()
        body = code.body()
        name = re.search(r"(?:final )?class (\w+) extends", body)
        out.append((name.group(1), body, comments))
    cache.invalidateAll()
    return out


def node_classes(plan, found):
    """Adds nodeName -> class of a physical plan, its AQE stages and its subqueries."""
    found[plan.nodeName()] = plan.getClass().getName()
    kind = plan.getClass().getSimpleName()
    inner = [plan.executedPlan()] if kind == "AdaptiveSparkPlanExec" else [plan.plan()] if kind.endswith("QueryStageExec") else []
    for group in (plan.children(), plan.subqueries()):
        inner += [group.apply(i) for i in range(group.size())]
    for child in inner:
        node_classes(child, found)


def flatten(info, classes, nodes, parent=-1, codegen=-1):
    """A SparkPlanInfo of the event log as the dictionary's node list."""
    name, index = info["nodeName"], len(nodes)
    whole = re.fullmatch(r"WholeStageCodegen \((\d+)\)", name)
    node = {"parent": parent, "class": classes.get(name, ""), "name": name, "text": info["simpleString"], "codegen": -1,
            "subquery": name in ("Subquery", "SubqueryBroadcast", "SubqueryAdaptiveBroadcast"),
            "metrics": [{"id": m["accumulatorId"], "name": m["name"], "type": m["metricType"]} for m in info.get("metrics", [])]}
    nodes.append(node)
    if whole:
        node["codegen_stage_id"], codegen = int(whole.group(1)), index
    elif name == "InputAdapter" or node["subquery"]:
        codegen = -1
    elif codegen >= 0:
        node["codegen"] = codegen
    for child in info.get("children", []):
        flatten(child, classes, nodes, index, codegen)
    return nodes


def events(tmp):
    for path in sorted(glob.glob(os.path.join(tmp, "local-*")) + glob.glob(os.path.join(tmp, "eventlog*", "events*"))):
        with open(path) as f:
            for line in f:
                yield json.loads(line)


def write(path, text):
    """Writes a fixture; the folder of the data becomes /data."""
    with open(path, "w") as f:
        f.write(text.replace(DATA, "/data"))


def dump(path, value):
    write(path, json.dumps(value, indent=1))


def capture(name, run, conf):
    import pyspark
    out = os.path.join(OUT, name)
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as tmp:
        builder = (SparkSession.builder.master("local[1]").appName(name).config("spark.ui.enabled", "false")
                   .config("spark.sql.codegen.comments", "true").config("spark.eventLog.enabled", "true")
                   .config("spark.eventLog.dir", "file://" + tmp).config("spark.eventLog.compress", "false")
                   .config("spark.sql.shuffle.partitions", "2").config("spark.sql.maxPlanStringLength", "2147483632")
                   .config("spark.sql.debug.maxToStringFields", "2000").config("spark.jars", udf_jar(tmp))
                   .config("spark.sql.warehouse.dir", tmp)
                   .config("spark.driver.extraJavaOptions", "-Dorg.codehaus.janino.source_debugging.enable=true"))
        for key, value in conf.items():
            builder = builder.config(key, value)
        spark = builder.getOrCreate()
        for path in sorted(glob.glob(os.path.join(DATA, "*.parquet"))):
            table = os.path.basename(path).split(".")[0]
            spark.read.parquet(path).createOrReplaceTempView(table)
            if table == "lineitem":
                spark.read.parquet(path).createOrReplaceTempView("lineitem2")
        jvm = spark.sparkContext._jvm
        spark.udf.registerJavaFunction("slow", "Slow", "long")
        cached_sources(jvm)
        classes = {}
        # The physical classes come from a listener of executed plans; SparkPlanInfo has names only.
        recorder = Recorder(classes)
        from pyspark.java_gateway import ensure_callback_server_started
        ensure_callback_server_started(spark.sparkContext._gateway)
        spark._jsparkSession.listenerManager().register(recorder)
        dumper = Dumper(jvm.java.lang.ProcessHandle.current().pid()) if os.environ.get("STACKS") else None
        if dumper:
            dumper.start()
        run(spark)
        if dumper:
            write(os.path.join(out, "stacks.txt"), dumper.stop())
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        # In local mode the driver and the executor each compile in a loader of their own: equal
        # texts are written once.
        sources = {body: (cls, body, comments) for cls, body, comments in cached_sources(jvm)}
        for i, (cls, body, comments) in enumerate(sorted(sources.values(), key=lambda s: s[:2])):
            write(os.path.join(out, f"{i}-{cls}.java"), body)
            dump(os.path.join(out, f"{i}-{cls}.comments.json"), dict(sorted(comments.items())))
        spark.stop()
        plans, stages, execution_of = {}, [], {}
        for event in events(tmp):
            kind = event["Event"].split(".")[-1]
            if kind in ("SparkListenerSQLExecutionStart", "SparkListenerSQLAdaptiveExecutionUpdate"):
                plans.setdefault(event["executionId"], []).append(event["sparkPlanInfo"])
            elif kind == "SparkListenerJobStart":
                props = event.get("Properties") or {}
                for stage in event["Stage IDs"]:
                    execution_of[stage] = int(props.get("spark.sql.execution.id", -1))
            elif kind == "SparkListenerStageCompleted":
                s = event["Stage Info"]
                stages.append({"stage": s["Stage ID"], "attempt": s["Stage Attempt ID"], "execution": execution_of[s["Stage ID"]],
                               "accumulators": sorted(a["ID"] for a in s["Accumulables"] if a.get("Metadata") == "sql")})
        stages = [s for s in stages if s["accumulators"] and s["execution"] in plans]  # reading parquet schemas runs stages too
        for execution, updates in plans.items():
            if execution not in {s["execution"] for s in stages}:
                continue
            for update, info in enumerate(updates):
                doc = {"version": 1, "execution_id": execution, "update": update, "nodes": flatten(info, classes, [])}
                dump(os.path.join(out, f"plan-{execution}-{update}.json"), doc)
        dump(os.path.join(out, "stages.json"), stages)
    print(name, pyspark.__version__, len(plans), "executions", len(stages), "stages")


class Dumper(threading.Thread):
    """Dumps the stacks of running task threads until it is stopped; at safepoints only, so shares mean nothing."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self.stopped, self.stacks = pid, threading.Event(), {}

    def run(self):
        while not self.stopped.wait(0.05):
            dump = subprocess.run(["jstack", str(self.pid)], capture_output=True, text=True).stdout
            for block in dump.split("\n\n"):
                stage = re.search(r"in stage (\d+)\.\d+ \(TID", block.split("\n")[0])
                if stage and "State: RUNNABLE" in block:
                    frames = [line.strip()[3:] for line in block.split("\n") if line.strip().startswith("at ")]
                    self.stacks.setdefault((int(stage.group(1)), tuple(frames)), None)

    def stop(self):
        self.stopped.set()
        self.join()
        return "".join(f"stack {stage}\n" + "\n".join(frames) + "\n\n" for stage, frames in self.stacks)


class Recorder:
    """A QueryExecutionListener that notes the class of every node name."""

    def __init__(self, classes):
        self.classes = classes

    def onSuccess(self, _func, query, _nanos):
        node_classes(query.executedPlan(), self.classes)

    def onFailure(self, _func, _query, exception):
        raise RuntimeError(exception.toString())

    class Java:
        implements = ["org.apache.spark.sql.util.QueryExecutionListener"]


for case_name, (case_run, case_conf) in CASES.items():
    if not ONLY or case_name in ONLY:
        capture(case_name, case_run, case_conf)

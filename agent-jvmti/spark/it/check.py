"""Checks what identity.py recorded: check.py RECORD [RECORD of another Spark version …].

The plain mode of the first record is what all others are compared with: the 22 queries have 22 names; every mode and every Spark version
gives a query the same name and its operators the same names, and a scan's name always means the same columns. What Spark adds or leaves
out by its own choice is counted apart: exchanges, broadcasts, sorts; what works for a bloom filter; an input that AQE found empty; a twin
that is not planned because its exchange is another's too. A mode whose effect is not to be seen in its plans proves nothing and fails.
Prints what moved and exits with 1 when anything did.
"""
import collections
import json
import re
import sys

PLAIN = "base"
QUERIES = 22
# Spark adds these as a plan needs them, named after whom they serve (a sort may be for an aggregate
# or a join).
BY_SPARK = {"exchange", "broadcast", "sort", "columnar-to-row"}
FOR_BLOOM = "for a bloom filter"
IN_BLOOM = "in a bloom filter"
TWIN = re.compile(r"~\d+$")


class Run:
    """One query in one mode: names, and what its plans look like."""

    def __init__(self):
        self.names, self.plans, self.classes = set(), set(), set()
        self.operators, self.by_spark, self.for_bloom = {}, {}, {}  # name → name for people
        self.columns = {}  # a scan's name → the column lists it was seen with
        self.filters, self.files, self.bloom_only = set(), set(), set()

    def add(self, plan):
        self.names.add(plan["query"])
        self.plans.add(plan["plan"])
        for node in plan["nodes"]:
            self.add_node(node, node["class"].rsplit(".", 1)[-1])

    def add_node(self, node, simple_class):
        self.classes.add(simple_class)
        operator, shown, text = node["operator"], node["operator_name"], re.sub(r"#\d+L?", "", node["text"])
        if node["role"] == "filter":
            self.filters.add(text)
        if node["role"] == "scan":
            self.files.update(re.findall(r"file:[^,\]\s]*", text))
            self.columns.setdefault(operator, set()).update(re.findall(r"^FileScan \S+ (\[.*?\])", text))
        if not operator:
            return
        if node["role"] == "filter" and shown.endswith(IN_BLOOM):
            self.bloom_only.add(operator)  # a filter where there was none, unless the plain mode has one that only drops nulls
        if FOR_BLOOM in shown:
            self.for_bloom[operator] = shown
        elif node["role"] in BY_SPARK or simple_class == "LocalTableScanExec":
            self.by_spark[operator] = shown
        else:
            self.operators[operator] = shown


def load(path):
    """:: (mode, query) → Run"""
    runs = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("dictionary "):
            plan = json.loads(line.rstrip("\n").split(" ", 3)[3])
            words = plan["description"].split(" ")
            if len(words) == 2 and re.fullmatch(r"q\d\d", words[1]):
                runs.setdefault((words[0], words[1]), Run()).add(plan)
    return runs


# What must be seen in a mode's plans, query by query.
SEEN = {
    "base": lambda run, base: "AdaptiveSparkPlanExec" in run.classes,
    "literals": lambda run, base: run.filters - base.filters and base.filters - run.filters,
    "path": lambda run, base: run.files and not run.files & base.files,
    "no-aqe": lambda run, base: "AdaptiveSparkPlanExec" not in run.classes,
    "aqe-joins": lambda run, base: {"SortMergeJoinExec", "BroadcastHashJoinExec"} <= run.classes and "SortMergeJoinExec" not in base.classes,
    "sort-merge": lambda run, base: "BroadcastHashJoinExec" not in run.classes and "ShuffledHashJoinExec" not in run.classes,
    "bloom": lambda run, base: run.for_bloom,
}


class Check:
    def __init__(self, base):
        self.base = base
        self.counts = collections.Counter()
        self.failures = []

    def compare(self, where, query, run):
        base = self.base[query]
        if run.names != base.names:
            self.failures.append("%s %s is %s, in the plain mode %s" % (where, query, sorted(run.names), sorted(base.names)))
        gone = base.operators.keys() - run.operators.keys()
        reused = {name for name in gone if "ReusedExchangeExec" in run.classes and TWIN.search(name) and TWIN.sub("", name) in run.operators}
        for name in sorted(gone - reused):
            self.failures.append("%s %s lost %s %s" % (where, query, name, base.operators[name]))
        new = run.operators.keys() - base.operators.keys()
        for name in sorted(new - run.bloom_only):
            self.failures.append("%s %s has a new %s %s" % (where, query, name, run.operators[name]))
        for name in sorted(run.columns.keys() & base.columns.keys()):
            if run.columns[name] != base.columns[name]:
                self.failures.append("%s %s: %s reads %s, in the plain mode %s" % (where, query, name, run.columns[name], base.columns[name]))
        return collections.Counter(
            operators=len(base.operators) - len(reused), kept=len(base.operators) - len(gone), reused=len(reused),
            by_spark=len(run.by_spark.keys() ^ base.by_spark.keys()), bloom=len(run.for_bloom) + len(new & run.bloom_only),
            same_plan=run.plans == base.plans)

    def mode(self, path, mode, runs):
        counts, seen = collections.Counter(), 0
        for query, run in sorted(runs.items()):
            counts += self.compare("%s: %s" % (path, mode), query, run)
            seen += bool(SEEN[mode](run, self.base[query]))
        if seen < len(runs):
            self.failures.append("%s: %s shows its effect in %d of %d queries only" % (path, mode, seen, len(runs)))
        print("%s %-10s %2d queries (effect seen in %2d, same `plan` in %2d): %d of %d operators kept; apart: %d reused, %d exchanges and sorts, %d of bloom filters"
              % (path, mode, len(runs), seen, counts["same_plan"], counts["kept"], counts["operators"], counts["reused"], counts["by_spark"], counts["bloom"]))
        self.counts += counts


def main(paths):
    records = {path: load(path) for path in paths}
    base = {query: run for (mode, query), run in records[paths[0]].items() if mode == PLAIN}
    names = {name for run in base.values() for name in run.names}
    check = Check(base)
    if len(base) != QUERIES or len(names) != QUERIES:
        check.failures.append("%s: %d queries with %d names, want %d of both" % (paths[0], len(base), len(names), QUERIES))
    modes = sorted({mode for runs in records.values() for mode, _ in runs})
    for path, runs in records.items():
        for mode in modes:
            of_mode = {query: run for (m, query), run in runs.items() if m == mode and query in base}
            want = {query for other in records.values() for m, query in other if m == mode}
            if of_mode.keys() != want:
                check.failures.append("%s: %s was not recorded for %s" % (path, mode, sorted(want - of_mode.keys())))
            check.mode(path, mode, of_mode)
    for failure in check.failures:
        print("FAIL", failure)
    counts = check.counts
    print("apart, by Spark's choice in one plan only: %d exchanges, broadcasts and sorts; %d operators of bloom filters; %d twins that are reused"
          % (counts["by_spark"], counts["bloom"], counts["reused"]))
    print("%d queries, %d names, %d of %d operators kept (%d modes, %d Sparks)"
          % (len(base), len(names), counts["kept"], counts["operators"], len(modes), len(records)))
    return 1 if check.failures else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))

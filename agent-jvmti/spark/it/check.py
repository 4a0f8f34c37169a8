"""Checks what identity.py recorded: check.py RECORD [RECORD of another Spark version …].

22 queries have 22 names; every mode and every Spark version gives a query the same name and its operators the same names. Prints what
was kept and exits with 1 when a query's name moved or operators' names moved by more than the stated share.
"""
import json
import sys

MODES_THAT_ADD = {"bloom", "sort-merge"}  # operators may come, none may go
ADDED_BY_SPARK = {"exchange", "broadcast", "sort", "columnar-to-row"}  # named after whom they serve; not there in every mode
MAX_LOST = 0.02


def load(path):
    runs = {}
    for line in open(path, encoding="utf-8"):
        if not line.startswith("dictionary "):
            continue
        plan = json.loads(line.rstrip("\n").split(" ", 3)[3])
        words = plan["description"].split(" ")
        if len(words) != 2 or not words[1].startswith("q"):
            continue
        run = runs.setdefault((words[0], words[1]), {"query": set(), "plan": set(), "operators": {}})
        run["query"].add(plan["query"])
        run["plan"].add(plan["plan"])
        for node in plan["nodes"]:
            if node["operator"] and node["role"] not in ADDED_BY_SPARK:
                run["operators"][node["operator"]] = node["operator_name"]
    return runs


def main():
    records = {path: load(path) for path in sys.argv[1:]}
    first = records[sys.argv[1]]
    failures = []
    base = {query: run for (mode, query), run in first.items() if mode == "base"}
    names = {name for run in base.values() for name in run["query"]}
    print("queries %d, names %d" % (len(base), len(names)))
    if len(base) != 22 or len(names) != 22:
        failures.append("want 22 queries with 22 names")
    for path, runs in records.items():
        for mode in sorted({mode for mode, _ in runs}):
            total = lost = plans = moved = count = 0
            for query, run in base.items():
                other = runs.get((mode, query))
                if other is None:
                    failures.append("%s: %s %s was not recorded" % (path, mode, query))
                    continue
                count += 1
                plans += other["plan"] == run["plan"]
                if other["query"] != run["query"]:
                    moved += 1
                    failures.append("%s: %s %s is %s, in base %s" % (path, mode, query, other["query"], run["query"]))
                gone = set(run["operators"]) - set(other["operators"])
                total += len(run["operators"])
                lost += len(gone)
                for operator in sorted(gone):
                    print("  %s %s %s lost %s %s" % (path, mode, query, operator, run["operators"][operator]))
            print("%s %-10s %d queries, %d of other name, %d of the same plan, operators kept %d of %d"
                  % (path, mode, count, moved, plans, total - lost, total))
            if lost > MAX_LOST * total:
                failures.append("%s: %s lost %d of %d operators" % (path, mode, lost, total))
    for failure in failures:
        print("FAIL", failure)
    sys.exit(1 if failures else 0)


main()

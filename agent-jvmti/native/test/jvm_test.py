#!/usr/bin/env python3
"""The agent in real JVMs: `jvm_test.py LIBRARY CLASSES JDK...` (LIBRARY: libplanflame.so; CLASSES: folder of the compiled test classes).

Each test starts a JVM, looks at its shared memory through /proc as a reader would, and says what it saw. Needs no JVM tools but
`java`. Mode 2 needs perf_event_paranoid ≤ 2.
"""

import argparse
import contextlib
import json
import mmap
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dump_log  # noqa: E402
import jvm_process  # noqa: E402
from jvm_process import by_type, Control, drawn, now_ns, reading, running  # noqa: E402

LIBRARY = ""
GENERATED = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"


class AgentTest:
    """The same tests for each JDK; JAVA is set by the subclass."""

    JAVA = ""

    def check_names(self, records):
        """A METHOD stands before the first CODE_LOAD that mentions it, and a number means one method for ever."""
        meaning = {}
        for record in records:
            if record["type"] == "METHOD":
                what = (record["loader"], record["class"], record["name"], record["descriptor"])
                self.assertEqual(meaning.setdefault(record["method"], what), what)
            if record["type"] == "CODE_LOAD":
                for number in {record["method"], *(f[0] for f in record["frames"])}:
                    self.assertIn(number, meaning)

    @staticmethod
    def inlined(log):
        """C2's code of Workload.hot with Workload.mix inlined. HotSpot tells of it some time after it was made."""
        found = by_type(log)
        names = {m["method"]: (m["class"], m["name"]) for m in found["METHOD"]}
        return [c for c in found["CODE_LOAD"] if c["compile_level"] == 4 and names[c["method"]] == ("Workload", "hot")
                and any(names.get(f[0]) == ("Workload", "mix") for f in c["frames"])]

    def check_code(self, log):
        found = by_type(log)
        heaps = [(h["low"], h["high"]) for h in found["CODE_HEAP"]]
        self.assertTrue(heaps)
        for load in found["CODE_LOAD"]:
            self.assertTrue(any(low <= load["address"] < high for low, high in heaps), load["address"])
            ends = [r[0] for r in load["regions"]]
            self.assertEqual(ends, sorted(set(ends)))
            self.assertTrue(all(0 < r[0] <= load["size"] and 0 < r[2] and r[1] + r[2] <= len(load["frames"]) for r in load["regions"]))
        known = [c for c in found["CODE_LOAD"] if c["frame_bytes"] > 0 and c["compile_id"] > 0]
        self.assertEqual(len(known), len(found["CODE_LOAD"]))
        self.assertTrue(self.inlined(log))
        hot = next(m for m in found["METHOD"] if (m["class"], m["name"]) == ("Workload", "hot"))
        self.assertEqual((hot["source_file"], hot["descriptor"], hot["flags"] & 1), ("Workload.java", "(J)J", 1))
        self.assertTrue(all(a[0] < b[0] for a, b in zip(hot["lines"], hot["lines"][1:])))
        pointers = [m for m in found["METHOD"] if m["method_ptr"]]
        self.assertGreater(len(pointers), 0.99 * len(found["METHOD"]))
        self.assertIn("Interpreter", {s["name"] for s in found["STUB"]})
        layout = json.loads(found["VM_LAYOUT"][0]["json"])
        self.assertIn("CodeBlob._frame_size", layout["offsets"])
        self.assertIn("CodeCache._heaps", layout["addresses"])
        self.assertEqual(json.loads(found["APPLICATION"][0]["json"]), {"application_id": "workload"})
        self.assertEqual(json.loads(log.header["application"]), {"application_id": "workload"})  # newest, for a reader without the lease
        self.assertEqual((found["STAGE"][0]["stage_id"], found["STAGE"][0]["accumulators"]), (7, [21, 22]))
        self.check_names(log.records())

    def check_tasks(self, log, threads, tasks):
        events = list(log.events())
        self.assertEqual(len(events), 2 * threads * tasks)
        self.assertEqual((log.header["tasks_started"], log.header["tasks_ended"]), (threads * tasks, threads * tasks))
        slots = {t["tid"]: t for t in log.threads()}
        open_tasks, ended = {}, {}
        for e in events:
            if e["tid"] in slots:  # or its thread has ended two seconds ago
                self.assertTrue(slots[e["tid"]]["flags"] & 1)
                self.assertTrue(slots[e["tid"]]["name"].startswith("Executor task launch worker-"))
            self.assertEqual((e["stage_id"], e["stage_attempt"], e["partitions"], e["attempt_number"], e["execution_id"]), (7, 1, tasks, 2, 5))
            if e["kind"] == 1:
                open_tasks[e["tid"]] = e
                if e["tid"] in ended:
                    for clock in ("thread_cpu_ns", "user_ns", "system_ns"):
                        self.assertEqual(e[clock], ended[e["tid"]][clock], "a start repeats the readings of the end before it")
                continue
            begun = open_tasks.pop(e["tid"])
            self.assertEqual(begun["task_attempt_id"], e["task_attempt_id"])
            self.assertEqual((e["executor_cpu_ns"], e["executor_deserialize_cpu_ns"], e["gc_ms"], e["flags"]), (11, 12, 13, 2))
            since = ended.get(e["tid"], begun)["time_ns"]
            cpu, wall = e["thread_cpu_ns"] - begun["thread_cpu_ns"], e["time_ns"] - since
            self.assertTrue(0 < cpu <= wall * 1.02, (cpu, wall))
            split = e["user_ns"] + e["system_ns"] - begun["user_ns"] - begun["system_ns"]
            self.assertAlmostEqual(split, cpu, delta=15_000_000)
            ended[e["tid"]] = e

    def test_attached_late(self):
        with running(self.JAVA, "Workload", f"lib={LIBRARY}", "wait=stdin", "threads=2", "tasks=8", "millis=40", jvm=["-Xbatch"]) as jvm:  # waits for C2
            jvm.until("done")
            self.assertEqual(jvm.lines[:3], ["start null", "again null", "loader 1 0"])
            self.check_tasks(jvm.log(), 2, 8)
            log = jvm.until_log(self.inlined, "C2 code of Workload.hot with Workload.mix inlined")
            self.check_code(log)
            self.assertEqual((log.header["pid"], log.header["state"], log.header["flags"] & 4), (jvm.pid, 1, 0))
            self.assertEqual(log.header["process_start_ticks"], int(open(f"/proc/{jvm.pid}/stat").read().rsplit(")", 1)[1].split()[19]))
            beat = log.header["heartbeat_ns"]
            jvm.until_log(lambda l: l.header["heartbeat_ns"] > beat, "a heartbeat", 2)
            jvm.end()

    def test_tasks_in_the_jvm_of_a_driver_without(self):
        """A JVM whose agent has no events of code says so to who asks for them, each time, and the agent goes on."""
        refusal = "this JVM's agent was started for a driver without tasks; start a new JVM for local mode"
        for again, said in (("log_mib=8", refusal), ("log_mib=4,code=0", "null")):
            with running(self.JAVA, "Workload", f"lib={LIBRARY}", "wait=stdin", "options=log_mib=4,code=0", f"again={again}", "tasks=1") as jvm:
                jvm.until("done")
                self.assertEqual(jvm.lines[:2], ["start null", f"again {said}"])
                self.assertEqual(jvm.log().header["state"], 1)
                jvm.end()

    def test_loaded_at_start(self):
        with running(self.JAVA, "Workload", "wait=stdin", "tasks=8", jvm=["-Xbatch", f"-agentpath:{LIBRARY}=log_mib=8", f"-Dplanflame.lib={LIBRARY}",
                     "-XX:+PreserveFramePointer", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"]) as jvm:
            jvm.until("done")
            self.check_tasks(jvm.log(), 2, 8)
            log = jvm.until_log(self.inlined, "C2 code of Workload.hot with Workload.mix inlined")
            self.check_code(log)
            self.assertEqual((log.header["flags"], log.header["total_bytes"]), (7, 8 << 20))
            jvm.end()

    def test_proofs(self):
        """A branch to an uncommon trap proves the check of bounds that it belongs to."""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "java", "Bounds.java"), encoding="utf-8") as f:
            checked = next(n for n, line in enumerate(f, 1) if "of[at]" in line)

        def proven(log):  # a method compiled before the agent had heard where the trap is has its proofs when it is told again
            numbers = {m["method"] for m in by_type(log)["METHOD"] if (m["class"], m["name"]) == ("Bounds", "element")}
            return [c for c in by_type(log)["CODE_LOAD"] if c["proofs"] and c["method"] in numbers]

        with running(self.JAVA, "Bounds", f"lib={LIBRARY}", jvm=["-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Bounds::element"]) as jvm:
            jvm.until("done")
            log = jvm.until_log(proven, "proofs of Bounds.element")
            for load in by_type(log)["CODE_LOAD"]:
                ends = [p[0] for p in load["proofs"]]
                self.assertEqual(ends, sorted(set(ends)))
                self.assertTrue(all(0 < end < load["size"] and trap in {r[0] for r in load["regions"]} for end, trap in load["proofs"]))
                self.assertTrue(load["compile_level"] == 4 or not ends, "C1's code is not looked at")
            load = proven(log)[0]
            lines = next(m["lines"] for m in by_type(log)["METHOD"] if m["method"] == load["method"])
            frames = [load["frames"][r[1]] for _, trap in load["proofs"] for r in load["regions"] if r[0] == trap]
            self.assertEqual([[line for start, line in lines if start <= bci][-1] for _, bci in frames], [checked])
            jvm.end()

    def test_interpreted_only(self):
        """-Xint: no code, but the methods of generated classes are named for interpreted frames, as soon as there is a reader."""
        with running(self.JAVA, "Churn", f"lib={LIBRARY}", "loaders=5", "rows=2000", "wait=stdin", jvm=["-Xint"]) as jvm:
            jvm.until("done")
            loaders = [int(line.split()[1]) for line in jvm.lines if line.startswith("loader ")]
            rounds = jvm.log().header["heartbeat_ns"] + 500_000_000
            log = jvm.until_log(lambda l: l.header["heartbeat_ns"] > rounds, "some rounds without a reader")
            self.assertEqual([m for m in by_type(log)["METHOD"] if m["class"] == GENERATED], [])
            leased = now_ns()
            Control(jvm.pid).lease(leased)
            log = jvm.until_log(lambda l: sum(r["type"] == "METHOD" and r["name"] == "processNext_0" for r in l.records()) == 5, "names")
            methods = [m for m in by_type(log)["METHOD"] if m["class"] == GENERATED]
            prepared = [{m["time_ns"] for m in methods if m["loader"] == loader} for loader in loaders]
            self.assertEqual([len(times) for times in prepared], [1] * 5, "all of a class have its time")
            times = [min(times) for times in prepared]
            self.assertEqual(times, sorted(times))
            self.assertLess(times[-1], leased, "when the class was prepared, before anybody asked")
            self.assertEqual(sorted({m["loader"] for m in methods}), sorted(loaders))
            self.assertTrue(all(m["flags"] & 4 and m["method_ptr"] for m in methods))
            self.assertEqual({m["name"] for m in methods}, {"<init>", "applyAsLong", "processNext_0"})
            jvm.end()

    def test_churn(self):
        """Hundreds of classes compiled and unloaded: loaders and methods keep their numbers to themselves."""
        with running(self.JAVA, "Churn", f"lib={LIBRARY}", "loaders=240", "rows=200000", "begin=stdin", "wait=stdin") as jvm:
            jvm.until("start")
            begun = time.monotonic()
            with reading(jvm):
                jvm.send_line()
                jvm.until("done")
                loaders = [int(line.split()[1]) for line in jvm.lines if line.startswith("loader ")]
                self.assertEqual(len(set(loaders)), 240)
                self.assertRegex(jvm.lines[-2], "^classes [1-9]")

                def timed(log):  # a compiled method may be written before its class's time is known, and is written again
                    last = {r["method"]: r for r in log.records() if r["type"] == "METHOD" and r["class"] == GENERATED}
                    times = {loader: {m["time_ns"] for m in last.values() if m["loader"] == loader} for loader in loaders}
                    return all(len(of_class) == 1 for of_class in times.values())

                log = jvm.until_log(timed, "the METHODs of every generated class, all with the class's time")
                self.check_names(log.records())
                found = by_type(log)
                self.assertGreater(len(found["CODE_UNLOAD"]), 0)
                # Events gather (gather.h): 168 to 199 sleeps for 1,474 to 1,491 methods, where it
                # was 2,263 and 2,292. On a slow machine events come apart, and the thread sleeps
                # twice in each 10 ms at most.
                most = max(len(found["CODE_LOAD"]) / 2, 2.5 * (time.monotonic() - begun) / 0.010)
                self.assertLess(jvm.service_thread_slept(), most)
                compiled = {c["method"] for c in found["CODE_LOAD"]}
                generated = [m for m in found["METHOD"] if m["class"] == GENERATED and m["method"] in compiled]
                self.assertGreater(len({m["loader"] for m in generated}), 120)
                jvm.end()

    def test_unattended_classes(self):
        """Without a reader the JVM keeps nothing for us of classes that come and go: HotSpot up to 25 never frees a jmethodID."""
        classes = 8000

        def internal_bytes(jvm):
            said = subprocess.run([f"{self.JAVA}/bin/jcmd", str(jvm.pid), "VM.native_memory", "summary", "scale=B"], capture_output=True,
                                  text=True, check=True).stdout
            return int(re.search(r"-\s+Internal \(reserved=\d+, committed=(\d+)\)", said).group(1))

        with running(self.JAVA, "Classes", f"lib={LIBRARY}", f"classes={classes}", jvm=["-XX:NativeMemoryTracking=summary"]) as jvm:
            jvm.until("ready")
            before = internal_bytes(jvm)
            jvm.send_line()
            jvm.until("done")
            per_class = (internal_bytes(jvm) - before) / classes
            print(f"  {per_class:.0f} bytes a class")
            self.assertLess(per_class, 50)  # 208 with jmethodIDs for its 29 methods
            jvm.end()

    def test_small_log_without_reader(self):
        """The ring is full and no one reads: later records are dropped and counted, the JVM goes on."""
        with running(self.JAVA, "Churn", f"lib={LIBRARY}", "options=log_mib=4", "loaders=400", "rows=100000", "wait=stdin") as jvm:
            jvm.until("done")
            log = jvm.log()
            fill = log.header["records_committed"]
            if fill < log.header["records_bytes"] * 0.9:
                self.assertEqual(log.header["dropped_records"], 0)
            self.assertEqual(log.header["records_tail"], 0)
            self.check_names(r for r in log.records())
            jvm.end()

    def test_events_opened_by_the_agent(self):
        with running(self.JAVA, "Workload", f"lib={LIBRARY}", "wait=stdin", "threads=2", "tasks=60", "millis=50") as jvm:
            jvm.until("running")
            control = Control(jvm.pid)
            control.lease(now_ns())
            control.settings()
            def opened(log):
                tasks = [t for t in log.threads() if t["flags"] & 5 == 1]
                return len(tasks) == 2 and all(t["perf_fd"] >= 0 and drawn(t["base_period_ns"], 2_000_000) for t in tasks)
            log = jvm.until_log(opened, "events of both task threads")
            for t in log.threads():
                if t["flags"] & 1:
                    self.assertIn("perf_event", os.readlink(f"/proc/{jvm.pid}/fd/{t['perf_fd']}"))
                    self.assertEqual((t["ring_pages"], t["perf_errno"], t["perf_opens"]), (16, 0, 1))
            control.lease(now_ns())
            control.settings(base_period_ns=5_000_000, detail_period_ns=1_000_000)
            jvm.until_log(lambda l: all(t["perf_opens"] == 2 and drawn(t["base_period_ns"], 5_000_000) and t["perf_detail_fd"] >= 0
                                        for t in l.threads() if t["flags"] & 5 == 1), "events with the new period")
            control.settings(ring_pages=3)
            jvm.until_log(lambda l: l.header["control_rejections"] == 1, "a refused page")
            control.lease(now_ns() - 6_000_000_000)
            log = jvm.until_log(lambda l: all(t["base_period_ns"] == 0 for t in l.threads()), "events off after a stale lease", 3)
            self.assertTrue(any(t["perf_fd"] >= 0 for t in log.threads()))
            jvm.until("done")
            jvm.until_log(lambda l: not any(t["flags"] & 1 for t in l.threads()), "slots free after the grace period", 6)
            jvm.end()

    def test_ordinary_user(self):
        """The same as an ordinary user, with the memlock limit of one: rings shrink or are refused, and the slot says so."""
        if os.getuid() != 0:
            self.skipTest("needs root, to become another user")
        folder = tempfile.mkdtemp()
        os.chmod(folder, 0o755)
        library = shutil.copy(LIBRARY, folder)
        try:
            with running(self.JAVA, "Workload", f"lib={library}", "wait=stdin", "threads=4", "tasks=200", "millis=20", user=65534) as jvm:
                jvm.until("running")
                control = Control(jvm.pid)
                control.lease(now_ns())
                control.settings(ring_pages=1024)
                log = jvm.until_log(lambda l: len([t for t in l.threads() if t["flags"] & 1 and (t["perf_fd"] >= 0 or t["perf_errno"])]) == 4,
                                    "an answer for each task thread")
                tasks = [t for t in log.threads() if t["flags"] & 1]
                self.assertTrue(all(t["ring_pages"] < 1024 for t in tasks))
                self.assertTrue(all((t["perf_fd"] >= 0) == (t["perf_errno"] == 0) for t in tasks))
                self.assertTrue(any(t["perf_fd"] >= 0 for t in tasks), tasks)
                print("  rings of an ordinary user:", [(t["ring_pages"], t["perf_errno"]) for t in tasks])
                jvm.until("done")
                jvm.end()
        finally:
            shutil.rmtree(folder)

    def test_replay(self):
        with running(self.JAVA, "Workload", f"lib={LIBRARY}", "wait=stdin", "tasks=5") as jvm:
            jvm.until("done")
            before = jvm.log()
            control = Control(jvm.pid)
            control.put("I", 104, 9)
            time.sleep(0.3)
            self.assertEqual(jvm.log().header["replay_generation"], 0)  # no lease, no replay
            with reading(jvm):
                log = jvm.until_log(lambda l: l.header["replay_generation"] == 9, "the replay", 15)
            replay = [r for r in log.records() if r["offset"] >= before.header["records_committed"]]
            marks = [(r["type"], r["generation"]) for r in replay if r["type"].startswith("REPLAY")]
            self.assertEqual(marks, [("REPLAY_BEGIN", 9), ("REPLAY_END", 9)])
            old = {m["method"]: m["name"] for m in by_type(before)["METHOD"]}
            again = {r["method"]: r["name"] for r in replay if r["type"] == "METHOD"}
            self.assertTrue({"hot", "mix"} <= set(again.values()))
            self.assertTrue(all(old.get(number, name) == name for number, name in again.items()))
            self.assertTrue(all(r["flags"] & 1 for r in replay if r["type"] == "CODE_LOAD" and r["address"] in
                                {c["address"] for c in by_type(before)["CODE_LOAD"]}))
            self.assertTrue(any(r["type"] == "STUB" and r["name"] == "Interpreter" for r in replay))
            self.check_names(log.records())
            begin = next(i for i, r in enumerate(replay) if r["type"] == "REPLAY_BEGIN")
            named = {r["method"] for r in replay if r["type"] == "METHOD"}
            for r in replay[begin:]:
                if r["type"] == "CODE_LOAD":
                    self.assertLessEqual({r["method"], *(f[0] for f in r["frames"])}, named)
            jvm.end()

    def test_natives(self):
        with running(self.JAVA, "Natives", f"lib={LIBRARY}") as jvm:
            loader = int(jvm.until("running").split()[1])
            self.assertEqual(jvm.lines[:-1], ["before 0 false false 4", "start null", "source true", "nulls true true true true",
                                              "dictionary true", "large false", "rows true true true true", "stage info true true"])
            log = jvm.log()
            found = by_type(log)
            fields = lambda r: {k: v for k, v in r.items() if k not in ("type", "offset", "length", "time_ns")}  # noqa: E731
            self.assertEqual([fields(r) for r in found["SOURCE"]], [
                {"loader": loader, "class": "a.B", "body": "body ä 😀", "comments": '{"x":"y"}'},
                {"loader": 3, "class": "", "body": "", "comments": ""}])
            self.assertEqual([fields(r) for r in found["STAGE"]], [
                {"stage_id": 31, "stage_attempt": 32, "execution_id": -1, "accumulators": []}])
            self.assertEqual([fields(r) for r in found["DICTIONARY"]], [
                {"execution_id": 41, "update": 42, "json": ""}, {"execution_id": 51, "update": 52, "json": '{"version":1}'}])
            self.assertEqual([fields(r) for r in found["ROWS"]], [
                {"stage_id": 101, "stage_attempt": 102, "execution_id": 103, "tasks": 104, "accumulated": [(-105, 106), (107, -108)]},
                {"stage_id": 111, "stage_attempt": 112, "execution_id": -1, "tasks": 0, "accumulated": []}])
            self.assertEqual([fields(r) for r in found["EXECUTION_END"]], [
                {"execution_id": 121, "flags": 1, "end_unix_ns": 122}, {"execution_id": 123, "flags": 0, "end_unix_ns": -1}])
            self.assertEqual([fields(r) for r in found["STAGE_INFO"]], [
                {"stage_id": 131, "json": '{"version":132}'}, {"stage_id": 133, "json": ""}])
            h = log.header
            self.assertEqual((h["dropped_sources"], h["dropped_dictionaries"], h["dropped_rows"], h["dropped_records"]), (71, 72, 73, 1))
            self.assertGreater(h["dropped_record_bytes"], 5 << 20)
            events = list(log.events())
            self.assertEqual([e["kind"] for e in events], [1, 2])
            end = events[1]
            self.assertEqual([end[k] for k in ("task_attempt_id", "stage_id", "stage_attempt", "partition", "partitions", "attempt_number",
                                               "execution_id", "flags", "inclusion_probability", "executor_cpu_ns",
                                               "executor_deserialize_cpu_ns", "gc_ms")],
                             [2**64 - 1, 2**32 - 2, 83, 84, 85, 86, -1, 1, 0.25, 87, 88, 89])
            control = Control(jvm.pid)
            control.settings()
            control.put("I", 104, 3)
            control.lease(now_ns())
            self.assertEqual(jvm.until("work"), "work 2 true")
            log = jvm.until_log(lambda l: l.header["replay_generation"] == 3, "the end of the replay", 5)
            order = [r["type"] for r in log.records() if r["type"].startswith("REPLAY") or r.get("execution_id") == 91]
            self.assertEqual(order, ["REPLAY_BEGIN", "DICTIONARY", "REPLAY_END"])

    def test_crowd(self):
        with running(self.JAVA, "Crowd", f"lib={LIBRARY}") as jvm:
            jvm.until("first")
            h = jvm.log().header
            self.assertEqual((h["tasks_started"], h["tasks_ended"], h["threads_high_water"]), (600, 600, 512))
            self.assertGreaterEqual(h["dropped_threads"], 600 - 512)
            jvm.until_log(lambda l: not any(t["flags"] & 1 for t in l.threads()), "free slots", 10)
            jvm.send_line()
            jvm.until("second")
            log = jvm.log()
            self.assertEqual(log.header["dropped_threads"], h["dropped_threads"])
            self.assertEqual(sum(t["flags"] & 1 for t in log.threads()), 100)
            jvm.end()

    def test_full_ring_with_reader(self):
        """A reader that acknowledges keeps a small ring going, through a replay too: nothing is dropped, nothing is overtaken."""
        with running(self.JAVA, "Churn", f"lib={LIBRARY}", "options=log_mib=4", "loaders=900", "rows=40000", "wait=stdin") as jvm:
            jvm.until("loader")
            control = Control(jvm.pid)
            at, names, done, replays = 0, set(), False, 0
            os.set_blocking(jvm.process.stdout.fileno(), False)
            log, deadline = jvm.log(), time.monotonic() + 120
            while not done or at < max(log.header["records_committed"], log.header["records_bytes"]):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.01)
                log = jvm.log()
                self.assertLessEqual(log.header["records_tail"], at)
                for r in log.records(at):
                    at = r["offset"] + r["length"]
                    names |= {r["method"]} if r["type"] == "METHOD" else set()
                    if r["type"] == "CODE_LOAD":
                        self.assertLessEqual({r["method"], *(f[0] for f in r["frames"])}, names)
                control.put("Q", 96, at)
                control.lease(now_ns())
                if log.header["replay_generation"] == replays:
                    replays += 1
                    control.put("I", 104, replays)
                with contextlib.suppress(BlockingIOError):
                    done = done or b"done" in os.read(jvm.process.stdout.fileno(), 1 << 20)
            self.assertEqual(log.header["dropped_records"], 0)
            self.assertGreater(log.header["records_tail"], 0)  # it went round
            jvm.end()

    def test_collectors_and_jni_checks(self):
        """Class unloading by every collector, and -Xcheck:jni has nothing to say about us."""
        for options in (["-XX:+UseSerialGC"], ["-XX:+UseParallelGC"], ["-XX:+UseZGC"], ["-Xcheck:jni"]):
            with self.subTest(options=options), running(self.JAVA, "Churn", f"lib={LIBRARY}", "loaders=60", "rows=20000", "wait=stdin",
                                                         jvm=options) as jvm:
                jvm.until("done")
                self.check_names(jvm.log().records())
                jvm.end()
                warnings = [line for line in jvm.lines if "WARNING" in line or "FATAL" in line]
                self.assertEqual(warnings, [])

    def test_second_copy(self):
        """-agentpath with one file and System.load with a copy of it: one agent, one log, and the calls reach it."""
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(LIBRARY, os.path.join(folder, "copy.so"))
            with running(self.JAVA, "Workload", f"lib={copy}", "wait=stdin", "tasks=3", jvm=[f"-agentpath:{os.path.relpath(LIBRARY)}"]) as jvm:
                jvm.until("done")
                self.assertEqual(jvm.lines[0], "start null")
                self.check_tasks(jvm.log(), 2, 3)
                logs = [fd for fd in os.listdir(f"/proc/{jvm.pid}/fd")
                        if os.readlink(f"/proc/{jvm.pid}/fd/{fd}") == "/memfd:planflame-log (deleted)"]
                self.assertEqual(len(logs), 1)
                jvm.end()

    def test_refused_options(self):
        for options in ("bogus=1", "log_mib=3"):
            with running(self.JAVA, "Workload", f"lib={LIBRARY}", f"options={options}", "tasks=1") as jvm:
                jvm.until("done")
                self.assertRegex(jvm.lines[0], "^start .*" + re.escape(options))
                self.assertEqual(jvm.lines[0], jvm.lines[1].replace("again", "start"))
                said = [line for line in jvm.end().splitlines() if line.startswith("planflame: ")]
                self.assertEqual(len(said), 1)
                self.assertTrue(said[0].endswith("; profiling is off"))

    def test_sealed(self):
        with running(self.JAVA, "Workload", f"lib={LIBRARY}", "wait=stdin", "tasks=1") as jvm:
            jvm.until("done")
            for name in ("planflame-log", "planflame-control"):
                with open(dump_log.open_fd(jvm.pid, name), "r+b") as f:
                    self.assertRaises(PermissionError, f.truncate, 0)
            with open(dump_log.open_fd(jvm.pid, "planflame-log"), "r+b") as f:
                self.assertRaises(PermissionError, mmap.mmap, f.fileno(), 4096)  # F_SEAL_FUTURE_WRITE
            jvm.end()

    def test_cost(self):
        with running(self.JAVA, "Cost", f"lib={LIBRARY}") as jvm:
            line = jvm.until("task_ns_unselected")
            jvm.end()
            print(" ", line)
            self.assertLess(int(line.split()[2]), 4000)  # 650 on a quiet machine; an ioctl or a file read for each would be more


def on_each(options):
    """One process a JDK, at once: a test mostly waits for the agent's clocks. Each says its piece when its turn comes."""
    command = [sys.executable, __file__, "-k", options.k, options.library, options.classes]
    runs = [subprocess.Popen([*command, jdk], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for jdk in options.jdk]
    failed = 0
    for run in runs:
        print(run.communicate()[0], end="", flush=True)
        failed += run.returncode != 0
    return 1 if failed else 0


def main():
    global LIBRARY
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("classes")
    parser.add_argument("jdk", nargs="+")
    parser.add_argument("-k", default="", help="only tests whose name contains this")
    options = parser.parse_args()
    LIBRARY, jvm_process.CLASSES = os.path.abspath(options.library), os.path.abspath(options.classes)
    if len(options.jdk) > 1:
        return on_each(options)
    suite = unittest.TestSuite()
    for jdk in options.jdk:
        version = subprocess.run([f"{jdk}/bin/java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
        print(version)
        case = type("Agent_" + re.sub(r"\W", "_", os.path.basename(jdk)), (AgentTest, unittest.TestCase), {"JAVA": jdk})
        names = [n for n in unittest.TestLoader().getTestCaseNames(case) if options.k in n]
        suite.addTests(case(n) for n in names)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())

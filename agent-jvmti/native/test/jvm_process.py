"""A JVM under test, and the reader's side of its memory."""

import collections
import contextlib
import mmap
import os
import resource
import struct
import subprocess
import threading
import time

import dump_log

CLASSES = ""  # the folder of the compiled test classes


def now_ns():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def small_memlock():
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (65536, 65536))


def drawn(period_ns, asked_ns):
    """Whether a period is one that the agent draws around another."""
    return 0.6 * asked_ns <= period_ns <= 1.4 * asked_ns + 1


class Control:
    """The reader's side of the control page."""

    def __init__(self, pid):
        fd = os.open(dump_log.open_fd(pid, "planflame-control"), os.O_RDWR)
        self.page = mmap.mmap(fd, 4096)
        os.close(fd)
        assert self.page[:8] == b"PLFLMCTL"

    def put(self, fmt, offset, *values):
        struct.pack_into("<" + fmt, self.page, offset, *values)

    def get(self, fmt, offset):
        return struct.unpack_from("<" + fmt, self.page, offset)[0]

    def lease(self, heartbeat_ns):
        self.put("QQI", 16, 0xABCDEF, heartbeat_ns, os.getpid())

    def settings(self, enabled=1, mode=2, stack_bytes=2048, base_period_ns=2_000_000, detail_period_ns=0, ring_pages=16, pi=1.0, seed=5):
        seq = self.get("I", 40)
        self.put("I", 40, seq + 1)
        self.put("IIIQQI", 44, enabled, mode, stack_bytes, base_period_ns, detail_period_ns, ring_pages)
        self.put("dQ", 80, pi, seed)
        self.put("I", 40, seq + 2)


@contextlib.contextmanager
def reading(jvm):
    """A reader that holds the lease and asks for nothing; its Control."""
    control, over = Control(jvm.pid), threading.Event()

    def beat():
        while not over.wait(1):
            control.lease(now_ns())

    control.lease(now_ns())
    thread = threading.Thread(target=beat)
    thread.start()
    try:
        yield control
    finally:
        over.set()
        thread.join()


class JVM:
    """A running test JVM; read its log with log()."""

    def __init__(self, java, main, *args, jvm=(), user=None):
        kwargs = {"user": user, "group": user, "extra_groups": [], "preexec_fn": small_memlock} if user else {}
        self.process = subprocess.Popen([f"{java}/bin/java", "-Xmx256m", *jvm, "-cp", CLASSES, main, *args], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)
        self.pid = self.process.pid
        self.lines = []

    def until(self, prefix):
        """Reads standard output up to a line with that prefix."""
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith(prefix):
                return self.lines[-1]
        raise AssertionError(f"the JVM ended without {prefix!r}: {self.lines} {self.process.stderr.read()}")

    def send_line(self):
        """What a test program waits for before it goes on."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def service_thread_slept(self):
        """How often HotSpot's Service Thread has gone to sleep so far, by itself and in the agent."""
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/status") as f:
                    status = dict(line.rstrip("\n").split(":\t", 1) for line in f)
            except (FileNotFoundError, ProcessLookupError):  # a compiler's thread that ended
                continue
            if status["Name"] == "Service Thread":
                return int(status["voluntary_ctxt_switches"])
        raise AssertionError("the JVM has no Service Thread")

    def log(self):
        path = dump_log.open_fd(self.pid, "planflame-log")
        if path is None:
            raise AssertionError("the JVM has no log")
        with open(path, "rb") as f:
            return dump_log.Log(f.read())

    def until_log(self, condition, what, seconds=10):
        """Polls the log until the condition holds; the log it held for."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            log = self.log()
            if condition(log):
                return log
            time.sleep(0.02)
        raise AssertionError(f"not within {seconds} s: {what}; header {log.header}; threads {list(log.threads())}")

    def end(self):
        """Ends standard input, which ends the JVM, and returns what it said on standard error."""
        out, err = self.process.communicate(timeout=60)
        self.lines += out.splitlines()
        if self.process.returncode != 0:
            raise AssertionError(f"exit code {self.process.returncode}: {self.lines[-5:]} {err[-3000:]}")
        return err


@contextlib.contextmanager
def running(*args, **kwargs):
    jvm = JVM(*args, **kwargs)
    try:
        yield jvm
    finally:
        if jvm.process.poll() is None:
            jvm.process.kill()
        for pipe in (jvm.process.stdin, jvm.process.stdout, jvm.process.stderr):
            pipe.close()
        jvm.process.wait()


def by_type(log):
    found = collections.defaultdict(list)
    for record in log.records():
        found[record["type"]].append(record)
    return found

#!/usr/bin/env python3
"""Reads a planflame log, as FORMAT.md draws it, from a file or a live JVM: `dump_log.py FILE`, `dump_log.py --pid PID`.

Written from FORMAT.md and not from the C sources, so that the two check each other. Prints one JSON object per line; as a module,
`Log(bytes)` gives the same objects. Refuses what does not decode, naming the offset.
"""

import glob
import json
import os
import struct
import sys

HEADER = [  # name, offset, struct format
    ("major", 8, "H"), ("minor", 10, "H"), ("header_bytes", 12, "I"), ("total_bytes", 16, "Q"), ("pid", 24, "I"),
    ("jdk_feature", 28, "I"), ("start_ns", 32, "Q"), ("process_start_ticks", 40, "Q"), ("heartbeat_ns", 48, "Q"),
    ("state", 56, "I"), ("flags", 60, "I"), ("jdk_version", 64, "64s"), ("threads_offset", 128, "Q"), ("thread_slots", 136, "I"),
    ("thread_slot_bytes", 140, "I"), ("events_offset", 144, "Q"), ("event_slots", 152, "I"), ("event_bytes", 156, "I"),
    ("records_offset", 160, "Q"), ("records_bytes", 168, "Q"), ("events_head", 176, "Q"), ("records_committed", 184, "Q"),
    ("records_tail", 192, "Q"), ("replay_generation", 200, "I"), ("threads_high_water", 204, "I"), ("perf_sample_type", 208, "Q"),
    ("perf_regs_mask", 216, "Q"), ("dropped_records", 224, "Q"), ("dropped_record_bytes", 232, "Q"), ("dropped_threads", 240, "Q"),
    ("dropped_sources", 248, "Q"), ("dropped_dictionaries", 256, "Q"), ("perf_open_failures", 264, "Q"),
    ("perf_last_errno", 272, "I"), ("control_rejections", 276, "I"), ("agent_cpu_ns", 280, "Q"), ("tasks_started", 288, "Q"),
    ("tasks_ended", 296, "Q"), ("dropped_rows", 304, "Q"), ("off_reason", 512, "256s"),
    ("application_seq", 768, "I"), ("application_bytes", 772, "I"), ("application_flags", 776, "I"), ("application", 784, "3312s"),
]
THREAD = "seq tid start_ns flags perf_fd perf_detail_fd ring_pages perf_errno perf_opens base_period_ns detail_period_ns cpu_ns_at_open name"
EVENT = ("seq time_ns kind tid task_attempt_id stage_id stage_attempt partition partitions execution_id thread_cpu_ns user_ns system_ns "
         "flags attempt_number inclusion_probability executor_cpu_ns executor_deserialize_cpu_ns gc_ms")
TYPES = {1: "PAD", 2: "METHOD", 3: "CODE_LOAD", 4: "CODE_UNLOAD", 5: "STUB", 6: "SOURCE", 7: "DICTIONARY", 8: "STAGE", 9: "APPLICATION",
         10: "REPLAY_BEGIN", 11: "REPLAY_END", 12: "VM_LAYOUT", 13: "CODE_HEAP", 14: "ROWS", 15: "EXECUTION_END",
         16: "STAGE_INFO", 17: "TIMES", 18: "DWELL"}


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _crc_entry(i):
    for _ in range(8):
        i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
    return i


CRC = [_crc_entry(i) for i in range(256)]


def cstring(raw):
    return raw.split(b"\0", 1)[0].decode("utf-8")


class Payload:
    """Takes packed fields off the front of a payload."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, fmt):
        values = struct.unpack_from("<" + fmt, self.data, self.at)
        self.at += struct.calcsize("<" + fmt)
        return values if len(values) > 1 else values[0]

    def str(self):
        n = self.take("I")
        raw = self.data[self.at:self.at + n]
        if len(raw) != n:
            raise ValueError(f"string of {n} bytes at {self.at} leaves the payload of {len(self.data)}")
        self.at += n
        return raw.decode("utf-8")


def decode(kind, p):
    if kind == "METHOD":
        d = dict(zip(("method", "loader", "method_ptr", "flags"), p.take("QQQI")))
        d.update({"class": p.str(), "name": p.str(), "descriptor": p.str(), "source_file": p.str()})
        d["lines"] = [p.take("II") for _ in range(p.take("I"))]
        return d
    if kind == "CODE_LOAD":
        names = ("address", "size", "compile_level", "method", "frame_bytes", "frame_complete", "compile_id", "flags")
        d = dict(zip(names, p.take("QIIQIIII")))
        regions, frames = p.take("II")
        d["regions"] = [p.take("III") for _ in range(regions)]
        d["frames"] = [p.take("Qi") for _ in range(frames)]
        d["proofs"] = [p.take("II") for _ in range(p.take("I"))]
        return d
    if kind == "CODE_UNLOAD":
        return dict(zip(("address", "method"), p.take("QQ")))
    if kind == "STUB":
        d = dict(zip(("address", "size", "flags"), p.take("QII")))
        d["name"] = p.str()
        return d
    if kind == "SOURCE":
        return {"loader": p.take("Q"), "class": p.str(), "body": p.str(), "comments": p.str()}
    if kind == "DICTIONARY":
        d = dict(zip(("execution_id", "update"), p.take("qI")))
        d["json"] = p.str()
        return d
    if kind == "STAGE":
        d = dict(zip(("stage_id", "stage_attempt", "execution_id"), p.take("IIq")))
        d["accumulators"] = [p.take("q") for _ in range(p.take("I"))]
        return d
    if kind == "ROWS":
        d = dict(zip(("stage_id", "stage_attempt", "execution_id", "tasks"), p.take("IIqI")))
        d["accumulated"] = [p.take("qq") for _ in range(p.take("I"))]
        return d
    if kind == "EXECUTION_END":
        return dict(zip(("execution_id", "flags", "end_unix_ns"), p.take("qIq")))
    if kind == "STAGE_INFO":
        return {"stage_id": p.take("I"), "json": p.str()}
    if kind in ("APPLICATION", "VM_LAYOUT", "TIMES", "DWELL"):
        return {"json": p.str()}
    if kind in ("REPLAY_BEGIN", "REPLAY_END"):
        return {"generation": p.take("I")}
    if kind == "CODE_HEAP":
        d = dict(zip(("low", "high"), p.take("QQ")))
        d["name"] = p.str()
        return d
    raise KeyError(kind)


class Log:
    """A copy of a log's bytes, decoded on demand."""

    def __init__(self, data):
        if data[:8] != b"PLFLMLOG":
            raise ValueError(f"magic is {data[:8]!r}, want PLFLMLOG: not a log, or not ready")
        self.data = data
        self.header = {}
        for name, offset, fmt in HEADER:
            value = struct.unpack_from("<" + fmt, data, offset)[0]
            self.header[name] = cstring(value) if isinstance(value, bytes) else value
        if self.header["total_bytes"] != len(data):
            raise ValueError(f"total_bytes is {self.header['total_bytes']}, the file has {len(data)}")

    def threads(self):
        h = self.header
        for i in range(h["threads_high_water"]):
            values = struct.unpack_from("<IIQIiiIIIQQQ64s", self.data, h["threads_offset"] + i * h["thread_slot_bytes"])
            t = dict(zip(THREAD.split(), values[:-1]), name=cstring(values[-1]), slot=i)
            if t["tid"] != 0 or t["seq"] % 2:
                yield t

    def events(self):
        h = self.header
        for n in range(max(0, h["events_head"] - h["event_slots"]), h["events_head"]):
            values = struct.unpack_from("<QQIIQIIIIqQQQIIdQQQ", self.data, h["events_offset"] + n % h["event_slots"] * h["event_bytes"])
            if values[0] == n + 1:
                yield dict(zip(EVENT.split(), values), n=n)

    def records(self, start=0):
        """Records from the tail, or from the start of a later record, to the commit; PADs too."""
        h = self.header
        at = max(start, h["records_tail"])
        while at < h["records_committed"]:
            base = h["records_offset"] + at % h["records_bytes"]
            length, kind, version, offset, time_ns, n, crc = struct.unpack_from("<IHHQQII", self.data, base)
            if offset != at or length % 8 or length < 32 + n or at % h["records_bytes"] + length > h["records_bytes"]:
                raise ValueError(f"record at virtual {at}: offset {offset}, length {length}, payload {n}")
            payload = self.data[base + 32:base + 32 + n]
            if crc32c(payload) != crc:
                raise ValueError(f"record at virtual {at}: crc32c {crc32c(payload):#x}, want {crc:#x}")
            record = {"type": TYPES.get(kind, kind), "offset": at, "length": length, "time_ns": time_ns}
            if kind in TYPES and kind != 1:
                p = Payload(payload)
                record.update(decode(TYPES[kind], p))
                if p.at != n:
                    raise ValueError(f"record at virtual {at}: {n - p.at} bytes behind a {TYPES[kind]} payload")
            elif n:
                record["payload"] = payload.decode("utf-8", "backslashreplace")
            yield record
            at += length


def open_fd(pid, name):
    """Path of the JVM's memfd of that name, or None."""
    for fd in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            if os.readlink(fd) == f"/memfd:{name} (deleted)":
                return fd
        except OSError:
            continue
    return None


def main(argv):
    path = open_fd(argv[2], "planflame-log") if argv[1:2] == ["--pid"] else argv[1]
    if path is None:
        sys.exit(f"pid {argv[2]} has no planflame log")
    with open(path, "rb") as f:
        log = Log(f.read())
    print(json.dumps({"header": log.header}))
    for what in ("threads", "events", "records"):
        for item in getattr(log, what)():
            print(json.dumps({what[:-1]: item}))


if __name__ == "__main__":
    main(sys.argv)

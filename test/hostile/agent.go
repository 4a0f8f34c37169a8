package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Offsets of what changes while an agent lives (agent-jvmti/FORMAT.md).
const (
	hdrHeartbeat        = 48
	hdrThreadSlotBytes  = 140
	hdrEventsHead       = 176
	hdrRecordsCommitted = 184
	hdrRecordsTail      = 192
	hdrReplayGeneration = 200
	hdrThreadsHighWater = 204
	ctlOwner            = 16
	ctlRank             = 36
	ctlRecordsAck       = 96
	ctlReplay           = 104
)

// layout is the shape of a log and of its memfds.
type layout struct {
	slots, slotBytes, events int
	records                  int // bytes
	total                    int // bytes; 0: what the parts need
	seals, flags             int
}

// usual is what an agent writes by default.
func usual() layout {
	return layout{slots: 512, slotBytes: jvmlog.ThreadSlotBytes, events: 8192, records: 12 << 20, seals: unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL}
}

// agent is the writer of a log.
type agent struct {
	layout
	header       jvmlog.Header
	log, control []byte
	logFD        int
	controlFD    int
	at           uint64 // virtual offset of the next record
	event        uint64 // number of the next task event
}

// newAgent publishes a log: maps it under the names by which readers find it.
func newAgent(l layout) *agent {
	a := &agent{layout: l}
	threads, events := l.slots*l.slotBytes, l.events*jvmlog.TaskEventBytes
	a.header = jvmlog.Header{
		Major: jvmlog.Major, Minor: jvmlog.Minor, PID: uint32(os.Getpid()), JDKFeature: 17, JDKVersion: "17.0.15", StartTime: jvmlog.Now(), Heartbeat: jvmlog.Now(),
		State: jvmlog.StateLive, ThreadsOffset: jvmlog.HeaderBytes, ThreadSlots: uint32(l.slots), EventsOffset: uint64(jvmlog.HeaderBytes + threads), EventSlots: uint32(l.events),
		RecordsOffset: uint64(jvmlog.HeaderBytes + threads + events), RecordsBytes: uint64(l.records),
	}
	a.header.TotalBytes = a.header.RecordsOffset + a.header.RecordsBytes
	if l.total != 0 {
		a.header.TotalBytes = uint64(l.total)
	}
	a.controlFD, a.control = memfd("planflame-control", jvmlog.ControlBytes, l.seals, 0)
	copy(a.control[8:], []byte{jvmlog.Major, 0, jvmlog.Minor, 0})
	copy(a.control, "PLFLMCTL")
	a.logFD, a.log = memfd("planflame-log", int(a.header.TotalBytes), l.seals, l.flags)
	if l.flags&unix.MFD_HUGETLB == 0 { // touching huge pages that are not there ends this process
		h := jvmlog.EncodeHeader(nil, &a.header)
		binary.LittleEndian.PutUint32(h[hdrThreadSlotBytes:], uint32(l.slotBytes))
		copy(a.log[8:], h[8:])
		copy(a.log, h[:8])
		go a.live()
	}
	return a
}

func memfd(name string, size, seals, flags int) (int, []byte) {
	fd, err := unix.MemfdCreate(name, unix.MFD_ALLOW_SEALING|flags)
	must(err)
	must(unix.Ftruncate(fd, int64(size)))
	_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	must(err)
	mem, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	must(err)
	return fd, mem
}

// live beats and answers requests for replays at once.
func (a *agent) live() {
	for range time.Tick(200 * time.Millisecond) {
		atomic.StoreUint64(a.word64(hdrHeartbeat), uint64(jvmlog.Now()))
		atomic.StoreUint32(word32(a.log, hdrReplayGeneration), atomic.LoadUint32(word32(a.control, ctlReplay)))
	}
}

func (a *agent) word64(off int) *uint64 { return (*uint64)(unsafe.Pointer(&a.log[off])) }

func word32(mem []byte, off int) *uint32 { return (*uint32)(unsafe.Pointer(&mem[off])) }

// awaitReader waits until a reader that has selected this process holds the lease. Another
// Collector of the machine may have it before.
func (a *agent) awaitReader() {
	owner := (*uint64)(unsafe.Pointer(&a.control[ctlOwner]))
	for atomic.LoadUint64(owner) == 0 || atomic.LoadUint32(word32(a.control, ctlRank))&3 < uint32(jvmlog.RankSelected) {
		time.Sleep(10 * time.Millisecond)
	}
}

// write writes a record as soon as there is room.
func (a *agent) write(t jvmlog.MonoTime, r jvmlog.Record) {
	b, err := jvmlog.EncodeRecord(nil, a.at, t, r)
	must(err)
	ring := uint64(a.records)
	if rest := ring - a.at%ring; uint64(len(b)) > rest {
		if rest >= jvmlog.RecordHeaderBytes {
			pad, err := jvmlog.EncodeRecord(nil, a.at, t, &jvmlog.Unknown{Type: jvmlog.TypePad, Version: 1})
			must(err)
			binary.LittleEndian.PutUint32(pad, uint32(rest))
			a.put(pad, rest)
		} else {
			a.put(nil, rest)
		}
		b, err = jvmlog.EncodeRecord(nil, a.at, t, r)
		must(err)
	}
	a.put(b, uint64(len(b)))
}

// put stores bytes that take so much of the ring, which they do not leave.
func (a *agent) put(b []byte, length uint64) {
	ack := (*uint64)(unsafe.Pointer(&a.control[ctlRecordsAck]))
	for a.at+length-atomic.LoadUint64(ack) > uint64(a.records) {
		time.Sleep(time.Millisecond)
	}
	if tail := atomic.LoadUint64(ack); tail > atomic.LoadUint64(a.word64(hdrRecordsTail)) {
		atomic.StoreUint64(a.word64(hdrRecordsTail), tail)
	}
	copy(a.log[a.header.RecordsOffset+a.at%uint64(a.records):], b)
	a.at += length
	atomic.StoreUint64(a.word64(hdrRecordsCommitted), a.at)
}

// tell writes a task event.
func (a *agent) tell(e jvmlog.TaskEvent) {
	e.Index = a.event
	b := jvmlog.EncodeTaskEvent(nil, &e)
	at := int(a.header.EventsOffset) + int(a.event%uint64(a.events))*jvmlog.TaskEventBytes
	atomic.StoreUint64(a.word64(at), 0)
	copy(a.log[at+8:], b[8:])
	atomic.StoreUint64(a.word64(at), e.Index+1)
	a.event++
	atomic.StoreUint64(a.word64(hdrEventsHead), a.event)
}

// thread writes a task thread into a slot.
func (a *agent) thread(slot int, tid uint32) {
	t := jvmlog.Thread{TID: tid, StartTime: jvmlog.Now(), Flags: jvmlog.ThreadTask, PerfFD: -1, PerfDetailFD: -1, Name: fmt.Sprintf("Executor task launch worker-%d", slot)}
	at := int(a.header.ThreadsOffset) + slot*a.slotBytes
	copy(a.log[at:], jvmlog.EncodeThread(nil, &t, 2))
	if high := word32(a.log, hdrThreadsHighWater); atomic.LoadUint32(high) <= uint32(slot) {
		atomic.StoreUint32(high, uint32(slot+1))
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

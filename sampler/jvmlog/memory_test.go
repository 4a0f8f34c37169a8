package jvmlog

import (
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The layout of the small logs of these tests.
const (
	testThreadSlots  = 4
	testEventSlots   = 8
	testRecordsBytes = 1024 + 8 // not a power of two, and not a multiple of a record's header
	testThreads      = HeaderBytes
	testEvents       = testThreads + testThreadSlots*ThreadSlotBytes
	testRecords      = testEvents + testEventSlots*TaskEventBytes
	testTotal        = testRecords + testRecordsBytes
)

func testHeader() Header {
	return Header{
		Major: 1, Minor: 0, TotalBytes: testTotal, PID: 4711, JDKFeature: 17, JDKVersion: "17.0.15+6", StartTime: 1001,
		ProcessStartTicks: 1002, Heartbeat: 1003, State: StateLive, Flags: FlagPreserveFramePointer | FlagLoadedAtStart, OffReason: "none",
		ThreadsOffset: testThreads, ThreadSlots: testThreadSlots, EventsOffset: testEvents, EventSlots: testEventSlots,
		RecordsOffset: testRecords, RecordsBytes: testRecordsBytes,
		EventsHead: 0, RecordsCommitted: 0, RecordsTail: 0, ReplayGeneration: 7, ThreadsHighWater: 3,
		PerfSampleType: 0x3027, PerfRegsMask: 0xff01ff, DroppedRecords: 11, DroppedRecordBytes: 12, DroppedThreads: 13,
		DroppedSources: 14, DroppedDicts: 15, PerfOpenFailures: 16, PerfLastErrno: 18, ControlRejections: 19, AgentCPUNanos: 20,
		TasksStarted: 21, TasksEnded: 22, DroppedRows: 23,
	}
}

// memory is a memfd under the test's own pen: the writer's side of a log or of a control page.
type memory struct {
	b []byte
	f *os.File
}

// newMemory makes a memfd with content and seals it. It lives until the test's end.
func newMemory(t testing.TB, content []byte, seals int) *memory {
	t.Helper()
	fd, err := unix.MemfdCreate("planflame-test", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	require.NoError(t, err)
	f := os.NewFile(uintptr(fd), "test memory")
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	require.NoError(t, unix.Ftruncate(fd, int64(len(content))))
	b, err := unix.Mmap(fd, 0, len(content), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(b)) })
	copy(b, content)
	if seals != 0 {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
		require.NoError(t, err)
	}
	return &memory{b: b, f: f}
}

// testLog is a live log: what its writer does through memory, its reader sees through Log.
type testLog struct {
	*memory
	*Log
	committed uint64
}

func newTestLog(t testing.TB) *testLog {
	t.Helper()
	h := testHeader()
	content := make([]byte, testTotal)
	EncodeHeader(content[:0], &h)
	m := newMemory(t, content, requiredSeals)
	l, err := Open(m.f)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	return &testLog{memory: m, Log: l}
}

func (l *testLog) store64(off int, v uint64) { atomic.StoreUint64(word64(l.b, off), v) }
func (l *testLog) store32(off int, v uint32) { atomic.StoreUint32(word32(l.b, off), v) }

// storeShared is copyShared the other way round.
func storeShared(mem []byte, off int, src []byte) {
	for i := 0; i < len(src); i += 8 {
		atomic.StoreUint64(word64(mem, off+i), le.Uint64(src[i:]))
	}
}

// append writes a record as the agent does: a PAD where it would wrap, the tail moved up before
// anything is overwritten.
func (l *testLog) append(t testing.TB, at MonoTime, r Record) (offset uint64) {
	t.Helper()
	b, err := EncodeRecord(nil, l.committed, at, r)
	require.NoError(t, err)
	rest := testRecordsBytes - l.committed%testRecordsBytes
	if uint64(len(b)) > rest {
		l.makeRoom(rest)
		if rest >= RecordHeaderBytes {
			var pad [RecordHeaderBytes]byte
			putRecordHeader(pad[:], RecordHeader{Length: uint32(rest), Type: TypePad, Version: 1, Offset: l.committed, Time: at})
			storeShared(l.b, testRecords+int(l.committed%testRecordsBytes), pad[:])
		}
		l.committed += rest
		b, err = EncodeRecord(nil, l.committed, at, r)
		require.NoError(t, err)
	}
	l.makeRoom(uint64(len(b)))
	offset = l.committed
	storeShared(l.b, testRecords+int(offset%testRecordsBytes), b)
	l.committed += uint64(len(b))
	l.store64(hdrRecordsCommitted, l.committed)
	return offset
}

// makeRoom recycles whole records, whoever may need them, until n more bytes fit.
func (l *testLog) makeRoom(n uint64) {
	tail := atomic.LoadUint64(word64(l.b, hdrRecordsTail))
	for l.committed+n-tail > testRecordsBytes {
		pos := tail % testRecordsBytes
		if testRecordsBytes-pos < RecordHeaderBytes {
			tail += testRecordsBytes - pos
		} else {
			tail += uint64(le.Uint32(l.b[testRecords+pos+recLength:]))
		}
	}
	l.store64(hdrRecordsTail, tail)
}

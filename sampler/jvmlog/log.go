package jvmlog

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Log is the log of one JVM. Its memory stays readable after the JVM's death.
//
// Only its header is mapped. All else is read by pread(2): a hole that the JVM has left, or punches
// later, then reads as zeros. In a mapping it would become a page that is charged to this process.
//
// Header, Threads, Events, Records and Stats may be called by several goroutines at a time; Close
// must come last.
type Log struct {
	// OnBad, when set before the first use, is told of each record, task event and thread slot that
	// did not decode. It is called by whoever reads; what it says is also counted.
	OnBad func(error)
	// Skip names types of records that Records passes over without decoding them; nil: none. It may
	// be changed between two calls of Records.
	Skip func(RecordType) bool
	// Most, if not 0, is after how many bytes a call of Records ends. It may be changed as Skip.
	Most uint64
	// Clock is the time by which a reader gives up an unfinished task event; Now, unless set before
	// the first use.
	Clock func() MonoTime

	head        []byte // the first HeaderBytes, as the JVM writes them
	all         source
	unmap       func() error
	geometry    Header // checked once; its counters are stale
	threadBytes int
	eventBytes  int

	stalled stall

	tornThreads, badThreads, badEvents, badRecords atomic.Uint64
}

// LogStats counts what could not be read from a log; all values only grow.
type LogStats struct {
	TornThreads uint64 // a slot that was being written all the while it was tried
	BadThreads  uint64 // a slot that did not decode
	BadEvents   uint64 // a task event that did not decode
	BadRecords  uint64 // a record that did not decode
}

// Open opens the log in f, a descriptor of the memfd that the JVM made. It leaves f to the caller,
// who may close it at once. Errors are ErrNotSealed, ErrNotReady (try again), ErrVersion, or say
// what is wrong with the file that they name.
func Open(f *os.File) (*Log, error) {
	size, err := sealedSize(f, HeaderBytes, MaxLogBytes)
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", f.Name(), err)
	}
	head, err := unix.Mmap(int(f.Fd()), 0, HeaderBytes, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", f.Name(), os.NewSyscallError("mmap", err))
	}
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", f.Name(), errors.Join(os.NewSyscallError("fcntl", err), unix.Munmap(head)))
	}
	unmap := func() error { return errors.Join(unix.Munmap(head), unix.Close(fd)) }
	l, err := newLog(head, fileMemory(fd), uint64(size))
	if err != nil {
		return nil, fmt.Errorf("open log %s: %w", f.Name(), errors.Join(err, unmap()))
	}
	l.unmap = unmap
	return l, nil
}

// FromBytes is a Log over a copy of b: for files that a test or a recording kept.
func FromBytes(b []byte) (*Log, error) {
	if len(b) < HeaderBytes || len(b) > MaxLogBytes {
		return nil, fmt.Errorf("log of %d bytes: not in %d … %d", len(b), HeaderBytes, MaxLogBytes)
	}
	mem := alignedBytes(len(b))
	copy(mem, b)
	l, err := newLog(mem[:HeaderBytes], ownMemory(mem), uint64(len(mem)))
	if err != nil {
		return nil, fmt.Errorf("log of %d bytes: %w", len(b), err)
	}
	l.unmap = func() error { return nil }
	return l, nil
}

// newLog checks the header of a log of so many bytes; head is 8-byte aligned and HeaderBytes long.
func newLog(head []byte, all source, size uint64) (*Log, error) {
	if !littleEndian() {
		return nil, errors.New("the format is little endian, this machine is not")
	}
	b := make([]byte, HeaderBytes)
	copyShared(b, head, 0, HeaderBytes)
	h, err := DecodeHeader(b)
	if err != nil {
		return nil, err
	}
	if h.TotalBytes != size {
		return nil, fmt.Errorf("total_bytes is %d, the file has %d", h.TotalBytes, size)
	}
	return &Log{
		Clock:       Now,
		head:        head,
		all:         all,
		geometry:    h,
		threadBytes: int(le.Uint32(b[hdrThreadSlotBytes:])),
		eventBytes:  int(le.Uint32(b[hdrEventBytes:])),
	}, nil
}

// Header is the header as it is now. Fields that change are each current, but not all of one
// moment. An error says that the writer destroyed what it must not change; the log should be given
// up.
func (l *Log) Header() (Header, error) {
	var b [HeaderBytes]byte // does not escape: this is called in every round
	copyShared(b[:], l.head, 0, hdrChangingBytes)
	h, err := DecodeHeader(b[:])
	if err != nil {
		return h, err
	}
	g := &l.geometry
	if h.TotalBytes != g.TotalBytes || h.ThreadsOffset != g.ThreadsOffset || h.ThreadSlots != g.ThreadSlots ||
		h.EventsOffset != g.EventsOffset || h.EventSlots != g.EventSlots ||
		h.RecordsOffset != g.RecordsOffset || h.RecordsBytes != g.RecordsBytes {
		return h, errors.New("log header: sizes or offsets have changed since it was opened")
	}
	return h, nil
}

// RecordsBytes is the size of the records' ring.
func (l *Log) RecordsBytes() uint64 { return l.geometry.RecordsBytes }

// Waiting is how many bytes of records there are from offset next on.
func (l *Log) Waiting(next uint64) uint64 {
	committed := atomic.LoadUint64(word64(l.head, hdrRecordsCommitted))
	return committed - min(next, committed)
}

// Fill is how full what has not been read is, 0 … 1. That is the records from offset nextRecord on
// and the task events from number nextEvent on, whichever fill more of their room. It reads two
// words and checks nothing.
func (l *Log) Fill(nextRecord, nextEvent uint64) float64 {
	part := func(written, read, room uint64) float64 {
		if written <= read || room == 0 {
			return 0
		}
		return min(float64(written-read)/float64(room), 1)
	}
	return max(part(atomic.LoadUint64(word64(l.head, hdrRecordsCommitted)), nextRecord, l.geometry.RecordsBytes),
		part(atomic.LoadUint64(word64(l.head, hdrEventsHead)), nextEvent, uint64(l.geometry.EventSlots)))
}

// Stats is what could not be read so far.
func (l *Log) Stats() LogStats {
	return LogStats{
		TornThreads: l.tornThreads.Load(),
		BadThreads:  l.badThreads.Load(),
		BadEvents:   l.badEvents.Load(),
		BadRecords:  l.badRecords.Load(),
	}
}

// Close gives the log's memory back; a second call does nothing.
func (l *Log) Close() error {
	if l.unmap == nil {
		return nil
	}
	err := l.unmap()
	l.unmap, l.head, l.all = nil, nil, nil
	return err
}

// bad counts and reports something that did not decode.
func (l *Log) bad(counter *atomic.Uint64, err error) {
	counter.Add(1)
	if l.OnBad != nil {
		l.OnBad(err)
	}
}

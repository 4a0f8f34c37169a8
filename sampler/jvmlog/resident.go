package jvmlog

import (
	"os"
	"sync"
)

// resident keeps the records that were read from counting as this process's memory: a reader goes
// once through the whole ring, 16 MiB of every JVM, and needs none of it again. The pages stay
// where they are, in the memory of the JVM; only our page tables forget them.
type resident struct {
	drop    func([]byte) error // nil: the log is a copy of our own
	mu      sync.Mutex
	dropped uint64 // virtual offset of the records below which nothing is resident
}

// dropBytes is how much is let go at a time: the call costs about a microsecond.
const dropBytes = 256 << 10

// letGo says that the records below the virtual offset upTo were read.
func (l *Log) letGo(upTo uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.drop == nil || upTo < l.dropped+dropBytes {
		return
	}
	ring := l.geometry.RecordsBytes
	from := l.dropped
	if upTo-from > ring {
		from = upTo - ring
	}
	l.dropped = upTo
	at, n := from%ring, upTo-from
	l.dropRange(at, min(n, ring-at))
	if n > ring-at {
		l.dropRange(0, n-(ring-at))
	}
}

// dropRange lets go of the whole pages among n bytes of the ring.
func (l *Log) dropRange(at, n uint64) {
	page := uint64(os.Getpagesize())
	low := (l.geometry.RecordsOffset + at + page - 1) / page * page
	high := (l.geometry.RecordsOffset + at + n) / page * page
	if low >= high {
		return
	}
	if err := l.drop(l.mem[low:high]); err != nil {
		l.drop = nil // advice that the kernel does not take: the pages stay resident
	}
}

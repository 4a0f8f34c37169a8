package perfevent

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// headerBytes is the size of struct perf_event_header: u32 type, u16 misc, u16 size.
const headerBytes = 8

// ring is the reader's side of a perf ring: pointers into the control page and the data pages
// behind it.
type ring struct {
	head *uint64 // data_head, written by the kernel
	tail *uint64 // data_tail, written by the reader
	data []byte  // length a power of two
}

// newRing looks at mem, a mapping of one control page and a power of two of data pages. The offsets
// and sizes that the control page states are not used: the profiled process can write them.
func newRing(mem []byte, pageBytes int) ring {
	control := (*unix.PerfEventMmapPage)(unsafe.Pointer(&mem[0]))
	return ring{head: &control.Data_head, tail: &control.Data_tail, data: mem[pageBytes:]}
}

// drain copies every whole record into buf, hands it to record, and gives the space back to the
// kernel as it goes. The slice is valid until record returns. A head or size that cannot be is
// damage: all up to the head is skipped and damaged is true. It stops at the head it saw when it
// began, so that a fast writer cannot hold it.
func (r ring) drain(buf []byte, record func([]byte)) (grown []byte, damaged bool) {
	size := uint64(len(r.data))
	head := atomic.LoadUint64(r.head) // acquire: pairs with the kernel's release behind the record's bytes
	tail := atomic.LoadUint64(r.tail)
	if head-tail > size {
		atomic.StoreUint64(r.tail, head)
		return buf, true
	}
	for tail != head {
		var header [headerBytes]byte
		if head-tail < headerBytes {
			damaged = true
			break
		}
		r.copyOut(header[:], tail)
		length := uint64(binary.LittleEndian.Uint16(header[6:]))
		if length < headerBytes || length%8 != 0 || length > head-tail {
			damaged = true
			break
		}
		if uint64(cap(buf)) < length {
			buf = make([]byte, length, 1<<16)
		}
		buf = buf[:length]
		r.copyOut(buf, tail)
		// The header is re-written from the copy that was checked: the bytes may have changed
		// between the two readings.
		copy(buf, header[:])
		tail += length
		atomic.StoreUint64(r.tail, tail)
		record(buf)
	}
	if damaged {
		atomic.StoreUint64(r.tail, head)
	}
	return buf, damaged
}

// fill is the part of the ring that is in use, 0 … 1.
func (r ring) fill() float64 {
	waiting := atomic.LoadUint64(r.head) - atomic.LoadUint64(r.tail)
	return min(float64(waiting)/float64(len(r.data)), 1)
}

// copyOut copies len(dst) bytes from virtual offset at, around the ring's end. len(dst) is at most
// the ring's size.
func (r ring) copyOut(dst []byte, at uint64) {
	start := int(at & uint64(len(r.data)-1))
	n := copy(dst, r.data[start:])
	copy(dst[n:], r.data)
}

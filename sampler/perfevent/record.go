package perfevent

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Handler receives what Read finds in a ring. Nil functions are not called.
type Handler struct {
	// Sample gets each sample; it and its slices are valid until the function returns.
	Sample func(*Sample)
	// Lost gets the number of records that found no room in the ring, once for every
	// PERF_RECORD_LOST.
	Lost func(records uint64)
	// Throttle is called when the kernel stopped the event for too high a rate (on true) and when
	// it went on (false).
	Throttle func(on bool)
}

// Counts says what one Read did.
type Counts struct {
	Samples  int
	Lost     uint64  // records, of PERF_RECORD_LOST and LOST_SAMPLES
	Throttle int     // PERF_RECORD_THROTTLE
	Exits    int     // PERF_RECORD_EXIT
	Bad      int     // records that did not decode
	Other    int     // records of types that are not used
	Damaged  int     // 1: the ring's pointers or sizes could not be right and everything unread was skipped
	Fill     float64 // part of the ring that was in use, 0 … 1
}

// Reader decodes rings; it holds the buffers that its samples point into. The zero value is ready.
// One Reader serves many Events of one goroutine.
type Reader struct {
	buf    []byte
	sample Sample
}

// Read drains the ring of e as far as it was filled when the call began.
func (r *Reader) Read(e *Event, h Handler) Counts {
	if e.mem == nil {
		return Counts{}
	}
	return r.read(e.ring, e.layout, h)
}

func (r *Reader) read(from ring, layout Layout, h Handler) Counts {
	c := Counts{Fill: from.fill()}
	buf, damaged := from.drain(r.buf, func(record []byte) { r.record(record, layout, h, &c) })
	r.buf = buf
	if damaged {
		c.Damaged++
	}
	return c
}

// record decodes one whole record, header included.
func (r *Reader) record(b []byte, layout Layout, h Handler, c *Counts) {
	payload := b[headerBytes:]
	switch binary.LittleEndian.Uint32(b) {
	case unix.PERF_RECORD_SAMPLE:
		if err := layout.Decode(payload, &r.sample); err != nil {
			c.Bad++
			return
		}
		c.Samples++
		if h.Sample != nil {
			h.Sample(&r.sample)
		}
	case unix.PERF_RECORD_LOST: // u64 id; u64 lost
		r.lost(payload, 8, h, c)
	case unix.PERF_RECORD_LOST_SAMPLES: // u64 lost
		r.lost(payload, 0, h, c)
	case unix.PERF_RECORD_THROTTLE:
		c.Throttle++
		if h.Throttle != nil {
			h.Throttle(true)
		}
	case unix.PERF_RECORD_UNTHROTTLE:
		if h.Throttle != nil {
			h.Throttle(false)
		}
	case unix.PERF_RECORD_EXIT:
		c.Exits++
	default:
		c.Other++
	}
}

func (r *Reader) lost(payload []byte, at int, h Handler, c *Counts) {
	if len(payload) < at+8 {
		c.Bad++
		return
	}
	n := binary.LittleEndian.Uint64(payload[at:])
	c.Lost += n
	if h.Lost != nil {
		h.Lost(n)
	}
}

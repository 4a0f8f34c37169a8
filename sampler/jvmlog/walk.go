package jvmlog

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// seqlockTries bounds the attempts at the kept application; its writer holds it for well under a
// microsecond.
const seqlockTries = 64

// Threads appends the live threads to dst. A slot that was being written is left out and counted
// (LogStats): one absence does not mean that a thread has ended.
func (l *Log) Threads(dst []Thread) []Thread {
	var fresh Slots
	return fresh.Threads(l, dst)
}

// eventsAtOnce is how many task events are read at a time.
const eventsAtOnce = 64

// events are neighbors in the ring of task events, read three times: an event is whole if its
// sequence number was the same before and after it was read.
type events struct{ before, read, after []byte }

// copyEvents reads n events from number from on into a buffer.
func (l *Log) copyEvents(buf []byte, from uint64, n int) (e events, err error) {
	size := n * l.eventBytes
	e = events{before: buf[:size], read: buf[size : 2*size], after: buf[2*size : 3*size]}
	off := l.geometry.EventsOffset + from%uint64(l.geometry.EventSlots)*uint64(l.eventBytes)
	for _, b := range [][]byte{e.before, e.read, e.after} {
		if err = l.all.read(b, off); err != nil {
			return e, err
		}
	}
	return e, nil
}

// Events calls fn for the task events from number from on, in order, and returns the number to go
// on from. missed counts those that were overwritten before they were read or did not decode (the
// latter also in LogStats). An event whose writer has reserved but not finished it ends the walk
// until a later call, for at most stallLimit. Then its writer is taken for dead, and it is missed.
func (l *Log) Events(from uint64, fn func(TaskEvent)) (next, missed uint64) {
	head := atomic.LoadUint64(word64(l.head, hdrEventsHead))
	slots := uint64(l.geometry.EventSlots)
	if head > from && head-from > slots {
		missed = head - slots - from
		from = head - slots
	}
	if from >= head {
		return from, missed
	}
	pooled := eventBuffers.Get().(*[]byte)
	defer eventBuffers.Put(pooled)
	*pooled = slices.Grow((*pooled)[:0], 3*eventsAtOnce*l.eventBytes)
	for from < head {
		n := min(head-from, slots-from%slots, eventsAtOnce)
		e, err := l.copyEvents((*pooled)[:cap(*pooled)], from, int(n))
		if err != nil {
			l.bad(&l.badEvents, fmt.Errorf("task events from %d: %w", from, err))
			return head, missed + head - from
		}
		for i := range int(n) {
			whole, wait := l.event(&e, i, from, fn)
			if wait {
				return from, missed
			}
			if !whole {
				missed++
			}
			from++
		}
	}
	return from, missed
}

// eventBuffers are for copies of events.
var eventBuffers = sync.Pool{New: func() any { return new([]byte) }}

// event delivers the i-th of some events, whose number is known, if it is whole. wait says that its
// writer has not finished it.
func (l *Log) event(e *events, i int, number uint64, fn func(TaskEvent)) (whole, wait bool) {
	at := i * l.eventBytes
	before, after := le.Uint64(e.before[at+evtSeq:]), le.Uint64(e.after[at+evtSeq:])
	if before < number+1 && l.stalled.wait(number, l.Clock()) {
		return false, true
	}
	if before != number+1 || after != before {
		return false, false
	}
	event, err := DecodeTaskEvent(e.read[at:])
	if err != nil {
		l.bad(&l.badEvents, err)
		return false, false
	}
	fn(event)
	return true, false
}

// stallLimit is how long an unfinished task event is waited for (FORMAT.md, "Task event").
const stallLimit = MonoTime(time.Second)

// stall remembers which unfinished task event a reader came upon, and when first.
type stall struct {
	mu    sync.Mutex
	event uint64
	since MonoTime // 0: none
}

// wait reports whether to wait on for an unfinished event at the time now.
func (s *stall) wait(event uint64, now MonoTime) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since == 0 || s.event != event {
		s.event, s.since = event, now
	}
	return now < s.since+stallLimit
}

// Records calls fn for the records from virtual offset from on, in order, and returns the offset to
// go on from. missedBytes counts what was recycled before it was read, bad the records that did not
// decode (both also when err is set; OnBad has the reasons). Where a record's length cannot be
// believed, all that follows up to the committed offset is missed. PADs are not delivered. fn may
// keep its record; its error ends the walk behind that record. The writer reserves the right to
// recycle only what is acknowledged (Control.Ack).
func (l *Log) Records(from uint64, fn func(MonoTime, Record) error) (next, missedBytes, bad uint64, err error) {
	committed, err := l.committed()
	if err != nil {
		return from, 0, 0, err
	}
	pooled := recordBuffers.Get().(*[]byte)
	c := chunk{log: l, b: (*pooled)[:0]} // records share no memory with it
	defer func() {
		if cap(c.b) <= chunkBytes {
			*pooled = c.b
		}
		recordBuffers.Put(pooled)
	}()
	if from > committed {
		return from, 0, 0, fmt.Errorf("read records from %d: only %d are committed", from, committed)
	}
	for begin := from; from < committed && (l.Most == 0 || from-begin < l.Most); {
		b, length, problem := c.record(from, committed)
		if tail := l.recordsTail(); tail > from { // recycled before or while it was copied
			skip := min(tail, committed)
			missedBytes += skip - from
			from = skip
			continue
		}
		if problem != nil {
			l.bad(&l.badRecords, problem)
			return committed, missedBytes + committed - from, bad + 1, nil
		}
		at := from
		from += length
		if b == nil {
			continue
		}
		h, r, problem := DecodeRecord(b, at)
		if problem != nil {
			l.bad(&l.badRecords, problem)
			bad++
			continue
		}
		if err := fn(h.Time, r); err != nil {
			return from, missedBytes, bad, err
		}
	}
	return from, missedBytes, bad, nil
}

// recordBuffers are for copies of records: a reader asks for new ones some times a second.
var recordBuffers = sync.Pool{New: func() any { return new([]byte) }}

// chunkBytes is how much of the records is read at a time, but for longer records.
const chunkBytes = 256 << 10

// committed is the offset behind the last complete record, checked against the tail. The tail is
// read first: it never passes what was committed after that.
func (l *Log) committed() (uint64, error) {
	tail := l.recordsTail()
	committed := atomic.LoadUint64(word64(l.head, hdrRecordsCommitted))
	if tail > committed {
		return 0, fmt.Errorf("log header: records_tail %d is beyond records_committed %d", tail, committed)
	}
	if committed-tail > l.geometry.RecordsBytes { // unless the tail has moved in between
		if tail = l.recordsTail(); tail < committed && committed-tail > l.geometry.RecordsBytes {
			return 0, fmt.Errorf("log header: records_tail %d, records_committed %d, but records_bytes %d", tail, committed, l.geometry.RecordsBytes)
		}
	}
	return committed, nil
}

func (l *Log) recordsTail() uint64 { return atomic.LoadUint64(word64(l.head, hdrRecordsTail)) }

// chunk is a stretch of the records' ring that was read.
type chunk struct {
	log *Log
	at  uint64 // virtual offset of b
	b   []byte
}

// bytes is what stands at a virtual offset, n bytes of the rest that may be read there. The slice
// is valid until the next call.
func (c *chunk) bytes(from, n, rest uint64) ([]byte, error) {
	if from < c.at || from+n > c.at+uint64(len(c.b)) {
		size := int(min(rest, max(n, chunkBytes))) &^ 7
		c.at, c.b = from, slices.Grow(c.b[:0], size)[:size]
		if err := c.log.all.read(c.b, c.log.geometry.RecordsOffset+from%c.log.geometry.RecordsBytes); err != nil {
			c.b = c.b[:0]
			return nil, fmt.Errorf("read record at %d: %w", from, err)
		}
	}
	return c.b[from-c.at:][:n], nil
}

// record is the record at a virtual offset below committed. b is nil if there is nothing to decode:
// a PAD, one that Skip names, or the end of the ring that is too short for a header. length is how
// far the next record is. An error means that the length cannot be trusted.
func (c *chunk) record(from, committed uint64) (b []byte, length uint64, err error) {
	ring := c.log.geometry.RecordsBytes
	rest := min(ring-from%ring, committed-from)
	if ring-from%ring < RecordHeaderBytes {
		return nil, rest, nil
	}
	if rest < RecordHeaderBytes || from%8 != 0 {
		return nil, 0, fmt.Errorf("decode record at %d: %d bytes are committed there", from, rest)
	}
	if b, err = c.bytes(from, RecordHeaderBytes, rest); err != nil {
		return nil, 0, err
	}
	h, err := DecodeRecordHeader(b, from)
	if err != nil {
		return nil, 0, err
	}
	if uint64(h.Length) > rest {
		return nil, 0, fmt.Errorf("decode record at %d: length %d, %d bytes are left", from, h.Length, rest)
	}
	if h.Type == TypePad || c.log.Skip != nil && c.log.Skip(h.Type) {
		return nil, uint64(h.Length), nil
	}
	if b, err = c.bytes(from, uint64(h.Length), rest); err != nil {
		return nil, 0, err
	}
	if le.Uint64(b[recOffset:]) != from || le.Uint32(b[recLength:]) != h.Length {
		return nil, 0, fmt.Errorf("decode record at %d: its header changed under the reader", from)
	}
	return b, uint64(h.Length), nil
}

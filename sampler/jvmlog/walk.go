package jvmlog

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// seqlockTries bounds the attempts at one thread slot; a writer holds it for well under a
// microsecond.
const seqlockTries = 64

// Threads appends the live threads to dst. A slot that was being written at every try is left out
// and counted (LogStats): one absence does not mean that a thread has ended.
func (l *Log) Threads(dst []Thread) []Thread {
	var fresh Slots
	return fresh.Threads(l, dst)
}

// copyThread copies slot i as it was between two writes, and returns its sequence number then.
func (l *Log) copyThread(dst []byte, i int) (seq uint32, ok bool) {
	off := int(l.geometry.ThreadsOffset) + i*l.threadBytes
	at := l.slotSeq(i)
	for range seqlockTries {
		before := atomic.LoadUint32(at)
		if before%2 != 0 {
			continue
		}
		copyShared(dst, l.mem, off, ThreadSlotBytes)
		if atomic.LoadUint32(at) == before {
			return before, true
		}
	}
	return 0, false
}

// Events calls fn for the task events from number from on, in order, and returns the number to go
// on from. missed counts those that were overwritten before they were read or did not decode (the
// latter also in LogStats). An event whose writer has reserved but not finished it ends the walk
// until a later call, for at most stallLimit: then its writer is taken for dead, and it is missed.
func (l *Log) Events(from uint64, fn func(TaskEvent)) (next, missed uint64) {
	head := atomic.LoadUint64(word64(l.mem, hdrEventsHead))
	slots := uint64(l.geometry.EventSlots)
	if head > from && head-from > slots {
		missed = head - slots - from
		from = head - slots
	}
	var b [TaskEventBytes]byte
	for ; from < head; from++ {
		off := int(l.geometry.EventsOffset) + int(from%slots)*l.eventBytes
		seq := word64(l.mem, off+evtSeq)
		before := atomic.LoadUint64(seq)
		if before < from+1 && l.stalled.wait(from, l.Clock()) {
			break
		}
		if before != from+1 {
			missed++
			continue
		}
		copyShared(b[:], l.mem, off, TaskEventBytes)
		if atomic.LoadUint64(seq) != before {
			missed++
			continue
		}
		e, err := DecodeTaskEvent(b[:])
		if err != nil {
			l.bad(&l.badEvents, err)
			missed++
			continue
		}
		fn(e)
	}
	return from, missed
}

// stallLimit is how long an unfinished task event is waited for (FORMAT.md, "Task event").
const stallLimit = MonoTime(time.Second)

// stall remembers which unfinished task event a reader came upon, and when first.
type stall struct {
	mu    sync.Mutex
	event uint64
	since MonoTime // 0: none
}

// wait says whether to wait on for an unfinished event at the time now.
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
	defer func() { l.letGo(next) }()
	pooled := recordBuffers.Get().(*[]byte)
	buf := *pooled // records share no memory with it
	defer func() {
		if cap(buf) <= mostPooled {
			*pooled = buf
		}
		recordBuffers.Put(pooled)
	}()
	if from > committed {
		return from, 0, 0, fmt.Errorf("read records from %d: only %d are committed", from, committed)
	}
	for from < committed {
		b, length, problem := l.copyRecord(buf, from, committed)
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
		buf = b
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

// mostPooled is beyond most records; larger copies are not kept.
const mostPooled = 256 << 10

// committed is the offset behind the last complete record, checked against the tail. The tail is
// read first: it never passes what was committed after that.
func (l *Log) committed() (uint64, error) {
	tail := l.recordsTail()
	committed := atomic.LoadUint64(word64(l.mem, hdrRecordsCommitted))
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

func (l *Log) recordsTail() uint64 { return atomic.LoadUint64(word64(l.mem, hdrRecordsTail)) }

// copyRecord copies the record at a virtual offset below committed. b is nil where there is nothing
// to decode: a PAD, one that Skip names, or the end of the ring that is too short for a header.
// length is how far the next record is. An error means that the length cannot be trusted. The copy
// is made in buf where that suffices.
func (l *Log) copyRecord(buf []byte, from, committed uint64) (b []byte, length uint64, err error) {
	pos := from % l.geometry.RecordsBytes
	rest := min(l.geometry.RecordsBytes-pos, committed-from)
	if l.geometry.RecordsBytes-pos < RecordHeaderBytes {
		return nil, rest, nil
	}
	if rest < RecordHeaderBytes || from%8 != 0 {
		return nil, 0, fmt.Errorf("decode record at %d: %d bytes are committed there", from, rest)
	}
	off := int(l.geometry.RecordsOffset + pos)
	var hdr [RecordHeaderBytes]byte
	copyShared(hdr[:], l.mem, off, RecordHeaderBytes)
	h, err := DecodeRecordHeader(hdr[:], from)
	if err != nil {
		return nil, 0, err
	}
	if uint64(h.Length) > rest {
		return nil, 0, fmt.Errorf("decode record at %d: length %d, %d bytes are left", from, h.Length, rest)
	}
	if h.Type == TypePad || l.Skip != nil && l.Skip(h.Type) {
		return nil, uint64(h.Length), nil
	}
	b = slices.Grow(buf[:0], int(h.Length))[:h.Length]
	copyShared(b, l.mem, off, len(b))
	if le.Uint64(b[recOffset:]) != from || le.Uint32(b[recLength:]) != h.Length {
		return nil, 0, fmt.Errorf("decode record at %d: its header changed under the reader", from)
	}
	return b, uint64(h.Length), nil
}

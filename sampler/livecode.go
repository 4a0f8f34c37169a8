package sampler

import (
	"slices"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/procfs"
	"github.com/planflame/planflame/sampler/unwind"
)

// liveCode is the code of one JVM as it is now: all that unwinding needs, some 100 bytes a method.
// Naming, which needs the past, lines and inlining, is codemap's.
type liveCode struct {
	pages     map[uint64][]*entry // page number → what lies in it, in the order of arrival
	heaps     []jvmlog.CodeHeap
	low, high uint64 // what encloses the heaps and all entries
	mappings  procfs.Mappings
	entries   int
	listed    int // entries of pages, dead ones too
	dead      int // of listed, about
	recent    recentCode
	find      func(addr uint64) *entry // finds a compiled method that no entry covers; nil: all are told
	stands    func(*entry) bool        // reports whether one that was found is still there, and ends it if not; nil with find
}

// recentCode remembers what Lookup said lately: samples meet the same return addresses again and
// again, and a walk asks for each some times. Direct-mapped. An answer by an entry holds while that
// entry stands, for what is loaded over it kills it. But stubs may lie within stubs, so a new one
// makes all be forgotten. An answer without an entry holds until code changes, and where no code
// may lie until mappings do.
type recentCode struct {
	changes  uint64 // of anything
	nestings uint64 // of what an answer by an entry that stands depends on
	outsides uint64 // of mappings, and of where code may lie
	slots    [recentSlots]struct {
		addr  uint64
		entry *entry
		when  uint64 // one more than nestings where there is an entry, else absence: 0 is never
		code  unwind.Code
		ok    bool
	}
}

// recentSlots: a warm Spark task thread has a few hundred return addresses. A power of two.
const recentSlots = 1024

// changed says that code came or went, in a way that its entries tell.
func (r *recentCode) changed() { r.changes++ }

// forget lets no answer hold of where code may lie.
func (r *recentCode) forget() {
	r.changes++
	r.nestings++
}

// entry is one nmethod or stub.
type entry struct {
	unwind.Code
	stub bool
	dead bool
	read *readCode // nil: it was told
}

// codePageBits: a page holds some tens of nmethods, and all but the largest nmethods lie in one to
// three pages.
const codePageBits = 12

// largestCode bounds what one record may claim. mostCode bounds the living entries, and
// mostCodePages their places in pages: an entry counts once for each page that it lies in. The
// largest session measured, TPC-H with driver and executor in one JVM, had 35,000 entries in 53,000
// places. An entry without debug info takes some 350 bytes here and in package codemap. What is
// refused here is not delivered, so package codemap keeps no more either.
const (
	largestCode   = 4 << 20
	mostCode      = 48 << 10
	mostCodePages = 96 << 10
	mostInPage    = 1 << (codePageBits - 3) // entries of eight bytes
)

// apply takes in one record of the log; false: it claims too much.
func (l *liveCode) apply(r jvmlog.Record) bool {
	switch r := r.(type) {
	case *jvmlog.CodeLoad:
		return l.add(&entry{Code: unwind.Code{
			Start: r.Address, End: r.Address + uint64(r.Size), Kind: unwind.Compiled, FrameBytes: r.FrameBytes,
			FrameComplete: r.FrameComplete, Method: uint64(r.Method), Wrapper: r.Level == 0,
		}})
	case *jvmlog.CodeUnload:
		l.unload(r)
	case *jvmlog.Stub:
		return l.add(&entry{stub: true, Code: unwind.Code{
			Start: r.Address, End: r.Address + uint64(r.Size), Kind: unwind.StubKind(r.Name), FrameComplete: unwind.NoFrameComplete,
		}})
	case *jvmlog.CodeHeap:
		l.heap(*r)
	}
	return true
}

func (l *liveCode) heap(h jvmlog.CodeHeap) {
	l.enclose(h.Low, h.High)
	for i, known := range l.heaps {
		if known.Low == h.Low {
			l.heaps[i] = h
			return
		}
	}
	const most = 16 // HotSpot has three
	if len(l.heaps) < most {
		l.heaps = append(l.heaps, h)
	}
}

// enclose widens the range in which generated code may lie.
func (l *liveCode) enclose(low, high uint64) {
	if l.high == 0 {
		l.low, l.high = low, high
		l.recent.outsides++
	}
	if low < l.low || high > l.high {
		l.low, l.high = min(l.low, low), max(l.high, high)
		l.recent.outsides++
	}
}

// add ends what it overlaps, except that stubs may lie within stubs: the blob of all stub routines
// is one, and so is each routine. False: there is no room for it.
func (l *liveCode) add(e *entry) bool {
	if e.End <= e.Start || e.End-e.Start > largestCode || l.entries >= mostCode || !l.hasPlaces(e.places()) {
		return false
	}
	l.listed += e.places()
	if e.stub {
		l.recent.forget()
	} else {
		l.recent.changed()
	}
	if l.pages == nil {
		l.pages = map[uint64][]*entry{}
	}
	l.enclose(e.Start, e.End)
	l.entries++
	whole := true
	for page := e.Start >> codePageBits; page <= (e.End-1)>>codePageBits; page++ {
		kept := l.pages[page][:0]
		for _, old := range l.pages[page] {
			same := old.Start == e.Start && old.End == e.End
			if !old.dead && old.Start < e.End && e.Start < old.End && (same || !e.stub || !old.stub) {
				l.end(old)
			}
			if !old.dead {
				kept = append(kept, old)
			}
		}
		l.without(len(l.pages[page]) - len(kept))
		clear(l.pages[page][len(kept):])
		if len(kept) == mostInPage {
			l.pages[page] = kept
			l.listed--
			whole = false
			continue
		}
		l.pages[page] = append(kept, e)
	}
	if !whole {
		l.end(e)
	}
	return whole
}

// places is how many pages an entry lies in.
func (e *entry) places() int { return int((e.End-1)>>codePageBits - e.Start>>codePageBits + 1) }

// hasPlaces reports whether there is room for n more places in pages. It takes out the dead ones if
// they are many: nothing may come into their pages again.
func (l *liveCode) hasPlaces(n int) bool {
	if l.listed+n > mostCodePages && l.dead > mostCodePages/8 {
		for page, entries := range l.pages {
			living := slices.DeleteFunc(entries, func(e *entry) bool { return e.dead })
			l.without(len(entries) - len(living))
			if l.pages[page] = living; len(living) == 0 {
				delete(l.pages, page)
			}
		}
		l.dead = 0
	}
	return l.listed+n <= mostCodePages
}

// without says that dead entries were taken out of places.
func (l *liveCode) without(places int) {
	l.listed -= places
	l.dead = max(0, l.dead-places)
}

// unload forgets a method, unless its memory has been used again since.
func (l *liveCode) unload(r *jvmlog.CodeUnload) {
	for _, e := range l.pages[r.Address>>codePageBits] {
		if e.Start == r.Address && e.Method == uint64(r.Method) && !e.stub && !e.dead {
			l.end(e)
		}
	}
}

// end says that an entry is no more.
func (l *liveCode) end(e *entry) {
	e.dead = true
	l.entries--
	l.dead += e.places()
}

// forgetMethods forgets all compiled methods.
func (l *liveCode) forgetMethods() {
	for _, page := range l.pages {
		for _, e := range page {
			if !e.stub && !e.dead {
				l.end(e)
			}
		}
	}
}

// setMappings takes in the executable mappings as they are now.
func (l *liveCode) setMappings(m procfs.Mappings) {
	l.mappings = m
	l.recent.changed()
	l.recent.outsides++
}

// forgetCode forgets all nmethods and stubs.
func (l *liveCode) forgetCode() {
	l.pages, l.entries, l.listed, l.dead = nil, 0, 0, 0
	l.recent.forget()
}

// Lookup implements unwind.CodeMap.
func (l *liveCode) Lookup(addr uint64) (unwind.Code, bool) {
	slot := &l.recent.slots[addr*0x9e3779b97f4a7c15>>(64-10)] // recentSlots is 1 << 10
	switch {
	case slot.addr != addr:
	case slot.entry != nil:
		if l.remembers(slot.entry, slot.when) {
			return slot.entry.Code, true
		}
	case slot.when == l.absence(addr):
		return slot.code, slot.ok
	}
	slot.addr = addr
	if slot.entry = l.entryAt(addr); slot.entry != nil {
		slot.when = l.recent.nestings + 1
		return slot.entry.Code, true
	}
	slot.code, slot.ok = l.mapped(addr)
	slot.when = l.absence(addr)
	return slot.code, slot.ok
}

// absence is recentCode's when of an answer without an entry.
func (l *liveCode) absence(addr uint64) uint64 {
	if addr < l.low || addr >= l.high {
		return 1<<63 | l.recent.outsides
	}
	return l.recent.changes + 1
}

// remembers reports whether an answer by an entry holds.
func (l *liveCode) remembers(e *entry, when uint64) bool {
	return !e.dead && when == l.recent.nestings+1 && (e.read == nil || l.stands(e))
}

// entryAt is the smallest living entry at an address; nil if there is none.
func (l *liveCode) entryAt(addr uint64) (found *entry) {
	if addr < l.low || addr >= l.high {
		return nil
	}
	for _, e := range l.pages[addr>>codePageBits] {
		if addr < e.Start || addr >= e.End || e.dead {
			continue
		}
		if found == nil || e.End-e.Start < found.End-found.Start {
			found = e
		}
	}
	if found != nil && found.read != nil && !l.stands(found) {
		found = nil
	}
	if found == nil && l.find != nil {
		return l.find(addr)
	}
	return found
}

// known is the entry that Lookup found at an address lately; nil where it found none.
func (l *liveCode) known(addr uint64) *entry {
	slot := &l.recent.slots[addr*0x9e3779b97f4a7c15>>(64-10)]
	if slot.addr == addr && slot.entry != nil && l.remembers(slot.entry, slot.when) {
		return slot.entry
	}
	if addr < l.low || addr >= l.high {
		return nil
	}
	return l.entryAt(addr)
}

// mapped is the mapped file at an address.
func (l *liveCode) mapped(addr uint64) (unwind.Code, bool) {
	m, ok := l.mappings.Find(addr)
	if !ok || !m.File() {
		return unwind.Code{}, false
	}
	kind := unwind.Native
	if m.CLibrary() {
		kind = unwind.CLibrary
	}
	return unwind.Code{Start: m.Low, End: m.High, Kind: kind}, true
}

// Generated implements unwind.CodeMap. The code heaps lie side by side in one reservation.
func (l *liveCode) Generated() (low, high uint64) { return l.low, l.high }

// expected reports whether addr lies in a code heap in a place that no record has described yet.
func (l *liveCode) expected(addr uint64) bool {
	for _, h := range l.heaps {
		if addr >= h.Low && addr < h.High {
			_, known := l.Lookup(addr)
			return !known
		}
	}
	return false
}

// foreign reports whether addr lies in nothing that is known: neither in a code heap nor in a
// mapped file.
func (l *liveCode) foreign(addr uint64) bool {
	for _, h := range l.heaps {
		if addr >= h.Low && addr < h.High {
			return false
		}
	}
	_, known := l.Lookup(addr)
	return !known
}

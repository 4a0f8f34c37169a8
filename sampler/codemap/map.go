package codemap

import (
	"sync"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// largestCode bounds the code that one record may claim: more than any blob of HotSpot, less than
// would hurt in page lists.
const largestCode = 4 << 20

// maxHeaps bounds the code heaps of a JVM; HotSpot has three at most.
const maxHeaps = 16

// Map is the compiled code of one JVM over time. Safe for concurrent use.
type Map struct {
	settings Settings
	counts   counts
	recent   recent
	tables   tables

	mu        sync.RWMutex
	pages     pages
	intervals int         // in pages
	ended     []*interval // those that do not live, in the order in which that was said
	codeBytes int
	methods   methods
	fullFor   int // methods to refuse before room is sought again
	heaps     []jvmlog.CodeHeap
	low, high uint64 // [low, high) encloses all heaps and intervals there ever were
	watermark jvmlog.MonoTime
	forgotten jvmlog.MonoTime // no earlier time is asked for any more
}

// New is an empty Map.
func New(s Settings) *Map {
	m := &Map{
		settings: s.withDefaults(),
		pages:    pages{},
		methods:  methods{byID: map[jvmlog.MethodID]method{}},
	}
	return m
}

// Apply takes in a record that the agent wrote at time t. Records come in the order of the log.
// Those that say nothing about code are ignored. The record must not be changed afterwards.
func (m *Map) Apply(t jvmlog.MonoTime, rec jvmlog.Record) {
	switch r := rec.(type) {
	case *jvmlog.Method:
		m.applyMethod(t, r)
	case *jvmlog.CodeLoad:
		m.counts.loads.Add(1)
		code := newNMethod(r)
		if code.refused {
			m.counts.refused.Add(1)
		}
		m.insert(&interval{
			start: r.Address, end: r.Address + uint64(r.Size), from: t, until: forever, code: code,
			replayed: r.Flags&jvmlog.CodeReplayed != 0,
		})
	case *jvmlog.Stub:
		m.counts.stubs.Add(1)
		m.insert(&interval{start: r.Address, end: r.Address + uint64(r.Size), from: t, until: forever, name: r.Name})
	case *jvmlog.CodeUnload:
		m.unload(t, r)
	case *jvmlog.CodeHeap:
		m.applyHeap(*r)
	}
}

func (m *Map) applyMethod(t jvmlog.MonoTime, r *jvmlog.Method) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.methods.put(t, r)
	if m.methods.bytes <= m.settings.MaxMethodBytes {
		if m.methods.full() {
			m.counts.methodsForgotten.Add(uint64(m.methods.tidy(t, m.forgotten, m.methodsInUse(r.ID))))
			m.recent.forget() // its frames hold the old texts
		}
		return
	}
	// A tenth more than needed, and not again at once when that did not help: it looks at every
	// frame of every interval.
	if m.fullFor == 0 {
		m.counts.methodsForgotten.Add(uint64(m.methods.shrink(m.settings.MaxMethodBytes*9/10, m.methodsInUse(r.ID))))
		m.recent.forget()
		m.fullFor = fullRecords
	}
	m.fullFor--
	if m.methods.bytes > m.settings.MaxMethodBytes {
		m.methods.drop(r.ID)
		m.counts.refused.Add(1)
		return
	}
	m.fullFor = 0
}

// fullRecords is how many methods are refused before room is sought again.
const fullRecords = 1000

// methodsInUse are the methods that some interval mentions, and the newest one: its code comes
// next.
func (m *Map) methodsInUse(newest jvmlog.MethodID) map[jvmlog.MethodID]bool {
	used := map[jvmlog.MethodID]bool{newest: true}
	for number, all := range m.pages {
		for _, v := range all {
			if v.code == nil || v.start>>pageBits != number {
				continue // met at its first page
			}
			used[v.code.method] = true
			packedMethods(v.code.packed, func(id jvmlog.MethodID) { used[id] = true })
		}
	}
	return used
}

// insert adds an interval and ends those that it overlaps, unless it says nothing new. Those that
// have ended later than it begins end earlier: a reader of memory does not know when code went.
func (m *Map) insert(v *interval) {
	if v.end <= v.start || v.end-v.start > largestCode {
		m.counts.refused.Add(1)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.liveAt(v.start); old != nil && (v.replayed || v.code == nil) && old.same(v) {
		m.counts.repeated.Add(1)
		return
	}
	for n := v.start >> pageBits; n <= lastPage(v.end); n++ {
		for _, old := range m.pages[n] {
			switch {
			case !v.ends(old):
			case old.live():
				m.end(old, v.from)
				m.counts.endedByLoad.Add(1)
			default:
				old.until = v.from
			}
		}
	}
	if size := v.size(); m.codeBytes+size > m.settings.MaxCodeBytes {
		m.shrink(m.settings.MaxCodeBytes - size)
		if m.codeBytes+size > m.settings.MaxCodeBytes {
			m.counts.refused.Add(1)
			return
		}
	}
	if v.code == nil {
		m.recent.forget()
	}
	m.enclose(v.start, v.end)
	m.pages.add(v)
	m.intervals++
	m.codeBytes += v.size()
}

// enclose widens the range in which code may lie.
func (m *Map) enclose(low, high uint64) {
	if m.high == 0 {
		m.low, m.high = low, high
	}
	m.low, m.high = min(m.low, low), max(m.high, high)
}

// liveAt is the smallest live interval that starts at an address.
func (m *Map) liveAt(start uint64) (found *interval) {
	for _, v := range m.pages[start>>pageBits] {
		if v.start == start && v.live() && (found == nil || v.end < found.end) {
			found = v
		}
	}
	return found
}

// unload ends the method that the record names, unless its memory was used again before the record
// came.
func (m *Map) unload(t jvmlog.MonoTime, r *jvmlog.CodeUnload) {
	m.counts.unloads.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.pages[r.Address>>pageBits] {
		if v.start == r.Address && v.live() && v.code != nil && v.code.method == r.Method {
			m.end(v, t)
			return
		}
	}
	m.counts.lateUnloads.Add(1)
}

func (m *Map) applyHeap(h jvmlog.CodeHeap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.enclose(h.Low, h.High)
	for i, known := range m.heaps {
		if known.Low == h.Low {
			m.heaps[i] = h
			return
		}
	}
	if len(m.heaps) == maxHeaps {
		m.counts.refused.Add(1)
		return
	}
	m.heaps = append(m.heaps, h)
}

// Watermark says that every record written before t has been applied. Code that is unknown at an
// earlier time will stay unknown, and is counted when it is asked for. It never goes back.
func (m *Map) Watermark(t jvmlog.MonoTime) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watermark = max(m.watermark, t)
}

// Forget drops code that ended before t: no sample older than t will be asked for any more. Without
// it everything is kept up to Settings.MaxCodeBytes, and names up to Settings.MaxMethodBytes. It
// costs next to nothing when there is nothing to drop.
func (m *Map) Forget(t jvmlog.MonoTime) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgotten = max(m.forgotten, t)
	for len(m.ended) > 0 && m.ended[0].until < t {
		m.removeEnded()
	}
}

// shrink drops ended intervals, in the order in which their end was said, until at most limit bytes
// are left or all live.
func (m *Map) shrink(limit int) {
	for len(m.ended) > 0 && m.codeBytes > limit {
		m.removeEnded()
		m.counts.evicted.Add(1)
	}
}

// end says that an interval does not live any more.
func (m *Map) end(v *interval, t jvmlog.MonoTime) {
	v.until = t
	m.ended = append(m.ended, v)
}

// removeEnded drops the interval that ended first.
func (m *Map) removeEnded() {
	v := m.ended[0]
	m.ended[0] = nil
	m.ended = m.ended[1:]
	m.remove(v)
}

func (m *Map) remove(v *interval) {
	m.pages.remove(v)
	m.recent.dropped()
	m.intervals--
	m.codeBytes -= v.size()
}

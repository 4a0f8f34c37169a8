package codemap

import (
	"math"
	"strings"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// forever is the end of an interval that lives.
const forever = jvmlog.MonoTime(math.MaxUint64)

// interval is a piece of code and the time for which it stood at its addresses. Immutable but for
// until (under the map's lock).
type interval struct {
	start, end  uint64          // [start, end)
	from, until jvmlog.MonoTime // [from, until): times of the records
	replayed    bool            // older than from, no one knows how much

	code *nmethod // nil: a stub
	name string   // of a stub
}

// live reports whether nothing has ended the interval yet.
func (v *interval) live() bool { return v.until == forever }

// size estimates the memory that the interval holds, page lists included.
func (v *interval) size() int {
	const fixed, perPage = 80, 48
	n := fixed + perPage*int(lastPage(v.end)-v.start>>pageBits+1) + len(v.name)
	if v.code != nil {
		n += v.code.size()
	}
	return n
}

// same reports whether other describes the very code of v again, as a replay does, and knows no
// more of it.
func (v *interval) same(other *interval) bool {
	if v.start != other.start || v.end != other.end || (v.code == nil) != (other.code == nil) {
		return false
	}
	if v.code == nil {
		return v.name == other.name
	}
	return v.code.same(other.code)
}

// ends reports whether v, loaded now, shows that old is gone since v.from. Stubs may lie within
// stubs: the blob of all stub routines is reported, and each routine in it.
func (v *interval) ends(old *interval) bool {
	if v.from >= old.until || v.start >= old.end || old.start >= v.end {
		return false
	}
	bothStubs := v.code == nil && old.code == nil
	return !bothStubs || v.start == old.start && v.end == old.end
}

// interpreter reports whether the code is HotSpot's template interpreter: one blob of that name
// (templateInterpreter.cpp, JDK 17-25).
func (v *interval) interpreter() bool {
	return v.code == nil && strings.HasPrefix(v.name, "Interpreter")
}

// pageBits: most nmethods lie in one or two pages, and a page holds some tens of them over time.
const pageBits = 12

// lastPage is the page of the last byte before end.
func lastPage(end uint64) uint64 { return (end - 1) >> pageBits }

// pages find the intervals at an address: page number → intervals that touch it, in the order of
// arrival.
type pages map[uint64][]*interval

func (p pages) add(v *interval) {
	for n := v.start >> pageBits; n <= lastPage(v.end); n++ {
		p[n] = append(p[n], v)
	}
}

func (p pages) remove(v *interval) {
	for n := v.start >> pageBits; n <= lastPage(v.end); n++ {
		kept := p[n][:0]
		for _, o := range p[n] {
			if o != v {
				kept = append(kept, o)
			}
		}
		clear(p[n][len(kept):])
		if len(kept) == 0 {
			delete(p, n)
		} else {
			p[n] = kept
		}
	}
}

// at is the interval in force at an address at a time, the smallest of nested ones.
func (p pages) at(t jvmlog.MonoTime, addr uint64) (found *interval) {
	for _, v := range p[addr>>pageBits] {
		if addr < v.start || addr >= v.end || t < v.from || t >= v.until {
			continue
		}
		if found == nil || v.end-v.start < found.end-found.start {
			found = v
		}
	}
	return found
}

// next is the first interval at an address that begins after a time.
func (p pages) next(t jvmlog.MonoTime, addr uint64) (found *interval) {
	for _, v := range p[addr>>pageBits] {
		if addr < v.start || addr >= v.end || v.from <= t {
			continue
		}
		if found == nil || v.from < found.from {
			found = v
		}
	}
	return found
}

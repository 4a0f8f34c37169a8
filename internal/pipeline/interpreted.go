package pipeline

import (
	"slices"
	"sort"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// maxInterpreted bounds the methods that are kept by their Method* for one JVM.
const maxInterpreted = 1 << 18

// leastInterpreted is how many come at least before it is looked which of them the code map still
// has.
const leastInterpreted = 1 << 14

// mostBefore bounds the records that are kept of one Method* beside the last one.
const mostBefore = 1 << 12

// interpreter names the frames of the interpreter by their Method*. Names and lines are the code
// map's.
type interpreter struct {
	code    *codemap.Map
	methods map[uint64]methodAt   // :: Method* → the last record of it
	before  map[uint64][]methodAt // :: Method* → those before, ascending by time: memory of unloaded classes is used again
	count   int                   // in both
	enough  int                   // up to which no one looks for those that the code map has dropped
}

// methodAt is a METHOD record and the time from which on it holds: the record's own.
type methodAt struct {
	time jvmlog.MonoTime
	id   jvmlog.MethodID
}

func newInterpreter(code *codemap.Map) *interpreter {
	return &interpreter{code: code, methods: map[uint64]methodAt{}, before: map[uint64][]methodAt{}}
}

// add takes a METHOD record that the code map has.
func (n *interpreter) add(t jvmlog.MonoTime, m *jvmlog.Method) {
	if m.Ptr == 0 {
		return
	}
	last, known := n.methods[m.Ptr]
	if known {
		if f, ok := n.code.Method(last.id, -1, codemap.Frame{}); ok && f.Class == m.Class && f.Method == m.Name {
			switch f.Loader {
			case m.Loader: // it says no more, but may hold from earlier on
				n.methods[m.Ptr] = methodAt{min(last.time, t), last.id}
				return
			case 0: // the agent's record of what the sampler has named already: with the loader, and the time when the class came
				n.methods[m.Ptr] = methodAt{min(last.time, t), m.ID}
				return
			}
			if m.Loader == 0 {
				return // a record that the sampler made has no loader
			}
		}
	}
	if n.count >= max(n.enough, leastInterpreted) {
		n.tidy()
		last, known = n.methods[m.Ptr]
	}
	if n.count >= maxInterpreted {
		clear(n.methods)
		clear(n.before)
		known, n.count = false, 0
	}
	if before := n.before[m.Ptr]; len(before) >= mostBefore {
		n.before[m.Ptr] = slices.Delete(before, 0, 1)
		n.count--
	}
	n.count++
	if known && t < last.time {
		n.before[m.Ptr] = insert(n.before[m.Ptr], methodAt{t, m.ID})
		return
	}
	if known {
		n.before[m.Ptr] = append(n.before[m.Ptr], last)
	}
	n.methods[m.Ptr] = methodAt{t, m.ID}
}

// insert keeps the order of times: the agent's records hold from earlier on than the sampler's that
// came before them.
func insert(all []methodAt, m methodAt) []methodAt {
	return slices.Insert(all, after(all, m.time), m)
}

// after is the index of the first record that holds from later on than t.
func after(all []methodAt, t jvmlog.MonoTime) int {
	return sort.Search(len(all), func(i int) bool { return all[i].time > t })
}

// tidy drops the records of methods that the code map does not know any more, and all before such a
// one: their classes are as dead.
func (n *interpreter) tidy() {
	n.count = 0
	for ptr, last := range n.methods {
		if !n.code.Knows(last.id) {
			delete(n.methods, ptr)
			delete(n.before, ptr)
			continue
		}
		if before := n.before[ptr]; before != nil {
			before = slices.DeleteFunc(before, func(m methodAt) bool { return !n.code.Knows(m.id) })
			if n.before[ptr] = before; len(before) == 0 {
				delete(n.before, ptr)
			}
			n.count += len(before)
		}
		n.count++
	}
	n.enough = 2 * n.count
}

// named reports whether all interpreter frames of a sample have names.
func (n *interpreter) named(frames []sampler.Interpreted) bool {
	return !slices.ContainsFunc(frames, func(at sampler.Interpreted) bool {
		_, ok := n.methods[at.Method]
		return !ok && at.Method != 0
	})
}

// name fills an interpreter frame. The last record before the sample counts: records of generated
// classes hold from when the class was prepared, records of the sampler from its first sample. A
// record of a compiled method is written after the method is first run, so if there is none
// before, the first one counts.
func (n *interpreter) name(t jvmlog.MonoTime, at sampler.Interpreted, f codemap.Frame) codemap.Frame {
	m, ok := n.methods[at.Method]
	if !ok {
		return f
	}
	if before := n.before[at.Method]; m.time > t && len(before) > 0 {
		m = before[max(after(before, t)-1, 0)]
	}
	f, ok = n.code.Method(m.id, at.BCI, f)
	if ok {
		f.Kind = codemap.Interpreted
	}
	return f
}

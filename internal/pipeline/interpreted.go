package pipeline

import (
	"sort"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// maxInterpreted bounds the methods that are kept by their Method* for one JVM.
const maxInterpreted = 1 << 18

// interpreter names the frames of the interpreter by their Method*.
type interpreter struct {
	methods map[uint64][]methodAt // :: Method* → records of it, ascending by time: memory of unloaded classes is used again
	count   int
}

// methodAt is a METHOD record and when it was written.
type methodAt struct {
	time   jvmlog.MonoTime
	method *jvmlog.Method
}

func newInterpreter() *interpreter { return &interpreter{methods: map[uint64][]methodAt{}} }

// add takes a METHOD record.
func (n *interpreter) add(t jvmlog.MonoTime, m *jvmlog.Method) {
	if m.Ptr == 0 {
		return
	}
	known := n.methods[m.Ptr]
	if i := len(known) - 1; i >= 0 {
		if same(known[i].method, m) {
			return
		}
		if same(m, known[i].method) { // the agent's record of what the sampler has named already: with the loader
			known[i].method = m
			return
		}
	}
	if n.count >= maxInterpreted {
		clear(n.methods)
		known, n.count = nil, 0
	}
	n.methods[m.Ptr] = append(known, methodAt{t, m})
	n.count++
}

// same says whether b says no more than a. A record that the sampler made has no loader.
func same(a, b *jvmlog.Method) bool {
	return a.Class == b.Class && a.Name == b.Name && (a.Loader == b.Loader || b.Loader == 0)
}

// name fills an interpreter frame. The last record before the sample counts; a record is written a little after its method is first run,
// so where there is none before, the first one does.
func (n *interpreter) name(t jvmlog.MonoTime, at sampler.Interpreted, f codemap.Frame) codemap.Frame {
	known := n.methods[at.Method]
	if len(known) == 0 {
		return f
	}
	i := max(sort.Search(len(known), func(i int) bool { return known[i].time > t })-1, 0)
	m := known[i].method
	f.Kind, f.Class, f.Method, f.File, f.Loader, f.Line = codemap.Interpreted, m.Class, m.Name, m.SourceFile, m.Loader, lineOf(m, at.BCI)
	return f
}

// lineOf is the line of a bytecode, 0 unknown.
func lineOf(m *jvmlog.Method, bci int32) int {
	if bci < 0 {
		return 0
	}
	i := sort.Search(len(m.Lines), func(i int) bool { return m.Lines[i].StartBCI > uint32(bci) })
	if i == 0 {
		return 0
	}
	return int(m.Lines[i-1].Line)
}

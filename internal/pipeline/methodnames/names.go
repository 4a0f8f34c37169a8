package methodnames

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// maxMethods bounds the methods that are remembered of one JVM.
const maxMethods = 1 << 18

// Stats counts what was asked; all values only grow.
type Stats struct {
	Named    uint64 // methods read
	Unnamed  uint64 // methods that could not be read or were not believed
	NoLayout uint64 // asked before the layout was known
}

// Names names methods of one live JVM. One goroutine at a time.
type Names struct {
	memory io.ReaderAt
	file   *os.File // memory, if it is to be closed
	layout *layout
	known  map[uint64]bool // :: Method* → it has a name, or is not to be read again
	stats  Stats
}

// Open opens a process's memory. Without the permission it returns an error, and no Names.
func Open(pid int) (*Names, error) {
	file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/mem")
	if err != nil {
		return nil, fmt.Errorf("open memory of pid %d: %w", pid, err)
	}
	return &Names{memory: file, file: file, known: map[uint64]bool{}}, nil
}

// Close closes the memory.
func (n *Names) Close() error { return n.file.Close() }

// Stats returns what was counted so far.
func (n *Names) Stats() Stats { return n.stats }

// Record takes a record of the JVM's log: METHOD records name their method, VM_LAYOUT says how to read others.
func (n *Names) Record(r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Method:
		if r.Ptr != 0 {
			n.remember(r.Ptr)
		}
	case *jvmlog.VMLayout:
		if l, err := parseLayout(r.JSON); err == nil {
			n.layout = &l
		}
	}
}

// Name returns a METHOD record (with ID 0) for a Method* that has none, once; ok is false where it has one or cannot be read.
func (n *Names) Name(ptr uint64) (m *jvmlog.Method, ok bool) {
	if ptr == 0 || n.known[ptr] {
		return nil, false
	}
	if n.layout == nil {
		n.stats.NoLayout++
		return nil, false
	}
	n.remember(ptr)
	class, name, err := n.layout.read(n.memory, ptr)
	if err != nil {
		n.stats.Unnamed++
		return nil, false
	}
	n.stats.Named++
	return &jvmlog.Method{Ptr: ptr, Class: class, Name: name}, true
}

func (n *Names) remember(ptr uint64) {
	if len(n.known) >= maxMethods {
		clear(n.known) // they are read again
	}
	n.known[ptr] = true
}

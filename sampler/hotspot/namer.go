package hotspot

import (
	"errors"
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// Bounds of a Namer.
const (
	// CheckInterval is how long a new name is believed before the memory behind it is looked at
	// again. Each time that it was still right it is believed twice as long, up to
	// MaxCheckInterval: classes that go, such as accessors' and generated code's, go soon.
	CheckInterval    = 200 * time.Millisecond
	MaxCheckInterval = 32 * CheckInterval
	// RetryInterval is how long a Method* that could not be named is left alone.
	RetryInterval = time.Second
	// MaxMethods bounds the Method* that a Namer remembers (some 150 bytes each); beyond it all are
	// forgotten, and named again when they are met.
	MaxMethods = 1 << 16
)

// Namer names the methods of one JVM and remembers their names. One goroutine at a time.
type Namer struct {
	reader reader
	known  map[uint64]*entry // by Method*
}

// entry is what is remembered of a Method*.
type entry struct {
	method  *Method // nil: it could not be named
	seen    identity
	err     error
	checked time.Time
	believe time.Duration // from then on
}

// NewNamer returns a Namer of the JVM with that layout and memory.
func NewNamer(layout Layout, memory Memory) *Namer {
	return &Namer{reader: reader{layout: layout, memory: memory}, known: map[uint64]*entry{}}
}

// Known returns what is remembered of a Method* without reading memory, nil where that is no name;
// current says that Name would not read memory either.
func (n *Namer) Known(ptr uint64, now time.Time) (m *Method, current bool) {
	e := n.known[ptr]
	if e == nil {
		return nil, false
	}
	return e.method, now.Sub(e.checked) < e.interval()
}

func (e *entry) interval() time.Duration {
	if e.method == nil {
		return RetryInterval
	}
	return e.believe
}

// Doubt says that what is remembered of a Method* may be wrong: the next Name looks at memory.
func (n *Namer) Doubt(ptr uint64) {
	if e := n.known[ptr]; e != nil {
		e.checked = time.Time{}
	}
}

// Record is the record of the method at a Method*, as Name returns it of a new one. It reads memory
// and remembers nothing. The error is as Name's.
func (n *Namer) Record(ptr uint64) (record *jvmlog.Method, err error) {
	seen, err := n.reader.image(ptr)
	if err == nil {
		_, record, err = n.reader.method(ptr, seen)
	}
	if err != nil {
		return nil, fmt.Errorf("name the method at %#x: %w", ptr, err)
	}
	return record, nil
}

// Name names the method at a Method*. record is what there is to be said of it if the name is new,
// nil if an earlier call has returned the same Method. Nothing here keeps it. Its ID is for the
// caller to give; its Loader is 0, which is not to be had from outside. The error says what at that
// address cannot be a method, or why memory cannot be read; it is remembered for RetryInterval.
// Memory that is gone although it once held a name keeps it: the class was unloaded, or the process
// has ended, since the pointer was seen. A Method is never changed once it was returned.
func (n *Namer) Name(ptr uint64, now time.Time) (m *Method, record *jvmlog.Method, err error) {
	e := n.known[ptr]
	if e != nil && now.Sub(e.checked) < e.interval() {
		return e.method, nil, e.err
	}
	named := e != nil && e.method != nil
	seen, err := n.reader.image(ptr)
	if named && (err == nil && e.seen == seen.identity || err != nil && !errors.Is(err, errImpossible)) {
		e.checked, e.believe = now, min(2*e.believe, MaxCheckInterval)
		return e.method, nil, nil
	}
	if err == nil {
		m, record, err = n.reader.method(ptr, seen)
	}
	if e == nil && len(n.known) >= MaxMethods {
		clear(n.known)
	}
	n.known[ptr] = &entry{method: m, seen: seen.identity, err: err, checked: now, believe: CheckInterval}
	if err != nil {
		return nil, nil, fmt.Errorf("name the method at %#x: %w", ptr, err)
	}
	return m, record, nil
}

// Bytes is how many bytes texts and line tables have taken at most so far, also if they named no
// method.
func (n *Namer) Bytes() uint64 { return n.reader.taken }

package sampler

import (
	"strings"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// FirstOwnMethod is the first of the method numbers that a Sampler gives out itself, for methods that only the interpreter has run: the
// agent, which counts from 1, writes no record of them. Such a record has Ptr, Class, Name and Descriptor, no loader and no lines.
const FirstOwnMethod jvmlog.MethodID = 1 << 63

// methodNames remembers which Method* of a JVM have been named to the sink.
type methodNames struct {
	known map[uint64]namedMethod
	next  jvmlog.MethodID
}

// namedMethod is a method that the sink knows.
type namedMethod struct {
	class, name, descriptor string
	agent                   bool      // named by the agent, which also says when the memory is used again
	checked                 time.Time // last
}

// How names are kept.
const (
	mostMethods  = 1 << 16          // then all are forgotten and named again
	recheckNames = 10 * time.Second // classes unload, and a Method* is used again
)

// fromAgent takes in a METHOD record of the agent.
func (m *methodNames) fromAgent(r *jvmlog.Method) {
	if r.Ptr != 0 {
		m.put(r.Ptr, namedMethod{agent: true})
	}
}

func (m *methodNames) put(ptr uint64, n namedMethod) {
	if m.known == nil || len(m.known) >= mostMethods {
		m.known = map[uint64]namedMethod{}
	}
	m.known[ptr] = n
}

// name returns the record that names a method, when the sink does not know it yet; nil otherwise, or when it cannot be read.
func (m *methodNames) name(ptr uint64, h hotspot, now time.Time) *jvmlog.Method {
	old, known := m.known[ptr]
	if known && (old.agent || now.Sub(old.checked) < recheckNames) {
		return nil
	}
	class, name, descriptor, ok := h.methodName(ptr)
	if !ok {
		return nil
	}
	fresh := namedMethod{class: strings.ReplaceAll(class, "/", "."), name: name, descriptor: descriptor, checked: now}
	same := known && old.class == fresh.class && old.name == fresh.name && old.descriptor == fresh.descriptor
	m.put(ptr, fresh)
	if same {
		return nil
	}
	m.next++
	return &jvmlog.Method{ID: FirstOwnMethod + m.next - 1, Ptr: ptr, Class: fresh.class, Name: name, Descriptor: descriptor}
}

// interpreted says which bytecodes the interpreter frames of a stack run, and names methods that are new. kernel is the number of
// addresses before the stack's.
func (j *jvm) interpreted(frames []unwind.Interpreted, kernel int) []Interpreted {
	if len(frames) == 0 {
		return nil
	}
	now := time.Now()
	out := make([]Interpreted, len(frames))
	for i, f := range frames {
		out[i] = Interpreted{Frame: f.Frame + kernel, Method: f.Method, BCI: j.hotspot.bci(f)}
		if r := j.names.name(f.Method, j.hotspot, now); r != nil {
			j.sink.Record(j.info.ID, jvmlog.Now(), r)
		}
	}
	return out
}

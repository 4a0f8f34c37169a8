package sampler

import (
	"errors"
	"hash/maphash"
	"math"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/hotspot"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/unwind"
)

// FirstOwnMethod is the first of the method numbers that a Sampler gives out itself, for methods
// that only the interpreter has run. The agent, which counts from 1, writes no record of them. Such
// a record has Ptr, names, source file and lines as the agent's have, but no loader, which is not
// to be had from outside. Its time is the time of the first sample that holds the Method*.
const FirstOwnMethod jvmlog.MethodID = 1 << 63

// namesPerRound bounds how many Method* are looked at in one round. One takes 3 to 20 reads of
// about a microsecond; a cold JVM has some thousands of methods, each looked at again every
// hotspot.CheckInterval while it is met.
const namesPerRound = 2000

// nameBytesPerRound bounds what all names of a round take, with their line tables. One may take 1.3
// MB. The JDK's methods take some 450 bytes each.
const nameBytesPerRound = 8 << 20

// mostSaid bounds how many names are remembered. At half of it those that were remembered before,
// and not asked for since, are forgotten: they are named twice, without a generated class's loader.
const mostSaid = 1 << 17

// saidFor is how long the sink remembers for certain what was said of a generated class's method.
// Package codemap forgets those that no code mentions.
const saidFor = jvmlog.MonoTime(10 * time.Second)

// generatedPrefix begins the names of all classes that Spark generates.
const generatedPrefix = "org.apache.spark.sql.catalyst.expressions.GeneratedClass"

// methodNames names the methods that the interpreter runs in one JVM.
type methodNames struct {
	namer *hotspot.Namer        // nil before the JVM's layout is known, and when its memory may not be read
	off   bool                  // it may not
	said  map[uint64]saidMethod // :: Method* → what the last METHOD record says of it, the agent's or one of ours
	older map[uint64]saidMethod // what said was until it was full
	next  jvmlog.MethodID
	left  int       // of namesPerRound
	now   time.Time // of the round
	until time.Time // when it names no more of compiled code
	bytes uint64    // of the namer, up to which it names more

	numbered map[uint64]jvmlog.MethodID // :: Method* → its number, as looked at in this round
}

// saidMethod is what is remembered of a METHOD record.
type saidMethod struct {
	name   uint64 // its nameOf
	id     jvmlog.MethodID
	loader jvmlog.LoaderID
	until  jvmlog.MonoTime // then the sink may have forgotten it
}

// nameSeed is of nameOf.
var nameSeed = maphash.MakeSeed()

// nameOf is a hash of what tells methods from others: tens of thousands of names would be kept only
// to be compared with, and looked at by every garbage collection.
func nameOf(r *jvmlog.Method) uint64 {
	var h maphash.Hash
	h.SetSeed(nameSeed)
	for _, s := range [...]string{r.Class, r.Name, r.Descriptor} {
		h.WriteString(s)
		h.WriteByte(0)
	}
	return h.Sum64()
}

// start begins a round, in which code is read for some time at most.
func (m *methodNames) start(now time.Time, most time.Duration) {
	m.left, m.now, m.until = namesPerRound, now, time.Now().Add(most)
	if m.namer != nil {
		m.bytes = m.namer.Bytes() + nameBytesPerRound
	}
	if m.numbered == nil {
		m.numbered = map[uint64]jvmlog.MethodID{}
	}
	clear(m.numbered)
}

// isFull reports whether the round has had its bytes.
func (m *methodNames) isFull() bool { return m.namer != nil && m.namer.Bytes() >= m.bytes }

// isLate reports whether the round has had its time, or its bytes: one name may take tens of
// milliseconds if memory is made for it.
func (m *methodNames) isLate() bool { return m.isFull() || !time.Now().Before(m.until) }

// fromAgent takes in a METHOD record of the agent.
func (m *methodNames) fromAgent(r *jvmlog.Method) {
	if r.Ptr != 0 {
		m.remember(r)
	}
}

func (m *methodNames) remember(r *jvmlog.Method) {
	said := saidMethod{name: nameOf(r), id: r.ID, loader: r.Loader, until: math.MaxUint64}
	if r.Flags&jvmlog.MethodGenerated != 0 {
		said.until = jvmlog.Now() + saidFor
	}
	m.keep(r.Ptr, said)
}

func (m *methodNames) keep(ptr uint64, said saidMethod) {
	if m.said == nil || len(m.said) >= mostSaid/2 {
		m.said, m.older = map[uint64]saidMethod{}, m.said
	}
	m.said[ptr] = said
}

// saidOf is what the last METHOD record says of a Method*.
func (m *methodNames) saidOf(ptr uint64) (said saidMethod, known bool) {
	if said, known = m.said[ptr]; known {
		return said, true
	}
	if said, known = m.older[ptr]; known {
		m.keep(ptr, said)
	}
	return said, known
}

// forget forgets what was said.
func (m *methodNames) forget() { m.said, m.older = nil, nil }

// tell decides whether the sink needs a new name. It does not if the last record said the same. Nor
// does it if the agent will: it writes the methods of generated classes by itself, with the loader
// that we cannot know, soon after they were prepared. But it does if the memory was another's
// before, whose name would stand until then.
func (m *methodNames) tell(r *jvmlog.Method) bool {
	said, known := m.saidOf(r.Ptr)
	if known && said.name == nameOf(r) || !known && isGenerated(r.Class) {
		return false
	}
	m.give(r)
	return true
}

// give gives a record the next number of ours.
func (m *methodNames) give(r *jvmlog.Method) {
	r.ID = FirstOwnMethod + m.next
	m.next++
	m.remember(r)
}

func isGenerated(class string) bool { return strings.HasPrefix(class, generatedPrefix) }

// layout takes in a VM_LAYOUT record. A replay's says what is known.
func (j *jvm) layout(r *jvmlog.VMLayout) {
	if j.methods.namer != nil || j.methods.off {
		return
	}
	l, err := hotspot.ParseLayout(r.JSON, j.info.Header.JDKFeature)
	if err != nil {
		j.once("interpreted methods have no names", err)
		return
	}
	j.methods.namer = hotspot.NewNamer(l, j.memory)
}

// interpreted says which methods and bytecodes the interpreter frames of a stack run, and names
// methods that are new, ahead of the sample, which was taken at t. kernel is the number of
// addresses before the stack's.
func (j *jvm) interpreted(t jvmlog.MonoTime, frames []unwind.Interpreted, kernel int) []Interpreted {
	if len(frames) == 0 {
		return nil
	}
	out := make([]Interpreted, len(frames))
	for i, f := range frames {
		out[i] = Interpreted{Frame: f.Frame + kernel, Method: f.Method, BCI: bci(j.method(t, f), f)}
	}
	return out
}

// bci is the index of the bytecode that a frame is at: the first bytecode pointer that lies within
// the method's code. -1 for none.
func bci(m *hotspot.Method, f unwind.Interpreted) int32 {
	switch {
	case m == nil:
		return -1
	case f.Entering:
		return m.First()
	}
	for _, p := range f.BCP {
		if i := m.BCI(p); i >= 0 {
			return i
		}
	}
	return -1
}

// elsewhere reports whether a frame runs bytecodes, and none of the method that its Method* had:
// the class was unloaded, and its memory used again.
func elsewhere(m *hotspot.Method, f unwind.Interpreted) bool {
	return m.First() == 0 && f.BCP != [2]uint64{} && bci(m, f) < 0
}

// method names the method of a frame; nil when that cannot be done.
func (j *jvm) method(t jvmlog.MonoTime, f unwind.Interpreted) *hotspot.Method {
	m := &j.methods
	if m.namer == nil {
		return nil
	}
	known, current := m.namer.Known(f.Method, m.now)
	if known != nil && current && elsewhere(known, f) {
		m.namer.Doubt(f.Method)
		current = false
	}
	switch {
	case current:
		return known
	case m.left == 0 || m.isFull():
		if known == nil {
			j.stats.NamesDeferred++
		}
		return known
	}
	m.left--
	named, record, err := m.namer.Name(f.Method, m.now)
	if err != nil {
		j.unnamed(err)
		return nil
	}
	if said, known := m.saidOf(f.Method); known {
		j.sayAgain(t, f.Method, said)
	}
	if record == nil {
		return named
	}
	j.stats.Named++
	from, of := t, named
	if known != nil && bci(known, f) >= 0 && elsewhere(named, f) { // the last sample of the old method, read after the new one came
		from, of = t+1, known
	}
	if m.tell(record) {
		j.unwoundNow = append(j.unwoundNow, unwound{record: record, time: from})
	}
	return of
}

// sayAgain hands on again, at time t, what the sink may have forgotten of a method.
func (j *jvm) sayAgain(t jvmlog.MonoTime, ptr uint64, said saidMethod) {
	if t < said.until {
		return
	}
	r, err := j.methods.namer.Record(ptr)
	if err != nil || nameOf(r) != said.name {
		return // its class was unloaded, or the JVM has ended
	}
	r.ID, r.Loader, r.Flags = said.id, said.loader, r.Flags|jvmlog.MethodGenerated
	j.methods.remember(r)
	j.unwoundNow = append(j.unwoundNow, unwound{record: r, time: t})
}

// unnamed counts a method without a name. A refusal is for good.
func (j *jvm) unnamed(err error) {
	j.stats.NameFailures++
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOSYS) {
		j.methods.namer, j.methods.off = nil, true
		j.once("interpreted methods have no names: the JVM's memory may not be read", err)
	}
}

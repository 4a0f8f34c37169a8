package pipeline

import (
	"encoding/binary"
	"unsafe"

	"github.com/planflame/planflame/sampler/codemap"
)

// stackTable keeps distinct stacks once.
type stackTable struct {
	frames   []StackFrame
	frameIDs map[StackFrame]uint32
	known    map[sameFrame]knownFrame
	stacks   [][]uint32 // :: stack id → frame ids, leaf first
	stackIDs map[string]uint32
	key      []byte
}

// sameFrame tells frames apart by where their names lie in memory: names come from the code map's tables, so that a frame seen again has
// the very same strings, and nothing is hashed or built that is as long as a name. Equal frames with other strings only miss.
type sameFrame struct {
	class, method, file *byte
	lengths             [3]int
	line                int
	kind                codemap.Kind
}

// knownFrame keeps the strings whose addresses are the key: while it lives, no other string can lie there.
type knownFrame struct {
	id                  uint32
	class, method, file string
}

// maxKnownFrames bounds the frames known by address, should a symbolizer make its strings anew each time.
const maxKnownFrames = 1 << 15

func newStackTable() *stackTable {
	return &stackTable{frameIDs: map[StackFrame]uint32{}, known: map[sameFrame]knownFrame{}, stackIDs: map[string]uint32{}}
}

// sample returns the number of a sample's stack as it is shown, the one that intern has for Labelled.Stack.
func (t *stackTable) sample(l *Labelled) uint32 {
	t.key = t.key[:0]
	operator := t.frame(l.operatorFrame())
	if l.OperatorAt < 0 {
		t.key = binary.LittleEndian.AppendUint32(t.key, operator)
	}
	for i := range l.Frames {
		t.key = binary.LittleEndian.AppendUint32(t.key, t.named(&l.Frames[i]))
		if i == l.OperatorAt {
			t.key = binary.LittleEndian.AppendUint32(t.key, operator)
		}
	}
	return t.number()
}

// named returns the number of a frame as it is shown.
func (t *stackTable) named(f *codemap.Frame) uint32 {
	key := sameFrame{
		class: unsafe.StringData(f.Class), method: unsafe.StringData(f.Method), file: unsafe.StringData(f.File),
		lengths: [3]int{len(f.Class), len(f.Method), len(f.File)}, line: f.Line, kind: f.Kind,
	}
	if k, ok := t.known[key]; ok {
		return k.id
	}
	if len(t.known) >= maxKnownFrames {
		clear(t.known)
	}
	id := t.frame(shown(*f))
	t.known[key] = knownFrame{id, f.Class, f.Method, f.File}
	return id
}

// intern returns the number of a stack.
func (t *stackTable) intern(stack []StackFrame) uint32 {
	t.key = t.key[:0]
	for _, f := range stack {
		t.key = binary.LittleEndian.AppendUint32(t.key, t.frame(f))
	}
	return t.number()
}

// number is that of the stack whose frames are in key.
func (t *stackTable) number() uint32 {
	if id, ok := t.stackIDs[string(t.key)]; ok {
		return id
	}
	id := uint32(len(t.stacks))
	ids := make([]uint32, len(t.key)/4)
	for i := range ids {
		ids[i] = binary.LittleEndian.Uint32(t.key[4*i:])
	}
	t.stacks = append(t.stacks, ids)
	t.stackIDs[string(t.key)] = id
	return id
}

func (t *stackTable) frame(f StackFrame) uint32 {
	id, ok := t.frameIDs[f]
	if !ok {
		id = uint32(len(t.frames))
		t.frames = append(t.frames, f)
		t.frameIDs[f] = id
	}
	return id
}

// stack returns the frames of a stack, leaf first.
func (t *stackTable) stack(id uint32) []StackFrame {
	out := make([]StackFrame, len(t.stacks[id]))
	for i, f := range t.stacks[id] {
		out[i] = t.frames[f]
	}
	return out
}

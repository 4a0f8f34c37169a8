package pipeline

import "encoding/binary"

// stackTable keeps distinct stacks once.
type stackTable struct {
	frames   []StackFrame
	frameIDs map[StackFrame]uint32
	stacks   [][]uint32 // :: stack id → frame ids, leaf first
	stackIDs map[string]uint32
	key      []byte
}

func newStackTable() *stackTable {
	return &stackTable{frameIDs: map[StackFrame]uint32{}, stackIDs: map[string]uint32{}}
}

// intern returns the number of a stack.
func (t *stackTable) intern(stack []StackFrame) uint32 {
	t.key = t.key[:0]
	for _, f := range stack {
		t.key = binary.LittleEndian.AppendUint32(t.key, t.frame(f))
	}
	if id, ok := t.stackIDs[string(t.key)]; ok {
		return id
	}
	id := uint32(len(t.stacks))
	ids := make([]uint32, len(stack))
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

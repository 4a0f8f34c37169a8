package window

import (
	"hash/maphash"
	"slices"
	"unsafe"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/codemap"
)

// Stacks keeps distinct stacks once: a stack is a list of frame numbers, and frames are numbered as
// they come. Both numbers count from 0 and hold for this Stacks alone. Not safe for concurrent use;
// one that a Profile holds is not written any more.
type Stacks struct {
	frames   []pipeline.StackFrame // :: frame
	frameIDs map[uint64]uint32     // hash of a frame → the frame, as ids
	known    map[sameFrame]uint32  // → the frame
	recent   *recentFrames         // in front of known; nil until a sample comes
	// indices are the frames of all stacks, one stack after the other; ends is where each ends.
	indices []uint32
	ends    []uint32
	ids     map[uint64]uint32 // hash of a stack → the stack; of two with one hash the later has the next that is free
	key     []uint32          // of the stack at hand
	room    int               // the most stacks that the maps had room for
}

// sameFrame tells frames apart by where their names lie in memory. Names come from the code map's
// tables, so that a frame seen again has the very same strings. Nothing is hashed or built that is
// as long as a name. Equal frames with other strings only miss. While a key lives, no other string
// can lie where its names do.
type sameFrame struct {
	class, method, file *byte
	lengths             [3]uint32
	line                int32
	kind                codemap.Kind
}

// maxKnownFrames bounds the frames known by address, should a symbolizer make its strings again
// each time.
const maxKnownFrames = 1 << 15

// recentFrames are frames that samples had lately, direct-mapped. To ask a map costs more than all
// else that is done for a frame. A sample has some fifty frames, and earlier samples had nearly all
// of them.
type recentFrames [1 << recentFrameBits]struct {
	key   sameFrame
	frame uint32
	known bool
}

// recentFrameBits: a warm Spark executor's samples have some thousand frames in a window.
const recentFrameBits = 10

// hash spreads frames over recentFrames. Addresses of texts differ where the frames of one class
// do.
func (k *sameFrame) hash() uint64 {
	h := uint64(uintptr(unsafe.Pointer(k.class)))*3 + uint64(uintptr(unsafe.Pointer(k.method)))*5 + uint64(k.line)*0x10001 + uint64(k.lengths[1])
	return h * 0x9e3779b97f4a7c15 >> (64 - recentFrameBits)
}

// NewStacks returns an empty Stacks.
func NewStacks() *Stacks {
	return &Stacks{frameIDs: map[uint64]uint32{}, known: map[sameFrame]uint32{}, ids: map[uint64]uint32{}}
}

// newStacksAfter returns an empty Stacks with room for as much as the one before it had: windows
// resemble each other, and what grows is copied. The one before gives up what it needs to be
// written.
func newStacksAfter(before *Stacks) *Stacks {
	if before == nil {
		return NewStacks()
	}
	out := &Stacks{
		frames: make([]pipeline.StackFrame, 0, len(before.frames)), indices: make([]uint32, 0, len(before.indices)), ends: make([]uint32, 0, len(before.ends)),
		frameIDs: before.frameIDs, known: before.known, ids: before.ids, recent: before.recent, room: max(before.room, before.Len()),
	}
	before.frameIDs, before.known, before.ids, before.recent = nil, nil, nil, nil
	if 4*before.Len() < out.room {
		out.frameIDs, out.known, out.ids, out.room = make(map[uint64]uint32, len(before.frames)), map[sameFrame]uint32{}, make(map[uint64]uint32, before.Len()), before.Len()
	}
	clear(out.frameIDs)
	clear(out.known)
	clear(out.ids)
	if out.recent != nil {
		clear(out.recent[:])
	}
	return out
}

// Frames are all frames, by number. The caller does not change them.
func (t *Stacks) Frames() []pipeline.StackFrame { return t.frames }

// Len is the number of stacks.
func (t *Stacks) Len() int { return len(t.ends) }

// Indices are the frames of a stack, leaf first. The caller does not change them.
func (t *Stacks) Indices(stack uint32) []uint32 {
	begin := uint32(0)
	if stack > 0 {
		begin = t.ends[stack-1]
	}
	return t.indices[begin:t.ends[stack]:t.ends[stack]]
}

// Intern returns the number of a stack, leaf first, which is added unless it is there.
func (t *Stacks) Intern(stack []pipeline.StackFrame) uint32 {
	t.key = t.key[:0]
	for _, f := range stack {
		t.key = append(t.key, t.frame(f))
	}
	return t.number()
}

// sample returns the number of a sample's stack as it is shown, leaf first, with the operator
// frame.
func (t *Stacks) sample(l *pipeline.Labelled) uint32 {
	t.key = t.key[:0]
	operator := t.frame(l.OperatorFrame())
	if l.OperatorAt < 0 {
		t.key = append(t.key, operator)
	}
	for i := range l.Frames {
		t.key = append(t.key, t.named(&l.Frames[i]))
		if i == l.OperatorAt {
			t.key = append(t.key, operator)
		}
	}
	return t.number()
}

// named returns the number of a frame as it is shown.
func (t *Stacks) named(f *codemap.Frame) uint32 {
	key := sameFrame{
		class: unsafe.StringData(f.Class), method: unsafe.StringData(f.Method), file: unsafe.StringData(f.File),
		lengths: [3]uint32{uint32(len(f.Class)), uint32(len(f.Method)), uint32(len(f.File))}, line: int32(f.Line), kind: f.Kind,
	}
	if t.recent == nil {
		t.recent = &recentFrames{}
	}
	slot := &t.recent[key.hash()]
	if !slot.known || slot.key != key {
		slot.key, slot.frame, slot.known = key, t.ofMap(key, f), true
	}
	return slot.frame
}

// ofMap is what known has of a frame, which is added unless it is there.
func (t *Stacks) ofMap(key sameFrame, f *codemap.Frame) uint32 {
	frame, ok := t.known[key]
	if !ok {
		if len(t.known) >= maxKnownFrames {
			clear(t.known)
		}
		frame = t.frame(pipeline.Shown(*f))
		t.known[key] = frame
	}
	return frame
}

// number is the number of the stack whose frames are in key.
func (t *Stacks) number() uint32 {
	hash := uint64(len(t.key))
	for _, f := range t.key {
		hash = (hash ^ uint64(f)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	for ; ; hash++ {
		id, taken := t.ids[hash]
		if !taken {
			id = uint32(len(t.ends))
			t.indices = append(t.indices, t.key...)
			t.ends = append(t.ends, uint32(len(t.indices)))
			t.ids[hash] = id
			return id
		}
		if slices.Equal(t.Indices(id), t.key) {
			return id
		}
	}
}

// frameSeed is of all hashes of frames.
var frameSeed = maphash.MakeSeed()

func (t *Stacks) frame(f pipeline.StackFrame) uint32 {
	for hash := maphash.Comparable(frameSeed, f); ; hash++ {
		id, taken := t.frameIDs[hash]
		if !taken {
			id = uint32(len(t.frames))
			t.frames = append(t.frames, f)
			t.frameIDs[hash] = id
			return id
		}
		if t.frames[id] == f {
			return id
		}
	}
}

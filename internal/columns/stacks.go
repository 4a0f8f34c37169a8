package columns

import (
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler/codemap"
)

// Limits of what a Builder holds beside the columns.
const (
	mostNodes = 1 << 22 // of the tree of stacks; some 60 bytes each while it grows
	noNode    = int32(None)
)

// frameKey tells frames apart as people see them. Classes with equal texts have one file.
type frameKey struct {
	kind                uint8
	class, method, file string
	line                int
}

// child is a frame below a node.
type child struct {
	parent int32
	frame  uint32
}

// grove is the tree of stacks while it grows.
type grove struct {
	Tree
	most     int
	frames   map[frameKey]uint32
	keys     []frameKey // by number
	children map[child]int32
	stacks   map[uint64]uint32 // by hash; of two with one hash the later has the next that is free
	key      []uint32          // of the stack at hand, leaf first
	full     bool
	folded   uint64
}

func newGrove() *grove {
	g := &grove{most: mostNodes, frames: map[frameKey]uint32{}, children: map[child]int32{}, stacks: map[uint64]uint32{}}
	g.Leaf, g.Operator, g.Decided = []int32{noNode}, []int32{noNode}, []int32{noNode}
	return g
}

// stack returns the number of a sample's stack; 0 if there is none or no room for it.
func (g *grove) stack(l *pipeline.Labelled) uint32 {
	if len(l.Frames) == 0 {
		return 0
	}
	g.key = g.key[:0]
	for i := range l.Frames {
		frame, room := g.frame(&l.Frames[i])
		if !room {
			g.folded++
			return 0
		}
		g.key = append(g.key, frame)
	}
	operator, decided := l.OperatorAt, l.Verdict.Frame
	if decided >= len(l.Frames) {
		decided = None
	}
	hash := uint64(len(g.key))
	for _, v := range append(g.key, uint32(operator+1), uint32(decided+1)) {
		hash = (hash ^ uint64(v)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	for ; ; hash++ {
		id, taken := g.stacks[hash]
		if !taken {
			if len(g.Parent)+len(g.key) > g.most {
				g.full = true
				g.folded++
				return 0
			}
			id = g.plant(operator, decided)
			g.stacks[hash] = id
			return id
		}
		if g.equal(id, operator, decided) {
			return id
		}
	}
}

// plant adds the stack in key.
func (g *grove) plant(operator, decided int) uint32 {
	nodes := [3]int32{noNode, noNode, noNode} // leaf, operator, decided
	parent := noNode
	for i := len(g.key) - 1; i >= 0; i-- {
		at := child{parent, g.key[i]}
		node, known := g.children[at]
		if !known {
			node = int32(len(g.Parent))
			g.children[at] = node
			g.Parent, g.Frame = append(g.Parent, parent), append(g.Frame, at.frame)
		}
		for k, index := range [3]int{0, operator, decided} {
			if i == index {
				nodes[k] = node
			}
		}
		parent = node
	}
	id := uint32(len(g.Leaf))
	g.Leaf, g.Operator, g.Decided = append(g.Leaf, nodes[0]), append(g.Operator, nodes[1]), append(g.Decided, nodes[2])
	return id
}

// equal reports whether a stack is that in key.
func (g *grove) equal(id uint32, operator, decided int) bool {
	node := g.Leaf[id]
	for i, frame := range g.key {
		if node == noNode || g.Frame[node] != frame || (g.Operator[id] == node) != (i == operator) || (g.Decided[id] == node) != (i == decided) {
			return false
		}
		node = g.Parent[node]
	}
	return node == noNode
}

// frame returns the number of a frame; false where it is new and the tree is full.
func (g *grove) frame(f *codemap.Frame) (id uint32, room bool) {
	key := frameKey{kinds[f.Kind], f.Class, f.Method, f.File, f.Line}
	id, known := g.frames[key]
	if !known {
		if g.full {
			return 0, false
		}
		id = uint32(len(g.keys))
		g.frames[key] = id
		g.keys = append(g.keys, key)
	}
	return id, true
}

var kinds = map[codemap.Kind]uint8{
	codemap.Unknown: KindUnknown, codemap.Java: KindJava, codemap.Interpreted: KindInterpreted,
	codemap.Stub: KindStub, codemap.Native: KindNative, codemap.Kernel: KindKernel,
}

// names name frames without a name, as pipeline.Labelled.Stack does.
var names = [...]string{"[unknown]", "[java]", "[interpreter]", "[jvm stub]", "[native]", "[kernel]"}

// name is a frame's name as people see it.
func (k *frameKey) name() string {
	name := k.method
	if (k.kind == KindJava || k.kind == KindInterpreted) && k.class != "" {
		name = k.class + "." + k.method
	}
	if name == "" {
		return names[k.kind]
	}
	return name
}

// finish fills in the frames.
func (g *grove) finish(text func(string) uint32, source func(file string) int32) Tree {
	t := g.Tree
	for i := range g.keys {
		k := &g.keys[i]
		t.Name, t.File = append(t.Name, text(k.name())), append(t.File, text(k.file))
		t.Line, t.Kind = append(t.Line, uint32(max(k.line, 0))), append(t.Kind, k.kind)
		t.Source = append(t.Source, source(k.file))
	}
	return t
}

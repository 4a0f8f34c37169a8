package growth

import (
	"cmp"
	"slices"
	"unique"
)

// Frame is a frame's name. Equal names are one string in memory, in all trees.
type Frame = unique.Handle[string]

// NewFrame is the frame of a name.
func NewFrame(name string) Frame { return unique.Make(name) }

// Tree sums CPU by stack. The zero Tree is empty.
type Tree struct {
	nodes []node         // the operator itself, then callees behind their callers
	index map[edge]int32 // of nodes; nil: to be made
	cut   float64        // the most CPU that one node had, callees included, that was pruned
}

type node struct {
	caller int32 // index, less than the node's own
	frame  Frame
	cpu    float64 // without callees
}

type edge struct {
	caller int32
	frame  Frame
}

// Add adds CPU (any unit, the same in all trees) of a stack: the frames below the operator's, its
// callee first.
func (t *Tree) Add(stack []Frame, cpu float64) {
	t.begin()
	at := int32(0)
	for _, f := range stack {
		at = t.callee(at, f)
	}
	t.nodes[at].cpu += cpu
}

// Merge adds another tree's CPU.
func (t *Tree) Merge(o *Tree) {
	t.begin()
	for i, at := range t.place(o) {
		t.nodes[at].cpu += o.nodes[i].cpu
	}
	t.cut += o.cut
}

// place makes t have all nodes of another tree and returns where they are.
func (t *Tree) place(o *Tree) []int32 {
	at := make([]int32, len(o.nodes))
	for i := 1; i < len(o.nodes); i++ {
		at[i] = t.callee(at[o.nodes[i].caller], o.nodes[i].frame)
	}
	return at
}

func (t *Tree) begin() {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	if t.index == nil {
		t.index = make(map[edge]int32, len(t.nodes))
		for i := 1; i < len(t.nodes); i++ {
			t.index[edge{t.nodes[i].caller, t.nodes[i].frame}] = int32(i)
		}
	}
}

func (t *Tree) callee(caller int32, f Frame) int32 {
	e := edge{caller, f}
	i, ok := t.index[e]
	if !ok {
		i = int32(len(t.nodes))
		t.nodes = append(t.nodes, node{caller: caller, frame: f})
		t.index[e] = i
	}
	return i
}

// Len is the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Total is the CPU of all stacks.
func (t *Tree) Total() (cpu float64) {
	for i := range t.nodes {
		cpu += t.nodes[i].cpu
	}
	return cpu
}

// whole is the CPU of each node with its callees.
func (t *Tree) whole() []float64 {
	cpu := make([]float64, len(t.nodes))
	for i := range t.nodes {
		cpu[i] = t.nodes[i].cpu
	}
	return t.sums(cpu)
}

// sums adds to the CPU of each of the first nodes the CPU of its callees, in place.
func (t *Tree) sums(cpu []float64) []float64 {
	for i := len(cpu) - 1; i > 0; i-- {
		cpu[t.nodes[i].caller] += cpu[i]
	}
	return cpu
}

// Prune keeps the most nodes of the largest CPU, callees included, of those with the least share of
// all. The others' counts as their callers' own. It lets go of what only Add needs.
func (t *Tree) Prune(most int, least float64) {
	t.index = nil
	if len(t.nodes) == 0 {
		return
	}
	whole := t.whole()
	order := make([]int32, len(t.nodes))
	for i := range order {
		order[i] = int32(i)
	}
	// No callee is before its caller: it has no more CPU and the larger index.
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(whole[b], whole[a]), cmp.Compare(a, b)) })
	keep := make([]bool, len(t.nodes))
	kept := 0
	for _, i := range order {
		if i != 0 && (kept >= most || whole[i] < least*whole[0]) {
			t.cut += whole[i] // besides what was pruned of it before
			break
		}
		keep[i] = true
		kept++
	}
	moved := make([]int32, len(t.nodes)) // where a node, or what it now counts for, is
	nodes := make([]node, 0, kept)
	for i, n := range t.nodes {
		at := moved[n.caller]
		if !keep[i] {
			nodes[at].cpu += n.cpu
			moved[i] = at
			continue
		}
		moved[i] = int32(len(nodes))
		n.caller = at
		nodes = append(nodes, n)
	}
	t.nodes = nodes
}

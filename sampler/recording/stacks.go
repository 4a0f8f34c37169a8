package recording

import "github.com/planflame/planflame/sampler"

// Bounds of what a Writer remembers to write stacks once, and a Reader to read them.
const (
	// maxNodes bounds the nodes and threads of all trees, and so their memory: some 55 MiB.
	maxNodes = 1 << 20
	// maxFrames bounds a stack: the sampler's copy of a stack has room for 8,192 addresses at most.
	maxFrames = 1 << 14
	// maxSlots bounds the threads of a JVM; a log has at most 65,536 slots.
	maxSlots = 1 << 16
)

// frame is an address of a stack, and what the interpreter ran there.
type frame struct {
	addr, method uint64
	bci          int32
	interpreted  bool
}

// edge is a frame below its caller.
type edge struct {
	caller uint32
	addr   uint64
}

// interpretedEdge is a frame of the interpreter below its caller. They are few and have a map of
// their own, so that the others take less room.
type interpretedEdge struct {
	caller uint32
	frame  frame
}

// growing is a Writer's tree of a JVM's stacks. Node 0 is the root, above the outermost callers;
// nodes are numbered from 1 in the order in which they were written.
type growing struct {
	nodes       uint32
	compiled    map[edge]uint32
	interpreted map[interpretedEdge]uint32
	numbers     map[uint64]uint32 // of addresses, from 1 in the order in which they were written
	threads     map[int]*thread
}

func newGrowing() *growing {
	return &growing{compiled: map[edge]uint32{}, interpreted: map[interpretedEdge]uint32{}, numbers: map[uint64]uint32{}, threads: map[int]*thread{}}
}

// below returns the node of a frame below a caller, or false.
func (g *growing) below(caller uint32, f frame) (node uint32, ok bool) {
	if f.interpreted {
		node, ok = g.interpreted[interpretedEdge{caller, f}]
	} else {
		node, ok = g.compiled[edge{caller, f.addr}]
	}
	return node, ok
}

// size is how many nodes and threads there are.
func (g *growing) size() int { return int(g.nodes) + len(g.threads) }

func (g *growing) add(caller uint32, f frame) uint32 {
	g.nodes++
	if f.interpreted {
		g.interpreted[interpretedEdge{caller, f}] = g.nodes
	} else {
		g.compiled[edge{caller, f.addr}] = g.nodes
	}
	return g.nodes
}

// grown is a Reader's tree of a JVM's stacks.
type grown struct {
	callers []uint32
	frames  []frame
	addrs   []uint64 // by their numbers, less 1
	threads map[int]*thread
}

func newGrown() *grown {
	return &grown{callers: []uint32{0}, frames: []frame{{}}, threads: map[int]*thread{}}
}

// nodes is how many there are, without the root.
func (g *grown) nodes() int { return len(g.callers) - 1 }

// size is how many nodes and threads there are.
func (g *grown) size() int { return g.nodes() + len(g.threads) }

// stack appends the stack of a node to a sample, leaf first, and reports whether it is of at most
// maxFrames.
func (g *grown) stack(node uint32, s *sampler.Sample) bool {
	depth, interpreted := 0, 0
	for n := node; n != 0; n = g.callers[n] {
		if depth++; depth > maxFrames {
			return false
		}
		if g.frames[n].interpreted {
			interpreted++
		}
	}
	s.Addrs = make([]uint64, 0, depth)
	if interpreted > 0 {
		s.Interpreted = make([]sampler.Interpreted, 0, interpreted)
	}
	for n := node; n != 0; n = g.callers[n] {
		if f := &g.frames[n]; f.interpreted {
			s.Interpreted = append(s.Interpreted, sampler.Interpreted{Frame: len(s.Addrs), Method: f.method, BCI: f.bci})
		}
		s.Addrs = append(s.Addrs, g.frames[n].addr)
	}
	return true
}

// thread is what the last sample of a thread slot said. The next one is written as the difference.
type thread struct {
	tid                        uint32
	time, period, base, detail int64
	kept                       float64
}

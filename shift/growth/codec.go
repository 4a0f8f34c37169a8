package growth

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// storedTree is the stored form of a Tree.
type storedTree struct {
	Frames []string     `json:"frames,omitempty"`
	CPU    float64      `json:"cpu"` // the operator's own
	Cut    float64      `json:"cut,omitempty"`
	Nodes  [][3]float64 `json:"nodes"` // caller (place in Nodes, from 1; 0: the operator), frame (place in Frames), CPU
}

// mostStored bounds the nodes of a stored tree.
const mostStored = 1 << 16

// MarshalJSON implements json.Marshaler.
func (t *Tree) MarshalJSON() ([]byte, error) {
	s := storedTree{Cut: t.cut}
	places := map[Frame]int{}
	for i, n := range t.nodes {
		if i == 0 {
			s.CPU = n.cpu
			continue
		}
		at, ok := places[n.frame]
		if !ok {
			at = len(s.Frames)
			places[n.frame] = at
			s.Frames = append(s.Frames, n.frame.Value())
		}
		s.Nodes = append(s.Nodes, [3]float64{float64(n.caller), float64(at), n.cpu})
	}
	return json.Marshal(s)
}

// UnmarshalJSON implements json.Unmarshaler. After an error the Tree is as it was.
func (t *Tree) UnmarshalJSON(text []byte) error {
	var s storedTree
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decode call tree: %w", err)
	}
	if len(s.Nodes) > mostStored {
		return fmt.Errorf("decode call tree: %d nodes, at most %d", len(s.Nodes), mostStored)
	}
	frames := make([]Frame, len(s.Frames))
	for i, f := range s.Frames {
		frames[i] = NewFrame(f)
	}
	nodes := append(make([]node, 0, len(s.Nodes)+1), node{cpu: s.CPU})
	for i, n := range s.Nodes {
		caller, frame := n[0], n[1]
		if !index(caller, i+1) || !index(frame, len(frames)) {
			return fmt.Errorf("decode call tree: node %d: %v", i+1, n)
		}
		nodes = append(nodes, node{caller: int32(caller), frame: frames[int(frame)], cpu: n[2]})
	}
	if !(s.Cut >= 0) || math.IsInf(s.Cut, 0) {
		return fmt.Errorf("decode call tree: CPU %g that was pruned", s.Cut)
	}
	read := Tree{nodes: nodes, cut: s.Cut}
	for i, n := range nodes {
		if !(n.cpu >= 0) || math.IsInf(n.cpu, 0) {
			return fmt.Errorf("decode call tree: CPU %g of node %d", n.cpu, i)
		}
	}
	if total := read.Total(); !(total > 0) || math.IsInf(total, 0) {
		return errors.New("decode call tree: no CPU")
	}
	*t = read
	return nil
}

// index reports whether v is a place among n.
func index(v float64, n int) bool { return v >= 0 && v < float64(n) && v == math.Trunc(v) }

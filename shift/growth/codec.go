package growth

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// The stored form of a History. Times are nanoseconds since 1970.
type (
	storedHistory struct {
		Frames []string      `json:"frames"`
		Groups []storedGroup `json:"groups"`
	}
	storedGroup struct {
		First   int64   `json:"first"`
		Last    int64   `json:"last"`
		Runs    int     `json:"runs"`
		Samples float64 `json:"samples"`
		// CPU of the operator's own, then caller (place in Nodes, from 1; 0: the operator), frame (place in Frames) and CPU of each other node.
		CPU   float64      `json:"cpu"`
		Nodes [][3]float64 `json:"nodes"`
	}
)

// MarshalJSON implements json.Marshaler.
func (h *History) MarshalJSON() ([]byte, error) {
	var s storedHistory
	places := map[Frame]int{}
	for i := range h.groups {
		g := &h.groups[i]
		of := storedGroup{First: g.first.UnixNano(), Last: g.last.UnixNano(), Runs: g.runs, Samples: g.samples, CPU: g.tree.nodes[0].cpu}
		for _, n := range g.tree.nodes[1:] {
			at, ok := places[n.frame]
			if !ok {
				at = len(s.Frames)
				places[n.frame] = at
				s.Frames = append(s.Frames, n.frame.Value())
			}
			of.Nodes = append(of.Nodes, [3]float64{float64(n.caller), float64(at), n.cpu})
		}
		s.Groups = append(s.Groups, of)
	}
	return json.Marshal(s)
}

// UnmarshalJSON implements json.Unmarshaler. After an error the History is as it was.
func (h *History) UnmarshalJSON(text []byte) error {
	var s storedHistory
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decode stacks: %w", err)
	}
	frames := make([]Frame, len(s.Frames))
	for i, f := range s.Frames {
		frames[i] = NewFrame(f)
	}
	var groups []group
	for i, of := range s.Groups {
		g, err := of.group(frames)
		if err != nil {
			return fmt.Errorf("decode stacks: group %d: %w", i, err)
		}
		groups = append(groups, g)
	}
	if !slices.IsSortedFunc(groups, func(a, b group) int { return a.last.Compare(b.last) }) {
		return errors.New("decode stacks: groups in no order")
	}
	h.groups = groups
	return nil
}

func (s *storedGroup) group(frames []Frame) (group, error) {
	g := group{first: time.Unix(0, s.First).UTC(), last: time.Unix(0, s.Last).UTC(), runs: s.Runs, samples: s.Samples}
	switch {
	case s.Last < s.First:
		return g, fmt.Errorf("ends %s before %s", g.last, g.first)
	case s.Runs < 1 || s.Runs > largest || s.Runs&(s.Runs-1) != 0:
		return g, fmt.Errorf("%d runs", s.Runs)
	case !(s.Samples > 0) || math.IsInf(s.Samples, 0):
		return g, fmt.Errorf("%g samples", s.Samples)
	case !(s.CPU >= 0) || math.IsInf(s.CPU, 0):
		return g, fmt.Errorf("CPU %g", s.CPU)
	case len(s.Nodes) >= mostNodes:
		return g, fmt.Errorf("%d nodes", len(s.Nodes))
	}
	g.tree.nodes = append(g.tree.nodes, node{cpu: s.CPU})
	for i, n := range s.Nodes {
		caller, frame, cpu := n[0], n[1], n[2]
		if !index(caller, i+1) || !index(frame, len(frames)) || !(cpu >= 0) || math.IsInf(cpu, 0) {
			return g, fmt.Errorf("node %d: %v", i, n)
		}
		g.tree.nodes = append(g.tree.nodes, node{caller: int32(caller), frame: frames[int(frame)], cpu: cpu})
	}
	if !(g.tree.Total() > 0) {
		return g, errors.New("no CPU")
	}
	return g, nil
}

// index tells whether v is a place among n.
func index(v float64, n int) bool { return v >= 0 && v < float64(n) && v == math.Trunc(v) }

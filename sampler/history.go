package sampler

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// history are the task events that a reader before us has read: of them only the tasks that still
// run are of use, to whom what comes belongs. What the others used has been told, and would count
// twice.
type history struct {
	until uint64                        // index of the first event that no one has read
	open  map[uint32][]jvmlog.TaskEvent // :: tid → the start of the task that runs, and what was switched since
}

// newHistory is where to read on: at the first event that is still there, or that no one has read.
func newHistory(read uint64, h *jvmlog.Header) (hist history, from uint64) {
	slots := uint64(h.EventSlots)
	first := h.EventsHead - min(slots, h.EventsHead)
	return history{until: read, open: map[uint32][]jvmlog.TaskEvent{}}, min(first, read)
}

// holds takes an event that belongs to it.
func (h *history) holds(e jvmlog.TaskEvent) bool {
	if e.Index >= h.until {
		return false
	}
	switch e.Kind {
	case jvmlog.TaskStart:
		h.open[e.TID] = []jvmlog.TaskEvent{e}
	case jvmlog.TaskEnd:
		delete(h.open, e.TID)
	case jvmlog.TaskClocks:
		if of := h.open[e.TID]; len(of) > 0 && of[0].Task == e.Task {
			h.open[e.TID] = append(of[:1], e) // the last one counts
		}
	}
	return true
}

// take are the events of the tasks that still ran at its end, in their order, once.
func (h *history) take() []jvmlog.TaskEvent {
	if len(h.open) == 0 {
		return nil
	}
	var out []jvmlog.TaskEvent
	for _, of := range h.open {
		out = append(out, of...)
	}
	slices.SortFunc(out, func(a, b jvmlog.TaskEvent) int { return cmp.Compare(a.Index, b.Index) })
	clear(h.open)
	return out
}

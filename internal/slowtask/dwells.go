package slowtask

import (
	"cmp"
	"slices"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/skew"
	"github.com/planflame/planflame/tasksample"
)

// KindFirst is the kind of a dwell at the first record, or batch, of a task: programs open
// connections and load models there.
const KindFirst pipeline.DwellKind = "first"

// KindLikeOthers is the kind of a dwell at a record that cost as much as the others of its task.
const KindLikeOthers pipeline.DwellKind = "like_others"

// counted names what records are counted of: a task's input, or what its Python worker hands back.
type counted struct {
	stage   tasksample.StageID
	attempt tasksample.StageAttempt
	task    tasksample.TaskAttemptID
	python  bool
}

// Told returns the dwells of a JVM's application as they are told. Those that blame a record, or a
// key, are the slow ones. Others with such a kind get KindFirst or KindLikeOthers. If a task's own
// code works in batches (skew.Batches), Batch and At are of its batch. The result has the order of
// dwells, and they stay as they are.
func Told(dwells []pipeline.Dwell) []pipeline.Dwell {
	out := slices.Clone(dwells)
	of := map[counted][]*pipeline.Dwell{}
	for i := range out {
		if d := &out[i]; d.Kind == pipeline.DwellRecord || d.Kind == pipeline.DwellNext {
			at := counted{d.Stage, d.StageAttempt, d.Task, d.Python}
			of[at] = append(of[at], d)
		}
	}
	for _, all := range of {
		batches(all)
	}
	for i := range out {
		d := &out[i]
		if !d.IsRecord() {
			continue
		}
		judged := Dwell(d)
		if first, _ := d.Span(); first <= 1 && !judged.Key {
			d.Kind = KindFirst
		} else if !judged.IsSlow() {
			d.Kind = KindLikeOthers
		}
	}
	return out
}

// batches gives the dwells of a task the batch of its own code, if that is larger than theirs.
func batches(of []*pipeline.Dwell) {
	slices.SortFunc(of, func(a, b *pipeline.Dwell) int { return cmp.Compare(a.At, b.At) })
	at, read := make([]int64, len(of)), int64(0)
	for i := range of {
		at[i], read = of[i].At, max(read, of[i].Batch)
	}
	b := skew.BatchesOf(at, read)
	for _, d := range of {
		if d.Kind == pipeline.DwellRecord && b.Size > d.Batch && b.Has(d.At) {
			d.Batch, d.At = b.Size, b.End(d.At)
		}
	}
}

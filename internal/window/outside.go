package window

import (
	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

var _ pipeline.OutsideConsumer = (*Accumulator)(nil)

// Outside implements OutsideConsumer.
func (a *Accumulator) Outside(o pipeline.Outside) {
	s := a.of(o.JVM)
	e := a.entry(s, o.Labels, func() uint32 { return s.stacks.Intern(o.Stack) })
	e.apart += o.CPU
	e.below += o.Below
	e.above += o.Above
	if s.ledger != nil && forPython(&o) {
		s.ledger.python(&o)
	}
}

// forPython reports whether the CPU is of Python workers, or of the threads that feed them: it
// counts for its query.
func forPython(o *pipeline.Outside) bool {
	return o.Bucket == pipeline.BucketPythonFeed || o.Group == pipeline.GroupChildren && (o.Bucket == attribution.BucketNone || o.Bucket == pipeline.BucketPython)
}

// Processes implements OutsideConsumer.
func (a *Accumulator) Processes(id sampler.JVMID, p pipeline.Processes) {
	t := &a.of(id).totals
	t.Process += p.Process
	t.TaskThreads += p.TaskThreads
	t.Threads += p.Threads
	t.Children += p.Children
	t.Workers += p.Workers
	t.Unplaced += p.Unplaced
}

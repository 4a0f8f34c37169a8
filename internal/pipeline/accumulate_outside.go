package pipeline

import "github.com/planflame/planflame/sampler"

var _ OutsideConsumer = (*Accumulator)(nil)

// Outside implements OutsideConsumer.
func (a *Accumulator) Outside(o Outside) {
	s := a.of(o.JVM)
	a.entry(s, o.Labels, func() uint32 { return s.stacks.Intern(o.Stack) }).apart += o.CPU
}

// Processes implements OutsideConsumer.
func (a *Accumulator) Processes(id sampler.JVMID, p Processes) {
	t := &a.of(id).totals
	t.Process += p.Process
	t.TaskThreads += p.TaskThreads
	t.Threads += p.Threads
	t.Children += p.Children
	t.Workers += p.Workers
	t.Unplaced += p.Unplaced
}

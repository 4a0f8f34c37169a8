package window

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// Take returns what was accumulated since the last Take and starts from 0. JVMs stay known until
// they are gone.
func (a *Accumulator) Take() Profile {
	p := Profile{Calibrated: a.settings.Calibrate, FoldedStacks: a.folded}
	a.folded = 0
	statistics := map[sampler.JVMID][]StageStatistics{}
	for id, s := range a.jvms {
		statistics[id] = s.takeStatistics(a.settings.Calibrate || s.gone)
		if s.ledger != nil {
			p.Executions = append(p.Executions, s.ledger.take(statistics[id])...)
		}
	}
	c := calibration{}
	stages := a.merged(statistics)
	if a.settings.Calibrate {
		c = a.calibration(stages)
	}
	for _, st := range stages {
		p.Stages = append(p.Stages, *st)
	}
	slices.SortFunc(p.Stages, func(x, y StageStatistics) int {
		return cmp.Or(cmp.Compare(x.Application, y.Application), cmp.Compare(x.Labels.JVM, y.Labels.JVM), cmp.Compare(x.Labels.Stage, y.Labels.Stage))
	})
	for id, s := range a.jvms {
		p.JVMs = append(p.JVMs, s.profile(a, c))
		s.reset(&a.settings)
		if s.gone {
			delete(a.jvms, id)
		}
	}
	slices.SortFunc(p.Executions, func(x, y ExecutionCost) int {
		return cmp.Or(cmp.Compare(x.Labels.JVM, y.Labels.JVM), cmp.Compare(x.Labels.Execution, y.Labels.Execution))
	})
	slices.SortFunc(p.JVMs, func(x, y JVMProfile) int { return cmp.Compare(x.JVM.ID, y.JVM.ID) })
	return p
}

func (s *sums) profile(a *Accumulator, c calibration) JVMProfile {
	for key, stage := range s.stages {
		for id, open := range stage.open {
			s.totals.Unaccounted += open
			s.tell(id, open)
		}
		if a.settings.Calibrate {
			a.apart(s, stage.labels, attribution.BucketNoSamples, c.unsampled(s.runKey(key.stage), stage.known))
		}
	}
	out := JVMProfile{JVM: s.info, Application: s.app, Sampler: s.sampler, Gone: s.gone, Stacks: s.stacks, UserLines: s.lines}
	var lost uint64
	out.Times, lost = s.times.take(s.inners)
	s.totals.LostTimes += lost
	out.Entries = make([]Entry, len(s.entries))
	for i, factor := range s.factors(a, c) {
		w := &s.entries[i]
		e := Entry{Labels: s.numbered[w.labels], Stack: w.stack, Samples: w.samples, Raw: w.raw, CPU: w.apart, Exact: w.apart, Below: w.below, Above: w.above}
		if factor < 0 {
			factor = expanding(w)
			e.CPU += w.expanded
		} else {
			e.CPU += scale(w.raw, factor)
		}
		e.Weak, e.Disputed = scale(w.weak, factor), scale(w.disputed, factor)
		if e.Labels.Stage == pipeline.NoStage {
			s.totals.Unaccounted += w.raw
		}
		out.Entries[i] = e
	}
	s.totals.TaskCPU += s.totals.Unaccounted
	paid := min(s.owed, s.totals.TaskCPU)
	s.totals.TaskCPU -= paid
	s.owed -= paid
	if a.settings.Calibrate {
		s.endedTaskThreads(out.Entries)
	}
	out.Totals = s.totals
	if s.ledger != nil {
		out.Known = s.ledger.takeKnown()
	}
	out.Work = s.work.take()
	out.Entries = s.sorted(out.Entries)
	return out
}

// factors are what the weights of samples are to be multiplied with, by entry; negative where they
// are expanded only.
func (s *sums) factors(a *Accumulator, c calibration) []float64 {
	ofLabels := make([]float64, len(s.numbered))
	for n, l := range s.numbered {
		ofLabels[n] = -1
		if a.settings.Calibrate && l.Stage != pipeline.NoStage {
			ofLabels[n] = c.factor(s.runKey(l.Stage), l)
		}
	}
	out := make([]float64, len(s.entries))
	for i := range s.entries {
		out[i] = ofLabels[s.entries[i].labels]
	}
	return out
}

// sorted are the entries by labels, then by falling CPU, then in the order in which their stacks
// came.
func (s *sums) sorted(entries []Entry) []Entry {
	byLabels := make([]uint32, len(s.numbered))
	for n := range byLabels {
		byLabels[n] = uint32(n)
	}
	slices.SortFunc(byLabels, func(x, y uint32) int { return compareLabels(&s.numbered[x], &s.numbered[y]) })
	rank := make([]uint32, len(s.numbered))
	for at, n := range byLabels {
		rank[n] = uint32(at)
	}
	order := make([]uint32, len(entries))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int {
		v, w := &s.entries[x], &s.entries[y]
		return cmp.Or(cmp.Compare(rank[v.labels], rank[w.labels]), cmp.Compare(entries[y].CPU, entries[x].CPU), cmp.Compare(v.stack, w.stack))
	})
	out := make([]Entry, len(entries))
	for at, i := range order {
		out[at] = entries[i]
	}
	return out
}

// tell remembers what a window said of an open attempt. Where too many are open the oldest by
// number is forgotten: its end counts in whole.
func (s *sums) tell(id tasksample.TaskAttemptID, open time.Duration) {
	s.told[id] += open
	forgetOldest(s.told, mostOpen)
}

// forgetOldest takes out the entry of the lowest number where there are more than most.
func forgetOldest[K cmp.Ordered, V any](entries map[K]V, most int) {
	if len(entries) <= most {
		return
	}
	first := true
	var oldest K
	for k := range entries {
		if first || k < oldest {
			first, oldest = false, k
		}
	}
	delete(entries, oldest)
}

// expanding is by how much the weights of an entry are expanded for tasks that were not selected.
func expanding(w *weights) float64 {
	if w.raw <= 0 {
		return 1
	}
	return float64(w.expanded) / float64(w.raw)
}

// endedTaskThreads takes out of BucketUnseen what task threads used after they were last read in
// /proc and before they ended: the tasks' own account has it.
func (s *sums) endedTaskThreads(entries []Entry) {
	for i := range entries {
		if e := &entries[i]; e.Labels.Bucket == pipeline.BucketUnseen {
			known := s.totals.TaskCPU - s.totals.Unaccounted
			ended := min(max(known-s.totals.TaskThreads, 0), e.CPU)
			e.CPU, e.Exact = e.CPU-ended, e.Exact-ended
			s.totals.TaskThreads += ended
			s.totals.Threads -= ended
		}
	}
}

func scale(d time.Duration, factor float64) time.Duration {
	return time.Duration(math.Round(float64(d) * factor))
}

func compareLabels(x, y *pipeline.Labels) int {
	return cmp.Or(
		cmp.Compare(x.Execution, y.Execution), cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.StageAttempt, y.StageAttempt),
		cmp.Compare(x.Partition, y.Partition), cmp.Compare(x.Task, y.Task), cmp.Compare(x.Query, y.Query),
		cmp.Compare(x.StagePlace, y.StagePlace), cmp.Compare(x.Operator, y.Operator), cmp.Compare(x.OperatorName, y.OperatorName),
		cmp.Compare(x.Part, y.Part), cmp.Compare(x.Bucket, y.Bucket), cmp.Compare(x.Group, y.Group),
	)
}

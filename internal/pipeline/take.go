package pipeline

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/tasksample"
)

// Take returns what was accumulated since the last Take and starts anew. JVMs stay known until they are gone.
func (a *Accumulator) Take() Profile {
	p := Profile{Calibrated: a.settings.Calibrate, FoldedStacks: a.folded}
	a.folded = 0
	for id, s := range a.jvms {
		p.JVMs = append(p.JVMs, s.profile(a))
		s.reset()
		if s.gone {
			delete(a.jvms, id)
		}
	}
	slices.SortFunc(p.JVMs, func(x, y JVMProfile) int { return cmp.Compare(x.JVM.ID, y.JVM.ID) })
	return p
}

func (s *sums) profile(a *Accumulator) JVMProfile {
	factors := map[stageKey]float64{}
	for key, stage := range s.stages {
		cpu := stage.total()
		s.totals.Unaccounted += cpu.Open
		if !a.settings.Calibrate {
			continue
		}
		factors[key] = cpu.Factor()
		a.apart(s, stage.labels, attribution.BucketNoSamples, cpu.Unsampled())
	}
	out := JVMProfile{JVM: s.info, Application: s.app, Sampler: s.sampler, Gone: s.gone}
	for key, w := range s.entries {
		factor, ok := factors[stageKey{key.labels.Stage, key.labels.StageAttempt}]
		if !ok || key.labels.Stage == NoStage {
			factor = 1
		}
		if key.labels.Stage == NoStage {
			s.totals.Unaccounted += w.raw
		}
		out.Entries = append(out.Entries, Entry{
			Labels: key.labels, Stack: s.stacks.stack(key.stack), Samples: w.samples, Raw: w.raw,
			CPU: scale(w.raw, factor) + w.apart, Weak: scale(w.weak, factor), Disputed: scale(w.disputed, factor),
		})
	}
	s.totals.TaskCPU += s.totals.Unaccounted
	if a.settings.Calibrate {
		s.endedTaskThreads(out.Entries)
	}
	out.Totals = s.totals
	slices.SortFunc(out.Entries, compareEntries)
	return out
}

// endedTaskThreads takes out of BucketUnseen what task threads used after they were last read in /proc and before they ended: the tasks'
// own account has it.
func (s *sums) endedTaskThreads(entries []Entry) {
	for i := range entries {
		if e := &entries[i]; e.Labels.Bucket == BucketUnseen {
			known := s.totals.TaskCPU - s.totals.Unaccounted
			ended := min(max(known-s.totals.TaskThreads, 0), e.CPU)
			e.CPU -= ended
			s.totals.TaskThreads += ended
			s.totals.Threads -= ended
		}
	}
}

// total is the stage's CPU with the samples of open attempts.
func (s *stageSums) total() tasksample.StageCPU {
	cpu := s.cpu
	for _, open := range s.open {
		cpu.Open += open
	}
	return cpu
}

func scale(d time.Duration, factor float64) time.Duration {
	return time.Duration(math.Round(float64(d) * factor))
}

// compareEntries sorts by labels, then by falling CPU, then by stack.
func compareEntries(x, y Entry) int {
	return cmp.Or(
		compareLabels(x.Labels, y.Labels),
		cmp.Compare(y.CPU, x.CPU),
		slices.CompareFunc(x.Stack, y.Stack, func(f, g StackFrame) int {
			return cmp.Or(cmp.Compare(f.Name, g.Name), cmp.Compare(f.File, g.File), cmp.Compare(f.Line, g.Line), cmp.Compare(f.Type, g.Type))
		}),
	)
}

func compareLabels(x, y Labels) int {
	return cmp.Or(
		cmp.Compare(x.Execution, y.Execution), cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.StageAttempt, y.StageAttempt),
		cmp.Compare(x.Partition, y.Partition), cmp.Compare(x.Task, y.Task), cmp.Compare(x.Query, y.Query),
		cmp.Compare(x.StagePlace, y.StagePlace), cmp.Compare(x.Operator, y.Operator), cmp.Compare(x.OperatorName, y.OperatorName),
		cmp.Compare(x.Bucket, y.Bucket), cmp.Compare(x.Group, y.Group),
	)
}

package window

import (
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/tasksample"
)

// Accumulator is a Consumer that sums what it receives, by labels and by distinct stack: over a
// window, or over a whole run. Not safe for concurrent use: Take belongs on the goroutine that
// drives the Pipeline, or behind the caller's lock.
type Accumulator struct {
	settings Settings
	jvms     map[sampler.JVMID]*sums
	folded   uint64
}

var _ pipeline.Consumer = (*Accumulator)(nil)

// New returns an empty Accumulator.
func New(settings Settings) *Accumulator {
	if settings.MaxStacks == 0 {
		settings.MaxStacks = defaultMaxStacks
	}
	return &Accumulator{settings: settings, jvms: map[sampler.JVMID]*sums{}}
}

// sums are the sums of one JVM.
type sums struct {
	info     sampler.JVM
	app      pipeline.Application
	gone     bool
	sampler  sampler.Stats
	totals   Totals
	stacks   *Stacks
	labels   map[pipeline.Labels]uint32 // → index of numbered
	numbered []pipeline.Labels          // :: labels' number
	entries  []weights
	entryAt  map[entryKey]uint32 // → index of entries
	stages   map[stageKey]*stageSums
	// recorder keeps the statistics of units over windows: each enters them once, when it has
	// ended.
	recorder *tasksample.Recorder[semconv.Operator]
	// drawn are π of the runs that stages belong to, where it is not 1.
	drawn  map[tasksample.StageID]float64
	ledger *ledger // nil: not wanted
	lines  map[pipeline.UserLineOf][]string
	work   workSums // nil: not wanted
	// told is the part of Totals.TaskCPU that earlier windows had from samples of attempts still
	// open. owed is the CPU of attempts that have ended since: their own account has it once more.
	told map[tasksample.TaskAttemptID]time.Duration
	owed time.Duration
	// times are told by a driver. lostTimes is what its applications have told as lost so far, by
	// the hashes of their ids.
	times     timesBook
	lostTimes map[uint64]uint64
	inners    inners
}

// mostOpen bounds told: attempts whose end is lost stay in it.
const mostOpen = 1 << 16

// entryKey is what an Entry is summed by: the numbers of its labels and its stack.
type entryKey struct{ labels, stack uint32 }

// weights are the sums of an Entry.
type weights struct {
	entryKey
	samples             uint64
	raw, weak, disputed time.Duration
	expanded            time.Duration // raw, for tasks that were not selected too
	apart               time.Duration // CPU that was not sampled
	below, above        time.Duration // of it, as of an Outside
}

// stageSums are what one window knows of one attempt of a stage: they begin again with each Take.
// open has attempts with a sample in this window that have not ended, no others.
type stageSums struct {
	known time.Duration                              // CPU of attempts that ended in this window, of what samples could have hit
	open  map[tasksample.TaskAttemptID]time.Duration // Σ weights of attempts that have not ended
	// task are the labels under which the stage's CPU without samples is shown.
	labels pipeline.Labels
}

func (a *Accumulator) of(id sampler.JVMID) *sums {
	s := a.jvms[id]
	if s == nil {
		s = &sums{info: sampler.JVM{ID: id}, recorder: tasksample.NewRecorder[semconv.Operator](0), drawn: map[tasksample.StageID]float64{}, told: map[tasksample.TaskAttemptID]time.Duration{}, lostTimes: map[uint64]uint64{}, inners: inners{}}
		if a.settings.Executions {
			s.ledger = newLedger()
		}
		if a.settings.Work {
			s.work = workSums{}
		}
		s.reset(&a.settings)
		a.jvms[id] = s
	}
	return s
}

func (s *sums) reset(settings *Settings) {
	s.totals, s.stacks = Totals{}, newStacksAfter(s.stacks)
	s.labels, s.numbered = map[pipeline.Labels]uint32{}, nil
	s.entries, s.entryAt = make([]weights, 0, len(s.entries)), make(map[entryKey]uint32, len(s.entries))
	s.stages = map[stageKey]*stageSums{}
	s.times = newTimesBook(settings.timesBytes())
}

// JVM implements Consumer.
func (a *Accumulator) JVM(v sampler.JVM, app pipeline.Application) {
	s := a.of(v.ID)
	s.info, s.app = v, app
}

// SamplerStats implements Consumer.
func (a *Accumulator) SamplerStats(id sampler.JVMID, stats sampler.Stats) { a.of(id).sampler = stats }

// JVMGone implements Consumer.
func (a *Accumulator) JVMGone(id sampler.JVMID) { a.of(id).gone = true }

// Sample implements Consumer.
func (a *Accumulator) Sample(l *pipeline.Labelled) {
	s := a.of(l.JVM)
	s.totals.Samples++
	s.totals.Raw += l.Weight
	if l.Flags&(sampler.SampleTruncated|sampler.SampleNoStack) != 0 {
		s.totals.Truncated++
	}
	w := a.entry(s, l.Labels, func() uint32 { return s.stacks.sample(l) })
	w.samples++
	w.raw += l.Weight
	w.expanded += expanded(l)
	if l.Verdict.Weak {
		w.weak += l.Weight
	}
	if l.Verdict.Disputed {
		w.disputed += l.Weight
	}
	if l.Of == nil {
		return
	}
	s.recordSample(l)
	if stage := s.stage(l.Labels); l.Of.End == 0 {
		stage.open[l.Of.ID] += inItsRun(l)
	}
}

// expanded is the CPU that a sample stands for, the CPU of tasks which were not selected included.
func expanded(l *pipeline.Labelled) time.Duration {
	if l.Expansion <= 1 {
		return l.Weight
	}
	return scale(l.Weight, l.Expansion)
}

// Task implements Consumer.
func (a *Accumulator) Task(t pipeline.TaskCPU) {
	s := a.of(t.JVM)
	s.totals.Tasks++
	if t.Failed {
		s.totals.FailedTasks++
	}
	s.totals.TaskCPU += t.CPU
	s.totals.Unsampled += t.Unsampled
	s.totals.ExecutorCPU += t.ExecutorCPU
	if s.work != nil {
		s.work.task(&t)
	}
	stage := s.stage(t.Labels)
	stage.labels = t.Labels
	delete(stage.open, t.Of.ID)
	before := min(t.Of.Before, t.Unsampled)
	s.owed += s.told[t.Of.ID] + before
	delete(s.told, t.Of.ID)
	known := t.CPU - t.Unsampled
	if !t.KernelSampled {
		known -= t.System
		s.totals.Kernel += t.System
		a.apart(s, t.Labels, attribution.BucketKernel, t.System)
	}
	if w := a.apart(s, t.Labels, attribution.BucketDeserialize, t.Unsampled); w != nil {
		w.apart -= before // a cost has it all the same: its task is told once, when it ends
	}
	if t.Of.LeftOut {
		a.leftOut(s, &t, known)
		return
	}
	stage.known += known
	s.recordEnd(&t, known)
	if s.ledger != nil {
		s.ledger.task(&t)
	}
}

// apart adds CPU that was not sampled to a bucket. It returns the bucket's sums, valid until the
// next entry, or nil.
func (a *Accumulator) apart(s *sums, l pipeline.Labels, bucket attribution.Bucket, cpu time.Duration) *weights {
	if cpu <= 0 {
		return nil
	}
	l.Bucket = bucket
	if s.ledger != nil {
		s.ledger.know(l, KnownCost{CPU: cpu})
	}
	w := a.entry(s, l, func() uint32 { return s.stacks.Intern([]pipeline.StackFrame{l.OperatorFrame()}) })
	w.apart += cpu
	return w
}

// entry finds the sums of labels and a stack, valid until the next call; stack gives the stack's
// number.
func (a *Accumulator) entry(s *sums, l pipeline.Labels, stack func() uint32) *weights {
	if !a.settings.TaskLabels {
		l.Task, l.Partition = -1, -1
	}
	key := entryKey{labels: s.numberOf(l)}
	if len(s.entries) < a.settings.MaxStacks {
		key.stack = stack()
	} else {
		a.folded++
		key.stack = s.stacks.Intern([]pipeline.StackFrame{l.OperatorFrame()})
	}
	at, ok := s.entryAt[key]
	if !ok {
		at = uint32(len(s.entries))
		s.entryAt[key] = at
		s.entries = append(s.entries, weights{entryKey: key})
	}
	return &s.entries[at]
}

// numberOf is the number of labels in this window.
func (s *sums) numberOf(l pipeline.Labels) uint32 {
	n, ok := s.labels[l]
	if !ok {
		n = uint32(len(s.numbered))
		s.labels[l] = n
		s.numbered = append(s.numbered, l)
	}
	return n
}

func (s *sums) stage(l pipeline.Labels) *stageSums {
	key := stageKey{l.Stage, l.StageAttempt}
	stage := s.stages[key]
	if stage == nil {
		stage = &stageSums{open: map[tasksample.TaskAttemptID]time.Duration{}, labels: l}
		stage.labels.Bucket, stage.labels.Operator, stage.labels.OperatorName, stage.labels.Role, stage.labels.Part = "", "", "", "", ""
		s.stages[key] = stage
	}
	return stage
}

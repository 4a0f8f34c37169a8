package columns

import (
	"math"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// Limits of what a Builder holds beside the columns.
const (
	mostSamples = 1 << 24 // about 1 GB, of 46 hours of CPU at 100 Hz
	mostPlans   = 1 << 12
	firstTick   = 1000 // nanoseconds; doubles when a time has no room in 32 bits
)

// Builder is an Accumulator that also keeps every sample in columns. Not safe for concurrent use.
type Builder struct {
	*window.Accumulator
	meta    recording.Meta
	start   jvmlog.MonoTime
	tick    uint64
	most    int // samples
	rows    arrived
	exact   exactRows
	labels  map[pipeline.Labels]uint32 // without task and partition
	of      []labelSums                // :: label
	tasks   taskBook
	grove   *grove
	apps    map[sampler.JVMID]string // ids of applications
	plans   map[executionKey]bool    // false: there was no room
	last    *attribution.Plan        // that a sample or a dictionary named
	known   []knownPlan
	stages  map[attemptOf]pipeline.Labels // as their tasks' ends have them
	classes classes
	leftOut uint64
	lost    uint64 // plans
}

// knownPlan is a plan with the labels of the first sample of it.
type knownPlan struct {
	*attribution.Plan
	labels pipeline.Labels
}

var (
	_ pipeline.OutsideConsumer    = (*Builder)(nil)
	_ pipeline.ExecutionConsumer  = (*Builder)(nil)
	_ pipeline.TimesConsumer      = (*Builder)(nil)
	_ pipeline.UserLineConsumer   = (*Builder)(nil)
	_ pipeline.DictionaryConsumer = (*Builder)(nil)
)

// labelSums are the sums of a label.
type labelSums struct {
	pipeline.Labels
	samples uint64
	nanos   float64 // Σ weights
	lost    float64 // Σ weights of samples that found no room
}

// mostTimedTasks bounds the tasks of one JVM whose figures are kept, of 0.25 KiB each.
const mostTimedTasks = 1 << 20

// NewBuilder returns an empty Builder for a recording.
func NewBuilder(meta recording.Meta) *Builder {
	start := meta.Started.UnixNano() - meta.ClockOffset
	b := &Builder{
		Accumulator: window.New(window.Settings{Calibrate: true, UserLines: true, Work: true, Tasks: mostTimedTasks}),
		meta:        meta, start: jvmlog.MonoTime(max(start, 0)), tick: firstTick, most: mostSamples,
		labels: map[pipeline.Labels]uint32{}, tasks: newTaskBook(), grove: newGrove(), apps: map[sampler.JVMID]string{}, plans: map[executionKey]bool{}, stages: map[attemptOf]pipeline.Labels{}, classes: newClasses(),
	}
	return b
}

// JVM implements pipeline.Consumer.
func (b *Builder) JVM(v sampler.JVM, app pipeline.Application) {
	b.Accumulator.JVM(v, app)
	b.apps[v.ID] = app.ID
}

// at is a time in ticks. Where it has no room in 32 bits, ticks double.
func (b *Builder) at(t jvmlog.MonoTime) uint32 {
	if t <= b.start {
		return 0
	}
	for uint64(t-b.start)/b.tick > math.MaxUint32 {
		b.tick *= 2
		for _, times := range [][]uint32{b.rows.Time, b.exact.Start, b.exact.End, b.tasks.Start, b.tasks.End} {
			for i := range times {
				times[i] /= 2
			}
		}
	}
	return uint32(uint64(t-b.start) / b.tick)
}

// label is the number of a label.
func (b *Builder) label(l pipeline.Labels) uint32 {
	l.Task, l.Partition = -1, -1
	n, known := b.labels[l]
	if !known {
		n = uint32(len(b.of))
		b.labels[l] = n
		b.of = append(b.of, labelSums{Labels: l})
	}
	return n
}

// Sample implements pipeline.Consumer.
func (b *Builder) Sample(l *pipeline.Labelled) {
	b.Accumulator.Sample(l)
	label := b.label(l.Labels)
	sums := &b.of[label]
	weight := float32(l.Weight)
	sums.samples++
	sums.nanos += float64(weight)
	if l.Verdict.Plan != nil {
		b.plan(l.Verdict.Plan, l.Labels)
	}
	if len(b.rows.Time) >= b.most {
		sums.lost += float64(weight)
		b.leftOut++
		return
	}
	task := uint32(0)
	if l.Of != nil {
		task = b.task(l.JVM, l.Of)
		b.tasks.named(task, l.Thread)
	}
	b.rows.Time = append(b.rows.Time, b.at(l.Time))
	b.rows.Label.add(label)
	b.rows.Stack = append(b.rows.Stack, b.grove.stack(l))
	b.rows.Task.add(task)
	b.rows.Flags = append(b.rows.Flags, flagsOf(l))
	b.rows.weight = append(b.rows.weight, weight)
}

func flagsOf(l *pipeline.Labelled) (flags uint8) {
	for _, f := range []struct {
		on   bool
		flag uint8
	}{
		{l.Verdict.Weak, FlagWeak}, {l.Verdict.Disputed, FlagDisputed}, {l.Of != nil && l.Of.DetailOn(l.Time), FlagDetail},
		{l.Flags&(sampler.SampleTruncated|sampler.SampleNoStack) != 0, FlagCut}, {l.Of != nil && !l.InTask, FlagBefore},
	} {
		if f.on {
			flags |= f.flag
		}
	}
	return flags
}

// plan keeps a plan. Each executor of an application has a copy of it: the first is kept.
func (b *Builder) plan(p *attribution.Plan, l pipeline.Labels) {
	if p == b.last {
		return
	}
	b.last = p
	key := planKey(applicationOf(b.apps[l.JVM], l.JVM), p)
	if _, known := b.plans[key]; known {
		return
	}
	b.plans[key] = len(b.known) < mostPlans
	if !b.plans[key] {
		b.lost++
		return
	}
	b.known = append(b.known, knownPlan{p, l})
}

// task is the number of an attempt, which is added unless it is known.
func (b *Builder) task(id sampler.JVMID, of *pipeline.Task) uint32 {
	key := taskKey{id, of.ID}
	n, known := b.tasks.by[key]
	if !known {
		n = b.tasks.add(key, of, b.at(of.Start))
	}
	return n
}

// Task implements pipeline.Consumer. CPU without samples is booked as the Accumulator does.
func (b *Builder) Task(t pipeline.TaskCPU) {
	b.Accumulator.Task(t)
	n := b.task(t.JVM, &t.Of)
	end := b.at(t.Of.End)
	b.tasks.end(n, &t, end)
	b.stages[b.tasks.of[n]] = t.Labels
	known := t.CPU - t.Unsampled
	row := exactRow{task: n, start: b.tasks.Start[n], end: end}
	if !t.KernelSampled {
		known -= t.System
		b.exactly(t.Labels, attribution.BucketKernel, t.System, row)
	}
	b.exactly(t.Labels, attribution.BucketDeserialize, t.Unsampled, row)
	if t.Of.LeftOut {
		b.exactly(t.Labels, window.BucketLeftOut, known, row)
	}
}

// exactly adds a row of CPU of a bucket.
func (b *Builder) exactly(l pipeline.Labels, bucket attribution.Bucket, cpu time.Duration, row exactRow) {
	if cpu <= 0 {
		return
	}
	l.Bucket = bucket
	row.label, row.nanos = b.label(l), float64(cpu)
	b.exact.add(row)
}

// Outside implements pipeline.OutsideConsumer.
func (b *Builder) Outside(o pipeline.Outside) {
	b.Accumulator.Outside(o)
	end := b.at(o.To) // first: it may double the tick
	b.exact.add(exactRow{label: b.label(o.Labels), start: b.at(o.From), end: end, nanos: float64(o.CPU), below: float64(o.Below), above: float64(o.Above)})
}

// Dictionary implements pipeline.DictionaryConsumer.
func (b *Builder) Dictionary(l *pipeline.Labelled, d attribution.Dictionary) {
	if d.Plan != nil {
		b.plan(d.Plan, l.Labels)
	}
	b.classes.bind(l, d)
}

// Source keeps the text of a generated class.
func (b *Builder) Source(r *jvmlog.Source) { b.classes.text(r.Body) }

// taskKey is an attempt of a JVM.
type taskKey struct {
	jvm sampler.JVMID
	id  tasksample.TaskAttemptID
}

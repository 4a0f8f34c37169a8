package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/printable"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// DwellConsumer is a Consumer that also takes dwells.
type DwellConsumer interface {
	Consumer
	// Dwell is called once for each dwell, with the samples that were delivered before.
	Dwell(sampler.JVMID, Dwell)
	// Watch is called with cumulative counts of the JVM; a later call replaces the one before.
	Watch(sampler.JVMID, Watch)
}

// DwellKind is what a task did while its input counters stood still.
type DwellKind string

// Kinds of dwells (FORMAT.md). Of the first three a record, or a key, is to blame.
const (
	DwellRecord DwellKind = "record" // it worked on its current record
	DwellNext   DwellKind = "next"   // it decoded the record after that
	DwellKey    DwellKind = "key"    // a key of a group, or a row of SQL at the end of a stage, that planflame debug timed
	DwellBefore DwellKind = "before"
	DwellAfter  DwellKind = "after"
	DwellHalf   DwellKind = "half" // no dwell: Span are the few records that took half of the task's time
	DwellRows   DwellKind = "rows" // no dwell: Key has GroupRows of the Records that the task read of a shuffle, as planflame debug counted
)

// bucketKinds are the kinds of dwells whose CPU is of a bucket.
var bucketKinds = map[attribution.Bucket]DwellKind{
	attribution.BucketCodegen: "codegen", attribution.BucketClassLoading: "class_loading", attribution.BucketJIT: "codegen", attribution.BucketGC: "gc",
	attribution.BucketDeserialize: DwellBefore,
}

// Dwell is a time for which the input counters of a task stood still: a DWELL record of the kind
// "dwell" (FORMAT.md), and what samples tell of it.
type Dwell struct {
	Stage        tasksample.StageID       `json:"stage_id"`
	StageAttempt tasksample.StageAttempt  `json:"attempt"`
	Task         tasksample.TaskAttemptID `json:"task_id"`
	Partition    int                      `json:"partition"`
	ReadingMS    int64                    `json:"reading_ms"` // from the task's first record to its last
	Records      int64                    `json:"records"`    // that the task read in all
	Begin        jvmlog.MonoTime          `json:"begin_ns"`
	End          jvmlog.MonoTime          `json:"end_ns"`
	Kind         DwellKind                `json:"what"`
	At           int64                    `json:"at"`      // records that the task had read
	Python       bool                     `json:"python"`  // records are rows that came back from a Python worker
	Shuffle      bool                     `json:"shuffle"` // it read shuffles: the order of their records changes from run to run
	NetMS        int64                    `json:"net_ms"`  // without pauses, stops of the JVM and waits for a core
	CPUMS        int64                    `json:"cpu_ms"`
	GCMS         int64                    `json:"gc_ms"`
	QueueMS      int64                    `json:"queue_ms"`
	RowsOut      int64                    `json:"rows_out"`  // of the SQL operator that put out most, at least
	Batch        int64                    `json:"batch"`     // records that are read at once, at most; 0: one
	Ranged       bool                     `json:"ranged"`    // records are rows of a Range
	File         string                   `json:"file"`      // "": not known
	Path         string                   `json:"path"`      // hash of the file's path
	FileStart    int64                    `json:"start"`     // offset of its block
	FileFrom     int64                    `json:"file_from"` // records of the task before the block's first, at least
	FileTo       int64                    `json:"file_to"`   // and at most
	Frames       []string                 `json:"frames"`    // of the task's stack, leaf first: the leaf, and code of neither the JDK nor Scala
	Key          string                   `json:"key"`       // hash of the key, with a salt of its JVM
	GroupRows    int64                    `json:"group_rows"`

	// Operator has at least half of the dwell's sampled CPU; "" if none has.
	Operator string `json:"-"`
	// SampledMS is the CPU of its samples.
	SampledMS int64 `json:"-"`

	// Execution is of its task: NoExecution outside SQL, or if the end of the task was not seen.
	Execution tasksample.ExecutionID `json:"-"`
	// Query, QueryName and Plan are as in Labels of its task, empty if its end was not seen.
	Query     string `json:"-"`
	QueryName string `json:"-"`
	Plan      string `json:"-"`
}

// IsRecord reports whether a record, or a key, is to blame.
func (d *Dwell) IsRecord() bool {
	return d.Kind == DwellRecord || d.Kind == DwellNext || d.Kind == DwellKey
}

// Span returns the first and the last record of the task that may be the slow one, counted from 1.
func (d *Dwell) Span() (first, last int64) {
	batch := min(max(d.Batch, 1), max(d.Records, 1)) // of Arrow without a bound all records are one
	first, last = max(d.At-batch+1, 1), d.At
	if d.Kind == DwellNext {
		first, last = d.At+1, d.At+batch
	}
	return first, min(last, d.Records)
}

// FileSpan is Span counted from the first record of the file's block. It is zero if the file is not
// known.
func (d *Dwell) FileSpan() (first, last int64) {
	if d.File == "" {
		return 0, 0
	}
	first, last = d.Span()
	return max(first-d.FileTo, 1), last - d.FileFrom
}

// Watch is what the desk of records of a JVM did so far: a DWELL record of the kind "counts".
type Watch struct {
	Tasks         uint64 `json:"tasks"` // that it looked at
	Looks         uint64 `json:"looks"`
	Explained     uint64 `json:"explained"`      // dwells that pauses, stops and waits for a core explain; times of keys that stacks explain
	DroppedTask   uint64 `json:"dropped_task"`   // dwells beyond those that are kept of a task, or without a stack; keys without a text, or of several rows of Python
	DroppedMinute uint64 `json:"dropped_minute"` // beyond those that are written in a minute
	Failures      uint64 `json:"failures"`       // tasks of which nothing is told
	CPUNanos      int64  `json:"cpu_ns"`         // of its thread
	ElapsedNanos  int64  `json:"elapsed_ns"`     // for which it was there

	// FirstCPUNanos and FirstElapsedNanos are the part of both in which the JVM compiled the desk's
	// code; 0 until it is over.
	FirstCPUNanos     int64 `json:"first_cpu_ns"`
	FirstElapsedNanos int64 `json:"first_elapsed_ns"`
	PeriodNanos       int64 `json:"period_ns"` // between two looks, now
}

// parseDwell reads the JSON of a DWELL record. Both are nil for a kind of a newer agent.
func parseDwell(text []byte) (d *Dwell, w *Watch, err error) {
	text = printable.JSON(text)
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, nil, fmt.Errorf("decode DWELL: %w", err)
	}
	switch head.Kind {
	case "dwell":
		d = &Dwell{Execution: tasksample.NoExecution}
		err = json.Unmarshal(text, d)
		if err == nil && (d.End < d.Begin || d.At < 0 || d.At > d.Records || d.Batch < 0 || d.FileFrom > d.FileTo) {
			err = fmt.Errorf("record %d of %d from %d to %d", d.At, d.Records, d.Begin, d.End)
		}
	case "counts":
		w = &Watch{}
		err = json.Unmarshal(text, w)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("decode DWELL of kind %q: %w", head.Kind, err)
	}
	return d, w, nil
}

// openDwell gathers the samples of a dwell.
type openDwell struct {
	Dwell
	came  jvmlog.MonoTime
	bytes int                                             // that the budget has for it
	cpu   map[attribution.Bucket]map[string]time.Duration // by bucket, then operator
}

// mostTaskDwells bounds the dwells of a task that wait for samples: each sample of the task looks
// at all of them. An agent writes 600 a minute for all tasks.
const mostTaskDwells = 128

func (j *jvm) dwell(t jvmlog.MonoTime, r *jvmlog.Dwell) {
	if j.p.dwells == nil {
		return // no one wants it
	}
	j.dwelling = true
	d, watch, err := parseDwell(r.JSON)
	switch {
	case err != nil:
		j.p.counts.BadRecords++
	case watch != nil:
		j.p.dwells.Watch(j.info.ID, *watch)
	case d != nil && len(j.dwells[d.Task]) >= mostTaskDwells:
		j.p.counts.OverBudget++
	case d != nil:
		bytes := dwellBytes + len(r.JSON)
		if !j.fits(bytes) {
			return
		}
		j.budget.keep(bytes)
		if j.dwells == nil {
			j.dwells = map[tasksample.TaskAttemptID][]*openDwell{}
		}
		open := &openDwell{Dwell: *d, came: t, bytes: bytes, cpu: map[attribution.Bucket]map[string]time.Duration{}}
		j.dwells[d.Task] = append(j.dwells[d.Task], open)
		if past := j.past[d.Task]; past != nil {
			past.within(d.Begin, d.End, func(bucket attribution.Bucket, operator string, cpu time.Duration) {
				j.dwellCPU(open, bucket, operator, cpu)
			})
		}
	}
}

// dwellSample adds a labelled sample to the dwell in which it was taken.
func (j *jvm) dwellSample(l *Labelled) {
	for _, d := range j.dwells[l.Task] {
		if l.Time >= d.Begin && l.Time <= d.End {
			j.dwellCPU(d, l.Bucket, l.OperatorName, l.Weight)
		}
	}
}

func (j *jvm) dwellCPU(d *openDwell, bucket attribution.Bucket, operator string, cpu time.Duration) {
	if _, known := d.cpu[bucket][operator]; !known {
		if !j.fits(dwellCPUBytes) {
			return
		}
		j.budget.keep(dwellCPUBytes)
		d.bytes += dwellCPUBytes
	}
	if d.cpu[bucket] == nil {
		d.cpu[bucket] = map[string]time.Duration{}
	}
	d.cpu[bucket][operator] += cpu
}

// dwellTask tells the dwells of a task that ended what it was part of.
func (j *jvm) dwellTask(l *Labels) {
	for _, d := range j.dwells[l.Task] {
		d.Execution, d.Query, d.QueryName, d.Plan = l.Execution, l.Query, l.QueryName, l.Plan
	}
}

// giveDwells delivers the dwells that came before a time.
func (j *jvm) giveDwells(before jvmlog.MonoTime) {
	for _, task := range slices.Sorted(maps.Keys(j.dwells)) {
		still := j.dwells[task][:0]
		for _, d := range j.dwells[task] {
			if d.came >= before {
				still = append(still, d)
				continue
			}
			j.budget.keep(-d.bytes)
			d.settle()
			j.p.dwells.Dwell(j.info.ID, d.Dwell)
		}
		if j.dwells[task] = still; len(still) == 0 {
			delete(j.dwells, task)
			j.forgetPast(task)
		}
	}
}

// settle says what the samples tell: the operator, and another kind than the stacks do if most of
// the dwell was CPU of a bucket.
func (d *openDwell) settle() {
	var all, most time.Duration
	for bucket, operators := range d.cpu {
		var of time.Duration
		for name, cpu := range operators {
			of += cpu
			if bucket == attribution.BucketNone && cmp.Or(cmp.Compare(cpu, most), cmp.Compare(d.Operator, name)) > 0 {
				d.Operator, most = name, cpu
			}
		}
		all += of
		if kind, apart := bucketKinds[bucket]; apart && d.IsRecord() && 2*of.Milliseconds() > d.NetMS {
			d.Kind = kind
		}
	}
	d.SampledMS = all.Milliseconds()
	if 2*most < all {
		d.Operator = ""
	}
}

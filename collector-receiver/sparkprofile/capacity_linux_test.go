package sparkprofile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// taskThreads are the task threads of an executor of BenchmarkCapacity.
const taskThreads = 8

const (
	// executorsVariable says how many executors BenchmarkCapacity makes of the recording.
	executorsVariable = "PLANFLAME_EXECUTORS"
	// applicationsVariable says of how many applications they are; without it each has its own.
	applicationsVariable = "PLANFLAME_APPLICATIONS"
)

// BenchmarkCapacity takes copies of a recorded JVM at once through what BenchmarkReplay has, and
// through the metrics. Each copy is an executor of eight task threads at the default rates. Command
// bench/capacity computes from it how many executors a core carries:
//
//	PLANFLAME_EXECUTORS=10 PLANFLAME_RECORDING=OUT/recording go test ./collector-receiver/sparkprofile -run '^$' -bench Capacity -benchtime 1x -cpu 1
//
// It tells CPU of this process, with garbage collection and without reading of the file. One figure
// is of the whole recording, and one of its second half, which has no start of the JVM. The heap is
// what lives at the end beyond what lived before.
func BenchmarkCapacity(b *testing.B) {
	path, executors := os.Getenv(recordingVariable), os.Getenv(executorsVariable)
	if path == "" || executors == "" {
		b.Skipf("%s names no recording, or %s no number", recordingVariable, executorsVariable)
	}
	n, err := strconv.Atoi(executors)
	require.NoError(b, err)
	require.Equal(b, 1, b.N, "-benchtime 1x: what is told is of one replay")
	of := extent{applications: n}
	if applications := os.Getenv(applicationsVariable); applications != "" {
		of.applications, err = strconv.Atoi(applications)
		require.NoError(b, err)
		require.Positive(b, of.applications, applicationsVariable)
	}
	replay(b, path, &of)
	reading := of.replay(b, path, 0)
	before := heap()
	whole := of.replay(b, path, n)
	b.ReportMetric(float64(heap()-before)/1e6, "MB-heap")
	f := whole.fleet
	require.NotZero(b, f.samples)
	require.Equal(b, f.samples, f.pipe.Counts().Samples)
	runtime.KeepAlive(f)
	b.ReportMetric((whole.cpu - reading.cpu).Seconds(), "CPU-s")
	b.ReportMetric((whole.warm - reading.warm).Seconds(), "CPU-s-warm")
	b.ReportMetric(of.duration().Seconds(), "recorded-s")
	b.ReportMetric(time.Duration(of.last-of.middle()).Seconds(), "recorded-s-warm")
	b.ReportMetric(float64(f.samples), "samples")
	b.ReportMetric(of.cpu.Seconds()/of.duration().Seconds()*float64(f.clones), "busy-threads")
	b.ReportMetric(peakMB(b), "MB-peak")
}

// peakMB is the process's largest resident memory so far.
func peakMB(b *testing.B) float64 {
	var used unix.Rusage
	require.NoError(b, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return float64(used.Maxrss) * 1024 / 1e6
}

// extent is the sink that finds what a fleet must know of a recording before it begins.
type extent struct {
	nowhere
	first, last   jvmlog.MonoTime // watermarks
	cpu           time.Duration   // that samples stand for
	running, most int             // tasks at a time
	samples       int
	applications  int // of the fleet
}

func (e *extent) Watermark(_ sampler.JVMID, t jvmlog.MonoTime) {
	if e.first == 0 {
		e.first = t
	}
	e.last = max(e.last, t)
}

func (e *extent) TaskEvent(_ sampler.JVMID, t jvmlog.TaskEvent) {
	switch t.Kind {
	case jvmlog.TaskStart:
		e.running++
		e.most = max(e.most, e.running)
	case jvmlog.TaskEnd:
		e.running--
	}
}

func (e *extent) Sample(_ sampler.JVMID, s sampler.Sample) {
	e.samples++
	e.cpu += s.Weight(false)
}

func (e *extent) middle() jvmlog.MonoTime { return e.first + (e.last-e.first)/2 }

func (e *extent) duration() time.Duration { return time.Duration(e.last - e.first) }

// cost is the CPU of a replay, and of its second half.
type cost struct {
	cpu, warm time.Duration
	fleet     *fleet
}

// replay replays the recording as that many executors.
func (e *extent) replay(b *testing.B, path string, executors int) cost {
	require.NotZero(b, e.most, "tasks in the recording")
	hz := float64(e.samples) / e.cpu.Seconds()
	require.GreaterOrEqual(b, hz, defaultConfig().totalHz(), "the recording's rate, out of which the default ones are drawn")
	f := newFleet(b, executors, e.applications, max(taskThreads/e.most, 1), hz)
	begin, middle := processCPU(b), time.Duration(0)
	f.ended = func(t jvmlog.MonoTime) {
		if middle == 0 && t >= e.middle() {
			middle = processCPU(b)
		}
	}
	replay(b, path, f)
	end := processCPU(b)
	return cost{end - begin, end - middle, f}
}

// fleet is the sink that makes executors of one recorded JVM. A recorded task thread becomes as
// many as clones says. Each of them runs the task as another one, of another partition. It draws
// its samples at the default rates out of the recorded ones.
//
// What a second of the recording brought comes to one executor after the other, as in rounds of the
// sampler.
type fleet struct {
	*replayed
	costs  *costs
	clones int
	hz     float64 // of the recording
	names  recordedNames
	ended  func(jvmlog.MonoTime) // at the end of a round

	executors []*executor
	only      sampler.JVMID // whose samples came
	round     []func(x *executor)
	began     jvmlog.MonoTime // of the round
}

// executor is one of a fleet.
type executor struct {
	id          sampler.JVMID
	application int
	draws       *rand.Rand
	selected    map[uint32]bool // thread → its task is sampled closely
}

func newFleet(b testing.TB, executors, applications, clones int, hz float64) *fleet {
	f := &fleet{replayed: newReplayed(b), clones: clones, hz: hz, names: recordedNames{}, ended: func(jvmlog.MonoTime) {}}
	f.pipe = pipeline.New(pipeline.Settings{Symbols: func(sampler.JVM) pipeline.Symbolizer { return f.names }}, f.sums)
	f.costs = newCosts(f.shape.config, &f.shape)
	f.costs.now = func() jvmlog.MonoTime { return f.began }
	for i := range executors {
		f.executors = append(f.executors, &executor{id: sampler.JVMID(i + 1), application: i%applications + 1, draws: rand.New(rand.NewPCG(1, uint64(i))), selected: map[uint32]bool{}})
	}
	return f
}

// each has something done for each executor at the end of the round.
func (f *fleet) each(do func(x *executor)) { f.round = append(f.round, do) }

// thread is a clone of a thread.
func (f *fleet) thread(tid uint32, clone int) uint32 { return tid*uint32(f.clones) + uint32(clone) }

// Symbol implements recording.Sink.
func (f *fleet) Symbol(_ sampler.JVMID, frame codemap.Frame) { f.names[frame.Addr] = frame }

// recordedNames are the names of native code, by address.
type recordedNames map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (n recordedNames) Symbol(addr uint64) (codemap.Frame, bool) {
	frame, ok := n[addr]
	return frame, ok
}

func (f *fleet) JVMFound(v sampler.JVM) {
	f.each(func(x *executor) {
		own := v
		own.ID = x.id
		f.pipe.JVMFound(own)
	})
}

func (f *fleet) Thread(_ sampler.JVMID, t jvmlog.Thread) {
	f.each(func(x *executor) {
		for clone := range f.clones {
			own := t
			own.Slot, own.TID = t.Slot*f.clones+clone, f.thread(t.TID, clone)
			f.collecting.Thread(x.id, own)
		}
	})
}

// Record has each executor decode the record for itself, as each has a log of its own.
func (f *fleet) Record(_ sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	bytes, err := jvmlog.EncodeRecord(nil, 0, t, r)
	require.NoError(f.b, err)
	f.each(func(x *executor) {
		_, own, err := jvmlog.DecodeRecord(bytes, 0)
		require.NoError(f.b, err)
		f.collecting.Record(x.id, t, x.renamed(own))
	})
}

// renamed makes the application of a record the executor's. Plans and generated classes of two
// applications have different texts, as blanks at their ends make them.
func (x *executor) renamed(r jvmlog.Record) jvmlog.Record {
	blanks := strings.Repeat(" ", x.application)
	switch r := r.(type) {
	case *jvmlog.Application:
		if id := r.ApplicationID(); id != "" {
			r.JSON = bytes.ReplaceAll(r.JSON, []byte(id), fmt.Appendf(nil, "%s-%d", id, x.application))
		}
	case *jvmlog.Dictionary:
		r.JSON = append(r.JSON, blanks...)
	case *jvmlog.Source:
		r.Body += blanks
	}
	return r
}

func (f *fleet) TaskEvent(_ sampler.JVMID, e jvmlog.TaskEvent) {
	f.each(func(x *executor) {
		for clone := range f.clones {
			own := e
			own.TID = f.thread(e.TID, clone)
			own.Index = e.Index*uint64(f.clones) + uint64(clone)
			own.Task = e.Task*tasksample.TaskAttemptID(f.clones) + tasksample.TaskAttemptID(clone)
			own.Partition = e.Partition*tasksample.PartitionID(f.clones) + tasksample.PartitionID(clone)
			own.Partitions = e.Partitions * uint32(f.clones)
			x.selected[own.TID] = e.Kind == jvmlog.TaskStart && x.draws.Float64() < f.rates().Fraction
			f.collecting.TaskEvent(x.id, own)
		}
	})
}

func (f *fleet) rates() tasksample.Rates { return f.shape.config.TaskSampling.Rates }

// Sample gives the sample to each clone of its thread with the probability that makes the default
// rates of the recorded one.
func (f *fleet) Sample(id sampler.JVMID, s sampler.Sample) {
	if f.only == 0 {
		f.only = id
	}
	require.Equal(f.b, f.only, id, "samples of a second JVM: an executor is one")
	require.Zero(f.b, s.Detail, "samples of two rates: record with --hz")
	f.each(func(x *executor) {
		for clone := range f.clones {
			tid, hz := f.thread(s.TID, clone), f.rates().BaseHz
			if x.selected[tid] {
				hz += f.rates().DetailHz
			}
			kept := hz / f.hz
			if x.draws.Float64() >= kept {
				continue
			}
			own := s
			own.Slot, own.TID, own.Kept = s.Slot*f.clones+clone, tid, min(kept, 1)
			own.Addrs, own.Repaired, own.Interpreted = slices.Clone(s.Addrs), slices.Clone(s.Repaired), slices.Clone(s.Interpreted)
			f.replayed.Sample(x.id, own)
		}
	})
}

func (f *fleet) Stats(_ sampler.JVMID, s sampler.Stats) {
	f.each(func(x *executor) { f.collecting.Stats(x.id, s) })
}

func (f *fleet) Watermark(_ sampler.JVMID, t jvmlog.MonoTime) {
	if t < f.began+jvmlog.MonoTime(roundInterval) {
		return
	}
	f.began = t
	for _, x := range f.executors {
		for _, do := range f.round {
			do(x)
		}
		f.collecting.Watermark(x.id, t)
	}
	f.round = f.round[:0]
	if t >= f.next {
		f.window()
		f.next = t + jvmlog.MonoTime(f.shape.config.Window)
	}
	f.ended(t)
}

// window delivers profiles and metrics.
func (f *fleet) window() {
	w := f.take(time.Unix(1_700_000_000, int64(f.began)))
	f.deliver(w)
	_, err := (&pmetric.ProtoMarshaler{}).MarshalMetrics(f.costs.window(w).metrics)
	require.NoError(f.b, err)
}

// Each executor of a fleet has an application of its own and eight task threads out of one. Its
// tasks' clocks have eight times the CPU, and so have its samples, whatever rates were drawn.
func TestFleet(t *testing.T) {
	f := newFleet(t, 2, 2, 8, 500)
	f.next = seconds(1000) // the window is the test's
	feedTask(f, 1)
	task := jvmlog.TaskEvent{Index: 2, Time: seconds(4), Kind: jvmlog.TaskStart, TID: 13, Task: 18, Stage: 11, StageAttempt: 2, Partition: 20, Partitions: 23, Execution: 7, ThreadCPUNanos: 40_000_000}
	f.TaskEvent(1, task)
	const recorded = 5000
	for i := range recorded {
		f.Sample(1, sampler.Sample{Time: seconds(4) + jvmlog.MonoTime(i)*2e6, TID: 13, Period: 2 * time.Millisecond, Addrs: []uint64{scanCode + 0x10}})
	}
	task.Index, task.Time, task.Kind, task.ThreadCPUNanos = 3, seconds(15), jvmlog.TaskEnd, 10_040_000_000
	f.TaskEvent(1, task)
	f.Watermark(1, seconds(30))

	jvms := f.take(time.Unix(60, 0)).profile.JVMs
	require.Len(t, jvms, 2)
	for i, id := range []string{"app-3-1", "app-3-2"} {
		assert.Equal(t, id, jvms[i].Application.ID)
		assert.Equal(t, 8*10_040*time.Millisecond, jvms[i].Totals.TaskCPU)
		var raw time.Duration
		for _, e := range jvms[i].Entries {
			raw += e.Raw
		}
		// Of 40,000 samples a twenty-fifth or more is kept: the standard error is 2.5 %.
		assert.InEpsilon(t, (8 * 10 * time.Second).Seconds(), raw.Seconds(), 0.1)
	}
	assert.NotEqual(t, jvms[0].Totals.Samples, jvms[1].Totals.Samples, "each draws by itself")
}

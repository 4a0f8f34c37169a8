package pipeline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Addresses of the code of a scenario; each is the start of 0x100 bytes.
const (
	scanCode    = 0x1000 // FileScanRDD: decides for the scan
	runCode     = 0x2000 // Executor$TaskRunner.run: the framework's
	shuffleCode = 0x3000 // UnsafeShuffleWriter: decides for the exchange
)

// got collects what a Pipeline delivers.
type got struct {
	jvms    []Application
	samples []Labelled
	tasks   []TaskCPU
	gone    []sampler.JVMID
	order   []string
}

func (g *got) JVM(_ sampler.JVM, a Application) { g.jvms = append(g.jvms, a) }
func (g *got) Task(t TaskCPU) {
	g.tasks = append(g.tasks, t)
	g.order = append(g.order, fmt.Sprintf("task %d", t.Of.ID))
}
func (g *got) SamplerStats(sampler.JVMID, sampler.Stats) {}
func (g *got) JVMGone(id sampler.JVMID)                  { g.gone = append(g.gone, id) }
func (g *got) Sample(l *Labelled) {
	kept := *l
	kept.Frames = slices.Clone(l.Frames)
	g.samples = append(g.samples, kept)
	g.order = append(g.order, fmt.Sprintf("sample %d", l.Time))
}

// scenario drives a Pipeline as a sampler does.
type scenario struct {
	t     testing.TB
	p     *Pipeline
	got   *got
	event map[sampler.JVMID]uint64
}

func newScenario(t testing.TB, s Settings) *scenario {
	out := &got{}
	return &scenario{t: t, p: New(s, out), got: out, event: map[sampler.JVMID]uint64{}}
}

func (s *scenario) jvm(id sampler.JVMID, mode sampler.Mode) {
	s.p.JVMFound(sampler.JVM{ID: id, PID: 100 + int(id), Mode: mode})
}

// code makes a JVM's code known.
func (s *scenario) code(id sampler.JVMID) {
	for i, c := range []struct {
		addr          uint64
		class, method string
	}{
		{scanCode, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext"},
		{runCode, "org.apache.spark.executor.Executor$TaskRunner", "run"},
		{shuffleCode, "org.apache.spark.shuffle.sort.UnsafeShuffleWriter", "write"},
	} {
		s.load(id, 1, c.addr, jvmlog.MethodID(i+1), c.class, c.method)
	}
}

// load makes one compiled method known.
func (s *scenario) load(id sampler.JVMID, at jvmlog.MonoTime, addr uint64, method jvmlog.MethodID, class, name string) {
	s.p.Record(id, at, &jvmlog.Method{ID: method, Class: class, Name: name, Flags: jvmlog.MethodHasLines, Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 10 * uint32(method)}}})
	s.p.Record(id, at, &jvmlog.CodeLoad{Address: addr, Size: 0x100, Level: 4, Method: method, Flags: jvmlog.CodeInlines,
		PCs: []jvmlog.PCRegion{{End: 0x100, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: method, BCI: 0}}})
}

// plan makes the plan of an execution known: an exchange (metric 51) above a scan (metric 52).
func (s *scenario) plan(id sampler.JVMID, at jvmlog.MonoTime, execution int) {
	s.p.Record(id, at, &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: []byte(fmt.Sprintf(`{"version": 1, "execution_id": %d, "update": 0,
		"query": "q1-of%d", "query_name": "query %d", "plan": "p1-of%d", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.exchange.ShuffleExchangeExec", "name": "Exchange", "text": "Exchange hashpartitioning(a#%d)",
		 "operator": "exchange@11", "operator_name": "ShuffleExchange a", "role": "exchange", "codegen": -1, "stage": "exchange>result", "metrics": [{"id": 51, "name": "shuffle records written", "type": "sum"}]},
		{"parent": 0, "class": "org.apache.spark.sql.execution.FileSourceScanExec", "name": "Scan parquet", "text": "FileScan parquet [a#%d]",
		 "operator": "scan@22", "operator_name": "Scan t", "role": "scan", "codegen": -1, "stage": "exchange>result", "metrics": [{"id": 52, "name": "number of output rows", "type": "sum"}]}]}`,
		execution, execution, execution, execution, execution, execution))})
}

// stage says which accumulators a stage of an execution updates.
func (s *scenario) stage(id sampler.JVMID, at jvmlog.MonoTime, stage, execution int) {
	s.p.Record(id, at, &jvmlog.Stage{Stage: tasksample.StageID(stage), Execution: tasksample.ExecutionID(execution), Accumulators: []tasksample.AccumulatorID{52, 51}})
}

// clocksAt are readings of a thread's clocks, in milliseconds.
type clocksAt struct{ cpu, system uint64 }

func (s *scenario) taskEvent(id sampler.JVMID, kind jvmlog.TaskEventKind, at jvmlog.MonoTime, tid uint32, task, stage, execution int, c clocksAt) {
	n := s.event[id]
	s.event[id]++
	s.p.TaskEvent(id, jvmlog.TaskEvent{
		Index: n, Time: at, Kind: kind, TID: tid, Task: tasksample.TaskAttemptID(task), Stage: tasksample.StageID(stage), Partition: 3, Partitions: 8,
		Execution: tasksample.ExecutionID(execution), ThreadCPUNanos: c.cpu * 1e6, SystemNanos: c.system * 1e6, UserNanos: (c.cpu - c.system) * 1e6,
		InclusionProbability: 1, ExecutorCPUNanos: 7e6, ExecutorDeserializeNanos: 2e6, GCMillis: 5,
	})
}

func (s *scenario) sample(id sampler.JVMID, at jvmlog.MonoTime, tid uint32, addrs ...uint64) {
	s.p.Sample(id, sampler.Sample{Time: at, TID: tid, Period: 5 * time.Millisecond, Addrs: addrs})
}

// at is a moment so many seconds after the machine's start.
func at(seconds float64) jvmlog.MonoTime { return jvmlog.MonoTime(seconds * 1e9) }

// verdict is the part of a Labelled that most tests look at.
type verdict struct {
	Query, Operator string
	Bucket          attribution.Bucket
	Task            tasksample.TaskAttemptID
	InTask          bool
}

func (g *got) verdicts() []verdict {
	var out []verdict
	for _, l := range g.samples {
		out = append(out, verdict{l.Query, l.Operator, l.Bucket, l.Task, l.InTask})
	}
	return out
}

// frame is a compiled Java frame.
func frame(class string) codemap.Frame {
	return codemap.Frame{Kind: codemap.Java, Class: class, Method: "m"}
}

func requireSum(t testing.TB, p JVMProfile) {
	sum := time.Duration(0)
	for _, e := range p.Entries {
		sum += e.CPU
	}
	require.InDelta(t, float64(p.Totals.TaskCPU), float64(sum), float64(len(p.Entries)), "operators and buckets add up to the tasks' CPU")
}

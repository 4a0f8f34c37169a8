// Package jvmtest plays an invented Spark JVM into a sampler.Sink, for tests of the rooms that
// label and sum.
//
// All of a Script's JVMs run the same code and the same plan: an exchange above a scan. No Spark,
// no JVM and no kernel takes part, so every figure of a test can be worked out by hand.
package jvmtest

import (
	"fmt"
	"time"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// Addresses of the code of a script; each is the start of 0x100 bytes.
const (
	ScanCode    = 0x1000 // FileScanRDD: decides for the scan
	RunCode     = 0x2000 // Executor$TaskRunner.run: the framework's
	ShuffleCode = 0x3000 // UnsafeShuffleWriter: decides for the exchange
)

// Base and Detail are the periods of the clocks that ClocksSample tells of.
const (
	Base   = 50 * time.Millisecond
	Detail = 5 * time.Millisecond
)

// Script drives a Sink as a sampler does. Times are in order of the test's calls, not checked.
type Script struct {
	Sink  sampler.Sink
	Event map[sampler.JVMID]uint64 // index of the JVM's next task event
}

// New returns a Script that plays into a Sink.
func New(to sampler.Sink) *Script {
	return &Script{Sink: to, Event: map[sampler.JVMID]uint64{}}
}

// At is a moment so many seconds after the machine's start.
func At(seconds float64) jvmlog.MonoTime { return jvmlog.MonoTime(seconds * 1e9) }

// JVM announces a JVM.
func (s *Script) JVM(id sampler.JVMID, mode sampler.Mode) {
	s.Sink.JVMFound(sampler.JVM{ID: id, PID: 100 + int(id), Mode: mode})
}

// JVMOfMinor announces a JVM whose agent writes a minor version of the log, and its code.
func (s *Script) JVMOfMinor(id sampler.JVMID, minor uint16) {
	s.Sink.JVMFound(sampler.JVM{ID: id, PID: 1000 + int(id), Mode: sampler.ModeSelfOpened, Header: jvmlog.Header{Minor: minor}})
	s.Code(id)
}

// Code makes a JVM's code known.
func (s *Script) Code(id sampler.JVMID) {
	for i, c := range []struct {
		addr          uint64
		class, method string
	}{
		{ScanCode, "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1", "hasNext"},
		{RunCode, "org.apache.spark.executor.Executor$TaskRunner", "run"},
		{ShuffleCode, "org.apache.spark.shuffle.sort.UnsafeShuffleWriter", "write"},
	} {
		s.Load(id, 1, c.addr, jvmlog.MethodID(i+1), c.class, c.method)
	}
}

// Load makes one compiled method known.
func (s *Script) Load(id sampler.JVMID, at jvmlog.MonoTime, addr uint64, method jvmlog.MethodID, class, name string) {
	s.Sink.Record(id, at, &jvmlog.Method{ID: method, Class: class, Name: name, Flags: jvmlog.MethodHasLines, Lines: []jvmlog.LineEntry{{StartBCI: 0, Line: 10 * uint32(method)}}})
	s.Sink.Record(id, at, &jvmlog.CodeLoad{Address: addr, Size: 0x100, Level: 4, Method: method, Flags: jvmlog.CodeInlines,
		PCs: []jvmlog.PCRegion{{End: 0x100, First: 0, Count: 1}}, Frames: []jvmlog.CodeFrame{{Method: method, BCI: 0}}})
}

// Plan makes the plan of an execution known: an exchange (metric 51) above a scan (metric 52).
func (s *Script) Plan(id sampler.JVMID, at jvmlog.MonoTime, execution int) {
	s.Sink.Record(id, at, &jvmlog.Dictionary{Execution: tasksample.ExecutionID(execution), JSON: []byte(fmt.Sprintf(`{"version": 1, "execution_id": %d, "update": 0,
		"query": "q1-of%d", "query_name": "query %d", "plan": "p1-of%d", "nodes": [
		{"parent": -1, "class": "org.apache.spark.sql.execution.exchange.ShuffleExchangeExec", "name": "Exchange", "text": "Exchange hashpartitioning(a#%d)",
		 "operator": "exchange@11", "operator_name": "ShuffleExchange a", "role": "exchange", "codegen": -1, "stage": "exchange>result", "metrics": [{"id": 51, "name": "shuffle records written", "type": "sum"}]},
		{"parent": 0, "class": "org.apache.spark.sql.execution.FileSourceScanExec", "name": "Scan parquet", "text": "FileScan parquet [a#%d]",
		 "operator": "scan@22", "operator_name": "Scan t", "role": "scan", "codegen": -1, "stage": "exchange>result", "metrics": [{"id": 52, "name": "number of output rows", "type": "sum"}]}]}`,
		execution, execution, execution, execution, execution, execution))})
}

// Stage says that a stage of an execution updates the accumulators of Plan.
func (s *Script) Stage(id sampler.JVMID, at jvmlog.MonoTime, stage, execution int) {
	s.Sink.Record(id, at, &jvmlog.Stage{Stage: tasksample.StageID(stage), Execution: tasksample.ExecutionID(execution), Accumulators: []tasksample.AccumulatorID{52, 51}})
}

// StageInfo names a stage without a plan.
func (s *Script) StageInfo(id sampler.JVMID, at jvmlog.MonoTime, stage int) {
	s.Sink.Record(id, at, &jvmlog.StageInfo{Stage: tasksample.StageID(stage), JSON: []byte(fmt.Sprintf(`{"version": 1, "query": "r1-%d", "query_name": "collect at etl.py",
		"operator": "rdd@%d", "operator_name": "reduceByKey at etl.py", "stage": "shuffle>rdd@9", "call_site": "etl.py:9", "line": "etl.py:7", "description": "no"}`, stage, stage))})
}

// Rows says how many rows tasks of a stage scanned; the exchange wrote a tenth.
func (s *Script) Rows(id sampler.JVMID, seconds float64, stage, execution, tasks int, rows int64) {
	s.Sink.Record(id, At(seconds), &jvmlog.Rows{StageID: tasksample.StageID(stage), ExecutionID: tasksample.ExecutionID(execution), Tasks: uint32(tasks),
		Accumulated: []jvmlog.Accumulated{{ID: 51, Sum: rows / 10}, {ID: 52, Sum: rows}}})
}

// Over tells the end of an execution.
func (s *Script) Over(id sampler.JVMID, seconds float64, execution int, failed bool) {
	s.Sink.Record(id, At(seconds), &jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(execution), Failed: failed, UnixNano: 1_700_000_000_000_000_007})
}

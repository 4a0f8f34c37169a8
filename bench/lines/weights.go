package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// bodyKey names the text of a class.
type bodyKey [sha256.Size]byte

func keyOf(body string) bodyKey { return sha256.Sum256([]byte(body)) }

// place is a line of a class of a statement.
type place struct {
	statement string
	body      bodyKey
	line      int
}

// weights are the CPU of the samples of a recorded run, as it was sampled (uncalibrated).
type weights struct {
	lines   map[place]time.Duration // samples that a line of a whole-stage class decided
	unlined time.Duration           // a whole-stage class decided, but its source or the line was not known
	other   time.Duration           // anything else decided
}

// weigh reads the recording at path; executions maps the executions that count to their statements.
func weigh(path string, executions map[int64]string) (*weights, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only: nothing to lose
	r, err := recording.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer r.Close()
	w := newWeigher(executions)
	if err := r.Replay(w); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w.Finish()
	if len(w.sums.lines) == 0 {
		return nil, fmt.Errorf("%s: no sample of a line of the executions that count", path)
	}
	return w.sums, nil
}

// weigher is the sink of a recording and the consumer of what a pipeline makes of it.
type weigher struct {
	*pipeline.Pipeline
	executions map[int64]string
	bodies     map[loaderKey]bodyKey
	symbols    map[sampler.JVMID]symbolTable
	sums       *weights
}

type loaderKey struct {
	jvm    sampler.JVMID
	loader jvmlog.LoaderID
}

// symbolTable has the recorded names of native code by address.
type symbolTable map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (t symbolTable) Symbol(addr uint64) (codemap.Frame, bool) {
	f, ok := t[addr]
	return f, ok
}

func newWeigher(executions map[int64]string) *weigher {
	w := &weigher{executions: executions, bodies: map[loaderKey]bodyKey{}, symbols: map[sampler.JVMID]symbolTable{},
		sums: &weights{lines: map[place]time.Duration{}}}
	w.Pipeline = pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: 1 << 20, Symbols: func(v sampler.JVM) pipeline.Symbolizer {
		w.symbols[v.ID] = symbolTable{}
		return w.symbols[v.ID]
	}}, (*lineConsumer)(w))
	return w
}

// Symbol implements recording.Sink.
func (w *weigher) Symbol(id sampler.JVMID, f codemap.Frame) {
	if t := w.symbols[id]; t != nil {
		t[f.Addr] = f
	}
}

// Record implements sampler.Sink.
func (w *weigher) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if s, ok := r.(*jvmlog.Source); ok {
		w.bodies[loaderKey{id, s.Loader}] = keyOf(s.Body)
	}
	w.Pipeline.Record(id, t, r)
}

// lineConsumer is a weigher as a pipeline.Consumer.
type lineConsumer weigher

// Sample implements pipeline.Consumer.
func (c *lineConsumer) Sample(l *pipeline.Labelled) {
	statement, counts := c.executions[int64(l.Execution)]
	if !counts {
		return
	}
	v := l.Verdict
	if v.Frame < 0 || v.Frame >= len(l.Frames) || !strings.HasPrefix(l.Frames[v.Frame].Class, generatedClass+"GeneratedIterator") {
		c.sums.other += l.Weight
		return
	}
	frame := l.Frames[v.Frame]
	body, known := c.bodies[loaderKey{l.JVM, frame.Loader}]
	if !known || frame.Line == 0 {
		c.sums.unlined += l.Weight
		return
	}
	c.sums.lines[place{statement, body, frame.Line}] += l.Weight
}

// JVM implements pipeline.Consumer.
func (c *lineConsumer) JVM(sampler.JVM, pipeline.Application) {}

// Task implements pipeline.Consumer.
func (c *lineConsumer) Task(pipeline.TaskCPU) {}

// SamplerStats implements pipeline.Consumer.
func (c *lineConsumer) SamplerStats(sampler.JVMID, sampler.Stats) {}

// JVMGone implements pipeline.Consumer.
func (c *lineConsumer) JVMGone(sampler.JVMID) {}

package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// replay is a pipeline that also takes the recorded names of native code.
type replay struct {
	*pipeline.Pipeline
	columns     *columns.Builder
	symbols     map[sampler.JVMID]symbolTable
	first, last jvmlog.MonoTime
	details     []details
	plans       []pipeline.PlanOutline
}

// details are what the rooms behind a pipeline counted for one JVM.
type details struct {
	jvm         sampler.JVMID
	attribution attribution.Stats
	code        codemap.Stats
}

// symbolTable is the named native and kernel code of one JVM, by address.
type symbolTable map[uint64]codemap.Frame

// Symbol implements pipeline.Symbolizer.
func (t symbolTable) Symbol(addr uint64) (codemap.Frame, bool) {
	f, ok := t[addr]
	return f, ok
}

func newReplay(to *columns.Builder, without pipeline.Without) *replay {
	in := &replay{columns: to, symbols: map[sampler.JVMID]symbolTable{}}
	in.Pipeline = pipeline.New(pipeline.Settings{Hold: pipeline.UntilEnd, MaxHeld: maxHeldOffline, Spill: spillFile, Without: without, Symbols: in.symbolizer}, to)
	return in
}

// Record implements sampler.Sink. Texts of generated code are for people alone.
func (r *replay) Record(id sampler.JVMID, t jvmlog.MonoTime, record jvmlog.Record) {
	if source, ok := record.(*jvmlog.Source); ok {
		r.columns.Source(source)
	}
	r.Pipeline.Record(id, t, record)
}

// spillFile makes a file without a name in the folder of temporary files.
func spillFile() (*os.File, error) {
	f, err := os.CreateTemp("", "planflame-samples-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (r *replay) symbolizer(v sampler.JVM) pipeline.Symbolizer {
	t := symbolTable{}
	r.symbols[v.ID] = t
	return t
}

// Symbol implements recording.Sink.
func (r *replay) Symbol(id sampler.JVMID, f codemap.Frame) {
	if t := r.symbols[id]; t != nil {
		t[f.Addr] = f
	}
}

// JVMFound implements sampler.Sink.
func (r *replay) JVMFound(v sampler.JVM) {
	if r.first == 0 {
		r.first = v.FoundAt
	}
	r.Pipeline.JVMFound(v)
}

// Watermark implements sampler.Sink.
func (r *replay) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	r.last = max(r.last, t)
	r.Pipeline.Watermark(id, t)
}

// JVMGone implements sampler.Sink. The pipeline forgets the JVM, so what its rooms counted is taken
// when all of it has been labelled.
func (r *replay) JVMGone(id sampler.JVMID) {
	r.Pipeline.FinishJVM(id)
	r.keep(id)
	r.Pipeline.JVMGone(id)
	delete(r.symbols, id)
}

// finish labels what is left of JVMs whose end was not recorded.
func (r *replay) finish() {
	r.Finish()
	for id := range r.symbols {
		r.keep(id)
	}
}

func (r *replay) keep(id sampler.JVMID) {
	r.details = append(r.details, details{id, r.Attribution(id), r.CodeMap(id)})
	r.plans = append(r.plans, r.Plans(id)...)
}

// duration is the time from the first JVM to the last watermark.
func (r *replay) duration() time.Duration {
	if r.last < r.first {
		return 0
	}
	return time.Duration(r.last - r.first)
}

func (d details) String() string {
	return fmt.Sprintf("jvm %d\n  attribution %+v\n  code map    %+v", d.jvm, d.attribution, d.code)
}

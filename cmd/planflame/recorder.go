package main

import (
	"io"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// maxSymbols bounds the addresses of one JVM that are named in a recording: real jobs have some thousands.
const maxSymbols = 1 << 20

// recorder is a sampler's Sink that writes a recording, and names native and kernel code while the JVM that holds it is alive.
type recorder struct {
	*recording.Writer
	symbols func(sampler.JVM) symbolizer
	methods func(sampler.JVM) pipeline.MethodNamer
	jvms    map[sampler.JVMID]*named
	samples uint64
	tasks   uint64
	modes   map[sampler.Mode]int
}

// symbolizer names native and kernel addresses of one live process.
type symbolizer interface {
	Symbol(addr uint64) (codemap.Frame, bool)
}

// named is a JVM with the addresses that were looked at.
type named struct {
	symbolizer
	methods pipeline.MethodNamer // nil where the JVM's memory cannot be read
	seen    map[uint64]struct{}
}

func newRecorder(w *recording.Writer, symbols func(sampler.JVM) symbolizer, methods func(sampler.JVM) pipeline.MethodNamer) *recorder {
	return &recorder{Writer: w, symbols: symbols, methods: methods, jvms: map[sampler.JVMID]*named{}, modes: map[sampler.Mode]int{}}
}

// JVMFound implements sampler.Sink.
func (r *recorder) JVMFound(v sampler.JVM) {
	r.modes[v.Mode]++
	r.jvms[v.ID] = &named{r.symbols(v), r.methods(v), map[uint64]struct{}{}}
	r.Writer.JVMFound(v)
}

// Record implements sampler.Sink.
func (r *recorder) Record(id sampler.JVMID, t jvmlog.MonoTime, rec jvmlog.Record) {
	if j := r.jvms[id]; j != nil && j.methods != nil {
		j.methods.Record(rec)
	}
	r.Writer.Record(id, t, rec)
}

// Sample implements sampler.Sink: the names come before the sample.
func (r *recorder) Sample(id sampler.JVMID, s sampler.Sample) {
	r.samples++
	if j := r.jvms[id]; j != nil {
		for _, addr := range s.Addrs {
			if _, ok := j.seen[addr]; ok || len(j.seen) >= maxSymbols {
				continue
			}
			j.seen[addr] = struct{}{}
			if f, ok := j.Symbol(addr); ok {
				f.Addr = addr
				r.Symbol(id, f)
			}
		}
		r.nameInterpreted(id, j, s)
	}
	r.Writer.Sample(id, s)
}

// nameInterpreted records the names of methods that the interpreter runs and the log does not name.
func (r *recorder) nameInterpreted(id sampler.JVMID, j *named, s sampler.Sample) {
	if j.methods == nil {
		return
	}
	for _, f := range s.Interpreted {
		if m, ok := j.methods.Name(f.Method); ok {
			r.Writer.Record(id, s.Time, m)
		}
	}
}

// JVMGone implements sampler.Sink.
func (r *recorder) JVMGone(id sampler.JVMID) {
	if j := r.jvms[id]; j != nil {
		if c, ok := j.methods.(io.Closer); ok {
			c.Close() // opened for reading
		}
	}
	delete(r.jvms, id)
	r.Writer.JVMGone(id)
}

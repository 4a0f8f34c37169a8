package main

import (
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// maxSymbols bounds the addresses of one JVM that are named in a recording: real jobs have some
// thousands.
const maxSymbols = 1 << 20

// recorder is a sampler's Sink that writes a recording, and names native and kernel code while the
// JVM that holds it is alive.
type recorder struct {
	*recording.Writer
	symbols func(sampler.JVM) symbolizer
	jvms    map[sampler.JVMID]*named
	limit   int    // of the addresses of one JVM
	unnamed uint64 // frames whose address came after limit others, so that no one asked for its name

	accounts *accounts // nil: none are kept
	spoilt   uint64    // accounts that could not be encoded
	queues   runQueues
}

// symbolizer names native and kernel addresses of one live process.
type symbolizer interface {
	Symbol(addr uint64) (codemap.Frame, bool)
}

// named is a JVM with the addresses that were looked at.
type named struct {
	symbolizer
	seen map[uint64]struct{}
}

func newRecorder(w *recording.Writer, symbols func(sampler.JVM) symbolizer) *recorder {
	return &recorder{Writer: w, symbols: symbols, jvms: map[sampler.JVMID]*named{}, limit: maxSymbols}
}

// JVMFound implements sampler.Sink.
func (r *recorder) JVMFound(v sampler.JVM) {
	r.jvms[v.ID] = &named{r.symbols(v), map[uint64]struct{}{}}
	r.Writer.JVMFound(v)
	r.queues.found(v)
	if r.accounts != nil {
		r.accounts.accountant.Add(v)
	}
}

// Watermark implements sampler.Sink: what was read of the JVM's CPU comes before it.
func (r *recorder) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	if r.accounts != nil {
		r.keep(id, r.accounts.take(id))
	}
	r.Writer.Watermark(id, t)
}

// TaskEvent implements sampler.Sink: the run queue of a task comes behind its end.
func (r *recorder) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	r.Writer.TaskEvent(id, e)
	if q, ok := r.queues.event(id, e); ok {
		r.Record(id, e.Time, q.Record())
	}
}

// keep writes accounts.
func (r *recorder) keep(id sampler.JVMID, read []timedAccount) {
	for _, a := range read {
		record, err := a.account.Record()
		if err != nil {
			r.spoilt++
			continue
		}
		r.Record(id, a.time, record)
	}
}

// Sample implements sampler.Sink: the names come before the sample.
func (r *recorder) Sample(id sampler.JVMID, s sampler.Sample) {
	if j := r.jvms[id]; j != nil {
		for _, addr := range s.Addrs {
			if _, ok := j.seen[addr]; ok {
				continue
			}
			if len(j.seen) >= r.limit {
				r.unnamed++
				continue
			}
			j.seen[addr] = struct{}{}
			if f, ok := j.Symbol(addr); ok {
				f.Addr = addr
				r.Symbol(id, f)
			}
		}
	}
	r.Writer.Sample(id, s)
}

// JVMGone implements sampler.Sink.
func (r *recorder) JVMGone(id sampler.JVMID) {
	delete(r.jvms, id)
	r.queues.gone(id)
	if r.accounts != nil {
		r.keep(id, r.accounts.last(id))
	}
	r.Writer.JVMGone(id)
}

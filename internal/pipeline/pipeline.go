package pipeline

import (
	"maps"
	"slices"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Pipeline is a sampler.Sink that labels samples and passes them to a Consumer. One goroutine at a
// time.
type Pipeline struct {
	settings Settings
	out      Consumer
	outside  OutsideConsumer // out, where it is one
	// executions is out, where it is one.
	executions ExecutionConsumer
	times      TimesConsumer    // out, where it is one
	dwells     DwellConsumer    // out, where it is one
	lines      UserLineConsumer // out, where it is one
	// dictionaries is out, where it is one.
	dictionaries DictionaryConsumer
	jvms         map[sampler.JVMID]*jvm // the application that runs in each now
	later        sampler.JVMID          // how many of FirstLater and up are in use
	common       attribution.Common     // of the attributors of all JVMs
	counts       Counts
	labelled     Labelled // the sample at hand
}

var (
	_ sampler.Sink   = (*Pipeline)(nil)
	_ sampler.Leaver = (*Pipeline)(nil)
)

// New returns a Pipeline that delivers to out.
func New(settings Settings, out Consumer) *Pipeline {
	outside, _ := out.(OutsideConsumer)
	executions, _ := out.(ExecutionConsumer)
	times, _ := out.(TimesConsumer)
	dwells, _ := out.(DwellConsumer)
	lines, _ := out.(UserLineConsumer)
	dictionaries, _ := out.(DictionaryConsumer)
	return &Pipeline{settings: settings.withDefaults(), out: out, outside: outside, executions: executions, times: times, dwells: dwells, lines: lines, dictionaries: dictionaries,
		jvms: map[sampler.JVMID]*jvm{}}
}

// Counts returns what was counted so far.
func (p *Pipeline) Counts() Counts {
	c := p.counts
	for _, j := range p.jvms {
		for app := j; app != nil; app = app.before {
			c.Held += uint64(app.held.len() + len(app.waiting))
		}
		c.LostStarts += j.timeline.lostStarts
		c.LostEnds += j.timeline.lostEnds
		c.OverBudget += j.timeline.lostSwitches
	}
	return c
}

// Attribution returns what the attributor of a JVM counted; nothing once the JVM is gone.
func (p *Pipeline) Attribution(id sampler.JVMID) attribution.Stats {
	if j := p.jvms[id]; j != nil {
		return j.ops.attributor.Stats()
	}
	return attribution.Stats{}
}

// CodeMap returns what the code map of a JVM counted; nothing once the JVM is gone.
func (p *Pipeline) CodeMap(id sampler.JVMID) codemap.Stats {
	if j := p.jvms[id]; j != nil {
		return j.code.Stats()
	}
	return codemap.Stats{}
}

// Finish labels everything that is still held. Events after it are labelled as they come.
func (p *Pipeline) Finish() {
	for _, id := range p.ids() {
		p.jvms[id].drainAll()
	}
}

// FinishJVM is Finish for one JVM.
func (p *Pipeline) FinishJVM(id sampler.JVMID) {
	if j := p.jvm(id); j != nil {
		j.drainAll()
	}
}

// JVMFound implements sampler.Sink.
func (p *Pipeline) JVMFound(v sampler.JVM) {
	p.jvms[v.ID] = newJVM(p, v)
	p.out.JVM(v, Application{})
}

// Thread implements sampler.Sink.
func (p *Pipeline) Thread(id sampler.JVMID, t jvmlog.Thread) {
	if j := p.jvm(id); j != nil {
		j.timeline.thread(t)
	}
}

// Record implements sampler.Sink.
func (p *Pipeline) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if j := p.jvm(id); j != nil {
		j.record(t, r)
	}
}

// TaskEvent implements sampler.Sink.
func (p *Pipeline) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	if j := p.jvm(id); j != nil {
		j.of(e.TID, e.Time).taskEvent(e)
	}
}

// Sample implements sampler.Sink.
func (p *Pipeline) Sample(id sampler.JVMID, s sampler.Sample) {
	p.counts.Samples++
	if j := p.jvm(id); j != nil {
		j.of(s.TID, s.Time).sample(s)
	}
}

// Account takes a reading of an Accountant's. A recording brings it as a record instead
// (Account.Record). One of a JVM that is gone is dropped: it was on its way when the last reading,
// which has all of it, overtook it.
func (p *Pipeline) Account(id sampler.JVMID, t jvmlog.MonoTime, a Account) {
	if j := p.jvms[id]; j != nil {
		j.account(t, a)
	}
}

// Stats implements sampler.Sink and passes on the sampler's counts; Counts has the Pipeline's own.
func (p *Pipeline) Stats(id sampler.JVMID, s sampler.Stats) {
	if j := p.jvm(id); j != nil {
		p.out.SamplerStats(j.info.ID, j.share(s))
	}
}

// Watermark implements sampler.Sink: it labels what the hold lets go.
func (p *Pipeline) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	if j := p.jvm(id); j != nil {
		j.endBefore(t)
		for app := j; app != nil; app = app.before {
			app.watermark(t)
		}
	}
}

// Told returns what is delivered of each JVM. A sample that waits for its plan does not hold up the
// samples after it.
func (p *Pipeline) Told() map[sampler.JVMID]jvmlog.Told {
	out := map[sampler.JVMID]jvmlog.Told{}
	for id, j := range p.jvms {
		if hold := jvmlog.MonoTime(p.settings.Hold); j.seen > hold {
			out[id] = j.told(j.seen - hold)
		}
	}
	return out
}

// JVMGone implements sampler.Sink: all that the JVM's samples wait for can no longer come.
func (p *Pipeline) JVMGone(id sampler.JVMID) {
	j := p.jvm(id)
	if j == nil {
		return
	}
	j.end()
	p.counts.LostStarts += j.timeline.lostStarts
	p.counts.LostEnds += j.timeline.lostEnds
	p.counts.OverBudget += j.timeline.lostSwitches
	delete(p.jvms, id)
}

// JVMLeft implements sampler.Leaver: what runs in the JVM goes on.
func (p *Pipeline) JVMLeft(id sampler.JVMID) {
	for app := p.jvms[id]; app != nil; app = app.before {
		app.left = true
	}
}

// jvm returns a JVM that was announced, or nil after counting.
func (p *Pipeline) jvm(id sampler.JVMID) *jvm {
	j := p.jvms[id]
	if j == nil {
		p.counts.UnknownJVM++
	}
	return j
}

// ids are the live JVMs in order, so that Finish is deterministic.
func (p *Pipeline) ids() []sampler.JVMID {
	return slices.Sorted(maps.Keys(p.jvms))
}

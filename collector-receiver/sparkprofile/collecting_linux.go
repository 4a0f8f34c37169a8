package sparkprofile

import (
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-receiver/internal/keep"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// collecting is the sink of the sampler: pipeline and accumulator behind one lock, so that a window
// can be taken at any time.
type collecting struct {
	mu    sync.Mutex
	pipe  *pipeline.Pipeline
	sums  *window.Accumulator
	start time.Time // of the window

	symbols    *symbols
	accountant *pipeline.Accountant
	keeper     *keep.Keeper // nil: no recordings are kept
	log        *zap.Logger
}

var _ sampler.Sink = (*collecting)(nil)

// newCollecting makes a sink whose JVMs may not claim the labels that trusted names.
func newCollecting(config *Config, trusted []string, log *zap.Logger) *collecting {
	sums := window.New(window.Settings{TaskLabels: config.TaskAttributes, Executions: true})
	symbols := newSymbols(log)
	c := &collecting{
		sums: sums, symbols: symbols, log: log,
		pipe:  pipeline.New(pipeline.Settings{Symbols: symbols.of, TrustedLabels: trusted}, &announcing{Accumulator: sums, log: log, known: map[sampler.JVMID]string{}}),
		start: time.Now(),
	}
	c.accountant = newAccountant(c)
	return c
}

// take returns the window up to now and begins the next.
func (c *collecting) take(now time.Time) delivery {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := delivery{start: c.start, duration: max(now.Sub(c.start), 0), profile: c.sums.Take(), counts: c.pipe.Counts(), told: c.pipe.Told()}
	c.start = now
	return w
}

// finish names everything that is still held back.
func (c *collecting) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pipe.Finish()
}

func (c *collecting) locked(f func(p *pipeline.Pipeline)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c.pipe)
}

// JVMFound implements sampler.Sink.
func (c *collecting) JVMFound(v sampler.JVM) {
	c.locked(func(p *pipeline.Pipeline) { p.JVMFound(v) })
	c.accountant.Add(v)
}

// Thread implements sampler.Sink.
func (c *collecting) Thread(id sampler.JVMID, t jvmlog.Thread) {
	c.locked(func(p *pipeline.Pipeline) { p.Thread(id, t) })
}

// Record implements sampler.Sink.
func (c *collecting) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	c.locked(func(p *pipeline.Pipeline) { p.Record(id, t, r) })
}

// TaskEvent implements sampler.Sink.
func (c *collecting) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	c.locked(func(p *pipeline.Pipeline) { p.TaskEvent(id, e) })
}

// Sample implements sampler.Sink.
func (c *collecting) Sample(id sampler.JVMID, s sampler.Sample) {
	c.locked(func(p *pipeline.Pipeline) { p.Sample(id, s) })
}

// Stats implements sampler.Sink.
func (c *collecting) Stats(id sampler.JVMID, s sampler.Stats) {
	c.locked(func(p *pipeline.Pipeline) { p.Stats(id, s) })
}

// Watermark implements sampler.Sink.
func (c *collecting) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	c.locked(func(p *pipeline.Pipeline) { p.Watermark(id, t) })
}

// JVMLeft implements sampler.Leaver.
func (c *collecting) JVMLeft(id sampler.JVMID) {
	c.locked(func(p *pipeline.Pipeline) { p.JVMLeft(id) })
}

// JVMGone implements sampler.Sink.
func (c *collecting) JVMGone(id sampler.JVMID) {
	if last, read := c.accountant.Remove(id); read {
		c.account(id, jvmlog.Now(), last)
	}
	c.locked(func(p *pipeline.Pipeline) { p.JVMGone(id) })
	c.symbols.gone(id)
	c.log.Info("JVM gone", zap.Uint32("jvm", uint32(id)))
}

// announcing is the accumulator that also logs which JVMs and applications come.
type announcing struct {
	*window.Accumulator
	log   *zap.Logger
	known map[sampler.JVMID]string // application ids
}

// JVM implements pipeline.Consumer.
func (a *announcing) JVM(v sampler.JVM, app pipeline.Application) {
	a.Accumulator.JVM(v, app)
	before, known := a.known[v.ID]
	a.known[v.ID] = app.ID
	if app.Claimed > 0 && before != app.ID {
		a.log.Warn("this JVM claims labels that only the node gives", append(who(v), zap.Int("labels", app.Claimed))...)
	}
	switch {
	case !known && v.ID < pipeline.FirstLater:
		a.log.Info("JVM found", zap.Int("pid", v.PID), zap.String("jdk", v.Header.JDKVersion), zap.Stringer("mode", v.Mode))
	case before != app.ID:
		a.log.Info("Spark application", zap.Int("pid", v.PID), zap.String("id", app.ID), zap.String("name", app.Name),
			zap.String("executor", app.ExecutorID), zap.String("spark", app.SparkVersion))
	}
}

// who names a JVM's process and, if it is known, its user.
func who(v sampler.JVM) []zap.Field {
	fields := []zap.Field{zap.Int("pid", v.PID)}
	if v.Place != nil {
		fields = append(fields, zap.Int("uid", v.Place.UID))
	}
	return fields
}

// JVMGone implements pipeline.Consumer.
func (a *announcing) JVMGone(id sampler.JVMID) {
	a.Accumulator.JVMGone(id)
	delete(a.known, id)
}

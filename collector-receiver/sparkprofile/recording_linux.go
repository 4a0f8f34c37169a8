package sparkprofile

import (
	"cmp"
	"context"
	"fmt"

	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-receiver/internal/keep"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
)

// openKeeper takes the directory of recordings, if any are kept.
func (c *collecting) openKeeper(config *Config, version string, log *zap.Logger) error {
	if config.Recording.Directory == "" {
		return nil
	}
	choose, err := config.Recording.choose()
	if err != nil {
		return fmt.Errorf("recording::%w", err)
	}
	base, detail := config.rates()
	c.keeper, err = keep.Open(keep.Settings{
		Directory: config.Recording.Directory, MaxBytes: config.Recording.MaxBytes, Choose: choose, Symbols: c.symbols.known, Log: log,
		Service: func(app pipeline.Application) string {
			return cmp.Or(config.ServiceName, app.Attributes[semconv.ServiceName], app.Name, fallbackService)
		},
		Meta: recording.Meta{
			Version: version, Hz: int(base + 0.5), DetailHz: detail, Fraction: config.TaskSampling.Rates.Fraction, RunFraction: config.runFraction(), Mode: config.Mode,
		},
	})
	return err
}

// runFraction is π of runs as a recording has it: 0 if all are sampled.
func (c *Config) runFraction() float64 {
	if c.TaskSampling.RunFraction == 1 {
		return 0
	}
	return c.TaskSampling.RunFraction
}

// closeKeeper finishes recordings, shortly before ctx ends at the latest. What is left is not lost.
func (c *collecting) closeKeeper(ctx context.Context) {
	if c.keeper == nil {
		return
	}
	if end, ok := ctx.Deadline(); ok {
		shorter, cancel := context.WithDeadline(ctx, end.Add(-shutdownWithin/8))
		defer cancel()
		ctx = shorter
	}
	if err := c.keeper.Close(ctx); err != nil {
		c.log.Warn("recordings are not finished; the next Collector goes on with them", zap.Error(err))
	}
}

// sink is what the sampler delivers to.
func (c *collecting) sink(config *Config) sampler.Sink {
	if config.Recording.Directory == "" {
		return c
	}
	return kept{c}
}

// account takes a reading of a JVM's exact CPU.
func (c *collecting) account(id sampler.JVMID, t jvmlog.MonoTime, a pipeline.Account) {
	c.locked(func(p *pipeline.Pipeline) { p.Account(id, t, a) })
	if c.keeper != nil {
		c.keeper.Account(id, t, a)
	}
}

// kept is a sink that keeps recordings, too. The keeper is there before the sampler runs.
type kept struct{ *collecting }

// JVMFound implements sampler.Sink.
func (k kept) JVMFound(v sampler.JVM) {
	k.collecting.JVMFound(v)
	k.keeper.JVMFound(v)
}

// Thread implements sampler.Sink.
func (k kept) Thread(id sampler.JVMID, t jvmlog.Thread) {
	k.collecting.Thread(id, t)
	k.keeper.Thread(id, t)
}

// Record implements sampler.Sink.
func (k kept) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	k.collecting.Record(id, t, r)
	k.keeper.Record(id, t, r)
}

// TaskEvent implements sampler.Sink.
func (k kept) TaskEvent(id sampler.JVMID, e jvmlog.TaskEvent) {
	k.collecting.TaskEvent(id, e)
	k.keeper.TaskEvent(id, e)
}

// Sample implements sampler.Sink.
func (k kept) Sample(id sampler.JVMID, s sampler.Sample) {
	k.collecting.Sample(id, s)
	k.keeper.Sample(id, s)
}

// Stats implements sampler.Sink.
func (k kept) Stats(id sampler.JVMID, s sampler.Stats) {
	k.collecting.Stats(id, s)
	k.keeper.Stats(id, s)
}

// Watermark implements sampler.Sink.
func (k kept) Watermark(id sampler.JVMID, t jvmlog.MonoTime) {
	k.collecting.Watermark(id, t)
	k.keeper.Watermark(id, t)
}

// JVMGone implements sampler.Sink. The last reading of the JVM's CPU comes with the first call.
func (k kept) JVMGone(id sampler.JVMID) {
	k.collecting.JVMGone(id)
	k.keeper.JVMGone(id)
}

var _ sampler.Sink = kept{}

package sparkprofile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/xconsumer"
	"go.opentelemetry.io/collector/receiver"
	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// sparkProfile is the live receiver.
type sparkProfile struct {
	config    *Config
	profiles  xconsumer.Profiles // nil: not wanted
	costsTo   consumer.Metrics   // nil: not wanted
	slow      *slowEvents        // nil: not wanted
	log       *zap.Logger
	telemetry *metadata.TelemetryBuilder
	metrics   *metrics
	shape     shape
	costs     *costs
	collect   *collecting
	sampler   *sampler.Sampler

	checks time.Duration // between two looks at the sampler's rounds
	within time.Duration // of which Shutdown takes no more

	cancel context.CancelFunc
	done   sync.WaitGroup
	ended  sync.Once
	failed error // what ending it brought
}

// newReceiver makes a receiver that looks at the processes that pids names; nil: at all of them.
func newReceiver(config *Config, set receiver.Settings, pids func(pid int) bool) (*sparkProfile, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, fmt.Errorf("create the receiver's metrics: %w", err)
	}
	origin, err := attributes.OriginOf(os.Getenv(attributes.EnvironmentVariable))
	if err != nil {
		return nil, err
	}
	given, err := config.trusted()
	if err != nil {
		return nil, err
	}
	collect := newCollecting(config, given.names(), set.Logger)
	settings, err := config.settings()
	if err != nil {
		return nil, err
	}
	settings.PIDs, settings.Logger = pids, set.Logger
	s, err := sampler.New(settings, collect.sink(config))
	if err != nil {
		return nil, err
	}
	own, dropped, err := environment(os.Getenv(attributes.EnvironmentVariable))
	if err != nil || dropped > 0 {
		set.Logger.Warn("attributes of this Collector's environment are left out", zap.String("variable", attributes.EnvironmentVariable), zap.Uint64("beyond_bounds", dropped), zap.Error(err))
	}
	r := &sparkProfile{
		config: config, log: set.Logger, telemetry: telemetry, metrics: newMetrics(telemetry, config.TaskSampling.Calibration),
		shape:   newShape(config, given, origin, set.BuildInfo.Version, own),
		collect: collect, sampler: s,
		checks: checkInterval(settings), within: shutdownWithin,
	}
	r.costs = newCosts(config, &r.shape)
	return r, nil
}

// Start begins to look for JVMs; it does not wait for one. It reports its status to hosts.
func (r *sparkProfile) Start(_ context.Context, hosts ...component.Host) error {
	if err := r.collect.openKeeper(r.config, r.shape.version, r.log); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.metrics.begin(ctx)
	r.done.Go(func() {
		if err := r.sampler.Run(ctx); err != nil {
			r.log.Error("sampling ended", zap.Error(err))
		}
	})
	r.done.Go(func() { r.windows(ctx) })
	r.done.Go(func() { r.collect.accountant.Run(ctx) })
	r.done.Go(func() { r.watch(ctx, hosts) })
	return nil
}

// shutdownWithin bounds Shutdown: the last round, the last window and its delivery. Exporters have
// as long again before five seconds are over.
const shutdownWithin = 2 * time.Second

// Shutdown reads what is left, delivers the last window and ends. It may be called without Start,
// and more than once. If that takes longer than shutdownWithin or ctx, the last window is lost and
// counted as refused.
func (r *sparkProfile) Shutdown(ctx context.Context) error {
	r.ended.Do(func() {
		defer r.telemetry.Shutdown()
		if r.cancel == nil {
			return
		}
		ctx, cancel := context.WithTimeoutCause(ctx, r.within, fmt.Errorf("no end within %s", r.within))
		defer cancel()
		last := make(chan error, 1)
		var delivers atomic.Bool // and so counts itself what is refused
		go func() { last <- r.end(ctx, &delivers) }()
		select {
		case r.failed = <-last:
		case <-ctx.Done():
			r.cancel()
			if !delivers.Load() {
				r.metrics.refused(ctx)
			}
			r.failed = fmt.Errorf("last window lost: sampling or its delivery stalls: %w", context.Cause(ctx))
		}
	})
	return r.failed
}

// end is Shutdown without its bound. Once that is over it delivers nothing: the next consumers are
// shut down.
func (r *sparkProfile) end(ctx context.Context, delivers *atomic.Bool) error {
	sampling := r.sampler.Shutdown(ctx)
	r.cancel()
	r.done.Wait()
	r.collect.finish()
	defer r.collect.closeKeeper(ctx)
	if ctx.Err() != nil {
		return sampling
	}
	delivers.Store(true)
	err := r.deliver(ctx, time.Now())
	if err == nil {
		r.log.Info("the last window is handed on", zap.Float64("task_cpu_seconds", r.metrics.told.Seconds()))
	}
	return errors.Join(sampling, err)
}

// windows delivers one window after the other until ctx ends.
func (r *sparkProfile) windows(ctx context.Context) {
	tick := time.NewTicker(r.config.Window)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			r.collect.symbols.refresh()
			if err := r.deliver(ctx, now); err != nil {
				r.log.Warn("window lost: the next consumer refused it", zap.Error(err))
			}
		}
	}
}

// deliver hands over what came since the last window. An error is the next consumers': what they
// refused is lost and counted, but for the series, which the next window has again.
func (r *sparkProfile) deliver(ctx context.Context, now time.Time) error {
	w := r.collect.take(now)
	r.metrics.window(ctx, w, r.sampler.Totals())
	r.metrics.unread(ctx, r.collect.accountant.Failures())
	r.metrics.unrecorded(ctx, r.collect.keeper.Lost())
	err := r.deliverProfiles(ctx, w)
	r.sampler.Told(w.told) // it is in the exporters' queues, or counted as refused
	return errors.Join(err, r.deliverCosts(ctx, w), r.deliverSlow(ctx, w))
}

func (r *sparkProfile) deliverProfiles(ctx context.Context, w delivery) error {
	if r.profiles == nil {
		return nil
	}
	profiles := r.shape.profiles(w)
	if profiles.SampleCount() == 0 {
		return nil
	}
	if err := r.profiles.ConsumeProfiles(ctx, profiles); err != nil {
		r.metrics.refused(ctx)
		return fmt.Errorf("deliver the window from %s: %w", w.start.Format(time.RFC3339), err)
	}
	return nil
}

func (r *sparkProfile) deliverCosts(ctx context.Context, w delivery) error {
	if r.costsTo == nil {
		return nil
	}
	out := r.costs.window(w)
	r.metrics.costs(ctx, &out, r.costs.table)
	if out.metrics.DataPointCount() == 0 {
		return nil
	}
	if err := r.costsTo.ConsumeMetrics(ctx, out.metrics); err != nil {
		r.metrics.add(ctx, received{RefusedExecutions: uint64(out.executions), RefusedUnits: out.units})
		return fmt.Errorf("deliver the costs of the window from %s: %w", w.start.Format(time.RFC3339), err)
	}
	return nil
}

// delivery is what was collected since the one before.
type delivery struct {
	start    time.Time
	duration time.Duration
	profile  window.Profile
	counts   pipeline.Counts // cumulative
	// told is what of each JVM's samples is in this window or in one before.
	told map[sampler.JVMID]jvmlog.Told
}

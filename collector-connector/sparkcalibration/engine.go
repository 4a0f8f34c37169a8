package sparkcalibration

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
	"github.com/planflame/planflame/collector-connector/sparkcalibration/internal/metadata"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/costmetrics"
)

// engine is the live connector. ConsumeMetrics may be called by any number of goroutines;
// everything else is done by the one that Start starts.
type engine struct {
	config    *Config
	log       *zap.Logger
	telemetry *metadata.TelemetryBuilder
	next      consumer.Metrics
	by        costmetrics.SeriesScope
	teller    string // of executions' operators, another in every process
	now       func() time.Time
	down      sync.Once
	stop      chan struct{}
	stopped   chan struct{} // nil: not started

	mu     sync.Mutex
	runs   runs
	table  *costmetrics.SeriesTable
	names  *costmetrics.QueryNames
	folded uint64 // as last counted
	ticked time.Time
	told   time.Time // the series

	out     pmetric.Metrics // executions that are not delivered yet
	changed int             // runs that were estimated since
}

func newEngine(cfg *Config, set connector.Settings, next consumer.Metrics) (*engine, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, fmt.Errorf("create the connector's metrics: %w", err)
	}
	origin, err := attributes.OriginOf(os.Getenv(attributes.EnvironmentVariable))
	if err != nil {
		return nil, err
	}
	e := &engine{config: cfg, log: set.Logger, telemetry: telemetry, next: next, now: time.Now, stop: make(chan struct{}), runs: newRuns(cfg),
		out: pmetric.NewMetrics(), table: costmetrics.NewSeriesTable(cfg.MaxSeries), names: costmetrics.NewQueryNames(cfg.MaxSeries),
		by: costmetrics.SeriesScope{Scope: costmetrics.Scope{Name: metadata.ScopeName, Version: set.BuildInfo.Version}, Instance: origin.Instance + "/" + set.ID.String()}}
	e.ticked = e.now()
	e.teller = fmt.Sprintf("calibrated.%d", e.ticked.UnixMilli())
	return e, nil
}

// Capabilities implements consumer.Metrics.
func (e *engine) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: false}
}

// Start implements component.Component.
func (e *engine) Start(ctx context.Context, _ component.Host) error {
	e.begin(ctx)
	e.stopped = make(chan struct{})
	go e.run()
	return nil
}

func (e *engine) run() {
	defer close(e.stopped)
	ticker := time.NewTicker(e.config.Waiting.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-e.stop:
			return
		case <-ticker.C:
			e.tick(context.Background(), false)
		}
	}
}

// ConsumeMetrics takes sums in. It refuses nothing.
func (e *engine) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	e.mu.Lock()
	now := e.now()
	counts := e.runs.take(md, now, func(r *run) { e.estimate(ctx, r, now, true) })
	e.mu.Unlock()
	e.dropped(ctx, "point", counts.Senseless)
	e.dropped(ctx, "duplicate", counts.Duplicate)
	return nil
}

// Shutdown implements component.Component: it may be called without Start and more than once. What
// is open is estimated as it is and told.
func (e *engine) Shutdown(ctx context.Context) (err error) {
	e.down.Do(func() {
		close(e.stop)
		if e.stopped != nil {
			select {
			case <-e.stopped:
				e.tick(ctx, true)
			case <-ctx.Done():
				err = fmt.Errorf("wait for the connector's goroutine: %w", ctx.Err())
			}
		}
		e.telemetry.Shutdown()
	})
	return err
}

// tick estimates the runs that have settled and delivers what they tell, and the series where it is
// time.
func (e *engine) tick(ctx context.Context, last bool) {
	now := e.now()
	e.mu.Lock()
	for _, r := range e.runs.settle(now, last) {
		e.estimate(ctx, r, now, false)
	}
	out, changed := e.out, e.changed
	e.out, e.changed = pmetric.NewMetrics(), 0
	if changed > 0 || now.Sub(e.told) >= waiting.Repeat {
		e.table.Tell(out, e.by, now)
		e.told = now
	}
	e.ticked = now
	e.account(ctx)
	e.mu.Unlock()
	if out.ResourceMetrics().Len() == 0 {
		return
	}
	if err := e.next.ConsumeMetrics(ctx, out); err != nil {
		e.telemetry.ConnectorSparkCalibrationFailures.Add(ctx, 1)
		e.log.Warn("not delivered: the next consumer refused it", zap.Int("runs", changed), zap.Error(err))
	}
}

// estimate computes what a run cost, for the next delivery; pushed: it has to make room. The lock
// is held.
func (e *engine) estimate(ctx context.Context, r *run, now time.Time, pushed bool) {
	outcome := r.outcome(pushed)
	e.runs.whole(r, now)
	e.dropped(ctx, "cell", r.unsound)
	est := r.estimate()
	e.changed++
	addSeries(e.table, e.names, &est, e.ticked, now)
	tellExecution(e.out, e.by.Scope, r, &est, e.teller, now)
	e.telemetry.ConnectorSparkCalibrationRuns.Add(ctx, 1, with("outcome", outcome))
	e.telemetry.ConnectorSparkCalibrationCPU.Add(ctx, est.cpu.Seconds())
	e.telemetry.ConnectorSparkCalibrationInvalidCPU.Add(ctx, est.invalid.Seconds())
	e.runs.estimated(r, now)
}

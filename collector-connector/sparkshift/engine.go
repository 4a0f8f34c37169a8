package sparkshift

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/connector"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-connector/internal/waiting"
	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// engines are the engines by configuration: the Collector makes one connector for each output of a
// component id, all with one configuration.
var engines = struct {
	sync.Mutex
	by map[*Config]*engine
}{by: map[*Config]*engine{}}

// engineFor is the engine of a configuration, made at the first call. It is forgotten when all
// sides are shut down.
func engineFor(cfg *Config, set connector.Settings) (*engine, error) {
	engines.Lock()
	defer engines.Unlock()
	if e := engines.by[cfg]; e != nil {
		e.sides++
		return e, nil
	}
	e, err := newEngine(cfg, set)
	if err != nil {
		return nil, err
	}
	e.sides = 1
	engines.by[cfg] = e
	return e, nil
}

// engine is what all sides share. take and takeProfiles may be called by any number of goroutines;
// everything else is done by the one that Start starts.
type engine struct {
	config    *Config
	id        component.ID
	log       *zap.Logger
	telemetry *metadata.TelemetryBuilder
	metrics   consumer.Metrics // nil: not wanted
	logs      consumer.Logs    // nil: not wanted
	now       func() time.Time
	sides     int // under engines' lock
	once      sync.Once
	startErr  error
	stop      chan struct{}
	stopped   chan struct{}
	running   bool

	mu       sync.Mutex
	fleet    *shift.Fleet
	open     openRuns
	stacks   stackBook
	shown    map[string]*shown // by query
	store    store
	drops    shift.Drops // as last counted
	pushed   uint64
	repeated time.Time
	every    time.Duration // between two repetitions; waiting.Repeat
}

func newEngine(cfg *Config, set connector.Settings) (*engine, error) {
	fleet, err := shift.NewFleet(*cfg.settings())
	if err != nil {
		return nil, fmt.Errorf("create histories: %w", err)
	}
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, fmt.Errorf("create the connector's metrics: %w", err)
	}
	return &engine{config: cfg, id: set.ID, log: set.Logger, telemetry: telemetry, now: time.Now, every: waiting.Repeat, fleet: fleet, open: newOpenRuns(cfg), stacks: newStackBook(cfg),
		shown: map[string]*shown{}, stop: make(chan struct{}), stopped: make(chan struct{})}, nil
}

// side is one output of an engine.
type side struct {
	engine *engine
	logs   bool
	down   sync.Once
}

// Capabilities implements consumer.Metrics.
func (s *side) Capabilities() consumer.Capabilities { return consumer.Capabilities{MutatesData: false} }

// Start implements component.Component.
func (s *side) Start(ctx context.Context, host component.Host) error {
	return s.engine.startOnce(ctx, host)
}

// ConsumeMetrics takes the points of finished runs in. Where the engine has two outputs, each
// request comes twice: the side of the logs leaves it to the other.
func (s *side) ConsumeMetrics(ctx context.Context, md pmetric.Metrics) error {
	if !s.logs || s.engine.metrics == nil {
		s.engine.take(ctx, md)
	}
	return nil
}

// Shutdown implements component.Component: it may be called without Start and more than once. The
// first side with an output that is shut down stops the engine, while both consumers are still
// there. Settled runs are judged, reported and stored; open runs are stored and not judged.
func (s *side) Shutdown(ctx context.Context) error {
	var err error
	s.down.Do(func() { err = s.engine.shutdown(ctx, true) })
	return err
}

// stackSide takes the stacks in. It has no output of its own: what they tell is part of the events
// that metrics give rise to.
type stackSide struct {
	engine *engine
	down   sync.Once
}

// Capabilities implements xconsumer.Profiles.
func (s *stackSide) Capabilities() consumer.Capabilities {
	return consumer.Capabilities{MutatesData: false}
}

// Start implements component.Component.
func (s *stackSide) Start(ctx context.Context, host component.Host) error {
	return s.engine.startOnce(ctx, host)
}

// ConsumeProfiles takes the stacks of runs in.
func (s *stackSide) ConsumeProfiles(ctx context.Context, pd pprofile.Profiles) error {
	s.engine.takeProfiles(ctx, pd)
	return nil
}

// Shutdown implements component.Component. It stops the engine where no other side is left: metrics
// may still be on their way.
func (s *stackSide) Shutdown(ctx context.Context) error {
	var err error
	s.down.Do(func() { err = s.engine.shutdown(ctx, false) })
	return err
}

// startOnce starts the engine with its first side.
func (e *engine) startOnce(ctx context.Context, host component.Host) error {
	e.once.Do(func() { e.startErr = e.start(ctx, host) })
	return e.startErr
}

func (e *engine) start(ctx context.Context, host component.Host) error {
	e.begin(ctx)
	if e.config.Storage == nil {
		e.log.Warn("no storage is configured: histories are kept in memory and lost with this process", zap.String("key", "storage"))
	} else if err := e.load(ctx, host); err != nil {
		return err
	}
	e.running = true
	go e.run(e.stop)
	return nil
}

func (e *engine) run(stop <-chan struct{}) {
	defer close(e.stopped)
	ticker := time.NewTicker(e.config.Waiting.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			e.tick(context.Background(), false)
		}
	}
}

// shutdown takes a side away and stops the engine if it is to stop with it, or was the last, and
// has not been stopped.
func (e *engine) shutdown(ctx context.Context, stops bool) error {
	engines.Lock()
	e.sides--
	first := e.stop != nil && (stops || e.sides <= 0)
	var stop chan struct{}
	if first {
		stop, e.stop = e.stop, nil
	}
	if e.sides <= 0 {
		delete(engines.by, e.config)
	}
	engines.Unlock()
	if !first {
		return nil
	}
	var err error
	if e.running {
		close(stop)
		select {
		case <-e.stopped:
			e.tick(ctx, true)
		case <-ctx.Done():
			err = fmt.Errorf("wait for the connector's goroutine: %w", ctx.Err())
		}
		err = errors.Join(err, e.store.close(ctx))
	}
	e.telemetry.Shutdown()
	return err
}

// tick judges the runs that have settled, delivers what they told, repeats gauges and stores what
// changed; the last takes in the open ones too.
func (e *engine) tick(ctx context.Context, last bool) {
	now := e.now()
	e.mu.Lock()
	out := newOutput(e, now)
	for _, r := range e.open.settled(now) {
		switch {
		case r.dropped() != "":
			e.countRun(ctx, r.dropped())
			e.stacks.discard(r.ID)
		case !r.ended:
			e.countRun(ctx, "left")
			e.stacks.discard(r.ID)
		default:
			e.judge(ctx, out, &r, now)
		}
	}
	if last {
		for _, r := range e.open.rest() {
			if r.dropped() != "" {
				e.countRun(ctx, r.dropped())
				continue
			}
			e.keep(ctx, r.Run, now)
		}
	}
	if now.Sub(e.repeated) >= e.every {
		e.repeated = now
		e.repeat(out, now)
	}
	e.stacks.forget(now.Add(-e.config.Waiting.SettleOpen), e.open.has, e.fleet.Has)
	e.account(ctx)
	changes := e.changes(ctx)
	e.mu.Unlock()
	e.deliver(ctx, out)
	e.write(ctx, changes)
}

// judge takes a settled run into the histories. The lock is held.
func (e *engine) judge(ctx context.Context, out *output, r *settledRun, now time.Time) {
	j, err := e.fleet.Add(r.Run, now)
	if !e.taken(ctx, r.Run, &j, err) {
		return
	}
	e.countOperators(ctx, j.Operators)
	for i := range j.Events {
		e.countEvent(ctx, j.Events[i].Kind)
		stacks := e.stacks.changes(&j.Events[i])
		out.event(&j.Events[i], stacks)
		e.note(&j, &j.Events[i], stacks)
	}
	s := &shown{judgement: j, usual: usualPoints(r, j.Operators), at: now}
	e.shown[r.Query] = s
	out.gauges(s, now)
	e.stacks.fix(r.Query, j.Fixed, e.fleet.References(r.Query)) // after the events: one of a drift ends its reference
}

// note keeps the stack that grew with each shift that an event tells, so that its gauge has it as
// long as it stands. The lock is held.
func (e *engine) note(j *shift.Judgement, ev *shift.Event, stacks []growth.Change) {
	for i := range stacks {
		text := stackText(&stacks[i])
		if text == "" {
			continue
		}
		for k := range j.Operators {
			if v := &j.Operators[k]; v.Key == ev.Changes[i].Key && v.Active.Ratio > 0 {
				v.Active.Note = text
				e.fleet.Note(ev.Query, v.Key, text)
			}
		}
	}
}

// keep takes a run that is still open into the histories, where its other parts will find it, and
// judges nothing by what is there of it. The lock is held.
func (e *engine) keep(ctx context.Context, r *shift.Run, now time.Time) {
	j, err := e.fleet.Keep(r, now)
	e.taken(ctx, r, &j, err)
}

// taken counts what became of a run and reports whether it was judged.
func (e *engine) taken(ctx context.Context, r *shift.Run, j *shift.Judgement, err error) bool {
	outcome := "judged"
	switch {
	case err != nil:
		outcome = "refused"
		e.log.Warn("run refused", zap.Error(err))
	case j.Duplicate:
		outcome = "duplicate"
	case j.Amended:
		outcome = "amended"
	case j.Late:
		outcome = "late"
	}
	e.countRun(ctx, outcome)
	if err != nil || j.Duplicate {
		e.stacks.discard(r.ID)
		return false
	}
	e.stacks.finish(r, e.fleet.Runs(r.Query))
	e.store.mark(r.Query)
	return !j.Amended && !j.Late
}

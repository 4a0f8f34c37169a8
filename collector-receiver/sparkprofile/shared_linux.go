package sparkprofile

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/xconsumer"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/xreceiver"
)

// receivers are the receivers by configuration. The Collector makes one for each signal of a
// component id, all with one configuration, and a JVM can be read by one sampler only.
var receivers = struct {
	sync.Mutex
	by map[*Config]*shared
}{by: map[*Config]*shared{}}

// shared is one receiver with all of its signals.
type shared struct {
	*sparkProfile
	start func(context.Context, ...component.Host) error // sparkProfile.Start
	sides int                                            // under receivers' lock, as is
	hosts []component.Host                               // of the sides that were started: each has a status of its own
}

// receiverFor is the receiver of a configuration, made at the first call and forgotten when all
// sides are shut down.
func receiverFor(cfg *Config, set receiver.Settings) (*shared, error) {
	receivers.Lock()
	defer receivers.Unlock()
	r := receivers.by[cfg]
	if r == nil {
		one, err := newReceiver(cfg, set, nil)
		if err != nil {
			return nil, err
		}
		r = &shared{sparkProfile: one, start: one.Start}
		receivers.by[cfg] = r
	}
	r.sides++
	return r, nil
}

// side is one signal of a receiver.
type side struct {
	receiver *shared
	config   *Config
	down     sync.Once
	err      error
}

func createProfiles(_ context.Context, set receiver.Settings, cfg component.Config, next xconsumer.Profiles) (xreceiver.Profiles, error) {
	r, err := receiverFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	r.profiles = next
	return &side{receiver: r, config: cfg.(*Config)}, nil
}

func createMetrics(_ context.Context, set receiver.Settings, cfg component.Config, next consumer.Metrics) (receiver.Metrics, error) {
	r, err := receiverFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	r.costsTo = next
	return &side{receiver: r, config: cfg.(*Config)}, nil
}

func createLogs(_ context.Context, set receiver.Settings, cfg component.Config, next consumer.Logs) (receiver.Logs, error) {
	r, err := receiverFor(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	r.tellSlow(next)
	return &side{receiver: r, config: cfg.(*Config)}, nil
}

// Start implements component.Component. The last side starts the receiver: what the others deliver
// to may not have been started before.
func (s *side) Start(ctx context.Context, host component.Host) error {
	receivers.Lock()
	s.receiver.hosts = append(s.receiver.hosts, host)
	last := len(s.receiver.hosts) == s.receiver.sides
	receivers.Unlock()
	if !last {
		return nil
	}
	return s.receiver.start(ctx, s.receiver.hosts...)
}

// Shutdown implements component.Component: it may be called without Start and more than once. The
// first side that is shut down ends the receiver and delivers the last window to all: receivers
// are shut down before what they deliver to.
func (s *side) Shutdown(ctx context.Context) error {
	s.down.Do(func() {
		s.err = s.receiver.Shutdown(ctx)
		receivers.Lock()
		defer receivers.Unlock()
		s.receiver.sides--
		if s.receiver.sides == 0 {
			delete(receivers.by, s.config)
		}
	})
	return s.err
}

package exporter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/exporter"
	"go.uber.org/zap"

	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/internal/metadata"
	"github.com/planflame/planflame/exporter/push"
)

// pyroscope is the live exporter. consume is safe for concurrent use between start and shutdown.
type pyroscope struct {
	config    *Config
	settings  component.TelemetrySettings
	telemetry *metadata.TelemetryBuilder
	log       *zap.Logger
	now       func() time.Time

	resource  *resourceLabels
	resources *ranking[convert.Set]
	ranksLock sync.Mutex
	ranks     map[profileType]*ranking[seriesKey]

	stamps *stamps

	closing context.Context // ends when no push may be under way any more
	close   context.CancelFunc

	http   *http.Client
	client *push.Client
	self   *selfProfiler
}

// profileType is what Pyroscope calls one: series are counted for each.
type profileType struct{ name, sampleType, unit string }

// seriesKey is the values that make a series of its own.
type seriesKey struct{ resource, sample convert.Set }

func newPyroscope(config *Config, set exporter.Settings) (*pyroscope, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, fmt.Errorf("create the exporter's metrics: %w", err)
	}
	closing, closeNow := context.WithCancel(context.Background())
	return &pyroscope{
		closing:   closing,
		close:     closeNow,
		config:    config,
		settings:  set.TelemetrySettings,
		telemetry: telemetry,
		log:       set.Logger,
		now:       time.Now,
		resource:  newResourceLabels(config.Series),
		resources: newRanking[convert.Set](config.Series.MaxResources, halfLife),
		ranks:     map[profileType]*ranking[seriesKey]{},
		stamps:    newStamps(),
	}, nil
}

func (p *pyroscope) start(ctx context.Context, host component.Host) error {
	p.begin(ctx)
	httpClient, err := p.config.ClientConfig.ToClient(ctx, host.GetExtensions(), p.settings)
	if err != nil {
		return fmt.Errorf("create the HTTP client: %w", err)
	}
	httpClient.Transport = &authorized{next: httpClient.Transport, config: p.config}
	if p.client, err = push.NewClient(httpClient, p.config.ClientConfig.Endpoint); err != nil {
		return fmt.Errorf("endpoint: %w", err)
	}
	p.http = httpClient
	if p.config.SelfProfile.Enabled {
		if p.self, err = startSelfProfile(p.closing, p.config, httpClient, p.log); err != nil {
			return fmt.Errorf("self_profile: %w", err)
		}
	}
	return nil
}

// shutdown may be called without start, and more than once. The Collector's own profile has until
// close to be sent.
func (p *pyroscope) shutdown(context.Context) error {
	var err error
	if p.self != nil {
		err = p.self.stop()
		p.self = nil
	}
	p.close()
	if p.http != nil {
		p.http.CloseIdleConnections()
	}
	p.telemetry.Shutdown()
	return err
}

// ranking returns the ranking of the series of a profile type.
func (p *pyroscope) ranking(t profileType) *ranking[seriesKey] {
	p.ranksLock.Lock()
	defer p.ranksLock.Unlock()
	r := p.ranks[t]
	if r == nil {
		r = newRanking[seriesKey](p.config.Series.MaxValues, halfLife)
		p.ranks[t] = r
	}
	return r
}

// asPushError is err as the *push.Error that it is, or nil.
func asPushError(err error) *push.Error {
	var e *push.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

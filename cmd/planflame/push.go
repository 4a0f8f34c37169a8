package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/exporter/convert"
	"github.com/planflame/planflame/exporter/push"
	"github.com/planflame/planflame/internal/attributes"
)

// Environment of the Pyroscope server that profiles are pushed to, the same as of
// config/collector.yaml.
const (
	envPyroscope = "PYROSCOPE_URL"      // http or https; unset: nothing is pushed
	envTenant    = "PYROSCOPE_TENANT"   // X-Scope-OrgID
	envUsername  = "PYROSCOPE_USERNAME" // basic authentication
	envPassword  = "PYROSCOPE_PASSWORD"
)

const (
	pushLimit = 30 * time.Second // of one request
	// oldestPush is how old a profile's start may be at most: Pyroscope refuses what is older than
	// an hour by default. A longer run's profile is pushed as if it had begun later.
	oldestPush = 50 * time.Minute
	// profileName makes Pyroscope's profile type process_cpu:cpu:nanoseconds:cpu:nanoseconds.
	profileName = "process_cpu"
	// fallbackService is the service_name of an application without a name.
	fallbackService = "spark"
	pushTries       = 3
)

// pyroscope is the server that profiles are pushed to.
type pyroscope struct {
	client *push.Client
	shown  string        // its URL, without a password
	wait   time.Duration // before the second try of a part that a server was too busy for; doubles
}

// pyroscopeOf returns the server that the environment names, and nil where it names none.
func pyroscopeOf(getenv func(string) string) (*pyroscope, error) {
	base := getenv(envPyroscope)
	if base == "" {
		return nil, nil
	}
	client, err := push.NewClient(&http.Client{Timeout: pushLimit, Transport: &identified{
		next: http.DefaultTransport, tenant: getenv(envTenant), username: getenv(envUsername), password: getenv(envPassword),
	}}, base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", envPyroscope, err)
	}
	return &pyroscope{client: client, shown: client.URL(), wait: time.Second}, nil
}

// identified adds tenant and user to each request.
type identified struct {
	next                       http.RoundTripper
	tenant, username, password string
}

// RoundTrip implements http.RoundTripper.
func (i *identified) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if i.tenant != "" {
		req.Header.Set("X-Scope-OrgID", i.tenant)
	}
	if i.username != "" {
		req.SetBasicAuth(i.username, i.password)
	}
	return i.next.RoundTrip(req)
}

// push sends what a run found, each application as the series of service_name = its name with the
// labels of its owner, and returns these names. Labels that are one run's own stay here: they would
// make new series with every run.
func (s *pyroscope) push(ctx context.Context, a *analysis) (services []string, err error) {
	for _, app := range a.applications() {
		p, err := outcome.Pprof(app.profile, a.window, a.period())
		if err != nil {
			return services, err
		}
		if len(p.Sample) == 0 {
			continue
		}
		service := cmp.Or(app.name, fallbackService)
		if err := s.pushAs(ctx, service, app.attributes, p); err != nil {
			return services, fmt.Errorf("push the profile of %s: %w", service, err)
		}
		services = append(services, service)
	}
	if len(services) == 0 {
		return nil, fmt.Errorf("push to %s: the run has no CPU to show", s.shown)
	}
	return services, nil
}

func (s *pyroscope) pushAs(ctx context.Context, service string, own map[string]string, p *profile.Profile) error {
	whole, err := outcome.WithSeriesLabels(p)
	if err != nil {
		return err
	}
	cutLabels(whole)
	whole.TimeNanos = max(whole.TimeNanos, time.Now().Add(-oldestPush).UnixNano())
	parts, tooLarge, err := push.Split(whole, push.Limits{})
	if err != nil {
		return err
	}
	service, _ = convert.LabelValue(service, push.MaxLabelValueBytes)
	series := []push.Label{{Name: push.LabelProfileName, Value: profileName}, {Name: push.LabelServiceName, Value: service}}
	for _, key := range attributes.OfSeries() {
		if value, _ := convert.LabelValue(own[key], push.MaxLabelValueBytes); value != "" {
			series = append(series, push.Label{Name: convert.LabelName(key), Value: value})
		}
	}
	for i, part := range parts {
		if err := s.patiently(ctx, func() error { return s.client.PushPart(ctx, series, &part) }); err != nil {
			return fmt.Errorf("part %d of %d: %w", i+1, len(parts), err)
		}
	}
	if tooLarge > 0 {
		return fmt.Errorf("%d samples are larger than %s takes and were left out", tooLarge, s.shown)
	}
	return nil
}

// patiently tries again where the server answered that it is too busy now. A server that does not
// answer at all is not waited for: the user sits before the prompt.
func (s *pyroscope) patiently(ctx context.Context, try func() error) error {
	wait := s.wait
	for left := pushTries; ; left-- {
		err := try()
		var refused *push.Error
		if left == 1 || !errors.As(err, &refused) || refused.Permanent || refused.Status == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(min(max(wait, refused.RetryAfter), pushLimit)):
		}
		wait *= 2
	}
}

// cutLabels shortens label values to what Pyroscope takes; a query's name can be its whole text.
func cutLabels(p *profile.Profile) {
	for _, s := range p.Sample {
		for _, values := range s.Label {
			for i := range values {
				values[i], _ = convert.LabelValue(values[i], push.MaxLabelValueBytes)
			}
		}
	}
}

// pushResults pushes a run's results where a server is named, and says how that went.
func pushResults(ctx context.Context, s *pyroscope, a *analysis, out results) {
	if s == nil {
		return
	}
	services, err := s.push(ctx, a)
	s.announce(services)
	if err != nil {
		say("%v; to try again: %s=… planflame report --push %s", err, envPyroscope, out)
	}
}

// announce says what is on the server now.
func (s *pyroscope) announce(services []string) {
	for _, name := range services {
		say("the profile is in the Pyroscope at %s, service_name %s", s.shown, name)
	}
}

// serverOf is pyroscopeOf this process's environment.
func serverOf() (*pyroscope, error) { return pyroscopeOf(os.Getenv) }

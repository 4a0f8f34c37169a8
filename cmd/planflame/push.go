package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/planflame/planflame/cmd/planflame/internal/outcome"
	"github.com/planflame/planflame/exporter/push"
)

// envPyroscope names the Pyroscope server that profiles are pushed to.
const envPyroscope = "PYROSCOPE_URL"

const (
	pushLimit = 30 * time.Second
	// oldestPush is how old a profile's start may be at most: Pyroscope refuses what is older than an hour by default. A longer run's
	// profile is pushed as if it had begun later.
	oldestPush = 50 * time.Minute
	// profileName makes Pyroscope's profile type process_cpu:cpu:nanoseconds:cpu:nanoseconds.
	profileName = "process_cpu"
)

// pushProfile sends the profile to PYROSCOPE_URL, where that is set, as the series of service_name = the application's name. It returns the
// number of parts sent.
func (a *analysis) pushProfile(ctx context.Context) (parts int, err error) {
	url := os.Getenv(envPyroscope)
	if url == "" {
		return 0, nil
	}
	client, err := push.NewClient(&http.Client{Timeout: pushLimit}, url)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", envPyroscope, err)
	}
	whole, err := outcome.WithoutRunLabels(a.profile)
	if err != nil {
		return 0, err
	}
	whole.TimeNanos = max(whole.TimeNanos, time.Now().Add(-oldestPush).UnixNano())
	split, tooLarge, err := push.Split(whole, push.Limits{})
	if err != nil {
		return 0, fmt.Errorf("push to %s: %w", url, err)
	}
	series := []push.Label{{Name: push.LabelProfileName, Value: profileName}, {Name: push.LabelServiceName, Value: cmp.Or(a.application, "spark")}}
	for _, part := range split {
		if err := client.Push(ctx, series, part.Profile); err != nil {
			return parts, fmt.Errorf("push part %d of %d: %w", parts+1, len(split), err)
		}
		parts++
	}
	if tooLarge > 0 {
		return parts, fmt.Errorf("push to %s: %d samples are larger than Pyroscope takes and were left out", url, tooLarge)
	}
	return parts, nil
}

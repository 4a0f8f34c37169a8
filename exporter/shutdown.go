package exporter

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/collector/exporter/xexporter"
)

// drainWithin is how long a shutdown waits for pushes: with the receiver's share of the time, a
// Collector ends within five seconds.
const drainWithin = 2 * time.Second

// errClosing may pass: the next Collector pushes what its queue on disk holds.
var errClosing = errors.New("the exporter is shutting down")

// bounded is the exporter with a bound for its shutdown. exporterhelper waits for every push under
// way, which is up to timeout for each part of a request, and with a queue in memory pushes all of
// that once more.
type bounded struct {
	xexporter.Profiles
	p      *pyroscope
	within time.Duration
	once   sync.Once // exporterhelper panics at a second shutdown (v0.162.0)
	failed error
}

// Shutdown ends pushes that are under way after the bound, or with ctx. What was not pushed stays
// in a persistent queue. Without one it is lost, and exporterhelper counts it in
// exporter_send_failed_profile_samples.
func (b *bounded) Shutdown(ctx context.Context) error {
	late := time.AfterFunc(b.within, b.p.close)
	defer late.Stop()
	defer context.AfterFunc(ctx, b.p.close)()
	b.once.Do(func() { b.failed = b.Profiles.Shutdown(ctx) })
	return b.failed
}

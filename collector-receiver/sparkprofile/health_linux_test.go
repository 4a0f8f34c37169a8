package sparkprofile

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/consumer/xconsumer"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadata"
	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/sampler"
)

func TestHealth(t *testing.T) {
	const (
		ok          = componentstatus.StatusOK
		recoverable = componentstatus.StatusRecoverableError
		permanent   = componentstatus.StatusPermanentError
	)
	type look struct {
		totals sampler.Totals
		want   componentstatus.Status
		says   string
	}
	at := func(rounds uint64) sampler.Totals { return sampler.Totals{Rounds: rounds} }
	for name, looks := range map[string][]look{
		"a node without a JVM":     {{at(5), ok, ""}, {at(10), ok, ""}},
		"no round since the start": {{at(0), ok, ""}, {at(0), ok, ""}, {at(0), recoverable, "no sampling round ended for 15s"}},
		"a stall that ends": {
			{at(7), ok, ""}, {at(7), ok, ""}, {at(7), ok, ""}, {at(7), recoverable, "for 15s"}, {at(7), recoverable, "for 15s"}, {at(7), recoverable, ""},
			{at(8), ok, ""}, {at(8), ok, ""}, {at(8), ok, ""}, {at(8), recoverable, ""},
		},
		"a stall that lasts": {
			{at(7), ok, ""}, {at(7), ok, ""}, {at(7), ok, ""}, {at(7), recoverable, ""}, {at(7), recoverable, ""}, {at(7), recoverable, ""},
			{at(7), permanent, "no sampling round ended for 30s: nothing is profiled; restart"}, {at(8), permanent, "for 30s"},
		},
		"JVMs that cannot be read": {
			{sampler.Totals{Rounds: 1, Unreadable: 3}, recoverable, "none of 3 JVMs can be read: give CAP_SYS_PTRACE"},
			{sampler.Totals{Rounds: 2, Unreadable: 3, Waiting: 1}, ok, ""},
			{sampler.Totals{Rounds: 3, Unreadable: 3, Live: 1}, ok, ""},
			{sampler.Totals{Rounds: 4, Unreadable: 2}, recoverable, "none of 2"},
			{sampler.Totals{Rounds: 5, Unreadable: 2, Left: 1}, ok, ""},
			{sampler.Totals{Rounds: 6}, ok, ""},
		},
		"a stall beside JVMs that cannot be read": {
			{sampler.Totals{Unreadable: 3}, recoverable, "none of 3"}, {sampler.Totals{Unreadable: 3}, recoverable, "none of 3"},
			{sampler.Totals{Unreadable: 3}, recoverable, "no sampling round"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var h health
			for i, l := range looks {
				got := h.look(l.totals, 5*time.Second)
				assert.Equal(t, l.want, got.Status(), "look %d", i)
				assert.Contains(t, text(got), l.says, "look %d", i)
			}
		})
	}
}

func TestCheckInterval(t *testing.T) {
	assert.Equal(t, 5*time.Second, checkInterval(sampler.Settings{RoundInterval: time.Second, ScanInterval: time.Second}))
	assert.Equal(t, 30*time.Second, checkInterval(sampler.Settings{RoundInterval: time.Second, ScanInterval: 30 * time.Second}))
}

// statusHost keeps what a component reports.
type statusHost struct {
	component.Host
	mu     sync.Mutex
	events []*componentstatus.Event
}

func (h *statusHost) Report(e *componentstatus.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, e)
}

// told is the status that was reported last and its error.
func (h *statusHost) told() (componentstatus.Status, string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.events) == 0 {
		return componentstatus.StatusNone, ""
	}
	last := h.events[len(h.events)-1]
	return last.Status(), text(last)
}

// stalling is a receiver whose sampler's goroutine stands in the filter of processes while hold is
// locked.
func stalling(t *testing.T, hold *sync.Mutex, next xconsumer.Profiles) (*sparkProfile, *componenttest.Telemetry) {
	t.Helper()
	cfg := defaultConfig()
	cfg.scanInterval = 10 * time.Millisecond
	tel := componenttest.NewTelemetry()
	t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.Background())) })
	set := receivertest.NewNopSettings(metadata.Type)
	set.TelemetrySettings = tel.NewTelemetrySettings()
	r, err := newReceiver(cfg, set, func(pid int) bool {
		hold.Lock()
		defer hold.Unlock()
		return pid == os.Getpid()
	})
	require.NoError(t, err)
	r.profiles = next
	r.checks = 50 * time.Millisecond
	return r, tel
}

// A sampler that stands still is seen from outside of it, and so is the end of that. One that never
// goes on does not keep Shutdown.
func TestStalledSampler(t *testing.T) {
	var hold sync.Mutex
	r, tel := stalling(t, &hold, consumertest.NewNop())
	r.checks = time.Second // a second of grace for a busy machine: three looks, and half as many again before the stall is for good
	r.within = 100 * time.Millisecond
	hosts := []*statusHost{{Host: componenttest.NewNopHost()}, {Host: componenttest.NewNopHost()}}
	require.NoError(t, r.Start(context.Background(), hosts[0], hosts[1]))
	require.Eventually(t, func() bool { return r.sampler.Peek().Rounds > 3 }, 10*time.Second, 10*time.Millisecond)
	for _, h := range hosts {
		status, _ := h.told()
		assert.Equal(t, componentstatus.StatusNone, status, "nothing is reported while all is well")
	}
	await := func(want componentstatus.Status) {
		t.Helper()
		for _, h := range hosts {
			require.Eventually(t, func() bool { status, _ := h.told(); return status == want }, 20*time.Second, 10*time.Millisecond, "%s", want)
		}
	}

	hold.Lock()
	await(componentstatus.StatusRecoverableError)
	hold.Unlock()
	await(componentstatus.StatusOK)
	hold.Lock()
	await(componentstatus.StatusPermanentError)
	_, says := hosts[1].told()
	assert.Contains(t, says, "no sampling round ended for 6s")

	began := time.Now()
	err := r.Shutdown(context.Background())
	assert.ErrorContains(t, err, "last window lost: sampling or its delivery stalls: no end within 100ms")
	assert.Less(t, time.Since(began), 5*time.Second)
	metadatatest.AssertEqualReceiverSparkProfileRefusedWindows(t, tel, []metricdata.DataPoint[int64]{{Value: 1}}, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	hold.Unlock()
	require.NoError(t, r.sampler.Shutdown(context.Background()), "its goroutine ends")
}

// A consumer that never answers does not keep Shutdown either.
func TestShutdownOfAStalledConsumer(t *testing.T) {
	var hold sync.Mutex
	release := make(chan struct{})
	defer close(release)
	blocks, err := xconsumer.NewProfiles(func(context.Context, pprofile.Profiles) error {
		<-release
		return nil
	})
	require.NoError(t, err)
	r, _ := stalling(t, &hold, blocks)
	r.within = 100 * time.Millisecond
	require.NoError(t, r.Start(context.Background(), componenttest.NewNopHost()))
	feed(r.collect, 1_000_000)
	began := time.Now()
	require.ErrorContains(t, r.Shutdown(context.Background()), "no end within 100ms")
	assert.Less(t, time.Since(began), 5*time.Second)
}

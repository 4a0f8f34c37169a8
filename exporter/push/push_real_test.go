package push_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/push"
	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// wide is a profile of n different stacks main → group → work of values 1 … n. Groups of 100:
// Pyroscope takes quadratic time over the callees of one frame.
func wide(n int, at time.Time) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     10_000_000,
		TimeNanos:  at.UnixNano(),
	}
	root := function(p, "main")
	var group *profile.Location
	for i := range n {
		if i%100 == 0 {
			group = function(p, fmt.Sprintf("group%d", i/100))
		}
		leaf := function(p, fmt.Sprintf("work%d", i))
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{leaf, group, root}, Value: []int64{int64(i + 1)}})
	}
	return p
}

func function(p *profile.Profile, name string) *profile.Location {
	f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
	l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(f.ID)}}}
	p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	return l
}

// A profile above the server's limits arrives whole: its parts are of one series, and none replaces
// another.
func TestSplitProfileArrivesWhole(t *testing.T) {
	fast := []string{"-distributor.ingestion-rate-limit-mb=100", "-distributor.ingestion-burst-size-mb=100"} // of a tenant, a second
	for name, args := range map[string][]string{"v1": nil, "v2": pyroscopetest.V2} {
		t.Run(name, func(t *testing.T) { splitProfileArrivesWhole(t, pyroscopetest.Start(t, append(fast, args...)...)) })
	}
}

func splitProfileArrivesWhole(t *testing.T, server *pyroscopetest.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := push.NewClient(nil, server.URL)
	require.NoError(t, err)

	const n = 40_000
	p := wide(n, time.Now())
	labels := []push.Label{{Name: push.LabelProfileName, Value: "process_cpu"}, {Name: push.LabelServiceName, Value: "split"}}
	var refused *push.Error
	require.ErrorAs(t, client.Push(ctx, labels, p), &refused)
	require.True(t, refused.Permanent, "%v", refused)
	require.Contains(t, refused.Reason, "samples count limit")

	parts, tooLarge, err := push.Split(p, push.Limits{})
	require.NoError(t, err)
	require.Zero(t, tooLarge)
	require.GreaterOrEqual(t, len(parts), 3)
	for i := range parts {
		require.NoError(t, client.Push(ctx, labels, parts[i].Profile), "part %d", i)
	}
	query := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="split"}`}
	var seen error
	err = pyroscopetest.Eventually(ctx, func() error {
		total, boxes, err := server.FlameGraph(ctx, query)
		if err == nil && (total != n*(n+1)/2 || boxes["main"] != total) {
			seen = fmt.Errorf("total %d, main %d, want %d", total, boxes["main"], n*(n+1)/2)
			return seen
		}
		return err
	})
	require.NoError(t, err, "last answer: %v", seen)
}

// The server refuses a series too many for good, and in the words that TooManySeries looks for.
func TestTooManySeries(t *testing.T) {
	server := pyroscopetest.Start(t, "-ingester.max-global-series-per-tenant=1")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := push.NewClient(nil, server.URL)
	require.NoError(t, err)
	of := func(service string) error {
		return client.Push(ctx, []push.Label{{Name: push.LabelProfileName, Value: "process_cpu"}, {Name: push.LabelServiceName, Value: service}}, wide(3, time.Now()))
	}
	require.NoError(t, of("first"))
	var refused *push.Error
	require.ErrorAs(t, of("second"), &refused)
	require.True(t, refused.TooManySeries() && refused.Permanent, "%v", refused)
	require.NoError(t, of("first"))
}

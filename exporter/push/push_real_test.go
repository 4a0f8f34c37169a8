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

// wide is a profile of n different stacks of values 1 … n.
func wide(n int, at time.Time) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     10_000_000,
		TimeNanos:  at.UnixNano(),
	}
	root := function(p, "main")
	for i := range n {
		leaf := function(p, fmt.Sprintf("work%d", i))
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{leaf, root}, Value: []int64{int64(i + 1)}})
	}
	return p
}

func function(p *profile.Profile, name string) *profile.Location {
	f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
	l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: int64(f.ID)}}}
	p.Function, p.Location = append(p.Function, f), append(p.Location, l)
	return l
}

// A profile above the server's limits arrives whole: its parts have one time and one series, and none replaces another.
func TestSplitProfileArrivesWhole(t *testing.T) {
	server := pyroscopetest.Start(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client, err := push.NewClient(nil, server.URL)
	require.NoError(t, err)

	const n = 40_000
	p := wide(n, time.Now())
	labels := []push.Label{{Name: push.LabelProfileName, Value: "process_cpu"}, {Name: push.LabelServiceName, Value: "split"}}
	var refused *push.Error
	require.ErrorAs(t, client.Push(ctx, labels, p), &refused)
	require.True(t, refused.Permanent)
	require.Contains(t, refused.Reason, "samples count limit")

	parts, tooLarge, err := push.Split(p, push.Limits{})
	require.NoError(t, err)
	require.Zero(t, tooLarge)
	require.GreaterOrEqual(t, len(parts), 3)
	for i := range parts {
		require.NoError(t, client.Push(ctx, labels, parts[i].Profile), "part %d", i)
	}
	query := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="split"}`}
	require.NoError(t, pyroscopetest.Eventually(ctx, func() error {
		total, boxes, err := server.FlameGraph(ctx, query)
		if err == nil && (total != n*(n+1)/2 || boxes["main"] != total) {
			err = fmt.Errorf("total %d, main %d, want %d", total, boxes["main"], n*(n+1)/2)
		}
		return err
	}))
}

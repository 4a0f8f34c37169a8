package sampler_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap/zaptest"

	"github.com/planflame/planflame/sampler"
)

// runSampler runs a sampler over this test's JVMs.
func runSampler(t *testing.T, k *keeper) (s *sampler.Sampler, stop func()) {
	t.Helper()
	needs(t)
	s, err := sampler.New(sampler.Settings{
		BasePeriod: testPeriod, ScanInterval: 20 * time.Millisecond, Logger: zaptest.NewLogger(t),
		PIDs: ownChildren,
	}, k)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	return s, func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(t, s.Shutdown(ctx))
		require.NoError(t, <-done)
	}
}

func (k *keeper) count() int { defer k.lock()(); return len(k.samples) }

const soon, often = 60 * time.Second, 5 * time.Millisecond

func TestASecondSamplerWaitsAndTakesOver(t *testing.T) {
	defer goleak.VerifyNone(t)
	first, second := newKeeper(), newKeeper()
	_, stopFirst := runSampler(t, first)
	b := startBurner(t, 300, frameFlags...)
	require.Eventually(t, func() bool { return first.count() > 20 }, soon, often)
	s, stopSecond := runSampler(t, second)
	require.Eventually(t, func() bool { return s.Totals().Waiting == 1 }, soon, often)
	assert.Zero(t, second.count())
	stopFirst()
	<-first.gone
	require.Eventually(t, func() bool { return second.count() > 20 }, soon, often)
	assert.Equal(t, uint64(1), s.Totals().Found)
	assert.Positive(t, s.Totals().LeaseRefused)
	b.expect(t, "done")
	b.end(t)
	<-second.gone
	stopSecond()
	named := 0
	for _, sample := range second.samples {
		if second.names(sample, "Burn.") || second.names(sample, "java.") || second.names(sample, "sun.") {
			named++
		}
	}
	assert.GreaterOrEqual(t, named, len(second.samples)*80/100, "the second reader knows code that was compiled before it came")
}

func TestAKilledJVMIsReadToTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	k := newKeeper()
	s, stop := runSampler(t, k)
	b := startBurner(t, 300, frameFlags...)
	require.Eventually(t, func() bool { return k.count() > 100 }, soon, often)
	require.NoError(t, b.cmd.Process.Kill())
	require.NoError(t, ignoreExit(b.cmd.Wait()))
	<-k.gone
	stop()
	assert.Equal(t, 0, s.Totals().Live)
	assert.Zero(t, k.stats.BadRecords)
	assert.Equal(t, uint64(len(k.samples)), k.stats.Samples)
}

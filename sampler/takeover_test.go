package sampler_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap/zaptest"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// runSampler runs a sampler over this test's JVMs.
func runSampler(t *testing.T, k *keeper) (s *sampler.Sampler, stop func()) {
	t.Helper()
	needs(t)
	s, err := sampler.New(sampler.Settings{
		BasePeriod: testPeriod, ScanInterval: 20 * time.Millisecond, Logger: zaptest.NewLogger(t),
		PIDs: ownChildren, ReadCode: true,
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
	b := startBurner(t, 600, driverFlags...) // seconds of CPU after the first has gone: a refused lease is asked for again after a second
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
	assert.True(t, first.left, "a JVM that lives on")
	assert.False(t, second.left, "a JVM that ended")
	assert.Zero(t, first.found[0].TookOver)
	assert.Greater(t, second.found[0].TookOver, second.found[0].FoundAt)
	named := 0
	for _, sample := range second.samples {
		if second.names(sample, "Burn.") || second.names(sample, "java.") || second.names(sample, "sun.") {
			named++
		}
	}
	assert.GreaterOrEqual(t, named, len(second.samples)*80/100, "the second reader knows code that was compiled before it came")
}

func (k *keeper) ended() (n int) {
	defer k.lock()()
	for _, e := range k.events {
		if e.Kind == jvmlog.TaskEnd {
			n++
		}
	}
	return n
}

// What one reader has told of tasks the next does not tell again; what came between them, and whose
// task was running, it does.
func TestEachTaskIsToldOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	const tasks = 3000
	first, second := newKeeper(), newKeeper()
	_, stopFirst := runSampler(t, first)
	b := startJava(t, "Tiny", tasks, driverFlags...)
	_, err := io.WriteString(b.stdin, "\n")
	require.NoError(t, err)
	require.Eventually(t, func() bool { return first.ended() > tasks/10 }, soon, often)
	stopFirst()
	_, stopSecond := runSampler(t, second)
	b.expect(t, "done")
	b.end(t)
	<-second.gone
	stopSecond()
	ends := map[tasksample.TaskAttemptID]int{}
	for _, k := range []*keeper{first, second} {
		assert.Zero(t, k.stats.MissedTaskEvents)
		started := map[tasksample.TaskAttemptID]bool{}
		for _, e := range k.events {
			switch e.Kind {
			case jvmlog.TaskStart:
				started[e.Task] = true
			case jvmlog.TaskEnd:
				ends[e.Task]++
				assert.True(t, started[e.Task], "the start of task %d", e.Task)
			}
		}
	}
	assert.Len(t, ends, tasks)
	for task, n := range ends {
		assert.Equal(t, 1, n, "task %d", task)
	}
	assert.Positive(t, second.ended())
}

func TestAKilledJVMIsReadToTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	k := newKeeper()
	s, stop := runSampler(t, k)
	b := startBurner(t, 300, driverFlags...)
	require.Eventually(t, func() bool { return k.count() > 100 }, soon, often)
	require.NoError(t, b.cmd.Process.Kill())
	require.NoError(t, ignoreExit(b.cmd.Wait()))
	<-k.gone
	stop()
	assert.Equal(t, 0, s.Totals().Live)
	assert.Zero(t, k.stats.BadRecords)
	assert.Equal(t, uint64(len(k.samples)), k.stats.Samples)
}

package sampler_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zaptest"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/internal/testkit"
)

// sampleWaiting runs a sampler over a JVM of a class that waits for a line before it runs its
// tasks, and returns what it said at their end.
func sampleWaiting(t *testing.T, class string, tasks int, settings sampler.Settings) (k *keeper, said string) {
	t.Helper()
	needs(t)
	k = newKeeper()
	settings.PIDs, settings.Logger, settings.ScanInterval = ownChildren, zaptest.NewLogger(t), 20*time.Millisecond
	s, err := sampler.New(settings, k)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	b := startJava(t, class, tasks, driverFlags...)
	require.Eventually(t, func() bool { defer k.lock()(); return len(k.marks) > 10 }, soon, often, "the agent reads the control page ten times a second")
	_, err = io.WriteString(b.stdin, "\n")
	require.NoError(t, err)
	said = b.expect(t, "done")
	b.end(t)
	<-k.gone
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(t, s.Shutdown(ctx))
	require.NoError(t, <-done)
	return k, said
}

// Tasks as long as the clock's period, which all do the same in the same order. With periods that
// are exactly as long, all samples of a thread would fall into one half of its tasks.
func TestTasksInStepWithTheClock(t *testing.T) {
	const period, tasks = 10 * time.Millisecond, 600
	for name, policy := range map[string]sampler.Policy{"self": sampler.PolicySelf, "privileged": sampler.PolicyPrivileged} {
		t.Run(name, func(t *testing.T) {
			steal := testkit.StartSteal(t)
			k, said := sampleWaiting(t, "Lockstep", tasks, sampler.Settings{Mode: policy, BasePeriod: period, StackBytes: 4096})
			var left, right float64
			_, err := fmt.Sscan(said, &left, &right)
			require.NoError(t, err)
			var weight [2]float64
			n, periods := 0, map[time.Duration]bool{}
			runs := map[time.Duration]*[2]float64{} // weights by period
			for _, s := range k.samples {
				for i, method := range []string{"Lockstep.left", "Lockstep.right"} {
					if k.names(s, method) {
						weight[i] += float64(s.Weight(false))
						n++
						if runs[s.Period] == nil {
							runs[s.Period] = &[2]float64{}
						}
						runs[s.Period][i] += float64(s.Weight(false))
						if s.Period >= period*6/10 {
							periods[s.Period] = true
						}
					}
				}
			}
			share, truth := weight[0]/(weight[0]+weight[1]), left/(left+right)
			ratio := (weight[0] + weight[1]) / (left + right)
			t.Logf("%d samples in tasks of %v, with %d periods: left %.3f of both, true %.3f; Σ weights / CPU %.3f", n,
				time.Duration((left+right)/tasks), len(periods), share, truth, ratio)
			// Four standard errors of independent samples, and a tenth more for what is left of the
			// step. A busy reader lets a period live longer: then the periods' own shares tell.
			byPeriod := 0.0
			for _, of := range runs {
				byPeriod += math.Pow(of[0]-share*(of[0]+of[1]), 2)
			}
			byPeriod = math.Sqrt(byPeriod) / (weight[0] + weight[1])
			assert.InDelta(t, truth, share, 4*max(1.1*math.Sqrt(truth*(1-truth)/float64(n)), byPeriod))
			assert.InDelta(t, 1, ratio, 0.06+steal.Band(t))
			assert.GreaterOrEqual(t, len(periods), n/60, "some forty samples each")
			for p := range periods {
				assert.LessOrEqual(t, p, period*14/10)
			}
		})
	}
}

// A thread that lives for a fifth of a period is sampled once in five times, and that sample stands
// for a period. With whole first periods it never was.
func TestThreadsOfOneTask(t *testing.T) {
	const period, tasks = 40 * time.Millisecond, 300
	k, _ := sampleWaiting(t, "Brief", tasks, sampler.Settings{Mode: sampler.PolicySelf, BasePeriod: period, StackBytes: 4096, RingPages: 8}) // all at once have room
	all, _ := k.tally(t)
	require.Equal(t, tasks, all.tasks)
	cpu, weight := all.cpu, time.Duration(0) // the user's, since the events were opened
	sampled := map[uint32]bool{}
	for _, s := range k.samples {
		weight += s.Weight(false)
		sampled[s.TID] = true
	}
	expected := float64(cpu) / float64(period)
	t.Logf("%d samples of %d of %d threads with %v of CPU each, %.1f expected; Σ weights / CPU %.3f", len(k.samples), len(sampled), tasks, cpu/tasks, expected,
		float64(weight)/float64(cpu))
	within := 4 * math.Sqrt(expected)
	assert.InDelta(t, expected, len(sampled), within)
	assert.InDelta(t, 1, float64(weight)/float64(cpu), within/expected)
	assert.Zero(t, k.stats.Lost)
	assert.Zero(t, k.stats.PerfOpenFailures)
}

package sampler_test

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zaptest"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/tasksample"
)

// sampleTiny runs a sampler over a JVM with many tasks of a millisecond.
func sampleTiny(t *testing.T, settings sampler.Settings, tasks int) *keeper {
	t.Helper()
	needs(t)
	k := newKeeper()
	settings.PIDs, settings.Logger, settings.ScanInterval = ownChildren, zaptest.NewLogger(t), 20*time.Millisecond
	s, err := sampler.New(settings, k)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	b := startJava(t, "Tiny", tasks, driverFlags...)
	require.Eventually(t, func() bool { defer k.lock()(); return len(k.marks) > 10 }, soon, often, "the agent reads the control page ten times a second")
	_, err = io.WriteString(b.stdin, "\n")
	require.NoError(t, err)
	b.expect(t, "done")
	b.end(t)
	<-k.gone
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(t, s.Shutdown(ctx))
	require.NoError(t, <-done)
	return k
}

// tinyTask is a task as its events tell it.
type tinyTask struct {
	start, end jvmlog.MonoTime
	detail     jvmlog.MonoTime // from when on the detail clock counts; 0 never
	selected   bool
	cpu        time.Duration // of the user's: what samples can hit in self-opened mode
}

// tinyTasks are the tasks of each thread by its events.
func tinyTasks(t *testing.T, k *keeper) (all map[uint32][]*tinyTask) {
	t.Helper()
	all = map[uint32][]*tinyTask{}
	open, started := map[uint32]*tinyTask{}, map[uint32]jvmlog.TaskEvent{}
	byID := map[tasksample.TaskAttemptID]*tinyTask{}
	for _, e := range k.events {
		switch e.Kind {
		case jvmlog.TaskStart:
			task := &tinyTask{start: e.Time, end: math.MaxUint64, selected: e.Flags&jvmlog.TaskSelected != 0}
			if e.Flags&jvmlog.TaskDetail != 0 {
				task.detail = e.Time
			}
			open[e.TID], started[e.TID], byID[e.Task] = task, e, task
			all[e.TID] = append(all[e.TID], task)
		case jvmlog.TaskEnd:
			s := started[e.TID]
			open[e.TID].end = e.Time
			open[e.TID].cpu = time.Duration(e.ThreadCPUNanos-s.ThreadCPUNanos) - time.Duration(e.SystemNanos-s.SystemNanos)
		case jvmlog.TaskClocks:
			if task := byID[e.Task]; task != nil && e.Flags&jvmlog.TaskDetail != 0 {
				task.detail = max(e.Time, task.start)
			}
		}
	}
	return all
}

// tally is what samples say of some tasks.
type tally struct {
	tasks, base, detail, surplus int
	cpu, weight                  time.Duration
	byBase, byDetail             time.Duration // what the samples of each clock stand for, whatever the other one takes
}

func (k *keeper) tally(t *testing.T) (all, selected tally) {
	t.Helper()
	tasks := tinyTasks(t, k)
	for _, of := range tasks {
		for _, task := range of {
			all.tasks++
			all.cpu += task.cpu
			if task.selected {
				selected.tasks++
				selected.cpu += task.cpu
			}
		}
	}
	for _, s := range k.samples {
		in := taskAt(tasks[s.TID], s.Time)
		on := in != nil && in.detail != 0 && s.Time >= in.detail
		if s.OfDetail() && !on {
			all.surplus++
			continue
		}
		for _, to := range []*tally{&all, &selected} {
			if to == &selected && (in == nil || !in.selected) {
				continue
			}
			to.weight += s.Weight(on)
			if s.OfDetail() {
				to.detail++
				to.byDetail += s.Period + s.Gap
			} else {
				to.base++
				to.byBase += s.Period + s.Gap
			}
		}
	}
	return all, selected
}

func taskAt(tasks []*tinyTask, at jvmlog.MonoTime) *tinyTask {
	for _, task := range tasks {
		if task.start <= at && at <= task.end {
			return task
		}
	}
	return nil
}

// writeFigures writes figures for bench/tasksample, where it asks for them by the name of a file in
// PLANFLAME_FIGURES.
func writeFigures(t *testing.T, figures map[string]float64) {
	t.Helper()
	path := os.Getenv("PLANFLAME_FIGURES")
	if path == "" {
		return
	}
	text, err := json.Marshal(map[string]any{"figures": figures})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o644))
}

// Tasks far shorter than a period get as many samples as their CPU is worth, for the clocks'
// running periods go on when they are switched. The sum of the weights is the tasks' CPU.
func TestTinyTasksOfBothTiers(t *testing.T) {
	const tasks, base, detail = 6000, 50 * time.Millisecond, 5 * time.Millisecond
	steal := testkit.StartSteal(t)
	k := sampleTiny(t, sampler.Settings{Mode: sampler.PolicySelf, BasePeriod: base, DetailPeriod: detail, Fraction: 0.25, MinTasksPerStage: 3, Seed: 7}, tasks)
	band := steal.Band(t)
	all, selected := k.tally(t)
	require.Equal(t, tasks, all.tasks)
	require.Equal(t, tasks/4, selected.tasks, "exactly n of N")
	ratio, closely := float64(all.byBase)/float64(all.cpu), float64(all.byDetail)/float64(selected.cpu)
	t.Logf("tiny_task_sample_ratio %.4f (%d samples), of the detail clock %.4f (%d); %d surplus; %v a task, band for steal %.3f", ratio, all.base, closely,
		all.detail, all.surplus, all.cpu/tasks, band)
	writeFigures(t, map[string]float64{"tiny_task_sample_ratio": ratio, "tiny_task_samples": float64(all.base), "tiny_task_detail_sample_ratio": closely})
	assert.InDelta(t, 1, ratio, 0.02+2/float64(all.base)+band, "one sample a thread more or less")
	// Of a selected task's CPU some 20 µs are spent on switching the clock, most of it in the
	// kernel, while it does not run.
	assert.InDelta(t, 0.98, closely, 0.04+band)

	// The samples of the base clock fall into selected tasks at random: the spread of the sum is
	// the error of a binomial.
	share := float64(selected.cpu) / float64(all.cpu)
	n := float64(all.base)
	within := 4 * math.Sqrt(n*share*(1-share)) * float64(base-base*detail/(base+detail)) / float64(all.cpu)
	assert.InDelta(t, 1, float64(all.weight)/float64(all.cpu), within+0.01+band)
	within = 4 * math.Sqrt(n*share*(1-share)) * float64(base*detail/(base+detail)) / float64(selected.cpu)
	assert.InDelta(t, 0.98, float64(selected.weight)/float64(selected.cpu), within+0.04+band)
	assert.Zero(t, k.stats.Lost)
}

// Where the reader opens the event it is always on: a task that is over before the reader hears of
// it has its samples nevertheless.
func TestTinyTasksOfSelectedOnly(t *testing.T) {
	const tasks = 6000
	for name, test := range map[string]struct {
		policy       sampler.Policy
		detail       time.Duration
		want, within float64
	}{
		"self":       {sampler.PolicySelf, 5 * time.Millisecond, 0.98, 0.04}, // of the CPU that is spent on switching there are no samples
		"privileged": {sampler.PolicyPrivileged, time.Millisecond, 1, 0.05},  // samples fall into selected tasks by chance: it takes many
	} {
		t.Run(name, func(t *testing.T) {
			steal := testkit.StartSteal(t)
			k := sampleTiny(t, sampler.Settings{Mode: test.policy, BasePeriod: sampler.NoBase, DetailPeriod: test.detail, Fraction: 0.25, Seed: 7}, tasks)
			band := steal.Band(t)
			all, selected := k.tally(t)
			require.Equal(t, tasks/4, selected.tasks)
			t.Logf("%d samples, %d surplus, Σ weights / CPU %.4f", selected.detail, all.surplus, float64(selected.weight)/float64(selected.cpu))
			assert.Equal(t, all.detail, selected.detail, "samples of selected tasks only")
			assert.Zero(t, all.base)
			assert.InDelta(t, test.want, float64(selected.weight)/float64(selected.cpu), test.within+band)
		})
	}
}

// The reader switches the detail clock a drain interval late, when such a task is long over: what
// it takes of the next ones does not count.
func TestTinyTasksSwitchedByTheReader(t *testing.T) {
	const tasks, base, detail = 4000, 20 * time.Millisecond, 5 * time.Millisecond
	steal := testkit.StartSteal(t)
	k := sampleTiny(t, sampler.Settings{Mode: sampler.PolicyPrivileged, BasePeriod: base, DetailPeriod: detail, Fraction: 0.25, Seed: 7}, tasks)
	band := steal.Band(t)
	all, selected := k.tally(t)
	require.Equal(t, tasks/4, selected.tasks)
	t.Logf("%d + %d samples, %d surplus, Σ weights / CPU %.4f", all.base, all.detail, all.surplus, float64(all.weight)/float64(all.cpu))
	assert.InDelta(t, 1, float64(all.weight)/float64(all.cpu), 0.12+band)
}

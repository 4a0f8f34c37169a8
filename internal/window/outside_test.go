package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

func TestOutsideOfTasks(t *testing.T) {
	p, _ := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, func(s *scenario) {
		oneTask(s)
		a := pipeline.Account{
			Process: 330 * ms, Threads: map[string]time.Duration{"Executor task l": 91 * ms, "GC Thread": 130 * ms, "mine": 70 * ms},
			Daemons: 17 * ms, Children: 19 * ms, Last: true,
		}
		s.p.Account(7, jvmtest.At(13), a)
		s.p.Account(7, jvmtest.At(14), a) // brings nothing new
	})
	tasks, outside := map[string]time.Duration{}, map[string]time.Duration{}
	for _, e := range p.Entries {
		if e.Labels.Group == pipeline.GroupTasks {
			tasks[e.Labels.Name()] += e.CPU
			continue
		}
		outside[string(e.Labels.Group)+" "+e.Labels.Name()] += e.CPU
		require.EqualValues(t, pipeline.NoStage, e.Labels.Stage)
		require.Zero(t, e.Samples)
		if e.Labels.Bucket == pipeline.BucketOtherThreads {
			require.Equal(t, []pipeline.StackFrame{{Name: "mine", Type: pipeline.FrameNative}, {Name: "[other threads]", Type: pipeline.FrameOperator}}, stackOf(p.Stacks, e.Stack))
		}
	}
	// The task's own account says 100 ms, of which /proc saw 91 on its thread: 9 of the 39 ms that
	// no reading saw were its.
	require.Equal(t, map[string]time.Duration{
		"threads [gc]": 130 * ms, "threads [other threads]": 70 * ms, "threads [ended threads]": 30 * ms,
		"children [python daemon]": 17 * ms, "children [child processes]": 19 * ms,
	}, outside)
	require.Equal(t, 330*ms, p.Totals.Process)
	require.Equal(t, 100*ms, p.Totals.TaskThreads)
	require.Equal(t, 230*ms, p.Totals.Threads)
	require.Equal(t, 36*ms, p.Totals.Children)
	alone, _ := run(t, Settings{Calibrate: true}, sampler.ModeSelfOpened, oneTask)
	require.Equal(t, cpuOf(alone), tasks, "tasks are as they were")
	require.Equal(t, alone.Totals.TaskCPU, p.Totals.TaskCPU)
}

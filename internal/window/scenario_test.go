package window

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/sampler"
)

// scenario drives a Pipeline that delivers to an Accumulator.
type scenario struct {
	*jvmtest.Script
	p *pipeline.Pipeline
}

func scenarioInto(s pipeline.Settings, out pipeline.Consumer) *scenario {
	p := pipeline.New(s, out)
	return &scenario{jvmtest.New(p), p}
}

// run plays a scenario into an accumulator and takes the only JVM's profile.
func run(t *testing.T, settings Settings, mode sampler.Mode, play func(*scenario)) (JVMProfile, *Accumulator) {
	acc := New(settings)
	s := scenarioInto(pipeline.Settings{Hold: pipeline.UntilEnd}, acc)
	s.JVM(7, mode)
	s.Code(7)
	s.Plan(7, jvmtest.At(1), 4)
	s.Stage(7, jvmtest.At(1), 6, 4)
	s.Stage(7, jvmtest.At(1), 8, 4)
	play(s)
	s.p.Finish()
	p := acc.Take()
	require.Len(t, p.JVMs, 1)
	require.Equal(t, settings.Calibrate, p.Calibrated)
	return p.JVMs[0], acc
}

// cpuOf is the CPU of each operator and bucket.
func cpuOf(p JVMProfile) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, e := range p.Entries {
		out[e.Labels.Name()] += e.CPU
	}
	return out
}

func requireSum(t testing.TB, p JVMProfile) {
	sum := time.Duration(0)
	for _, e := range p.Entries {
		sum += e.CPU
	}
	require.InDelta(t, float64(p.Totals.TaskCPU), float64(sum), float64(len(p.Entries)), "operators and buckets add up to the tasks' CPU")
}

// stackOf makes a list of the frames of a stack, leaf first.
func stackOf(t *Stacks, stack uint32) []pipeline.StackFrame {
	indices := t.Indices(stack)
	out := make([]pipeline.StackFrame, len(indices))
	for i, f := range indices {
		out[i] = t.frames[f]
	}
	return out
}

package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/jvmtest"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// tempFile is a Settings.Spill.
func tempFile(t *testing.T) func() (*os.File, error) {
	return func() (*os.File, error) { return os.Create(filepath.Join(t.TempDir(), "samples")) }
}

// spillScenario has two tasks on a thread, the first in execution 3 and the second in 4, whose
// plans come last of all.
func spillScenario(t *testing.T, s Settings) *scenario {
	out := newScenario(s)
	out.JVM(7, sampler.ModeSelfOpened)
	out.Code(7)
	for n := range 2 {
		start := float64(10 * (n + 1))
		out.TaskEvent(7, jvmlog.TaskStart, jvmtest.At(start), 41, 900+n, 6+n, 3+n, jvmtest.Clocks{CPU: uint64(20 + 30*n), System: 5})
		for i := range 4 {
			out.Sample(7, jvmtest.At(start+1+float64(i)), 41, jvmtest.ScanCode+9, jvmtest.RunCode+9)
		}
		out.TaskEvent(7, jvmlog.TaskEnd, jvmtest.At(start+6), 41, 900+n, 6+n, 3+n, jvmtest.Clocks{CPU: uint64(50 + 30*n), System: 5})
		out.p.Watermark(7, jvmtest.At(start+7))
	}
	for n := range 2 {
		out.Stage(7, jvmtest.At(30), 6+n, 3+n)
		out.Plan(7, jvmtest.At(30), 3+n)
	}
	out.p.Finish()
	return out
}

// What does not fit into memory is labeled as if it did: in its order, with all that came later.
func TestSpilledSamplesKnowAll(t *testing.T) {
	want := spillScenario(t, Settings{Hold: UntilEnd})
	require.Len(t, want.got.samples, 8)
	for _, most := range []int{1, 3, 5, 8, 9} {
		got := spillScenario(t, Settings{Hold: UntilEnd, MaxHeld: most, Spill: tempFile(t)})
		require.Equal(t, want.got.order, got.got.order, "%d", most)
		require.Equal(t, want.got.samples, got.got.samples, "%d", most)
		require.Equal(t, want.p.Counts(), got.p.Counts(), "%d", most)
	}
	require.Equal(t, "q1-of4", want.got.samples[7].Query)
	early := spillScenario(t, Settings{Hold: UntilEnd, MaxHeld: 3})
	require.NotEqual(t, want.got.verdicts(), early.got.verdicts(), "without a file the oldest know less")
	require.EqualValues(t, 7, early.p.Counts().Early)
}

func TestSpillThatFails(t *testing.T) {
	none := spillScenario(t, Settings{Hold: UntilEnd, MaxHeld: 3, Spill: func() (*os.File, error) { return nil, os.ErrPermission }})
	require.EqualValues(t, 7, none.p.Counts().Early, "without a file, as if there were no Spill")
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	require.NoError(t, err)
	lost := spillScenario(t, Settings{Hold: UntilEnd, MaxHeld: 3, Spill: func() (*os.File, error) { return full, nil }})
	require.EqualValues(t, 7, lost.p.Counts().Early, "not even the head could be written")
	closed := spillScenario(t, Settings{Hold: UntilEnd, MaxHeld: 3, Spill: func() (*os.File, error) {
		return os.OpenFile(filepath.Join(t.TempDir(), "samples"), os.O_CREATE|os.O_WRONLY, 0o600)
	}})
	require.EqualValues(t, 5, closed.p.Counts().LostSpill, "what cannot be read back is counted")
	require.Len(t, closed.got.samples, 3)
	require.Len(t, closed.got.tasks, 2, "what is no sample stays")
}

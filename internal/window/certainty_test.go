package window

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Two stages of 40 and 60 ms reach 3 and 4 ms down, 6 and 8 ms up. That is 5 down and 10 up, and
// the standard errors 1.5 and 2 ms are 2.5 ms.
func TestCertaintyOfTwoStages(t *testing.T) {
	var c Certainty
	c.Add(StageEstimate{CPU: 40 * ms, Low: 37 * ms, High: 46 * ms, SE: 1500 * ms / 1000, Valid: true}, 1)
	c.Add(StageEstimate{CPU: 60 * ms, Low: 56 * ms, High: 68 * ms, SE: 2 * ms, Valid: true}, 1)
	for name, test := range map[string]struct {
		of   OperatorCPU
		want [2]float64
	}{
		"JVM alone":                {OperatorCPU{JVM: 0.1}, [2]float64{0.095, 0.110}},
		"exact Python moves it":    {OperatorCPU{JVM: 0.1, Python: 0.02}, [2]float64{0.115, 0.130}},
		"Python in doubt widens":   {OperatorCPU{JVM: 0.1, Python: 0.02, Below: 0.007, Above: 0.009}, [2]float64{0.108, 0.139}},
		"never below Python's own": {OperatorCPU{JVM: 0.001, Python: 0.02}, [2]float64{0.020, 0.031}},
	} {
		got := c.Interval(test.of)
		require.InDeltaSlice(t, test.want[:], got.CI95[:], 1e-12, name)
		require.True(t, got.Valid, name)
		require.InDelta(t, 0.0025, got.SE, 1e-12, name)
	}
	got := c.Interval(OperatorCPU{Python: 0.02, Below: 0.003, Above: 0.004, Exact: true})
	require.InDeltaSlice(t, []float64{0.017, 0.024}, got.CI95[:], 1e-12)
	require.True(t, got.Valid)
	require.Zero(t, got.SE)
}

// Half of a stage counts: its part of the squares. A twentieth of the CPU may be in doubt.
func TestCertaintyInDoubt(t *testing.T) {
	var c Certainty
	require.Equal(t, Interval{Why: "no task that it ran in has ended"}, c.Interval(OperatorCPU{JVM: 0.1}))
	c.Add(StageEstimate{CPU: 190 * ms, Low: 190 * ms, High: 190 * ms, Valid: true}, 1)
	c.Add(StageEstimate{CPU: 20 * ms, Low: 12 * ms, High: 28 * ms, Why: "one task"}, 0.5)
	got := c.Interval(OperatorCPU{JVM: 0.2})
	require.InDeltaSlice(t, []float64{0.2 - 0.0056568542, 0.2056568542}, got.CI95[:], 1e-9)
	require.True(t, got.Valid, "10 of 200 ms")
	c.Add(StageEstimate{CPU: 2 * ms, Low: ms, High: 3 * ms, Why: "two tasks"}, 1)
	got = c.Interval(OperatorCPU{JVM: 0.2})
	require.False(t, got.Valid)
	require.Equal(t, "one task", got.Why, "the stage with most of the doubt")
}

package sampler_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/sampler"
)

// With -Xint all of Burn is interpreted: task 1 is `run` calling `hot` at one bytecode, and hot's
// loop.
func TestInterpretedFramesSayTheirMethodAndBytecode(t *testing.T) {
	defer goleak.VerifyNone(t)
	k, _ := sampleBurner(t, sampler.Settings{BasePeriod: testPeriod}, 200, append(driverFlags, "-Xint")...)
	require.Len(t, k.events, 10)
	type site struct {
		method uint64
		bci    int32
	}
	leaves, callers := map[uint64]int{}, map[site]int{}
	n, complete, named := 0, 0, 0
	for _, s := range k.samples {
		if s.Time < k.events[2].Time || s.Time >= k.events[3].Time {
			continue
		}
		n++
		if s.Flags&sampler.SampleTruncated == 0 {
			complete++
		}
		if len(s.Interpreted) < 2 {
			continue
		}
		hot, run := s.Interpreted[0], s.Interpreted[1]
		assert.Less(t, hot.Frame, run.Frame)
		const hotBytes = 64 // javap: hot has 47 bytes of code
		if hot.BCI >= 0 && hot.BCI < hotBytes {
			leaves[hot.Method]++
		}
		callers[site{run.Method, run.BCI}]++
		if k.methodName(hot.Method) == "Burn.hot(I)J" && k.methodName(run.Method) == "Burn.run(JJ[B)V" {
			named++
		}
	}
	t.Logf("%d samples, %d complete, %d named, leaves %v, callers %v", n, complete, named, leaves, callers)
	require.Greater(t, n, 50)
	assert.GreaterOrEqual(t, most(leaves), n*95/100, "hot")
	assert.GreaterOrEqual(t, most(callers), n*95/100, "run, at the bytecode that calls hot")
	assert.GreaterOrEqual(t, named, n*95/100)
	assert.GreaterOrEqual(t, complete, n*98/100)
}

func most[K comparable](counts map[K]int) int {
	best := 0
	for _, n := range counts {
		best = max(best, n)
	}
	return best
}

// methodName is the class, name and descriptor that the stream has for a Method*.
func (k *keeper) methodName(ptr uint64) string {
	m := k.methods[ptr]
	if m == nil {
		return ""
	}
	return m.Class + "." + m.Name + m.Descriptor
}

package sparkprofile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// What the user leaves out is what the sampler itself would take.
func TestDefaultsAreTheSamplers(t *testing.T) {
	s, err := defaultConfig().settings()
	require.NoError(t, err)
	assert.Equal(t, sampler.Settings{
		Mode: sampler.PolicyAuto, BasePeriod: sampler.DefaultBasePeriod, StackBytes: sampler.DefaultStackBytes,
		ScanInterval: sampler.DefaultScanInterval, DrainInterval: sampler.DefaultDrainInterval,
	}, s)
	require.NoError(t, s.Validate())
}

func TestSettingsOfEveryKey(t *testing.T) {
	c := Config{Mode: "self", SamplingHz: 50, StackBytes: 1704, RingPages: 32, ScanInterval: 11 * time.Second, DrainInterval: 13 * time.Millisecond}
	s, err := c.settings()
	require.NoError(t, err)
	assert.Equal(t, sampler.Settings{
		Mode: sampler.PolicySelf, BasePeriod: 20 * time.Millisecond, StackBytes: 1704, RingPages: 32, ScanInterval: 11 * time.Second,
		DrainInterval: 13 * time.Millisecond,
	}, s)
	c.StackBytes = 0
	s, err = c.settings()
	require.NoError(t, err)
	assert.Equal(t, -1, s.StackBytes, "no copy, not the default one")
	c.Mode = "root"
	_, err = c.settings()
	require.ErrorContains(t, err, `mode: mode "root"`)
}

// The bounds of config.go, which is checked on every platform, are those of the shared memory.
func TestBoundsAreTheAgents(t *testing.T) {
	assert.EqualValues(t, jvmlog.MostCopiedBytes, mostCopied)
	assert.EqualValues(t, jvmlog.SampleBytes, sampleBytes)
	assert.Equal(t, jvmlog.MinPeriod, minPeriod)
	assert.Equal(t, jvmlog.MaxPeriod, maxPeriod)
	assert.EqualValues(t, jvmlog.MaxStackBytes, maxStack)
	assert.EqualValues(t, jvmlog.MaxRingPages, maxRingPages)
}

package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestSettingsValidate(t *testing.T) {
	require.NoError(t, Settings{}.Validate(), "the defaults are valid")
	require.NoError(t, Settings{StackBytes: -1}.Validate(), "no copy of the stack")
	for want, s := range map[string]Settings{
		"mode 3":                             {Mode: 3},
		"base period 99µs":                   {BasePeriod: 99 * time.Microsecond},
		"base period -1ms":                   {BasePeriod: -time.Millisecond},
		"stack_bytes 12":                     {StackBytes: 12},
		"stack_bytes 65536":                  {StackBytes: 65536},
		"ring_pages 3":                       {RingPages: 3},
		"ring pages -4":                      {RingPages: -4},
		"scan interval 1µs":                  {ScanInterval: time.Microsecond},
		"drain interval 1µs":                 {DrainInterval: time.Microsecond},
		"drain interval 3s":                  {DrainInterval: 3 * time.Second},
		"round interval 10ms is not in 25ms": {RoundInterval: 10 * time.Millisecond},
		"round interval 2s is not in":        {RoundInterval: 2 * time.Second},
	} {
		assert.ErrorContains(t, s.Validate(), want)
		_, err := New(s, newNothing())
		assert.ErrorContains(t, err, want)
	}
	require.NoError(t, Settings{DrainInterval: 2 * time.Second}.Validate(), "a round comes with each drain")
	require.NoError(t, Settings{RoundInterval: time.Second}.Validate())
	fast := Settings{BasePeriod: 100 * time.Microsecond}
	assert.ErrorContains(t, fast.Validate(), "copy more than", "an agent would refuse it")
	fast.Mode = PolicyPrivileged
	assert.NoError(t, fast.Validate())
	_, err := New(Settings{}, nil)
	assert.ErrorContains(t, err, "no sink")
}

func TestRingsHoldFourDrainIntervals(t *testing.T) {
	for _, x := range []struct {
		settings Settings
		want     int
	}{
		{Settings{}, 128}, // 10 samples of 34 KiB: 85 pages
		{Settings{BasePeriod: 50 * time.Millisecond}, 64},                                           // 2 samples
		{Settings{BasePeriod: 2 * time.Millisecond}, 512},                                           // 50 samples: 425 pages
		{Settings{BasePeriod: time.Millisecond}, 1024},                                              // 100 samples: 850 pages
		{Settings{BasePeriod: 100 * time.Microsecond, Mode: PolicyPrivileged}, jvmlog.MaxRingPages}, // no more than the agent takes
		{Settings{BasePeriod: time.Millisecond, StackBytes: 8192}, 256},                             // 250 pages
		{Settings{BasePeriod: time.Millisecond, DrainInterval: time.Second}, jvmlog.MaxRingPages},
		{Settings{BasePeriod: time.Millisecond, RingPages: 8}, 8},
	} {
		got := x.settings.withDefaults()
		assert.Equal(t, x.want, got.RingPages, "%+v", x.settings)
		assert.NoError(t, got.Validate())
	}
}

func TestControlOfEachMode(t *testing.T) {
	s := Settings{BasePeriod: 5 * time.Millisecond, StackBytes: 4096, RingPages: 64}.withDefaults()
	want := jvmlog.Settings{Enabled: true, Mode: jvmlog.OpenByReader, StackBytes: 4096, BasePeriod: 5 * time.Millisecond, RingPages: 64, InclusionProbability: 0}
	assert.Equal(t, want, s.control(ModePrivileged))
	want.Mode = jvmlog.OpenByAgent
	assert.Equal(t, want, s.control(ModeSelfOpened))
	off := s.control(ModeNone)
	assert.False(t, off.Enabled)
	assert.NoError(t, off.Validate())
}

func TestParsePolicy(t *testing.T) {
	for word, want := range map[string]Policy{"auto": PolicyAuto, "privileged": PolicyPrivileged, "self": PolicySelf} {
		got, err := ParsePolicy(word)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := ParsePolicy("root")
	assert.ErrorContains(t, err, `"root"`)
}

func TestModeString(t *testing.T) {
	assert.Equal(t, []string{"none", "privileged", "self-opened", "Mode(7)"},
		[]string{ModeNone.String(), ModePrivileged.String(), ModeSelfOpened.String(), Mode(7).String()})
}

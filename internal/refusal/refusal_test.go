package refusal

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRanges(t *testing.T) {
	require.NoError(t, Outside("window", time.Second, time.Second, time.Minute))
	require.NoError(t, Outside("window", time.Minute, time.Second, time.Minute))
	require.NoError(t, Below("budget::nodes", 1, 1))
	require.NoError(t, NotOneOf("mode", "self", "auto", "privileged", "self"))
	for want, err := range map[string]error{
		"window: 999ms, want 1s to 1m0s":                      Outside("window", 999*time.Millisecond, time.Second, time.Minute),
		"window: 1m0.001s, want 1s to 1m0s":                   Outside("window", time.Minute+time.Millisecond, time.Second, time.Minute),
		"max_series: 100001, want 1 to 100000":                Outside("max_series", 100_001, 1, 100_000),
		"fraction: NaN, want 0 to 1":                          Outside("fraction", math.NaN(), 0, 1),
		"budget::nodes: 0, want 1 or more":                    Below("budget::nodes", 0, 1),
		"budget::samples_per_second: NaN, want 0.001 or more": Below("budget::samples_per_second", math.NaN(), 0.001),
		`mode: "root" is not auto, privileged or self`:        NotOneOf("mode", "root", "auto", "privileged", "self"),
		`calibration: "" is not window or stage`:              NotOneOf("calibration", "", "window", "stage"),
	} {
		assert.EqualError(t, err, want)
	}
}

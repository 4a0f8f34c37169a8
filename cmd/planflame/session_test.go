package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the agent reckons (pf_settings_valid in agent-jvmti/native/control.c) stays within what it
// allows, at every rate of --hz.
func TestTheAgentTakesEveryRate(t *testing.T) {
	for hz, want := range map[int]int{1: 32768, 200: 32768, 1000: 32768, 1183: 32768, 1184: 32752, 2000: 18976, 5000: 6976} {
		require.Equal(t, want, stackBytes(time.Second/time.Duration(hz)), "%d Hz", hz)
	}
	for hz := minHz; hz <= maxHz; hz++ {
		period := time.Second / time.Duration(hz)
		stack := stackBytes(period)
		require.Zero(t, stack%8, "%d Hz", hz)
		require.LessOrEqual(t, (stack+1024)*1_000_000_000/int(period), 40_000_000, "%d Hz", hz)
	}
}

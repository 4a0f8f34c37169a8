package main

import (
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/planflame/planflame/sampler/perfevent"
)

// kernelEvents skips a test where events with kernel samples are not allowed, and says so; where CI
// is set that is a failure.
func kernelEvents(t *testing.T) {
	t.Helper()
	closeEvent, err := openInterrupt(time.Minute)
	if err == nil {
		_, err = closeEvent()
	}
	if err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("this test needs perf events with kernel samples (root, or kernel.perf_event_paranoid 1): %v", err)
	}
	t.Skipf("this test needs perf events with kernel samples (root, or kernel.perf_event_paranoid 1): %v", err)
}

// Every level takes the samples that its rate says.
func TestLevelsSample(t *testing.T) {
	kernelEvents(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, l := range []level{{0, 0}, {2000, interruptAlone}, {2000, 0}, {2000, 32768}} {
		closeEvents, err := openLevel(l)
		require.NoError(t, err)
		began := ownThreadCPU()
		deep(burnFrames, func() {
			for ownThreadCPU()-began < 100*time.Millisecond {
				burn(10)
			}
		})
		used := ownThreadCPU() - began
		samples, err := closeEvents()
		require.NoError(t, err)
		want := used.Seconds() * float64(l.Hz)
		// perf's clock also holds what the hypervisor took.
		assert.GreaterOrEqual(t, float64(samples), 0.8*want, "%+v", l)
		assert.LessOrEqual(t, float64(samples), 2*want, "%+v", l)
	}
}

func TestEventsSaySamplesAndRefuse(t *testing.T) {
	kernelEvents(t)
	_, err := openEvents([]int{1 << 22}, eventSpec(100, 0), perfevent.Handler{})
	assert.ErrorContains(t, err, "4194304")
	assert.True(t, errors.Is(err, unix.ESRCH), "%v", err)
}

func TestDeepHasAStackThatCanBeCopied(t *testing.T) {
	calls := 0
	deep(burnFrames, func() {
		calls++
		var pcs [2 * burnFrames]uintptr
		assert.GreaterOrEqual(t, runtime.Callers(0, pcs[:]), burnFrames)
	})
	assert.Equal(t, 1, calls)
	assert.Greater(t, burnFrames*burnFrame, 32768)
}

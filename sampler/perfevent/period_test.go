package perfevent

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/internal/testkit"
)

// burnFor uses d of the calling thread's CPU.
func burnFor(d time.Duration) time.Duration { return testkit.Burn(testkit.ThreadCPU() + d) }

// The kernel starts a whole period when it is changed, tells what the event has counted, and goes
// on writing the period of the opening into samples.
func TestPeriodOfARunningEventChanges(t *testing.T) {
	canOpenOwn(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	e, err := Open(0, ownSpec)
	require.NoError(t, err)
	defer func() { assert.NoError(t, e.Close()) }()
	steal := testkit.StartSteal(t)
	before := testkit.ThreadCPU()
	during := burnFor(60*time.Millisecond) - before
	used, err := e.SetPeriod(Base, 6*time.Millisecond)
	require.NoError(t, err)
	assert.InEpsilon(t, during.Seconds(), used.Seconds(), 0.1+steal.Band(t), "the event counts from its opening on")

	var reader Reader
	old := 0
	reader.Read(e, Handler{Sample: func(*Sample) { old++ }})
	before = testkit.ThreadCPU()
	during = burnFor(120*time.Millisecond) - before
	var sampled time.Duration
	reader.Read(e, Handler{Sample: func(s *Sample) {
		assert.Equal(t, ownSpec.Period, s.Period, "the period that the event was opened with")
		sampled += 6 * time.Millisecond
	}})
	assert.Greater(t, old, 40)
	agrees(t, during, sampled+3*time.Millisecond, steal.Band(t)) // and half of a period that has not ended

	_, err = e.SetPeriod(Base, MinPeriod-1)
	assert.ErrorContains(t, err, "period")
	_, err = e.SetPeriod(Detail, time.Millisecond)
	assert.ErrorContains(t, err, "none")
	assert.True(t, e.HasClock(Base))
	assert.False(t, e.HasClock(Detail))
}

// The detail event keeps an account of its own, of the time for which it is on.
func TestPeriodOfADetailEventChanges(t *testing.T) {
	canOpenOwn(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rare := ownSpec
	rare.Period = time.Minute
	e, err := Open(0, rare)
	require.NoError(t, err)
	defer func() { assert.NoError(t, e.Close()) }()
	require.NoError(t, e.OpenDetail(0, ownSpec))
	burnFor(30 * time.Millisecond)
	used, err := e.SetPeriod(Detail, 7*time.Millisecond)
	require.NoError(t, err)
	assert.Zero(t, used, "it has not been on")
	require.NoError(t, e.SwitchDetail(true))
	steal := testkit.StartSteal(t)
	before := testkit.ThreadCPU()
	during := burnFor(100*time.Millisecond) - before
	require.NoError(t, e.SwitchDetail(false))
	burnFor(30 * time.Millisecond)
	used, err = e.SetPeriod(Detail, 7*time.Millisecond)
	require.NoError(t, err)
	assert.InEpsilon(t, during.Seconds(), used.Seconds(), 0.1+steal.Band(t))
}

// The first event takes a sample after its own period, and wakes who waits for it; the base event
// begins then.
func TestFirstSampleComesAtItsOwnMoment(t *testing.T) {
	canOpenOwn(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	off := ownSpec
	off.Period, off.Off = 20*time.Millisecond, true
	e, err := Open(0, off)
	require.NoError(t, err)
	defer func() { assert.NoError(t, e.Close()) }()
	early := ownSpec
	early.Period = 7 * time.Millisecond
	opened := time.Now()
	first, err := e.OpenFirst(0, early)
	require.NoError(t, err)
	assert.False(t, e.Begun())
	taken := make(chan bool)
	before := testkit.ThreadCPU()
	go func() { taken <- first.Wait() }()
	for woken := false; !woken; {
		burnFor(time.Millisecond)
		select {
		case woken = <-taken:
			require.True(t, woken)
		default:
			require.Less(t, testkit.ThreadCPU()-before, 10*time.Second, "no one was woken")
		}
	}
	// By the wall clock: unlike the thread's clock, events count what a hypervisor steals.
	waited := time.Since(opened)
	assert.GreaterOrEqual(t, waited, early.Period)
	require.NoError(t, e.Begin())
	assert.True(t, e.Begun())
	begun := time.Now()
	burnFor(90 * time.Millisecond)
	var periods []time.Duration
	var reader Reader
	reader.Read(e, Handler{Sample: func(s *Sample) { periods = append(periods, s.Period) }})
	require.NotEmpty(t, periods)
	assert.Equal(t, early.Period, periods[0])
	assert.Equal(t, off.Period, periods[len(periods)-1])
	assert.LessOrEqual(t, len(periods), 2+int(waited/early.Period)+int(time.Since(begun)/off.Period))
}

// Who waits for a first sample goes home when the event is closed.
func TestClosingEndsTheWaitForAFirstSample(t *testing.T) {
	canOpenOwn(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	off := ownSpec
	off.Off = true
	e, err := Open(0, off)
	require.NoError(t, err)
	late := ownSpec
	late.Period = time.Minute
	first, err := e.OpenFirst(0, late)
	require.NoError(t, err)
	taken := make(chan bool)
	go func() { taken <- first.Wait() }()
	require.NoError(t, e.Close())
	assert.False(t, <-taken)
	require.NoError(t, e.Begin(), "a closed event does not begin")
}

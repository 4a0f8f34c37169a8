package sampler

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// nothing is a Sink that expects no call but Watermark.
type nothing struct{ Sink }

func newNothing() Sink { return nothing{} }

func (nothing) Watermark(JVMID, jvmlog.MonoTime) {}

func idle(t *testing.T) *Sampler {
	t.Helper()
	s, err := New(Settings{PIDs: func(int) bool { return false }}, newNothing())
	require.NoError(t, err)
	return s
}

func TestShutdownBeforeRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := idle(t)
	require.NoError(t, s.Shutdown(context.Background()))
	require.NoError(t, s.Run(context.Background()), "returns at once")
	require.NoError(t, s.Shutdown(context.Background()), "a second time")
}

func TestRunEndsWithItsContextAndRunsOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := idle(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, s.Run(ctx))
	assert.ErrorContains(t, s.Run(ctx), "called before")
	require.NoError(t, s.Shutdown(context.Background()))
}

func TestShutdownWaitsForRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := idle(t)
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	require.Eventually(t, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.running }, 5*time.Second, time.Millisecond)
	require.NoError(t, s.Shutdown(context.Background()))
	select {
	case <-s.stopped:
	default:
		t.Error("Shutdown returned before Run had ended")
	}
	require.NoError(t, <-done)
}

func TestCapabilitiesOfThisProcess(t *testing.T) {
	checks := Capabilities(0)
	names := map[string]bool{}
	for _, c := range checks {
		assert.NotEmpty(t, c.Name)
		assert.NotEmpty(t, c.Detail, c.Name)
		assert.False(t, names[c.Name], "%s twice", c.Name)
		assert.False(t, c.OK && c.Mend != "", "%s is well and has a mend", c.Name)
		names[c.Name] = true
		t.Logf("%-34s %-5v %s | %s", c.Name, c.OK, c.Detail, c.Mend)
	}
	assert.True(t, names["kernel.perf_event_paranoid"])
}

func TestCapabilitiesOfAProcessThatIsNoJVM(t *testing.T) {
	checks := Capabilities(1 << 30)
	last := checks[len(checks)-4:]
	for _, c := range last {
		assert.False(t, c.OK, c.Name)
		assert.Contains(t, c.Name, "pid 1073741824")
		assert.NotEmpty(t, c.Mend, c.Name)
	}
}

// A JVM that never starts is looked at once a second.
func TestAJVMThatStartsIsLookedAtLessOften(t *testing.T) {
	w, now := &waiter{}, time.Unix(1000, 0)
	for _, want := range []time.Duration{50, 100, 200, 400, 800, 1000, 1000} {
		w.later(now)
		assert.Equal(t, want*time.Millisecond, w.next.Sub(now))
		now = w.next
	}
}

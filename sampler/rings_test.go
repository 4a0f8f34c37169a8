package sampler

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/perfevent"
)

// ownRings samples the calling thread, which stays locked, into a ring of some samples.
func ownRings(t *testing.T, pages int) *rings {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	e, err := perfevent.Open(0, perfevent.Spec{Period: time.Millisecond, ExcludeKernel: true, StackBytes: 4096, RingPages: pages})
	testkit.Requires(t, "perf events on own threads (kernel.perf_event_paranoid ≤ 2, no seccomp filter)", err)
	r := &rings{threads: map[threadKey]*thread{{}: {event: e, present: true}}}
	t.Cleanup(func() { assert.NoError(t, r.close()) })
	return r
}

// burnFor burns CPU on the calling thread.
func burnFor(d time.Duration) { testkit.Burn(testkit.ThreadCPU() + d) }

func TestRingsAreEmptiedWhileTheSamplerIsBusy(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := ownRings(t, 16) // some 12 samples
	d := lateDrain{interval: 2 * time.Millisecond}
	d.start([]*rings{r})
	burnFor(200 * time.Millisecond)
	d.end()
	held, c, err := r.take(nil)
	require.NoError(t, err)
	assert.Greater(t, len(held), 60, "a ring holds some 12, and the timer comes late at times")
	assert.Zero(t, c.overrun+c.bad+c.damaged)

	d.start(nil)
	d.end()
	burnFor(100 * time.Millisecond)
	held, _, err = r.take(nil)
	require.NoError(t, err)
	assert.Less(t, len(held), 40, "no one empties it when the sampler is idle")
	burnFor(10 * time.Millisecond) // the kernel tells of a loss with the next sample that finds room
	_, idle, err := r.take(nil)
	require.NoError(t, err)
	assert.Greater(t, idle.lost, c.lost, "so the ring has overflowed")
}

func TestHeldSamplesAreBounded(t *testing.T) {
	q := heldSamples{buffers: &heldBuffers{}}
	th := &thread{}
	s := &perfevent.Sample{Time: 5, IP: 7, Stack: make([]byte, 32<<10), User: []uint64{7, 8, 9}}
	n := 0
	for q.hold(th, s) {
		n++
	}
	assert.InDelta(t, mostHeldBytes/(33<<10), n, 100)
	assert.Len(t, q.samples, n)
	for _, h := range q.samples[:10] {
		q.release(h)
	}
	assert.Len(t, q.buffers.free, 10)
	assert.True(t, q.hold(th, s), "there is room again")
	assert.Len(t, q.buffers.free, 9, "in a buffer that was used before")
	for _, h := range q.samples[10:] {
		q.release(h)
	}
	assert.Zero(t, q.bytes)
	assert.LessOrEqual(t, q.buffers.bytes, mostFreeBytes)
	assert.Greater(t, q.buffers.bytes, mostFreeBytes/2)
}

// What rounds need is kept from round to round; what none needs goes.
func TestFreeBuffersShrink(t *testing.T) {
	q := heldSamples{buffers: &heldBuffers{}}
	s := &perfevent.Sample{Stack: make([]byte, 20<<10)}
	now := time.Now()
	round := func(samples int) {
		q.samples = nil
		for range samples {
			require.True(t, q.hold(&thread{}, s))
		}
		for _, h := range q.samples {
			q.release(h)
		}
		now = now.Add(shrinkInterval / 2)
		q.buffers.shrink(now)
		q.buffers.shrink(now) // rounds of other JVMs
	}
	round(300)
	for range 20 {
		round(300)
		require.Len(t, q.buffers.free, 300)
	}
	for range 80 {
		round(100)
	}
	require.InDelta(t, 101, len(q.buffers.free), 1)
	for range 200 {
		round(0)
	}
	require.Empty(t, q.buffers.free)
	require.Zero(t, q.buffers.bytes)
}

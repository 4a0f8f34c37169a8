package sampler

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/sampler/internal/testkit"
	"github.com/planflame/planflame/sampler/perfevent"
)

func TestPeriodsAreDrawnWithinTheBound(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		base, detail time.Duration
		stack        int
		spread       float64
		first        bool
	}{
		"20 Hz":                        {50 * ms, 0, 32768, 0.4, true},
		"20 Hz and 200 Hz":             {50 * ms, 5 * ms, 32768, 0.4, true},
		"1000 Hz":                      {ms, 0, 32768, 0.1552, true},
		"1000 Hz, as much as there is": {ms, 0, 38976, 0, false},
		"2000 Hz, by this sampler":     {ms / 2, 0, 32768, 0, false},
		"selected tasks alone":         {0, 5 * ms, 32768, 0.4, false},
		"shorter than a period may be": {100 * time.Microsecond, 0, 0, 0.4, true},
	} {
		spread := spreadOf(c.base, c.detail, c.stack)
		assert.InDelta(t, c.spread, spread, 1e-9, name)
		var mean, firsts float64
		const n = 4000
		for range n {
			base, detail := drawPeriod(c.base, spread), drawPeriod(c.detail, spread)
			mean += float64(base) / n
			for _, p := range [][2]time.Duration{{base, c.base}, {detail, c.detail}} {
				assert.LessOrEqual(t, float64(p[0]), float64(p[1])*(1+spread)+1, name)
				if p[1] > 0 {
					assert.GreaterOrEqual(t, float64(p[0]), max(float64(p[1])*(1-spread)-1, 100e3), name)
				}
			}
			if spread > 0 {
				assert.LessOrEqual(t, hz(base)+hz(detail), mostHz(c.stack)*1.001, name)
			}
			if first := drawFirst(base, detail, c.stack); first != 0 {
				assert.Less(t, first, base, name)
				assert.LessOrEqual(t, hz(first)+hz(detail), mostHz(c.stack)*1.001, name)
				firsts++
			}
		}
		if c.base > 100*time.Microsecond {
			assert.InEpsilon(t, float64(c.base), mean, 0.02, name)
		}
		assert.Equal(t, c.first, firsts > n/20, "%s: %v", name, firsts)
	}
}

// Where a ring holds little more than what comes in a drain interval, periods are not drawn much
// shorter.
func TestPeriodsFitTheRing(t *testing.T) {
	s := Settings{}.withDefaults() // 25 ms, 32 KiB
	for _, c := range []struct {
		pages        int
		base, detail time.Duration
		want         float64
	}{
		{64, 50 * time.Millisecond, 0, 0.4},
		{256, 5 * time.Millisecond, 0, 0.4},   // 150.6 ms
		{64, 5 * time.Millisecond, 0, 0.1699}, // 37.6 ms, of which 31.25 are needed
		{64, 5 * time.Millisecond, 50 * time.Millisecond, 0.0869},
		{32, 5 * time.Millisecond, 0, 0}, // 18.8 ms: samples are lost as it is
		{64, 0, 0, 0.4},
	} {
		assert.InDelta(t, c.want, ringSpread(&s, c.pages, c.base, c.detail), 1e-3, "%+v", c)
	}
	assert.True(t, (&clock{asked: 100, period: 80, spread: 0.1}).hasty())
	assert.False(t, (&clock{asked: 100, period: 90, spread: 0.1}).hasty())
	assert.False(t, (&clock{}).hasty())
}

// What a sample stands for follows from the clock that took it and from the period in force then.
func TestASampleStandsForItsPeriod(t *testing.T) {
	base := clock{opened: 48, period: 50, before: 40, since: 1000, gap: 13}
	detail := clock{opened: 6, period: 5, before: 4, since: 900}
	of := func(began bool) *thread { return &thread{base: base, detail: detail, began: began} }
	const old, now = 950, 1010
	for name, c := range map[string]struct {
		thread   *thread
		at       uint64
		reported time.Duration
		want     heldSample
	}{
		"of the base clock":                        {of(true), now, 48, heldSample{time: now, period: 50, base: 50, detail: 5, gap: 13}},
		"of before it was changed":                 {of(true), old, 48, heldSample{time: old, period: 40, base: 40, detail: 5}},
		"of the detail clock":                      {of(true), now, 6, heldSample{time: now, period: 5, base: 50, detail: 5}},
		"the first of the thread":                  {of(false), now, 17, heldSample{time: now, period: 50, base: 50, detail: 5}},
		"another, until the clock began":           {of(true), now, 17, heldSample{time: now, period: 17, base: 17, detail: 5}},
		"the first of a thread without base clock": {&thread{detail: detail}, now, 3, heldSample{time: now, period: 5, detail: 5}},
		"another": {&thread{detail: detail, began: true}, now, 3, heldSample{time: now, period: 3, detail: 3}},
	} {
		got := heldSample{time: c.want.time}
		c.thread.took(&got, c.reported)
		assert.Equal(t, c.want, got, name)
		assert.True(t, c.thread.began || c.reported != 17, name)
	}
	twice := of(true)
	for _, gap := range []time.Duration{13, 0} {
		h := heldSample{time: now}
		twice.took(&h, 48)
		assert.Equal(t, gap, h.gap, "once")
	}
	assert.Equal(t, 2, twice.base.samples)

	s := Sample{Period: 50, Base: 50, Detail: 5, Gap: 25}
	assert.Equal(t, time.Duration(75), s.Weight(false))
	s = Sample{Period: 5000, Base: 50000, Detail: 5000, Gap: 2500}
	assert.Equal(t, time.Duration(6817), s.Weight(true))
	s.Kept = 0.25
	assert.Equal(t, time.Duration(27268), s.Weight(true))
}

// A clock whose period is drawn again and again tells of all the CPU of its thread.
func TestChangedPeriodsLoseNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := ownRings(t, 64)
	th := r.threads[threadKey{}]
	th.base = newClock(perfevent.Base, time.Millisecond, time.Millisecond, jitter)
	th.began = true
	r.stackBytes = 4096
	steal := testkit.StartSteal(t)
	before := testkit.ThreadCPU()
	periods := map[time.Duration]bool{}
	var told time.Duration
	var held []*heldSample
	for range 100 {
		burnFor(8 * time.Millisecond)
		r.drain()
		var err error
		held, _, err = r.take(held[:0])
		require.NoError(t, err)
		require.NoError(t, r.takeTrouble())
		for _, h := range held {
			told += h.period + h.gap
			periods[h.period] = true
		}
		r.giveBack(held)
	}
	used := testkit.ThreadCPU() - before
	t.Logf("%v of %v told of, with %d periods", told, used, len(periods))
	assert.Greater(t, len(periods), 10, "one for some forty samples")
	assert.InEpsilon(t, used.Seconds(), told.Seconds(), 0.15+steal.Band(t), "what ends in the kernel has no sample")
	holds := holdsFor(64, 4096, th.base.period, 0)
	assert.Equal(t, holds, th.holds, "of the period that is in force")
}

package sampler

import (
	"math/rand/v2"
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/perfevent"
)

// jitter is the most by which a clock's period differs from the one that is asked for, as a part of
// it. Periods are drawn uniformly around that one, so it stays their mean. Tasks as long as the
// period then meet a clock that passes over them at any speed but few
// (docs/how-it-works/estimation.md, "Clocks that cannot lock in", has the coverage).
const jitter = 0.4

// redrawAfter is the number of samples after which a clock gets another period: each change breaks
// a period off.
const redrawAfter = 40

// clock is one perf event of a thread: its period, which changes. The zero value is a clock that
// there is not.
type clock struct {
	event  perfevent.Clock
	asked  time.Duration // the period that periods are drawn around; 0: there is no such clock
	spread float64       // … by this part of it at most
	opened time.Duration // period of the opening, which the kernel writes into all samples

	period time.Duration // in force since `since`
	before time.Duration // in force until then
	since  jvmlog.MonoTime
	// samples since then, the CPU that the event had counted then, and what of it had no sample
	// yet: the next sample stands for that, too.
	samples int
	used    time.Duration
	gap     time.Duration
}

// newClock is the clock of an event that was opened with a period just now.
func newClock(event perfevent.Clock, asked, opened time.Duration, spread float64) clock {
	if opened == 0 {
		return clock{}
	}
	return clock{event: event, asked: orDefault(asked, opened), spread: spread, opened: opened, period: opened}
}

// spreadOf is how far periods may be drawn around the ones that are asked for. It is jitter, or
// less if shorter periods would have the events copy more than FORMAT.md allows.
func spreadOf(base, detail time.Duration, stackBytes int) float64 {
	return max(0, min(jitter, 1-(hz(base)+hz(detail))/mostHz(stackBytes)))
}

// ringSpread is how far periods may be drawn around the ones that are asked for. They must not fill
// a ring of so many pages within a drain interval, and a quarter of one more. Rings are small if
// little memory may be locked.
func ringSpread(s *Settings, pages int, base, detail time.Duration) float64 {
	least := 1.25 * float64(s.DrainInterval) / float64(holdsFor(pages, s.StackBytes, base, detail))
	return max(0, min(spreadOf(base, detail, s.StackBytes), 1-least))
}

// mostHz is how many samples FORMAT.md lets a thread have in a second of its CPU.
func mostHz(stackBytes int) float64 {
	return jvmlog.MostCopiedBytes / float64(stackBytes+jvmlog.SampleBytes)
}

// drawPeriod draws a period around another; 0 of none.
func drawPeriod(asked time.Duration, spread float64) time.Duration {
	if asked <= 0 {
		return 0
	}
	drawn := time.Duration(float64(asked) * (1 + spread*(2*rand.Float64()-1)))
	return min(max(drawn, jvmlog.MinPeriod), jvmlog.MaxPeriod)
}

// drawFirst draws when the first sample of a thread comes: uniformly within a period, but not too
// early. The samples of such an event must not be more than FORMAT.md allows. 0: that leaves
// nothing to draw.
func drawFirst(period, detail time.Duration, stackBytes int) time.Duration {
	most := mostHz(stackBytes) - hz(detail)
	if most <= hz(period) {
		return 0
	}
	least := max(periodOf(most), jvmlog.MinPeriod)
	first := max(time.Duration(float64(period)*rand.Float64()), least)
	if first >= period {
		return 0
	}
	return unlike(first, detail)
}

// took takes a sample in, and returns the period that was in force, and what it stands for besides.
func (c *clock) took(at jvmlog.MonoTime) (period, gap time.Duration) {
	if at < c.since {
		return c.before, 0
	}
	gap, c.gap = c.gap, 0
	c.samples++
	return c.period, gap
}

// at is the period that is in force at a moment.
func (c *clock) at(t jvmlog.MonoTime) time.Duration {
	if t < c.since {
		return c.before
	}
	return c.period
}

// set gives the clock another period. The event of another reader has counted an unknown amount
// since its last sample: known is false.
func (c *clock) set(e *perfevent.Event, period time.Duration, known bool) error {
	now := jvmlog.Now()
	used, err := e.SetPeriod(c.event, period)
	if err != nil {
		return err
	}
	if known {
		c.gap += (used - c.used) % c.period // samples come a period apart, from the last change on
	}
	c.before, c.period, c.since, c.samples, c.used = c.period, period, now, 0, used
	return nil
}

// redraw draws another period, unlike the period of the thread's other clock.
func (c *clock) redraw(e *perfevent.Event, other time.Duration, known bool) error {
	return c.set(e, unlike(drawPeriod(c.asked, c.spread), other), known)
}

// hasty reports whether the period is shorter than those that are drawn.
func (c *clock) hasty() bool { return float64(c.period) < float64(c.asked)*(1-c.spread)-1 }

// due reports whether the period has been in force long enough.
func (c *clock) due(e *perfevent.Event) bool {
	return c.samples >= redrawAfter && c.spread > 0 && e.HasClock(c.event)
}

// took fills in what a sample of the thread stands for, by the clock that took it.
func (t *thread) took(h *heldSample, reported time.Duration) {
	h.base, h.detail = t.base.at(h.time), t.detail.at(h.time)
	main := &t.base
	if main.opened == 0 {
		main = &t.detail
	}
	switch {
	case reported == t.detail.opened:
		h.period, h.gap = t.detail.took(h.time)
	case reported == t.base.opened:
		h.period, h.gap = t.base.took(h.time)
	case !t.began: // the first sample of the thread, by the event before its clock: at a random moment of a period, which it stands for
		t.began = true
		h.period = main.at(h.time)
	default: // and those that this event took until the clock began
		h.period = reported
		if main == &t.base {
			h.base = reported
		} else {
			h.detail = reported
		}
	}
}

// takePeriods gives both clocks periods of ours, whatever theirs were.
func (t *thread) takePeriods() error {
	for _, c := range []*clock{&t.base, &t.detail} {
		if c.opened == 0 || !t.event.HasClock(c.event) {
			continue
		}
		if err := c.redraw(t.event, t.other(c), false); err != nil {
			return err
		}
	}
	return nil
}

// other is the period of the thread's other clock.
func (t *thread) other(c *clock) time.Duration {
	if c == &t.base {
		return t.detail.period
	}
	return t.base.period
}

// redraw gives the clocks of a thread other periods where it is time, and reports whether it did.
func (t *thread) redraw() (done bool, err error) {
	for _, c := range []*clock{&t.base, &t.detail} {
		if !c.due(t.event) {
			continue
		}
		if err := c.redraw(t.event, t.other(c), true); err != nil {
			c.spread = 0 // not again
			return done, err
		}
		done = true
	}
	return done, nil
}

package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/planflame/planflame/tasksample"
)

// threads is the number of task threads that a re-sampling spreads the attempts over, in an order
// of its own.
const threads = 16

// design says how a re-sampling takes samples.
type design struct {
	Name     string  `json:"name"`
	Base     int     `json:"base_hz"`
	Detail   int     `json:"detail_hz"`
	Fraction float64 `json:"fraction"`
	// Least is the smallest number of selected units.
	Least uint32 `json:"least,omitempty"`
	// Tail promotes attempts as tasksample.NewTail does by this multiple; 0: none.
	Tail float64 `json:"tail,omitempty"`
	// Steps are the base rates of equal parts of the run, one after the other, instead of Base: a
	// budget that adapts.
	Steps []int `json:"steps,omitempty"`
}

// unitOf is an attempt's unit in a re-sampling.
type unitOf struct {
	unit     *tasksample.Unit[byte]
	tier     tasksample.Tier
	cpu      time.Duration
	attempts int
}

// clock is a sampling clock of one thread: it fires when its phase has run down. Phases and periods
// are whole ticks.
type clock struct{ left, period int }

func start(rng *rand.Rand, hz int) clock {
	if hz == 0 {
		return clock{}
	}
	p := recordHz / hz
	return clock{left: rng.IntN(p), period: p}
}

// retime changes the rate; the phase is drawn again.
func (c *clock) retime(rng *rand.Rand, hz int) {
	if p := recordHz / hz; p != c.period {
		*c = clock{left: rng.IntN(p), period: p}
	}
}

// next is the tick, from now, in which the clock fires next; never for one that is off.
func (c *clock) next() int {
	if c.period == 0 {
		return math.MaxInt
	}
	return c.left
}

// pass lets ticks of CPU go by after the clock has fired at all its moments before; at is its next
// one, in the same count of ticks.
func (c *clock) pass(at, ticks int) {
	if c.period != 0 {
		c.left = at - ticks
	}
}

// sample samples a population once. deal gets every finished unit and the number of the thread that
// ended it, in order.
func (p *population) sample(rng *rand.Rand, d design, deal func(thread int, u *unitOf)) (samples int) {
	selection := tasksample.NewSelection(rng.Uint64(), uint32(p.bound), d.Fraction, d.Least)
	var base, detail [threads]clock
	for t := range threads {
		hz := d.Base
		if len(d.Steps) > 0 {
			hz = d.Steps[0]
		}
		base[t], detail[t] = start(rng, hz), start(rng, d.Detail)
	}
	units := map[int32]*unitOf{}
	var ended []time.Duration // CPU of units, sorted
	order := rng.Perm(len(p.Attempts))
	for i, from := range order {
		t, a := i%threads, &p.Attempts[from]
		if len(d.Steps) > 0 {
			base[t].retime(rng, d.Steps[i*len(d.Steps)/len(order)])
		}
		selected := d.Detail > 0 && selection.Selects(tasksample.PartitionID(a.Partition))
		u := units[a.Partition]
		if u == nil || !p.shared[a.Partition] {
			u = &unitOf{}
		}
		samples += a.sample(u, d, d.promoteAfter(ended), selected, &base[t], &detail[t])
		if u.attempts++; p.shared[a.Partition] && u.attempts < p.attemptsOf[a.Partition] {
			units[a.Partition] = u
			continue
		}
		if d.Tail > 0 {
			k, _ := slices.BinarySearch(ended, u.cpu)
			ended = slices.Insert(ended, k, u.cpu)
		}
		deal(t, u)
	}
	return samples
}

// promoteAfter is the CPU after which an attempt is promoted, by the sorted CPU of the units that
// have ended. 0: never.
func (d *design) promoteAfter(ended []time.Duration) time.Duration {
	if d.Tail == 0 || len(ended) == 0 {
		return 0
	}
	return tasksample.NewTail(tasksample.Fixed{}, d.Tail).Rates(tasksample.StageFacts{Ended: uint64(len(ended)), MedianCPU: ended[len(ended)/2]}).PromoteAfter
}

// sample runs the clocks over one attempt and returns the number of its samples.
func (a *task) sample(u *unitOf, d design, promoteAfter time.Duration, selected bool, base, detail *clock) (samples int) {
	promoteAt := len(a.Ticks)
	if promoteAfter > 0 && !selected {
		promoteAt = int(promoteAfter / tick)
	}
	tier := tierOf(base.period > 0, selected, promoteAt < len(a.Ticks))
	u.tier, u.cpu = max(u.tier, tier), u.cpu+a.cpu()
	ticks, on := len(a.Ticks), promoteAt
	if selected {
		on = 0
	}
	rate := 0
	if base.period > 0 {
		rate = recordHz / base.period
	}
	atBase, atDetail := base.next(), math.MaxInt
	if on < ticks {
		atDetail = on + detail.next()
	}
	var attempt tasksample.Unit[byte]
	for min(atBase, atDetail) < ticks {
		at, inForce := min(atBase, atDetail), rate
		if at >= on {
			inForce += d.Detail
		}
		attempt.Sample(a.Ticks[at], time.Second/time.Duration(inForce))
		samples++
		if atBase <= atDetail {
			atBase += base.period
		} else {
			atDetail += detail.period
		}
	}
	base.pass(atBase, ticks)
	if on < ticks {
		detail.pass(atDetail, ticks)
	}
	if samples == 0 {
		return 0
	}
	if u.unit == nil {
		u.unit = &attempt
	} else {
		u.unit.Join(&attempt)
	}
	return samples
}

func tierOf(base, selected, promoted bool) tasksample.Tier {
	switch {
	case selected:
		return tasksample.TierSelected
	case promoted:
		return tasksample.TierPromoted
	case base:
		return tasksample.TierBase
	}
	return tasksample.TierNone
}

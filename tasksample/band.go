package tasksample

import (
	"maps"
	"math"
	"slices"
)

// band is the units of some neighboring classes: tasks of like CPU are calibrated together.
type band[K comparable] struct {
	low, high float64 // CPU of a unit, nanoseconds
	tier      [tiers]Sums[K]
	rule      rule
	lent      float64 // CPU of bands without a sample, nanoseconds: this one speaks for them too
	borrows   bool    // another band speaks for this one
}

// rule says what speaks for the units of a band that have no close samples of their own.
type rule uint8

const (
	ruleNothing  rule = iota // no sample at all
	ruleBase                 // the base clock ran on all of them
	ruleSelected             // they are represented by the selected ones
	rulePromoted             // only promoted units have samples
)

// borders are the last classes of all bands but the largest.
type borders [3]Class

// window is the range in which a border is sought, in classes from the median's. Small units end
// between an eighth and a half of the median, and the body between two and eight times. Stragglers
// start between eleven and forty-five times.
var window = [len(borders{})][2]int{{-6, -3}, {2, 5}, {7, 10}}

// borders separates the bands at the class with the least CPU, and among equals at the one nearest
// to the median. A band that holds some of its neighbor's units has an error that few selected
// units do not show. They follow from the CPU of all units, sampled or not.
func (s *Stage[K]) borders() (out borders) {
	cpu, median := map[Class]float64{}, s.median()
	for id, c := range s.Cells {
		cpu[id.Class] += c.CPU
	}
	for i, w := range window {
		near, far, step := w[0], w[1], 1
		if w[0] < 0 {
			near, far, step = w[1], w[0], -1
		}
		best := near
		for d := near; d != far+step; d += step {
			if cpu[classAt(median, d)] < cpu[classAt(median, best)] {
				best = d
			}
		}
		out[i] = classAt(median, best)
	}
	return out
}

// classAt is the class d above another, within the range of the type.
func classAt(c Class, d int) Class { return Class(min(max(int(c)+d, math.MinInt8), math.MaxInt8)) }

// of is the number of the band of a class.
func (b borders) of(c Class) int {
	i := 0
	for i < len(b) && c > b[i] {
		i++
	}
	return i
}

// minBandSamples is the least number of base-clock samples for a calibration of its own. A band
// with fewer is calibrated together with its larger neighbor: a ratio of few samples is biased by
// the order of one in their number.
const minBandSamples = 20

// bands groups the cells by their CPU.
func (s *Stage[K]) bands() []*band[K] {
	var out [len(borders{}) + 1]*band[K]
	cut := s.borders()
	for _, id := range s.sorted() {
		i := cut.of(id.Class)
		if out[i] == nil {
			out[i] = newBand[K]()
		}
		out[i].take(id, s.Cells[id])
	}
	found := slices.DeleteFunc(out[:], func(b *band[K]) bool { return b == nil })
	found = together(found)
	for _, b := range found {
		b.rule = b.decide()
	}
	for _, b := range found {
		b.borrow(found)
	}
	return found
}

// sorted are the cells in order, so that sums of floats are the same every time.
func (s *Stage[K]) sorted() []Cell {
	return slices.SortedFunc(maps.Keys(s.Cells), func(a, b Cell) int {
		return (int(a.Class)-int(b.Class))*int(tiers) + int(a.Tier) - int(b.Tier)
	})
}

// median is the class of the median unit.
func (s *Stage[K]) median() Class {
	var units, below uint64
	for _, c := range s.Cells {
		units += c.Units
	}
	for _, id := range s.sorted() {
		below += s.Cells[id].Units
		if 2*below >= units {
			return id.Class
		}
	}
	return 0
}

func newBand[K comparable]() *band[K] {
	b := &band[K]{low: math.Inf(1)}
	for t := range b.tier {
		b.tier[t].Keys = map[K]*KeySums{}
	}
	return b
}

func (b *band[K]) take(id Cell, c *Sums[K]) {
	b.low, b.high = min(b.low, math.Exp2(float64(id.Class)/2)), max(b.high, math.Exp2(float64(id.Class+1)/2))
	b.tier[id.Tier].merge(c)
}

// together joins bands that the base clock has hit too rarely with a neighbor; those that it has
// not sampled at all stay, where it did not run.
func together[K comparable](bands []*band[K]) []*band[K] {
	for i := 0; len(bands) > 1 && i < len(bands); i++ {
		b := bands[i]
		if b.tier[TierBase].Units == 0 || b.tier[TierBase].Samples >= minBandSamples {
			continue
		}
		into := i + 1
		if into == len(bands) {
			into = i - 1
		}
		o := bands[into]
		o.low, o.high = min(o.low, b.low), max(o.high, b.high)
		for t := range b.tier {
			o.tier[t].merge(&b.tier[t])
		}
		bands = slices.Delete(bands, i, i+1)
		i = -1
	}
	return bands
}

func (b *band[K]) decide() rule {
	switch {
	case b.tier[TierBase].Weight > 0:
		return ruleBase
	case b.tier[TierSelected].Weight > 0:
		return ruleSelected
	case b.tier[TierPromoted].Weight > 0:
		return rulePromoted
	}
	return ruleNothing
}

// borrow lets the nearest band that has samples speak for one without.
func (b *band[K]) borrow(all []*band[K]) {
	if b.rule != ruleNothing {
		return
	}
	best, distance := (*band[K])(nil), math.Inf(1)
	for _, o := range all {
		if d := math.Abs(math.Log(o.low*o.high) - math.Log(b.low*b.high)); o.rule != ruleNothing && d < distance {
			best, distance = o, d
		}
	}
	if best != nil {
		best.lent += b.cpu()
		b.borrows = true
	}
}

// cpu is the known CPU of all units of the band.
func (b *band[K]) cpu() (sum float64) {
	for t := range b.tier {
		sum += b.tier[t].CPU
	}
	return sum
}

func (b *band[K]) units() (sum uint64) {
	for t := range b.tier {
		sum += b.tier[t].Units
	}
	return sum
}

// rest is the CPU for which a representative of the band speaks besides its own. It comes from
// units without a clock, from tiers that no sample has hit, and from bands without samples.
func (b *band[K]) rest() float64 {
	sum := b.lent
	for t := range b.tier {
		if b.tier[t].Weight == 0 {
			sum += b.tier[t].CPU
		}
	}
	return sum
}

// draws is the number of independent draws that the band's samples are worth at least.
func (b *band[K]) draws() float64 {
	switch b.rule {
	case ruleBase:
		return b.tier[TierBase].effective()
	case ruleSelected:
		return float64(b.tier[TierSelected].Units)
	case rulePromoted:
		return b.tier[TierPromoted].effective()
	}
	return 0
}

// effective is the number of samples of equal weight that would be worth as much (Kish 1965). It is
// the number of samples if all weights are equal, and less if clocks have different periods.
func (c *Sums[K]) effective() float64 {
	if c.Squares == 0 {
		return 0
	}
	return c.Weight * c.Weight / c.Squares
}

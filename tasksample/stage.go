package tasksample

import (
	"math"
	"time"
)

// Tier says which clocks sampled a unit.
type Tier uint8

// Tiers.
const (
	TierNone     Tier = iota // no clock ran: CPU alone is known (base_hz 0 and not selected, or no perf event could be had)
	TierBase                 // the base clock alone
	TierSelected             // selected by the permutation: a simple random sample of the stage's units
	TierPromoted             // sampled closely for a reason that lies in the unit, as its CPU: stands for itself only
	tiers
)

// Class is a class of units of like CPU: half an octave, ⌊2·log₂(CPU in nanoseconds)⌋. Its borders
// are the same everywhere, so that statistics of different nodes add.
type Class int8

// ClassOf is the class of a unit's CPU; CPU below 1 ns is in the lowest, 0.
func ClassOf(cpu time.Duration) Class {
	if cpu < 1 {
		return 0
	}
	return Class(2 * math.Log2(float64(cpu)))
}

// Middle is the CPU in the middle of a class.
func (c Class) Middle() time.Duration { return time.Duration(math.Exp2((float64(c) + 0.5) / 2)) }

// Cell tells groups of units apart.
type Cell struct {
	Class Class
	Tier  Tier
}

// Sums are the statistics of the finished units of one cell. All of them add: over units, windows,
// executors, nodes and days.
type Sums[K comparable] struct {
	Units       uint64  // with samples or without
	CPU         float64 // Σ T: CPU of the units by the threads' own clocks, in nanoseconds
	Samples     uint64
	Weight      float64 // Σ W, W: Σ weights of a unit's samples, nanoseconds
	WeightUnits float64 // Σ W² over units
	Squares     float64 // Σ w² over samples
	First       float64 // Σ w² over the first sample of each attempt
	Keys        map[K]*KeySums
}

// KeySums are the statistics of one key in a cell. W with an index is a unit's Σ weights of the
// key's samples.
type KeySums struct {
	Samples uint64
	Weight  float64 // Σ Wk
	Changes float64 // Σ w·w'/2 over neighbouring samples of a unit of which one is of the key, the other not
	Square  float64 // Σ Wk² over units
	Cross   float64 // Σ Wk·W over units
}

// Stage are the additive statistics of one stage: what travels. Each finished unit enters once. Not
// safe for concurrent use; the zero value is not valid, see NewStage.
type Stage[K comparable] struct {
	Cells map[Cell]*Sums[K]
	// Fragments are attempts that could not be joined with their partition's other attempts,
	// because these ended earlier or on another node. Each counts as a unit of its own, which makes
	// the variance between units somewhat too small.
	Fragments    uint64
	FragmentsCPU float64 // nanoseconds
}

// NewStage returns empty statistics.
func NewStage[K comparable]() *Stage[K] { return &Stage[K]{Cells: map[Cell]*Sums[K]{}} }

// Add takes a finished unit with the CPU that its attempts used. u may be nil if there was no
// sample. It costs O(distinct keys of u).
func (s *Stage[K]) Add(u *Unit[K], tier Tier, cpu time.Duration) {
	c := s.cell(Cell{ClassOf(cpu), tier})
	c.Units++
	c.CPU += float64(max(cpu, 0))
	if u == nil {
		return
	}
	c.Samples += u.samples
	c.Weight += u.weight
	c.WeightUnits += u.weight * u.weight
	c.Squares += u.squares
	c.First += u.first
	for key, from := range u.keys {
		k := c.key(key)
		k.Samples += from.samples
		k.Weight += from.weight
		k.Changes += from.changes
		k.Square += from.weight * from.weight
		k.Cross += from.weight * u.weight
	}
}

// AddFragment takes an attempt that cannot be joined with its partition's others.
func (s *Stage[K]) AddFragment(u *Unit[K], tier Tier, cpu time.Duration) {
	s.Add(u, tier, cpu)
	s.Fragments++
	s.FragmentsCPU += float64(max(cpu, 0))
}

// Merge adds what another node, executor or window knows of the stage. It is associative and
// commutative but for the rounding of floats, and leaves o as it is.
func (s *Stage[K]) Merge(o *Stage[K]) {
	s.Fragments += o.Fragments
	s.FragmentsCPU += o.FragmentsCPU
	for id, from := range o.Cells {
		s.cell(id).merge(from)
	}
}

func (s *Stage[K]) cell(id Cell) *Sums[K] {
	c := s.Cells[id]
	if c == nil {
		c = &Sums[K]{Keys: map[K]*KeySums{}}
		s.Cells[id] = c
	}
	return c
}

func (c *Sums[K]) key(key K) *KeySums {
	k := c.Keys[key]
	if k == nil {
		k = &KeySums{}
		c.Keys[key] = k
	}
	return k
}

func (c *Sums[K]) merge(o *Sums[K]) {
	c.Units += o.Units
	c.CPU += o.CPU
	c.Samples += o.Samples
	c.Weight += o.Weight
	c.WeightUnits += o.WeightUnits
	c.Squares += o.Squares
	c.First += o.First
	for key, from := range o.Keys {
		k := c.key(key)
		k.Samples += from.Samples
		k.Weight += from.Weight
		k.Changes += from.Changes
		k.Square += from.Square
		k.Cross += from.Cross
	}
}

// Facts are what policies may know of the stage: how many units have ended, and their median CPU.
// The median is the middle of the median unit's class, exact to a quarter of an octave. Partitions
// is the caller's to fill.
func (s *Stage[K]) Facts() StageFacts {
	var f StageFacts
	for _, c := range s.Cells {
		f.Ended += c.Units
	}
	if f.Ended > 0 {
		f.MedianCPU = nanos(math.Exp2((float64(s.median()) + 0.5) / 2))
	}
	return f
}

// Where returns the statistics of some of the cells, to ask about the units of some classes or
// tiers alone. It shares their sums with s: neither may be added to while both are used.
func (s *Stage[K]) Where(keep func(Cell) bool) *Stage[K] {
	out := NewStage[K]()
	for id, c := range s.Cells {
		if keep(id) {
			out.Cells[id] = c
		}
	}
	return out
}

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/tasksample"
)

// long is a stage of equal tasks, the first half of each in one operator, the second in another.
func long(tasks, ticks int) *population {
	p := &population{Stage: "long", Keys: []string{"scan@1", "sort@2"}}
	for i := range tasks {
		t := task{Partition: int32(i), Ticks: make([]byte, ticks)}
		for k := ticks / 2; k < ticks; k++ {
			t.Ticks[k] = 1
		}
		p.Attempts = append(p.Attempts, t)
	}
	p.prepare()
	return p
}

// A clock fires once a period over many attempts, whatever their lengths are.
func TestClockGoesOnOverAttempts(t *testing.T) {
	for phase := range 50 {
		base, detail, at, fired := clock{left: phase, period: 50}, clock{}, 0, 0
		for _, n := range []int{7, 0, 93, 1, 399} {
			a, u := task{Ticks: make([]byte, n)}, &unitOf{}
			got := a.sample(u, design{Base: 20}, 1, false, &base, &detail)
			want := 0
			for i := at; i < at+n; i++ {
				if i%50 == phase {
					want++
				}
			}
			assert.Equal(t, want, got, "phase %d, ticks %d to %d", phase, at, at+n)
			at, fired = at+n, fired+got
		}
		assert.Equal(t, 10, fired)
	}
}

// The detail clock runs on selected and promoted CPU alone, and weights follow the rate in force.
func TestDetailClock(t *testing.T) {
	base, detail := clock{left: 30, period: 100}, clock{left: 2, period: 5}
	a, u := task{Ticks: make([]byte, 60)}, &unitOf{}
	assert.Equal(t, 1, a.sample(u, design{Base: 10, Detail: 200}, 300*tick, false, &base, &detail), "it ends before")
	assert.Equal(t, clock{left: 70, period: 100}, base)
	assert.Equal(t, clock{left: 2, period: 5}, detail)
	assert.Equal(t, tasksample.TierBase, u.tier)

	// From tick 45 on: 47, 52, 57; the base clock has 70 to go.
	u = &unitOf{}
	assert.Equal(t, 3, a.sample(u, design{Base: 10, Detail: 200}, 45*tick, false, &base, &detail))
	assert.Equal(t, clock{left: 10, period: 100}, base)
	assert.Equal(t, clock{left: 2, period: 5}, detail)
	assert.Equal(t, tasksample.TierPromoted, u.tier)
	s := tasksample.NewStage[byte]()
	s.Add(u.unit, u.tier, u.cpu)
	for _, c := range s.Cells {
		assert.Equal(t, float64(3*(time.Second/210)), c.Weight)
		assert.Equal(t, 60e6, c.CPU)
	}
	// Selected from the start: 2, 7 … 57, and 10 by the base clock.
	u = &unitOf{}
	assert.Equal(t, 13, a.sample(u, design{Base: 10, Detail: 200}, 15*tick, true, &base, &detail))
	assert.Equal(t, tasksample.TierSelected, u.tier)
}

func TestSample(t *testing.T) {
	p := long(100, 400)
	tests := []struct {
		name    string
		d       design
		samples int // ± a sample a thread and clock
		tiers   map[tasksample.Tier]int
	}{
		{"base alone", design{Base: 20}, 800, map[tasksample.Tier]int{tasksample.TierBase: 100}},
		{"base and detail", design{Base: 10, Detail: 200, Fraction: 0.05, Least: 7}, 400 + 560, map[tasksample.Tier]int{tasksample.TierBase: 93, tasksample.TierSelected: 7}},
		{"tasks only", design{Detail: 200, Fraction: 0.1}, 800, map[tasksample.Tier]int{tasksample.TierNone: 90, tasksample.TierSelected: 10}},
		{"promoted at half, once ten have ended", design{Base: 10, Detail: 200, Tail: 0.5}, 400 + 3600, map[tasksample.Tier]int{tasksample.TierBase: 10, tasksample.TierPromoted: 90}},
		{"rates that change", design{Steps: []int{20, 10}}, 600, map[tasksample.Tier]int{tasksample.TierBase: 100}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tiers, cpu, units := map[tasksample.Tier]int{}, time.Duration(0), uint64(0)
			n := p.sample(source(1, 0), test.d, func(thread int, u *unitOf) {
				tiers[u.tier]++
				cpu += u.cpu
				if u.unit != nil {
					units += u.unit.Samples()
				}
				assert.Less(t, thread, threads)
			})
			assert.InDelta(t, test.samples, n, 4*threads)
			assert.Equal(t, uint64(n), units)
			assert.Equal(t, test.tiers, tiers)
			assert.Equal(t, 40*time.Second, cpu)
		})
	}
}

// All attempts of a partition are one unit, whatever threads they ran on.
func TestAttemptsOfAPartitionAreOneUnit(t *testing.T) {
	p := small()
	p.prepare()
	for i := range 20 {
		var got []time.Duration
		p.sample(source(2, i), design{Detail: 200, Fraction: 1}, func(_ int, u *unitOf) { got = append(got, u.cpu) })
		assert.ElementsMatch(t, []time.Duration{3 * time.Millisecond, 7 * time.Millisecond}, got)
	}
}

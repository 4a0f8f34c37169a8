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

func TestClockFiresOncePerPeriod(t *testing.T) {
	for phase := range 50 {
		c, fired := clock{left: phase, period: 50}, 0
		for i := range 500 {
			if c.tickOver() {
				fired++
				assert.Equal(t, phase, i%50)
			}
		}
		assert.Equal(t, 10, fired)
	}
	assert.False(t, (&clock{}).tickOver(), "a clock that is off")
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
		{"promoted at half", design{Base: 10, Detail: 200, Tail: 0.5}, 400 + 4000, map[tasksample.Tier]int{tasksample.TierPromoted: 100}},
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

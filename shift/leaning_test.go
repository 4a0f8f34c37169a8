package shift_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/shift"
)

// A host that is slower by half makes no two operators more expensive by quite the same factor: one
// waits for memory, another computes. That is no shift of those that it hits most, nor of those
// that it hit least once it is as quick again as it was before the baseline.
func TestSlowHostHitsOperatorsUnlike(t *testing.T) {
	leans := []float64{-0.25, -0.15, -0.1, 0, 0, 0.1, 0.2, 0.28}
	for name, slow := range map[string]func(run int) bool{
		"becomes slow":  func(n int) bool { return n >= 58 },
		"becomes quick": func(n int) bool { return n >= 8 && n < 58 },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(10) {
				l := newLeaning(t, seed, 1000) // at a strict level alarms would be rare anyway
				alarms := 0
				for n := range 64 {
					common := 0.
					if slow(n) {
						common = math.Log(1.5)
					}
					alarms += l.run(common, func(i int) float64 { return 1 + leans[i] }, 1)
				}
				assert.Zero(t, alarms, "seed %d", seed)
			}
		})
	}
}

// A query's second run was slower by as much as it takes. The query is held against the runs of its
// baseline, not against its first ones: later runs are no less certain for it.
func TestShiftAfterASlowRun(t *testing.T) {
	found := 0
	for seed := range uint64(20) {
		l := newLeaning(t, seed, 1)
		for n := range 15 {
			common := 0.
			if n == 1 {
				common = math.Log(2)
			}
			require.Zero(t, l.run(common, alike, 1), "seed %d", seed)
		}
		found += min(1, l.run(0, alike, 1.2)+l.run(0, alike, 1.2))
	}
	assert.GreaterOrEqual(t, found, 15)
}

// leaningFleet is a fleet of one query of eight operators.
type leaningFleet struct {
	t     *testing.T
	fleet *shift.Fleet
	rng   *rand.Rand
	runs  int
}

func newLeaning(t *testing.T, seed uint64, alarmsPerWeek float64) *leaningFleet {
	set := shift.DefaultSettings()
	set.MinimumCoreHours, set.AlarmsPerWeek = 0, alarmsPerWeek
	f, err := shift.NewFleet(set)
	require.NoError(t, err)
	return &leaningFleet{t: t, fleet: f, rng: rand.New(rand.NewPCG(seed, 1))}
}

func alike(int) float64 { return 1 }

// run adds a run that is more expensive by common (of the log) as a whole, times what operator i
// follows it by. Its third operator is more expensive by a factor besides. It returns the number of
// alarms.
func (l *leaningFleet) run(common float64, follows func(i int) float64, factor float64) (alarms int) {
	common += 0.03 * l.rng.NormFloat64()
	r := &shift.Run{ID: shift.RunID{Application: "a", Execution: int64(l.runs)}, Query: "q1", Plan: "p1", End: time.Date(2026, 5, 1+l.runs, 2, 0, 0, 0, time.UTC)}
	l.runs++
	for i := range 8 {
		cpu := 20 * math.Exp(common*follows(i)+0.015*l.rng.NormFloat64())
		if i == 2 {
			cpu *= factor
		}
		r.Operators = append(r.Operators, shift.Cost{Key: shift.Key{Operator: fmt.Sprintf("filter@%d", i)}, Name: "Filter", CPU: cpu, Samples: 20_000, Rows: 1e6})
		r.CPU += cpu
	}
	j, err := l.fleet.Add(r, r.End)
	require.NoError(l.t, err)
	for _, e := range j.Events {
		if e.Kind.Alarm() {
			alarms++
		}
	}
	return alarms
}

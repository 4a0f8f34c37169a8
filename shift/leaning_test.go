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

// A host that is slower by half makes no two operators dearer by quite the same factor: one waits for memory, another computes. That is no shift of those
// that it hits most.
func TestSlowHostHitsOperatorsUnlike(t *testing.T) {
	leans := []float64{-0.25, -0.15, -0.1, 0, 0, 0.1, 0.2, 0.28}
	for seed := range uint64(10) {
		set := shift.DefaultSettings()
		set.MinimumCoreHours = 0
		set.AlarmsPerWeek = 1000 // at a strict level alarms would be rare anyway
		f, err := shift.NewFleet(set)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(seed, 1))
		alarms := 0
		for n := range 36 {
			common := 0.03 * rng.NormFloat64()
			if n >= 30 {
				common += math.Log(1.5)
			}
			r := &shift.Run{ID: shift.RunID{Application: "a", Execution: int64(n)}, Query: "q1", Plan: "p1", End: time.Date(2026, 5, 1+n, 2, 0, 0, 0, time.UTC)}
			for i, lean := range leans {
				cpu := 20 * math.Exp(common*(1+lean)+0.015*rng.NormFloat64())
				r.Operators = append(r.Operators, shift.Cost{Key: shift.Key{Operator: fmt.Sprintf("filter@%d", i)}, Name: "Filter", CPU: cpu, Samples: 20_000, Rows: 1e6})
				r.CPU += cpu
			}
			j, err := f.Add(r, r.End)
			require.NoError(t, err)
			for _, e := range j.Events {
				if e.Kind.Alarm() {
					alarms++
				}
			}
		}
		assert.Zero(t, alarms, "seed %d", seed)
	}
}

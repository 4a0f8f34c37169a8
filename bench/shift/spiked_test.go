package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/planflame/planflame/shift"
)

// The operator is more expensive with the same relative error, and the run by as much. The run that
// it was made of is unchanged.
func TestSpike(t *testing.T) {
	key := shift.Key{Stage: "s2", Operator: "filter@3"}
	r := &sparkRun{TaskCPU: 31, Run: &shift.Run{CPU: 30, Operators: []shift.Cost{
		{Key: key, CPU: 5, Variance: 0.25, Samples: 700}, {Key: shift.Key{Stage: "s1", Operator: "filter@3"}, CPU: 7, Variance: 0.5, Samples: 900},
	}}}
	s := spike(r, key, 20)
	assert.InDelta(t, 31, s.Run.CPU, 1e-12)
	assert.InDelta(t, 32, s.TaskCPU, 1e-12)
	assert.InDelta(t, 6, s.Run.Operators[0].CPU, 1e-12)
	assert.InDelta(t, 0.36, s.Run.Operators[0].Variance, 1e-12)
	assert.Equal(t, r.Run.Operators[1], s.Run.Operators[1])
	assert.Equal(t, 5., r.Run.Operators[0].CPU)
	assert.Equal(t, 30., r.Run.CPU)
}

func TestDear(t *testing.T) {
	cost := func(stage, operator string, cpu float64) shift.Cost {
		return shift.Cost{Key: shift.Key{Stage: stage, Operator: operator}, CPU: cpu}
	}
	runs := []*sparkRun{
		{Run: &shift.Run{CPU: 100, Operators: []shift.Cost{cost("s1", "scan@7", 30), cost("s1", "filter@5", 15), cost("s2", "filter@5", 9)}}},
		{Run: &shift.Run{CPU: 100, Operators: []shift.Cost{cost("s1", "scan@7", 50), cost("s1", "filter@5", 7), cost("s2", "filter@5", 9)}}},
	}
	assert.Equal(t, []shift.Key{{Stage: "s1", Operator: "filter@5"}, {Stage: "s1", Operator: "scan@7"}}, dear(runs))
}

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/bench/internal/session"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

func TestSharesAreOfOperators(t *testing.T) {
	got, cpu := shares(map[string]session.Operator{"scan@1": {CPU: 300 * time.Millisecond}, "join@2": {CPU: 100 * time.Millisecond}, "[gc]": {CPU: time.Second}})
	assert.Equal(t, map[string]float64{"scan@1": 0.75, "join@2": 0.25}, got)
	assert.Equal(t, 400*time.Millisecond, cpu)
}

func TestShareError(t *testing.T) {
	truth := map[string]float64{"a": 0.6, "b": 0.36, "c": 0.04}
	assert.InDelta(t, 100*(0.03+0.36)/2, shareError(truth, map[string]float64{"a": 0.63, "c": 0.37}), 1e-9, "one that was not seen counts, a small one does not")
	assert.Zero(t, shareError(nil, truth))
}

// The truth is the mean of its sessions, which differ from it too.
func TestErrorsOfRepeatedDesigns(t *testing.T) {
	of := func(a float64) liveStage {
		return liveStage{Stage: "s", Shares: map[string]float64{"a": a, "b": 1 - a}}
	}
	l := live{Designs: make([]liveDesign, len(liveDesigns))}
	l.Designs[liveTruth].Stages = []liveStage{of(0.4), of(0.5), {Stage: "other", Shares: map[string]float64{"a": 1}}}
	l.Designs[liveTiers].Stages = []liveStage{of(0.55)}
	l.compare()
	assert.InDelta(t, 5, l.Designs[liveTruth].Stages[0].Error, 1e-9)
	assert.Zero(t, l.Designs[liveTruth].Stages[2].Error)
	assert.InDelta(t, 10, l.Designs[liveTiers].Stages[0].Error, 1e-9)
}

func TestCostOfTiers(t *testing.T) {
	l := live{Designs: make([]liveDesign, len(liveDesigns))}
	require.NoError(t, l.figures(map[string]float64{}), "neither was chosen")
	l.Designs[liveAll200].Stages, l.Designs[liveTiers].Stages = []liveStage{{}}, []liveStage{{}}
	require.ErrorContains(t, l.figures(map[string]float64{}), "no sample")
	l.Designs[liveAll200].Stages = []liveStage{{Samples: 900, Bytes: 70}, {Samples: 100, Bytes: 30}}
	l.Designs[liveTiers].Stages = []liveStage{{Samples: 70, Switches: 20, Bytes: 11, Error: 3}, {Samples: 8, Switches: 2, Bytes: 2, Error: 5}}
	to := map[string]float64{}
	require.NoError(t, l.figures(to))
	assert.Equal(t, map[string]float64{"variable_cost_ratio": 0.1, "exported_bytes_ratio": 0.13, "live_base_detail_error_mean": 4, "live_base_detail_error_worst": 5}, to)
}

func TestLiveCounter(t *testing.T) {
	var s liveStage
	c := liveCounter{&s}
	for _, e := range []jvmlog.TaskEvent{
		{Kind: jvmlog.TaskStart}, {Kind: jvmlog.TaskStart, Flags: jvmlog.TaskSelected | jvmlog.TaskDetail}, {Kind: jvmlog.TaskEnd, Flags: jvmlog.TaskDetail},
		{Kind: jvmlog.TaskStart, Flags: jvmlog.TaskSelected}, {Kind: jvmlog.TaskClocks, Flags: jvmlog.TaskDetail}, {Kind: jvmlog.TaskClocks},
	} {
		c.TaskEvent(1, e)
	}
	c.Sample(1, sampler.Sample{})
	assert.Equal(t, liveStage{Tasks: 3, Switches: 2, Samples: 1}, s)
}

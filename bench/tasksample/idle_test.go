package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestIdleFigures(t *testing.T) {
	d := idle{Stages: []idleStage{
		{Stage: "even", Plain: []float64{0.10, 0.12, 0.11}, Again: []float64{0.11, 0.11, 0.11}, Tiers: []float64{0.10, 0.13, 0.11}},
		{Stage: "less idle", Plain: []float64{0.30, 0.20, 0.25, 0.25}, Again: []float64{0.28, 0.21, 0.25, 0.26}, Tiers: []float64{0.20, 0.18, 0.20, 0.26}},
	}}
	for i := range d.Stages {
		d.Stages[i].compare()
	}
	got := map[string]float64{}
	d.figures(got)
	want := map[string]float64{
		"idle_share_difference": -0.035, "idle_share_difference_low": -0.10, "idle_share_difference_high": 0.01,
		"idle_share_null_low": -0.02, "idle_share_null_high": 0.01,
	}
	assert.InDeltaMapValues(t, want, got, 1e-9)
	assert.Len(t, got, len(want))
	assert.Equal(t, middle{}, middleOf(nil))
}

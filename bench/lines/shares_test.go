package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestShareOut(t *testing.T) {
	got := shareOut([]nodeCPU{
		{"q1", "scan@a", 60 * time.Second}, {"q1", "[codegen]", 10 * time.Second}, {"q1", "[unknown]", 2 * time.Second},
		{"q2", "filter@b", 20 * time.Second}, {"q2", "[codegen]", 5 * time.Second}, {"q2", "[pending]", 3 * time.Second},
	}, 97*time.Second)
	assert.Equal(t, shares{TaskSeconds: 100, SparkCPU: 97, Node: 0.8, Named: 0.95, Buckets: map[string]float64{"codegen": 0.15, "unknown": 0.02, "pending": 0.03},
		Worst: []statementShare{{"q2", 20.0 / 28, 28}, {"q1", 60.0 / 72, 72}}}, got)
}

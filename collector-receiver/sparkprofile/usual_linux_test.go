package sparkprofile

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
)

// scanned is an execution of n scans of ten million rows; each costs so much, by 100 samples.
func scanned(n int, cpu time.Duration) *window.ExecutionCost {
	x := &window.ExecutionCost{Labels: pipeline.Labels{Query: "q1-abc"}}
	for i := range n {
		x.Operators = append(x.Operators, window.OperatorCost{StagePlace: "result", Operator: fmt.Sprint("scan@", i), OperatorName: "Scan t", Role: "scan", CPU: cpu, Samples: 100,
			Rows: 1e7, RowsKnown: true, RowsOut: 1e6, Tasks: 10, Node: &attribution.Node{Text: "FileScan", Counts: []attribution.Count{{Name: "width", N: 3}}}})
	}
	return x
}

// What is usual is told when the speed of the host is known, and follows it: on a host where all
// costs twice as much, so does what is usual.
func TestUsualCosts(t *testing.T) {
	c := newCosts(defaultConfig(), newTestShape())
	assert.Equal(t, make([]*costmetrics.UsualCPU, 4), c.usualOf(scanned(4, time.Second)), "four operators tell no speed")
	usual := c.usualOf(scanned(6, time.Second))
	require.NotNil(t, usual[5])
	assert.InDelta(t, 1, usual[5].CPU, 1e-9)
	assert.Less(t, usual[5].Low, 1.0)
	assert.Greater(t, usual[5].High, 1.0)
	// One that costs ten times as much stands out.
	x := scanned(6, time.Second)
	x.Operators[2].CPU = 10 * time.Second
	usual = c.usualOf(x)
	assert.InDelta(t, 1, usual[2].CPU, 1e-9)

	slow := newCosts(defaultConfig(), newTestShape())
	assert.InDelta(t, 2, slow.usualOf(scanned(6, 2*time.Second))[0].CPU, 1e-9)
}

// A join into a larger table usually costs more.
func TestUsualCostOfALargeBuild(t *testing.T) {
	x := &window.ExecutionCost{Operators: []window.OperatorCost{{StagePlace: "result", Operator: "join@1", OperatorName: "BroadcastHashJoin a", Role: "join", Rows: 1e7, RowsKnown: true, Tasks: 10, Node: &attribution.Node{}}}}
	c := newCosts(defaultConfig(), newTestShape())
	c.usualOf(scanned(6, time.Second))
	small := c.usualOf(x)[0].CPU
	x.Operators[0].Build = 1e6
	assert.Greater(t, c.usualOf(x)[0].CPU, small)
}

// Without rows, of an old agent, of Python workers, and of stages without a sample nothing is
// usual. Without a sample of the operator it is: other executors may have one.
func TestUsualCostsOfSomeOperators(t *testing.T) {
	x := scanned(12, time.Second)
	x.Operators[1].RowsKnown = false
	x.Operators[2].Rows = 0
	x.Operators[3].Node = nil
	x.Operators[4].Python = time.Millisecond
	x.Operators[5].CPU, x.Operators[5].Samples = 0, 0
	x.Operators[6].Unseen = x.Operators[6].Rows
	usual := newCosts(defaultConfig(), newTestShape()).usualOf(x)
	for i, u := range usual {
		assert.Equal(t, i < 1 || i == 5 || i > 6, u != nil, "operator %d", i)
	}
	assert.InDelta(t, 1, usual[5].CPU, 1e-9)
}

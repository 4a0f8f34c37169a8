package columns

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// grown is the small recording with the CPU of an operator's samples multiplied.
func grown(operator string, by float64) *Model {
	m := small()
	for i := range m.Labels {
		l := &m.Labels[i]
		if l.Operator >= 0 && m.Operators[l.Operator].Operator == operator {
			l.Factor *= by
			l.CPUNanos *= by
		}
	}
	return m
}

func TestDiffOfTheSameRun(t *testing.T) {
	d := Compare(small(), small(), "a", "b", Selection{})
	require.Len(t, d.Queries, 1)
	q := d.Queries[0]
	require.Equal(t, Same, q.Verdict)
	require.False(t, q.PlanChanged)
	require.InDelta(t, q.A, q.B, 1e-12)
	require.Len(t, q.Operators, 2)
	for _, o := range q.Operators {
		require.Equal(t, Same, o.Verdict)
		require.Zero(t, o.Difference)
		require.Less(t, o.CI95[0], 0.0)
		require.InDelta(t, 1, *o.Ratio, 1e-9)
	}
	require.Zero(t, d.Grown())
}

// Three samples of ten milliseconds leave 56 ms open by some 30: ten times as much is told, a tenth
// more is not.
func TestDiffTellsWhatGrew(t *testing.T) {
	d := Compare(small(), grown("scan@3", 10), "a", "b", Selection{})
	o := d.Queries[0].Operators[0]
	require.Equal(t, "scan@3", o.Operator)
	require.Equal(t, Changed, o.Verdict)
	require.InDelta(t, 9*0.030*142/76, o.Difference, 1e-6)
	require.InDelta(t, 9, d.Grown(), 1e-6)
	require.Equal(t, Same, Compare(small(), grown("scan@3", 1.1), "a", "b", Selection{}).Queries[0].Operators[0].Verdict)
}

// An operator that the plan of one recording has and the plan of the other has not is new there,
// and gone the other way around. One that only no sample shows is neither.
func TestDiffOfPlans(t *testing.T) {
	without := small()
	for i := range without.Plans[0].Nodes {
		if without.Plans[0].Nodes[i].Operator == "scan@3" {
			without.Plans[0].Nodes[i].Operator = "scan@4"
		}
	}
	other := *without
	other.Operators = append([]Operator{}, without.Operators...)
	for i := range other.Operators {
		if other.Operators[i].Operator == "scan@3" {
			other.Operators[i].Operator = "scan@4"
		}
	}
	verdicts := func(d *Diff) map[string]string {
		out := map[string]string{}
		require.Len(t, d.Queries, 1)
		require.True(t, d.Queries[0].PlanChanged)
		for _, o := range d.Queries[0].Operators {
			out[o.Operator] = o.Verdict
		}
		return out
	}
	require.Equal(t, map[string]string{"aggregate@1": Same, "scan@3": Gone, "scan@4": New}, verdicts(Compare(small(), &other, "a", "b", Selection{})))
	require.Equal(t, map[string]string{"aggregate@1": Same, "scan@3": New, "scan@4": Gone}, verdicts(Compare(&other, small(), "a", "b", Selection{})))

	unseen := small()
	for i := range unseen.Labels {
		if op := unseen.Labels[i].Operator; op >= 0 && unseen.Operators[op].Operator == "scan@3" {
			unseen.Labels[i].Operator = 0
		}
	}
	d := Compare(small(), unseen, "a", "b", Selection{})
	require.False(t, d.Queries[0].PlanChanged)
	for _, o := range d.Queries[0].Operators {
		require.NotEqual(t, Gone, o.Verdict)
	}
}

// If sampling leaves nothing open, the spread of recordings does. However alike the runs are, 30 %
// more is told of an operator and not of an exchange. Three times as much is told of both.
func TestDiffKnowsTheSpreadOfRecordings(t *testing.T) {
	verdict := func(a, b, exchanged float64) string {
		runs := func(cpu float64) *side {
			return &side{there: true, cpu: cpu, exchanged: exchanged * cpu, byRun: []float64{cpu, cpu, cpu, cpu}}
		}
		_, _, _, verdict := judge(runs(a), runs(b))
		return verdict
	}
	require.Equal(t, Changed, verdict(1, 1.3, 0))
	require.Equal(t, Same, verdict(1, 1.2, 0))
	require.Equal(t, Same, verdict(1, 1.3, 1))
	require.Equal(t, Same, verdict(1, 2, 1))
	require.Equal(t, Changed, verdict(1, 3, 1))
	require.Equal(t, Same, verdict(1, 1.3, 0.5), "a query, half of it exchanges")

	m := small()
	for i := range m.Operators {
		if m.Operators[i].Operator == "scan@3" {
			m.Operators[i].Role = exchangeRole
		}
	}
	sides := m.sides(Selection{})
	scan := sides.by[diffKey{query: "q1-a", operator: "scan@3"}]
	require.Positive(t, scan.cpu)
	require.InDelta(t, scan.cpu, scan.exchanged, 1e-12)
	require.Zero(t, sides.by[diffKey{query: "q1-a", operator: "aggregate@1"}].exchanged)
	require.InDelta(t, scan.cpu, sides.queries["q1-a"].exchanged, 1e-12)
}

// A run that was not drawn has no operators: what one run costs is a mean of the others.
func TestDiffLeavesOutRunsThatWereNotDrawn(t *testing.T) {
	some := smallWith(func(b *Builder) {
		task := taskOf(43, 13, 110*ms, 160*ms)
		task.Execution, task.LeftOut = task.Execution+1, true
		labels := labelsOf(task)
		labels.Execution = task.Execution
		b.Task(pipeline.TaskCPU{Labels: labels, Of: *task, CPU: 50 * ms, KernelSampled: true, Tier: tasksample.TierBase})
	})
	require.Equal(t, 2, some.Report(Selection{}).Queries[0].Runs)
	q := Compare(small(), some, "a", "b", Selection{}).Queries[0]
	require.Equal(t, [2]int{1, 1}, [2]int{q.RunsA, q.RunsB})
	require.InDelta(t, q.A, q.B, 1e-9)
}

// By hand: the first run costs twice as much on both sides. The differences of 0.4 have no spread,
// so three runs tell what is not told where one side has a run less.
func TestDiffHoldsRunsAgainstTheirOwn(t *testing.T) {
	before := &side{there: true, cpu: 4.0 / 3, byRun: []float64{2, 1, 1}}
	after := &side{there: true, cpu: 4.0/3 + 0.4, byRun: []float64{2.4, 1.4, 1.4}}
	_, ci, _, verdict := judge(before, after)
	require.Equal(t, Changed, verdict)
	half := z * math.Sqrt(square(0.07*4/3)+square(0.07*(4.0/3+0.4)))
	require.InDeltaSlice(t, []float64{0.4 - half, 0.4 + half}, ci[:], 1e-9)
	after.byRun = after.byRun[:2]
	_, _, _, verdict = judge(before, after)
	require.Equal(t, Same, verdict)
}

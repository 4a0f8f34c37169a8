package columns

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/costmodel"
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
		return judge(runs(a), runs(b), costmodel.Common{}).Verdict
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
		labels.Execution, labels.Stage, task.Stage = task.Execution, labels.Stage+1, task.Stage+1
		b.Task(pipeline.TaskCPU{Labels: labels, Of: *task, CPU: 50 * ms, KernelSampled: true, Tier: tasksample.TierBase})
	})
	require.Equal(t, 2, some.Report(Selection{}).Queries[0].Runs)
	require.Equal(t, small().Work, some.Work, "rows of a run whose CPU no operator has")
	q := Compare(small(), some, "a", "b", Selection{}).Queries[0]
	require.Equal(t, [2]int{1, 1}, [2]int{q.RunsA, q.RunsB})
	require.InDelta(t, q.A, q.B, 1e-9)
}

// By hand: the first run costs twice as much on both sides. The ratio of 1.3 has no spread, so
// three runs tell what is not told if one side has a run less.
func TestDiffHoldsRunsAgainstTheirOwn(t *testing.T) {
	before := &side{there: true, cpu: 4.0 / 3, byRun: []float64{2, 1, 1}}
	after := &side{there: true, cpu: 1.3 * 4 / 3, byRun: []float64{2.6, 1.3, 1.3}}
	got := judge(before, after, costmodel.Common{})
	require.Equal(t, Changed, got.Verdict)
	half := z * 0.07 * 4 / 3 * math.Sqrt(1+square(1.3))
	require.InDeltaSlice(t, []float64{0.4 - half, 0.4 + half}, got.CI95[:], 1e-9)
	after.byRun = after.byRun[:2]
	require.Equal(t, Same, judge(before, after, costmodel.Common{}).Verdict)
}

// B costs half as much again, of each row of each operator alike: none of them changed. One that
// costs 30 % more beyond that did.
func TestDiffTakesOutTheWholeRun(t *testing.T) {
	build := func(by func(i int) float64) (*sides, []diffKey) {
		out := &sides{m: &Model{Head: Head{Meta: Meta{Hz: 1e6}}}, by: map[diffKey]*side{}, queries: map[string]*querySide{"q": {runs: 1}}}
		for i := range 6 {
			key := diffKey{query: "q", operator: string(rune('a' + i))}
			out.order = append(out.order, key)
			cpu := float64(i+1) * by(i)
			out.by[key] = &side{there: true, valid: true, rowsKnown: true, rows: 100, cpu: cpu, byRun: []float64{cpu}}
		}
		return out, out.order
	}
	a, keys := build(func(int) float64 { return 1 })
	b, _ := build(func(i int) float64 {
		if i == 3 {
			return 1.5 * 1.3
		}
		return 1.5
	})
	common := commonOf(keys, a, b)
	require.InDelta(t, math.Log(1.5), common.Log, 0.01)
	for i, key := range keys {
		got := judge(a.by[key], b.by[key], common)
		require.Equal(t, map[bool]string{true: Changed, false: Same}[i == 3], got.Verdict, i)
		require.InDelta(t, 0.5*float64(i+1), got.Whole, 0.05*float64(i+1))
		require.InDelta(t, b.by[key].cpu-a.by[key].cpu, got.Difference, 1e-12)
	}
	require.Zero(t, commonOf(keys[:4], a, b).Log, "too few operators")
	require.InDelta(t, 0.5, (&Diff{WholeRun: WholeRun{1.5, [2]float64{1.2, 1.8}}}).Grown(), 1e-12)
	require.Zero(t, (&Diff{WholeRun: WholeRun{1.5, [2]float64{0.9, 2.1}}}).Grown())
}

// The first of three runs is left out, on both sides or on none.
func TestDiffLeavesOutTheRunThatCompiles(t *testing.T) {
	build := func(byRun ...float64) *sides {
		mean := 0.0
		for _, cpu := range byRun {
			mean += cpu / float64(len(byRun))
		}
		one := side{there: true, cpu: mean, exchanged: mean / 2, perRow: 8, variance: 6, byRun: byRun}
		key := diffKey{query: "q", operator: "scan"}
		return &sides{by: map[diffKey]*side{key: &one}, order: []diffKey{key}, queries: map[string]*querySide{"q": {side: one, runs: len(byRun)}}}
	}
	a, b := build(7, 1, 4), build(9, 2, 3)
	warm(a, b)
	got := a.by[a.order[0]]
	require.Equal(t, []float64{1, 4}, got.byRun)
	require.InDelta(t, 2.5, got.cpu, 1e-12)
	require.InDelta(t, 1.25, got.exchanged, 1e-12)
	require.InDelta(t, 8*2.5/4, got.perRow, 1e-12)
	require.InDelta(t, 9, got.variance, 1e-12)
	require.InDelta(t, 2.5, a.queries["q"].cpu, 1e-12)
	a, b = build(7, 1, 4), build(9, 2)
	warm(a, b)
	require.Len(t, a.by[a.order[0]].byRun, 3)
}

// What two runs leave open is widened by Student's quantile of one degree of freedom.
func TestDiffWidensForFewRuns(t *testing.T) {
	got := within(&side{cpu: 5, byRun: []float64{5, 5}}, &side{cpu: 6, byRun: []float64{5, 7}}, 1)
	require.InDelta(t, square(12.706/z), got, 1e-9)
}

// A run that failed did a part of the work, so it is none of those that are compared.
func TestDiffLeavesOutFailedRuns(t *testing.T) {
	d := Compare(ranAs(ended{cpu: 50 * ms}), ranAs(ended{20 * ms, true}, ended{cpu: 50 * ms}), "a", "b", Selection{})
	q := d.Queries[0]
	require.Equal(t, [4]int{1, 1, 0, 1}, [4]int{q.RunsA, q.RunsB, q.FailedA, q.FailedB})
	require.Equal(t, Same, q.Verdict)
	require.InDelta(t, 0.050, q.B, 1e-6)
	require.InDelta(t, 0.050, q.Operators[0].B, 1e-6)

	lost := ranAs(ended{20 * ms, true})
	require.Equal(t, 1, lost.Report(Selection{}).Queries[0].FailedRuns)
	for _, d := range []*Diff{Compare(ranAs(ended{cpu: 50 * ms}), lost, "a", "b", Selection{}), Compare(lost, ranAs(ended{cpu: 50 * ms}), "b", "a", Selection{Query: "nightly"})} {
		require.Len(t, d.Queries, 1)
		q = d.Queries[0]
		require.Equal(t, QueryDiff{
			Query: "q1-a", Name: "nightly", RunsA: 1 - q.FailedA, RunsB: 1 - q.FailedB, FailedA: q.FailedA, FailedB: 1 - q.FailedA, A: q.A, B: q.B, Judgment: Judgment{Verdict: Lost}, Operators: []OperatorDiff{},
		}, q)
		require.InDelta(t, 0.050, q.A+q.B, 1e-6)
		require.Zero(t, d.Grown())
	}
}

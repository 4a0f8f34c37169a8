package costmetrics

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// Window is the time that what is told stands for. Its end, with the JVM, names what one JVM told
// at once: no two windows of a JVM end together.
type Window struct{ Start, End time.Time }

// StageSums are what the units of a stage tell that finished in a window.
type StageSums struct {
	Execution   tasksample.ExecutionID // NoExecution outside of SQL
	Stage       tasksample.StageID
	Probability float64 // π of the run
	// Query, Name and Place are the stage's: where CPU belongs of which no sample says anything.
	Query, Name, Place string
	Statistics         *tasksample.Stage[semconv.Operator]
}

// Entries is how many cells and keys the sums have: what bounds of memory and of series count.
func Entries(s *tasksample.Stage[semconv.Operator]) (n int) {
	for _, c := range s.Cells {
		n += 1 + len(c.Keys)
	}
	return n
}

// Unkeyed are the statistics as if no clock had run: for all of its units their CPU alone is known.
// It is what is left of a stage for which there is no room: other units of the stage, elsewhere or
// in other windows, speak for these. At most 128 cells.
func Unkeyed(s *tasksample.Stage[semconv.Operator]) *tasksample.Stage[semconv.Operator] {
	out := tasksample.NewStage[semconv.Operator]()
	out.Fragments, out.FragmentsCPU = s.Fragments, s.FragmentsCPU
	for id, c := range s.Cells {
		only := tasksample.NewStage[semconv.Operator]()
		only.Cells[tasksample.Cell{Class: id.Class, Tier: tasksample.TierNone}] = &tasksample.Sums[semconv.Operator]{Units: c.Units, CPU: c.CPU}
		out.Merge(only)
	}
	return out
}

// TellStage adds a stage's sums to what a JVM tells of a window: a scope of its own, with the
// stage's attributes, so that the points need not have them.
func TellStage(rm pmetric.ResourceMetrics, scope Scope, w Window, s *StageSums) {
	set := NewSet(rm, scope)
	a := set.to.Scope().Attributes()
	if s.Execution != tasksample.NoExecution {
		a.PutInt(semconv.ExecutionID, int64(s.Execution))
	}
	a.PutInt(semconv.StageID, int64(s.Stage))
	a.PutDouble(semconv.ExecutionProbability, s.Probability)
	putText(a, semconv.QueryFingerprint, s.Query)
	putText(a, semconv.QueryName, s.Name)
	putText(a, semconv.StagePlace, s.Place)
	tell(set, w, stageFields, s.Statistics, func(pcommon.Map) {})
	cells := slices.SortedFunc(maps.Keys(s.Statistics.Cells), func(a, b tasksample.Cell) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Tier, b.Tier))
	})
	for _, id := range cells {
		c := s.Statistics.Cells[id]
		of := func(a pcommon.Map) {
			a.PutInt(semconv.SamplingClass, int64(id.Class))
			a.PutStr(semconv.SamplingTier, tierNames[id.Tier])
		}
		tell(set, w, cellFields, c, of)
		for _, key := range slices.SortedFunc(maps.Keys(c.Keys), compareKeys) {
			tell(set, w, keyFields, c.Keys[key], func(a pcommon.Map) {
				of(a)
				putKey(a, key, s)
			})
		}
	}
}

// putKey adds the attributes of a key; query and place only where they are not the stage's.
func putKey(a pcommon.Map, k semconv.Operator, s *StageSums) {
	if k.Query != s.Query {
		a.PutStr(semconv.QueryFingerprint, k.Query)
	}
	if k.Place != s.Place {
		a.PutStr(semconv.StagePlace, k.Place)
	}
	putText(a, semconv.OperatorID, k.ID)
	putText(a, semconv.OperatorName, k.Name)
	putText(a, semconv.OperatorRole, k.Role)
	putText(a, semconv.CPUBucket, k.Bucket)
}

// tell adds a point for each sum that is not 0.
func tell[S any](m *Set, w Window, fields []field[S], s *S, attributes func(pcommon.Map)) {
	for _, f := range fields {
		n, x := f.at(s)
		if n != nil && *n == 0 || x != nil && *x == 0 {
			continue
		}
		dp := m.delta(f.name, f.unit, f.text, w)
		attributes(dp.Attributes())
		if n != nil {
			dp.SetIntValue(int64(*n))
		} else {
			dp.SetDoubleValue(*x)
		}
	}
}

// delta is a new point of a sum of a window.
func (m *Set) delta(name, unit, text string, w Window) pmetric.NumberDataPoint {
	dp := m.sum(name, unit, text, pmetric.AggregationTemporalityDelta)
	dp.SetStartTimestamp(pcommon.NewTimestampFromTime(w.Start))
	dp.SetTimestamp(pcommon.NewTimestampFromTime(w.End))
	return dp
}

// PartRows are the rows that an operator took in, on one executor.
type PartRows struct {
	Place, Operator, Name string
	Rows                  uint64
	Known                 bool // of all tasks that ended well
}

// PartPython is what Python workers used for an operator, on one executor.
type PartPython struct {
	Place, Operator, Name string
	CPU                   time.Duration
}

// End is what a JVM tells of an execution that is over for it.
type End struct {
	Total
	Rows   []PartRows
	Python []PartPython
}

// TellEnd adds that an execution is over for a JVM. Rows that are not known are points without a
// recorded value.
func TellEnd(rm pmetric.ResourceMetrics, scope Scope, w Window, x *End) {
	set := NewSet(rm, scope)
	a := set.to.Scope().Attributes()
	a.PutInt(semconv.ExecutionID, x.ID)
	a.PutInt(semconv.ExecutionEnd, x.End.UnixNano())
	putText(a, semconv.QueryFingerprint, x.Query)
	putText(a, semconv.QueryName, x.Name)
	putText(a, semconv.QueryPlan, x.Plan)
	for _, flag := range []struct {
		key       string
		is, value bool
	}{{semconv.ExecutionEnded, x.Left, false}, {semconv.ExecutionSampled, x.LeftOut, false}, {semconv.ExecutionFailed, x.Failed, true}} {
		if flag.is {
			a.PutBool(flag.key, flag.value)
		}
	}
	set.delta(semconv.MetricPartCPU, "s", textExecutionCPU, w).SetDoubleValue(x.CPU.Seconds())
	for _, r := range x.Rows {
		dp := set.delta(semconv.MetricPartRows, "{row}", "Rows that the operator took in on this executor; a scan, that it gave", w)
		putOperator(dp.Attributes(), r.Place, r.Operator, r.Name)
		if r.Known {
			dp.SetIntValue(int64(r.Rows))
		} else {
			dp.SetFlags(dp.Flags().WithNoRecordedValue(true))
		}
	}
	for _, p := range x.Python {
		dp := set.delta(semconv.MetricPartPythonCPU, "s", "CPU of Python workers for the operator on this executor", w)
		putOperator(dp.Attributes(), p.Place, p.Operator, p.Name)
		dp.SetDoubleValue(p.CPU.Seconds())
	}
}

func putOperator(a pcommon.Map, place, operator, name string) {
	a.PutStr(semconv.StagePlace, place)
	a.PutStr(semconv.OperatorID, operator)
	putText(a, semconv.OperatorName, name)
}

func compareKeys(a, b semconv.Operator) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.Role, b.Role), cmp.Compare(a.Query, b.Query))
}

func putText(a pcommon.Map, key, value string) {
	if value != "" {
		a.PutStr(key, value)
	}
}

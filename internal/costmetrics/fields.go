package costmetrics

import (
	"math"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// field is one of the additive statistics of a cell, or of a key in a cell: a metric each. One of
// the two is what at returns.
type field[S any] struct {
	name, unit, text string
	at               func(*S) (*uint64, *float64)
}

// most is the largest value that makes sense: 292 years, or their square.
func (f field[S]) most() float64 {
	if f.unit == "ns2" {
		return math.MaxInt64 * math.MaxInt64
	}
	return math.MaxInt64
}

func counted[S any](name, unit, text string, at func(*S) *uint64) field[S] {
	return field[S]{name, unit, text, func(s *S) (*uint64, *float64) { return at(s), nil }}
}

func measured[S any](name, unit, text string, at func(*S) *float64) field[S] {
	return field[S]{name, unit, text, func(s *S) (*uint64, *float64) { return nil, at(s) }}
}

type (
	cellSums  = tasksample.Sums[semconv.Operator]
	keySums   = tasksample.KeySums
	stageSums = tasksample.Stage[semconv.Operator]
)

// cellFields are the sums of a cell: of all units of a class and tier.
// docs/how-it-works/estimation.md has their symbols.
var cellFields = []field[cellSums]{
	counted(semconv.MetricStageUnits, "{unit}", "Finished units", func(s *cellSums) *uint64 { return &s.Units }),
	measured(semconv.MetricStageCPU, "ns", "ΣT: CPU of the units by their threads' own clocks", func(s *cellSums) *float64 { return &s.CPU }),
	counted(semconv.MetricStageSamples, "{sample}", "Samples", func(s *cellSums) *uint64 { return &s.Samples }),
	measured(semconv.MetricStageWeight, "ns", "ΣW: weights of the samples", func(s *cellSums) *float64 { return &s.Weight }),
	measured(semconv.MetricStageUnitSquares, "ns2", "ΣW² over units", func(s *cellSums) *float64 { return &s.WeightUnits }),
	measured(semconv.MetricStageSampleSquares, "ns2", "Σw² over samples", func(s *cellSums) *float64 { return &s.Squares }),
	measured(semconv.MetricStageFirstSquares, "ns2", "Σw² over the first sample of each attempt", func(s *cellSums) *float64 { return &s.First }),
}

// keyFields are the sums of a key in a cell.
var keyFields = []field[keySums]{
	counted(semconv.MetricStageKeySamples, "{sample}", "Samples of the key", func(s *keySums) *uint64 { return &s.Samples }),
	measured(semconv.MetricStageKeyWeight, "ns", "ΣWk: weights of the key's samples", func(s *keySums) *float64 { return &s.Weight }),
	measured(semconv.MetricStageKeyChanges, "ns2", "Weighted changes between neighbouring samples", func(s *keySums) *float64 { return &s.Changes }),
	measured(semconv.MetricStageKeySquares, "ns2", "ΣWk² over units", func(s *keySums) *float64 { return &s.Square }),
	measured(semconv.MetricStageKeyProducts, "ns2", "ΣWk·W over units", func(s *keySums) *float64 { return &s.Cross }),
}

// stageFields are the sums of a stage apart from its cells.
var stageFields = []field[stageSums]{
	counted(semconv.MetricStageFragments, "{attempt}", "Attempts that could not be joined with their partition's others", func(s *stageSums) *uint64 { return &s.Fragments }),
	measured(semconv.MetricStageFragmentCPU, "ns", "Their CPU", func(s *stageSums) *float64 { return &s.FragmentsCPU }),
}

// tiers are the values of the attribute spark.task.sampling.tier.
var tiers = map[string]tasksample.Tier{
	"none": tasksample.TierNone, "base": tasksample.TierBase, "selected": tasksample.TierSelected, "promoted": tasksample.TierPromoted,
}

// tierNames are the tiers' names. :: tier → name
var tierNames = func() map[tasksample.Tier]string {
	out := map[tasksample.Tier]string{}
	for name, t := range tiers {
		out[t] = name
	}
	return out
}()

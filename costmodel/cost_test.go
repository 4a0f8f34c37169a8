package costmodel

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// world draws operators of queries: scans of 20 ns a row, filters of 5 ns, and with LIKE 12 times
// as much, and sorts of 200 ns. Costs scatter by 10 % around that, counts of samples by Poisson's.
func world(queries int, speed float64, host string) (out []Operator) {
	draw := rand.New(rand.NewPCG(5, uint64(queries)))
	for q := range queries {
		for _, kind := range []string{"scan", "filter", "sort"} {
			o := Operator{Kind: kind + " X", Role: kind, Rows: math.Floor(math.Exp(8 + 7*draw.Float64())), Sample: 0.002, Group: fmt.Sprint(host, q), Host: host}
			o.Features = map[string]float64{"like": float64(draw.IntN(2))}
			mean := truth(&o) / speed * math.Exp(0.1*draw.NormFloat64()) * o.Rows / o.Sample
			o.Samples = distuv.Poisson{Lambda: mean, Src: draw}.Rand()
			out = append(out, o)
		}
	}
	return out
}

// truth is the CPU per row of an operator of world.
func truth(o *Operator) float64 {
	k := map[string]float64{"scan": 20e-9, "filter": 5e-9, "sort": 200e-9}[o.Role]
	if o.Role == "filter" && o.Features["like"] > 0 {
		k *= 12
	}
	return k
}

func TestFitFindsTheCostOfKindsAndFeatures(t *testing.T) {
	all := world(60, 1, "a")
	all[0].Samples += 5000 // one operator of a cause of its own
	m, err := Fit(all)
	require.NoError(t, err)
	for _, o := range []Operator{
		{Kind: "scan X", Role: "scan", Rows: 7},
		{Kind: "filter X", Role: "filter", Rows: 7, Features: map[string]float64{"like": 0}},
		{Kind: "filter X", Role: "filter", Rows: 7, Features: map[string]float64{"like": 1}},
		{Kind: "sort X", Role: "sort", Rows: 7, Features: map[string]float64{"like": 1}},
	} {
		got := m.Predict(&o, 1)
		assert.InDelta(t, 1, got.PerRow/truth(&o), 0.2, "%s %v: %g", o.Kind, o.Features, got.PerRow)
		assert.Less(t, got.Low, got.PerRow, o.Kind)
		assert.Greater(t, got.High, got.PerRow, o.Kind)
	}
	three := m.Predict(&Operator{Kind: "filter X", Role: "filter", Rows: 1, Features: map[string]float64{"like": 3, "new": 3}}, 1)
	assert.InDelta(t, 1, three.PerRow/(5e-9+3*55e-9), 0.2, "costs add up, and a feature that was not seen counts for nothing")
	unseen := m.Predict(&Operator{Kind: "scan Y", Role: "scan", Rows: 1}, 1)
	assert.InDelta(t, 1, unseen.PerRow/20e-9, 0.6, "a kind that was not seen costs what its role does: %g", unseen.PerRow)
}

// TestFitFindsTheCostOfLargeBuilds has joins that cost 20 ns a row more for each doubling of the
// table that they look rows up in, beyond what a cache holds. Nothing is known of larger tables.
func TestFitFindsTheCostOfLargeBuilds(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	var all []Operator
	perRow := func(build float64) float64 { return 10e-9 + 20e-9*max(0, math.Log2(1+build)-cached) }
	for q := range 100 {
		o := Operator{Kind: "join X", Role: "join", Rows: 1e7, Build: math.Floor(math.Exp(11 * draw.Float64())), Sample: 0.002, Group: fmt.Sprint(q)}
		o.Samples = distuv.Poisson{Lambda: perRow(o.Build) * o.Rows / o.Sample, Src: draw}.Rand()
		all = append(all, o)
	}
	m, err := Fit(all)
	require.NoError(t, err)
	for build, want := range map[float64]float64{100: 10e-9, 1e4: perRow(1e4), 1e9: perRow(largestBuild)} {
		o := Operator{Kind: "join X", Role: "join", Rows: 7, Build: build}
		assert.InDelta(t, 1, m.Predict(&o, 1).PerRow/want, 0.05, "%g rows", build)
	}
}

// Of operators with the same rows, an aggregate of more groups and a sort by more keys cost more.
func TestTermsOfTablesAndKeys(t *testing.T) {
	units := func(o Operator, name string) float64 {
		for _, x := range terms(&o) {
			if x.name == name {
				return x.units
			}
		}
		return 0
	}
	groups := Operator{Kind: "aggregate X", Role: "aggregate", Rows: 7, RowsOut: 3 * (1<<14 - 1), Tasks: 3}
	assert.InDelta(t, 7*2, units(groups, "row × doublings of table"), 1e-9, "a task has 2¹⁴ groups")
	groups.Role = "window"
	assert.Zero(t, units(groups, "row × doublings of table"))
	sort := Operator{Kind: "sort X", Role: "sort", Rows: 3 * 31, Tasks: 3, Features: map[string]float64{"keys": 2}}
	assert.InDelta(t, 3*31*2*5, units(sort, "row × keys × doublings of sort"), 1e-9)
}

// TestFitCountsOperatorsWithoutSamples has operators so small that most have no sample: without
// them, those that have one would seem the usual.
func TestFitCountsOperatorsWithoutSamples(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 8))
	var all []Operator
	none := 0
	for q := range 300 {
		o := Operator{Kind: "scan X", Role: "scan", Rows: 1e4, Sample: 0.002, Group: fmt.Sprint(q)}
		o.Samples = distuv.Poisson{Lambda: 20e-9 * o.Rows / o.Sample, Src: draw}.Rand()
		if all = append(all, o); o.Samples == 0 {
			none++
		}
	}
	require.Greater(t, none, 200)
	m, err := Fit(all)
	require.NoError(t, err)
	assert.InDelta(t, 1, m.Predict(&all[0], 1).PerRow/20e-9, 0.35)
}

func TestHostsHaveASpeed(t *testing.T) {
	m, err := Fit(append(world(60, 1, "a"), world(40, 2.5, "b")...))
	require.NoError(t, err)
	o := Operator{Kind: "sort X", Role: "sort", Rows: 7}
	assert.InDelta(t, 1, m.Predict(&o, 1).PerRow/200e-9, 0.15, "of the first host")
	assert.InDelta(t, 1, m.Predict(&o, 2.5).PerRow/80e-9, 0.15)
	assert.InDelta(t, 2.5, m.Speed(world(30, 2.5, "c")), 0.25)
	assert.Equal(t, 1.0, m.Speed(world(1, 2.5, "c")), "three operators tell no speed")
	strange := Operator{Kind: "python P", Role: "python", Samples: 9, Rows: 7, Runs: 1}
	assert.False(t, (&Model{Terms: map[string]float64{"row of sort": 1}}).Predict(&strange, 1).Known(), "no term of it was fitted")
	_, told := (&Model{Terms: map[string]float64{"row of sort": 1}}).Ratio(&strange)
	assert.False(t, told, "so it does not tell a speed")
	few := world(1, 2.5, "c")
	few[0].Samples = EnoughSamples - 1
	_, known := m.Ratio(&few[0])
	assert.False(t, known)
}

func TestLeftOutHasNotSeenTheQuery(t *testing.T) {
	all := world(40, 1, "a")
	all[3].Samples *= 100 // of query 1
	got, err := LeftOut(all)
	require.NoError(t, err)
	require.Len(t, got, len(all))
	assert.InDelta(t, 1, got[3].PerRow/truth(&all[3]), 0.3)
	inside, n := 0, 0
	for i := range all {
		if o := &all[i]; o.Samples >= 20 {
			n++
			if k := o.seconds() / o.Rows; k >= got[i].Low && k <= got[i].High {
				inside++
			}
		}
	}
	assert.InDelta(t, 0.95, float64(inside)/float64(n), 0.05)
}

func TestLeftOutKnowsTheSpeedOfTheHost(t *testing.T) {
	all := append(world(40, 1, "a"), world(30, 3, "b")...)
	got, err := LeftOut(all)
	require.NoError(t, err)
	for _, i := range []int{0, 2, 120, 122} { // a query of each host
		assert.InDelta(t, 1, got[i].PerRow/truth(&all[i])*map[string]float64{"a": 1, "b": 3}[all[i].Host], 0.3, "%s %s", all[i].Host, all[i].Kind)
	}
}

// A host of another speed does not widen the intervals: predictions are for the speed of a host.
func TestIntervalsLeaveOutTheSpeedOfHosts(t *testing.T) {
	one, err := Fit(world(60, 1, "a"))
	require.NoError(t, err)
	two, err := Fit(append(world(60, 1, "a"), world(61, 8, "b")...))
	require.NoError(t, err)
	assert.InDelta(t, 1, two.High/two.Low/(one.High/one.Low), 0.5, "%g to %g, of one host %g to %g", two.Low, two.High, one.Low, one.High)
}

func TestRolesHaveIntervalsOfTheirOwn(t *testing.T) {
	m := &Model{Terms: map[string]float64{"row of scan": 1, "row of few": 1}}
	held := map[string][]float64{"few": {0.01, 100}}
	for i := range 100 {
		held["scan"] = append(held["scan"], 1+float64(99-i)/1000)
		held["sort"] = append(held["sort"], 2+float64(i)/10)
	}
	m.interval(held)
	assert.Equal(t, map[string][2]float64{"scan": {1.002, 1.097}, "sort": {2.2, 11.7}}, m.Roles)
	scan, few := m.Predict(&Operator{Role: "scan", Rows: 7}, 1), m.Predict(&Operator{Role: "few", Rows: 7}, 1)
	assert.Equal(t, Usual{1, 1.002, 1.097}, scan)
	assert.Equal(t, Usual{1, m.Low, m.High}, few)
	assert.Greater(t, m.High, 11.0, "of all roles")
}

func TestFitRefusesFewOperators(t *testing.T) {
	_, err := Fit(world(10, 1, "a"))
	require.ErrorIs(t, err, ErrFew)
	_, err = LeftOut(world(10, 1, "a"))
	require.ErrorIs(t, err, ErrFew)
	one := world(30, 1, "a")
	for i := range one {
		one[i].Group = "one"
	}
	_, err = Fit(one)
	require.ErrorContains(t, err, "all of them of one query")
}

func TestModelSurvivesJSON(t *testing.T) {
	m, err := Fit(world(30, 1, "a"))
	require.NoError(t, err)
	text, err := json.Marshal(m)
	require.NoError(t, err)
	var got Model
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, *m, got)
}

// BenchmarkPredict predicts what the operators of a large query usually cost.
func BenchmarkPredict(b *testing.B) {
	all := world(60, 1, "a")
	m, err := Fit(all)
	require.NoError(b, err)
	for b.Loop() {
		for i := range 60 {
			m.Predict(&all[i], 1)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/query")
}

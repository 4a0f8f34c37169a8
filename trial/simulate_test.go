package trial

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/phase"
)

// fleetOf is a made-up fleet: queries of six sorts with costs far apart, and what they cost after a
// change. Each kind of operator takes the change in its own way, and each query a little otherwise.
func fleetOf(n int, seed uint64, change map[phase.Kind]float64) (queries []Query, after []Rerun) {
	const jitter = 0.08
	random := rand.New(rand.NewPCG(seed, 7))
	sorts := []phase.Mix{
		{"scan": 6, "columnar-to-row": 2, "filter": 1, "exchange": 1},
		{"scan": 2, "aggregate": 6, "exchange": 1, "project": 1},
		{"scan": 2, "join": 5, "exchange": 2, "sort": 1},
		{"scan": 1, "sort": 6, "exchange": 3},
		{"scan": 3, "project": 5, "filter": 2},
		{"scan": 2, "aggregate": 2, "join": 2, "sort": 2, "exchange": 2},
	}
	for i := range n {
		size, own := math.Exp(1.5*random.NormFloat64()), math.Exp(jitter*random.NormFloat64())
		q, r, mix := Query{ID: "q" + strconv.Itoa(i), CPU: phase.Mix{}}, Rerun{Query: i, CPU: phase.Mix{}}, sorts[random.IntN(len(sorts))]
		for _, k := range mix.Kinds() {
			ratio, changes := change[k]
			if !changes {
				ratio = 1
			}
			q.CPU[k] = size * mix[k] * math.Exp(0.4*random.NormFloat64())
			r.CPU[k] = q.CPU[k] * ratio * own * math.Exp(jitter*random.NormFloat64())
		}
		q.Cost = q.CPU.Sum()
		queries, after = append(queries, q), append(after, r)
	}
	return queries, after
}

// drawn are many draws of a fleet, and what Judge says about each.
type drawn struct {
	times          int
	held           float64 // intervals that hold the truth
	mean, sd, half float64 // of the error, as a part of the truth; mean half width
	kinds, wrong   float64 // kinds called steady; of which truly moved by more
	kindHeld, said float64 // intervals of kinds that hold the truth, of how many
}

// simulate draws and judges; lost of the re-runs are missing.
func simulate(t *testing.T, queries []Query, after []Rerun, n, lost, times int) (out drawn) {
	t.Helper()
	cost, err := costs(queries)
	require.NoError(t, err)
	old, now := phase.Mix{}, phase.Mix{}
	for i, q := range queries {
		for k := range q.CPU {
			old[k] += q.CPU[k]
			now[k] += after[i].CPU[k]
		}
	}
	truth, pi := now.Sum()/old.Sum()-1, Inclusion(cost, n)
	random, squares := rand.New(rand.NewPCG(9, 9)), 0.
	for d := range times {
		order := Draw(queries, strconv.Itoa(d), n)
		random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		var seen []Rerun
		for _, i := range order[lost:] {
			seen = append(seen, after[i])
		}
		j, err := Judge(queries, pi, n, seen)
		require.NoError(t, err)
		e := (j.Fleet.Change - truth) / (1 + truth)
		out.mean, squares, out.half = out.mean+e, squares+e*e, out.half+j.Fleet.Half()
		out.held += is(j.Fleet.Low <= truth && truth <= j.Fleet.High)
		for _, k := range j.Kinds {
			moved := now[k.Kind]/old[k.Kind] - 1
			if k.Change != nil {
				out.said++
				out.kindHeld += is(k.Low <= moved && moved <= k.High)
			}
			if k.Verdict == Steady {
				out.kinds++
				out.wrong += is(math.Abs(moved) > steadyWithin)
			}
		}
	}
	out.times = times
	out.mean, out.half = out.mean/float64(times), out.half/float64(times)
	out.sd = math.Sqrt(squares/float64(times) - square(out.mean))
	return out
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var changes = map[string]map[phase.Kind]float64{
	"all kinds a little": {"sort": 1.27, "join": 1.16, "scan": 1.14, "aggregate": 1.14, "exchange": 0.94},
	"one kind much":      {"scan": 3},
}

// TestCoverage holds that 93 to 98 % of the 95 % intervals contain the truth, and that the estimate
// has no bias. The bounds are three standard errors of the number of draws wider.
func TestCoverage(t *testing.T) {
	for name, change := range changes {
		queries, after := fleetOf(200, 3, change)
		steady, wrong := 0., 0.
		for _, n := range []int{10, 20, 30} {
			t.Run(name+" "+strconv.Itoa(n), func(t *testing.T) {
				s := simulate(t, queries, after, n, 0, 400)
				sure := 3 * math.Sqrt(0.95*0.05/float64(s.times))
				held := s.held / float64(s.times)
				t.Logf("held %.3f, bias %.4f, sd %.4f, half %.3f; kinds held %.3f, steady %g, wrong %g", held, s.mean, s.sd, s.half, s.kindHeld/s.said, s.kinds, s.wrong)
				assert.InDelta(t, 0.955, held, 0.025+sure)
				assert.InDelta(t, 0, s.mean, 3*s.sd/math.Sqrt(float64(s.times)))
				assert.GreaterOrEqual(t, s.kindHeld/s.said, 0.95-sure)
				steady, wrong = steady+s.kinds, wrong+s.wrong
			})
		}
		assert.Positive(t, steady)
		assert.LessOrEqual(t, wrong, 0.05*steady, "%s: kinds called steady that moved by more than a tenth", name)
	}
}

// TestKindsThatDrawsMiss holds that the estimate has no bias and that intervals keep their promise.
// Half of the cost doubles, in kinds of operators that few queries have each.
func TestKindsThatDrawsMiss(t *testing.T) {
	const times = 300
	for _, of := range []int{5, 10, 20} { // queries that have the same kind
		random := rand.New(rand.NewPCG(3, 7))
		var queries []Query
		var after []Rerun
		for i := range 200 {
			size, own, kind := math.Exp(random.NormFloat64()), math.Exp(0.08*random.NormFloat64()), phase.Kind(strconv.Itoa(i/of))
			queries = append(queries, Query{ID: "q" + strconv.Itoa(i), CPU: phase.Mix{"scan": size, kind: size}, Cost: 2 * size})
			after = append(after, Rerun{Query: i, CPU: phase.Mix{"scan": size * own, kind: 2 * size * own}})
		}
		s := simulate(t, queries, after, 20, 0, times)
		t.Logf("%d: held %.3f, bias %.4f, sd %.4f, half %.3f", of, s.held/times, s.mean, s.sd, s.half)
		assert.InDelta(t, 0, s.mean, 0.005+3*s.sd/math.Sqrt(times), "%d", of)
		assert.InDelta(t, 0.965, s.held/times, 0.035+3*math.Sqrt(0.95*0.05/times), "%d", of)
	}
}

// TestMissingReruns holds that intervals keep their promise, and grow, if a fifth of the re-runs is
// missing.
func TestMissingReruns(t *testing.T) {
	queries, after := fleetOf(64, 3, changes["one kind much"])
	all, some := simulate(t, queries, after, 20, 0, 400), simulate(t, queries, after, 20, 4, 400)
	assert.InDelta(t, 0.955, some.held/400, 0.025+3*math.Sqrt(0.95*0.05/400))
	assert.Greater(t, some.half, 1.1*all.half)
}

// TestDrawHasItsProbabilities draws many times and holds how often each query is in the draw, and
// in the smaller one that it begins with, against its probability. Over 128 of these, five standard
// errors are passed by chance once in 15,000 tests.
func TestDrawHasItsProbabilities(t *testing.T) {
	queries, _ := fleetOf(64, 3, nil)
	p, err := NewPlan(queries, Settings{Name: "0", Runs: 20})
	require.NoError(t, err)
	require.Greater(t, len(p.Phases), 2)
	cost, err := costs(queries)
	require.NoError(t, err)
	const times = 2000
	hits := map[int][]float64{10: make([]float64, len(queries)), 20: make([]float64, len(queries))}
	for d := range times {
		order := Draw(queries, strconv.Itoa(d), 20)
		for n := range hits {
			for _, i := range order[:n] {
				hits[n][i]++
			}
		}
	}
	for n := range hits {
		certain := 0
		for i, p := range Inclusion(cost, n) {
			assert.InDelta(t, p, hits[n][i]/times, 5*math.Sqrt(p*(1-p)/times), "query %d of %d", i, n)
			certain += int(is(p == 1))
		}
		assert.Positive(t, certain)
	}
}

// TestKindsHelp holds that ratios of kinds beat one ratio for all where one kind changed, and do no
// harm where all changed alike.
func TestKindsHelp(t *testing.T) {
	for _, c := range []struct {
		change map[phase.Kind]float64
		most   float64 // error, as a part of one ratio's
	}{
		{map[phase.Kind]float64{"scan": 3}, 0.7},
		{map[phase.Kind]float64{"scan": 1.2, "join": 1.2, "sort": 1.2, "aggregate": 1.2, "exchange": 1.2, "filter": 1.2, "project": 1.2, "columnar-to-row": 1.2}, 1.1},
	} {
		queries, after := fleetOf(200, 3, c.change)
		const times, n = 300, 12
		cost, now := make([]float64, len(queries)), 0.
		for i, q := range queries {
			cost[i] = q.Cost
			now += after[i].CPU.Sum()
		}
		truth, pi := now/sum(cost), Inclusion(cost, n)
		kinds, one := 0., 0.
		for d := range times {
			var seen []Rerun
			x, y := 0., 0.
			for _, i := range Draw(queries, strconv.Itoa(d), n) {
				seen = append(seen, after[i])
				x, y = x+cost[i]/pi[i], y+after[i].CPU.Sum()/pi[i]
			}
			j, err := Judge(queries, pi, n, seen)
			require.NoError(t, err)
			kinds += square(1 + j.Fleet.Change - truth)
			one += square(y/x - truth)
		}
		t.Logf("%v: %.3f", c.change, math.Sqrt(kinds/one))
		assert.Less(t, math.Sqrt(kinds/one), c.most, "%v", c.change)
	}
}

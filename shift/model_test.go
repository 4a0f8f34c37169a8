package shift

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/planflame/planflame/shift/internal/stats"
)

// modeled is n runs of three operators whose level, slope over rows and loading are known. Rows
// vary by half of a log, runs as a whole by 0.1, operators by 0.01.
func modeled(n int, level, slope, load [3]float64) (*history, *Settings) {
	rng, set := rand.New(rand.NewPCG(3, 5)), DefaultSettings()
	h := newHistory("q1-abc")
	h.Plans = []*variant{{Fingerprint: "p1"}}
	for i := range n {
		r := &record{Application: "app-3", Execution: int64(i), End: moment{time.Unix(int64(i)*3600, 0)}}
		common, x := 0.1*rng.NormFloat64(), 10+0.5*rng.NormFloat64()
		for j, id := range []string{"scan@1", "filter@2", "join@3"} {
			y := level[j] + slope[j]*(x-10) + load[j]*common + 0.01*rng.NormFloat64()
			r.Cells = append(r.Cells, cell{op: h.operator(0, Key{"s1", id}, id, 9), cpu: math.Exp(y), rows: math.Exp(x)})
		}
		h.insert(r)
	}
	number(h.Runs)
	return h, &set
}

func viewed(h *history, set *Settings) *view {
	v := newView(h, 0, len(h.Runs)-1, set)
	p := defaultPriors()
	v.priors, v.quantiles, v.level = &p, &stats.Quantiles{}, 1e-4
	return v
}

// The fit finds again what the runs were made with, and whose loadings are larger.
func TestFitFindsTheModel(t *testing.T) {
	level, slope, load := [3]float64{3, 2, 1}, [3]float64{1.1, 0.9, 0.95}, [3]float64{1.15, 1, 0.85}
	h, set := modeled(60, level, slope, load)
	f := newFit(viewed(h, set), mostSudden, set.MinimumRuns)
	for j := range f.cols {
		c := &f.cols[j]
		require.Len(t, c.base, 40)
		require.Equal(t, []int{55, 56, 57, 58, 59}, c.test)
		y, variance := c.at(10, 0)
		assert.InDelta(t, level[j], y, 0.06, "the mean of runs' common modes is the level's")
		assert.Less(t, math.Sqrt(variance), 0.02)
		assert.InDelta(t, slope[j], c.Slope, 0.04)
		assert.InDelta(t, load[j], c.Load, 0.2, "three operators tell little of the scale")
		assert.InDelta(t, 0.01, math.Sqrt(c.raw), 0.01)
		assert.LessOrEqual(t, c.LoadVar, loadSD*loadSD)
	}
	assert.InDelta(t, 0.1, math.Sqrt(f.kappa), 0.05)
	assert.Greater(t, f.cols[0].Load, f.cols[1].Load)
	assert.Greater(t, f.cols[1].Load, f.cols[2].Load)
}

// By hand: a line has level 2, slope 0.5 and loading 1.2 at (10, 0.1). It gives 2 + 0.5·2 + 1.2·0.3
// at (12, 0.4), with the variance 0.01 + 0.04·4 + 2·0.005·0.6 + 0.02·0.09. Beyond two standard
// deviations of the baseline's common modes, 0.13²·(0.09 - 4·0.01) is added.
func TestLineAt(t *testing.T) {
	l := line{Level: 2, Slope: 0.5, Load: 1.2, Centre: 10, Common: 0.1, LevelVar: 0.01, SlopeVar: 0.04, LoadVar: 0.02, Cross: 0.005, Kappa: 0.01, HasX: true,
		Scale2: 0.5, Sampling: 0.1, Modes: 0.2, Low: 9, High: 11}
	y, v := l.at(12, 0.4)
	assert.InDelta(t, 3.36, y, 1e-12)
	assert.InDelta(t, 0.01+0.16+0.006+0.0018+0.0169*0.05, v, 1e-12)
	assert.InDelta(t, 0.5+0.3, l.noise(0.4, 0.1), 1e-12)
	assert.InDelta(t, 0.2, l.between(), 1e-12)
	assert.True(t, l.covers(11.2, 0.25))
	assert.False(t, l.covers(11.3, 0.25))
	l.HasX = false
	y, _ = l.at(12, 0.1)
	assert.InDelta(t, 2, y, 0)
}

// sampled are runs, an hour apart, at so many standard deviations of 0.02.
func sampled(z ...float64) *sample {
	s := &sample{scale2: 0.02 * 0.02, own: 0.02 * 0.02, df: 1e6, far: 0.001}
	for i, x := range z {
		b := block{first: i, end: time.Unix(int64(i)*3600, 0)}
		b.add(0.02*x, 0.02, 0)
		s.blocks = append(s.blocks, b)
	}
	return s
}

// By hand, with the share of strays 0.001: two runs of 8 standard deviations agree. A second stray
// came near the first by chance with 2·3·√2·0.02, and agreeing windows have 0.8 of the level.
func TestMixture(t *testing.T) {
	set := DefaultSettings()
	near := 2 * 3 * math.Sqrt2 * 0.02
	tail := func(z float64, k int) float64 { return stats.Tail(z, runDF*float64(k)) }
	want := tail(8*math.Sqrt2, 2) + (2*0.001*near*tail(8, 1)+1e-6*near)/0.8
	assert.InEpsilon(t, want, sampled(8, 8).test(&set).P, 1e-6)

	// One far off and one at 5: they do not agree.
	want = tail(25*math.Sqrt2, 2) + (2*0.001*tail(5, 1)+1e-6)/0.2
	assert.InEpsilon(t, want, sampled(5, 45).test(&set).P, 1e-6)

	// Within five minutes the next is a stray with 0.2.
	s := sampled(8, 8)
	s.blocks[1].end = s.blocks[0].end.Add(time.Minute)
	want = tail(8*math.Sqrt2, 2) + (2*0.001*near*tail(8, 1)+0.001*0.2*near)/0.8
	assert.InEpsilon(t, want, s.test(&set).P, 1e-6)
	set.Without = "again,strays"
	assert.InEpsilon(t, tail(8*math.Sqrt2, 2), s.test(&set).P, 1e-6)

	// Downwards is the same, unless the baseline was cold.
	s = sampled(-8, -8)
	set.Without = ""
	up := sampled(8, 8).test(&set)
	assert.InEpsilon(t, up.P, s.test(&set).P, 1e-9)
	assert.InDelta(t, -0.16, s.test(&set).Log, 1e-12)
	s.pooled = true
	assert.Equal(t, 1., s.test(&set).P)
}

// By hand: neighbors that correlate by 0.5 in half of the variance make the variance of a mean of
// three larger by 1 + 2·(2/3)·0.25 + 2·(1/3)·0.125.
func TestAlike(t *testing.T) {
	assert.InDelta(t, 1+1./3+1./12, alike(3, 0.5, 0.5), 1e-12)
	assert.InDelta(t, 1, alike(1, 0.9, 1), 0)
}

// A change is dated where it began, whether or not the window has earlier runs in it.
func TestDate(t *testing.T) {
	s := sampled(0.3, -0.2, 0.1, 6, 7, 6, 8)
	for i := range s.blocks {
		s.blocks[i].fixed = 0.2
	}
	assert.Equal(t, 4, (&fit{}).date(s.blocks))
	assert.Equal(t, 2, (&fit{}).date(s.blocks[:5]), "two at least")
}

// The prior is found again in spreads drawn from it: between-run variance 0.02², 12 degrees of
// freedom.
func TestFitPriors(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	prior, own := distuv.ChiSquared{K: 12, Src: rng}, distuv.ChiSquared{K: 20, Src: rng}
	var all []spread
	for i := range 3000 {
		known := 2e-5 * float64(1+i%5)
		truth := known + 0.0004*12/prior.Rand()
		total := truth * own.Rand() / 20
		all = append(all, spread{DF: 20, Total: total, Known: known, Runs: 40, Far: float64(i % 50 / 49), Lag: 0.5 * (total - known)})
	}
	p := fitPriors(all)
	assert.InEpsilon(t, 12, p.DF, 0.3)
	assert.InEpsilon(t, 0.0004, p.Between, 0.25)
	assert.InEpsilon(t, 0.02/40, p.Far, 0.05)
	assert.InDelta(t, 0.5, p.Rho, 0.05)
	assert.Equal(t, 3000, p.Operators)
	few := fitPriors(all[:9])
	few.Operators = 0
	assert.Equal(t, defaultPriors(), few)
}

// A judgement changes nothing that it reads, and gives the same again.
func TestJudgeReadsOnly(t *testing.T) {
	h, set := modeled(40, [3]float64{3, 2, 1}, [3]float64{1, 1, 1}, [3]float64{1, 1, 1})
	set.MinimumCoreHours = 0
	for i := 37; i < 40; i++ {
		h.Runs[i].Cells[0].cpu *= 1.5
	}
	before := *h.Operators[0]
	one, u := judge(viewed(h, set))
	require.Len(t, one.Events, 1)
	assert.Equal(t, Shift, one.Events[0].Kind)
	assert.Equal(t, int64(37), one.Events[0].SinceRun.Execution)
	again, _ := judge(viewed(h, set))
	assert.Equal(t, one, again)
	assert.Equal(t, before, *h.Operators[0])
	h.write(&u, h.Runs[39])
	assert.NotNil(t, h.Operators[0].Active)
	assert.Nil(t, h.Operators[1].Active)
}

// Of a history from before lines had a loading nothing is lost: its runs, the shift that stands,
// and the fleet's priors and budget. It judges on.
func TestHistoryOfVersion1(t *testing.T) {
	text, err := os.ReadFile("testdata/history-v1.json")
	require.NoError(t, err)
	f := newTestFleet(t)
	query, err := f.Decode(text)
	require.NoError(t, err)
	assert.Len(t, f.Runs(query), 25)
	standing := f.Standing(query).Operators
	require.Len(t, standing, 1)
	assert.Equal(t, "scan@1", standing[0].Operator)
	assert.InDelta(t, 1.52, standing[0].Active.Ratio, 0.01)
	text, err = os.ReadFile("testdata/fleet-v1.json")
	require.NoError(t, err)
	require.NoError(t, f.DecodePriors(text))
	assert.InDelta(t, 0.0009, f.Priors().Between, 0)

	rng := rand.New(rand.NewPCG(7, 11))
	j := add(t, f, invented(rng, 25, 22))
	for _, v := range j.Operators {
		want := map[string]float64{"scan@1": 1.5}[v.Operator]
		if want == 0 {
			want = 1
		}
		assert.InDelta(t, want, v.Ratio, 0.06, v.Operator)
	}
	var kinds []Kind
	for n := range 5 {
		for _, e := range add(t, f, invented(rng, 26+n, 99)).Events {
			kinds = append(kinds, e.Kind)
		}
	}
	assert.Equal(t, []Kind{Resolved}, kinds)
}

func TestBudget(t *testing.T) {
	var b budget
	start := int64(500_000) * 3600
	assert.Equal(t, 1./10_000, b.level(1))
	for hour := range 24 * 14 {
		b.count(time.Unix(start+int64(hour)*3600, 0), 1000)
	}
	assert.InDelta(t, 1./168_000, b.level(1), 1e-9)
	b.count(time.Unix(start+400*3600*100, 0), 1000)
	assert.Equal(t, 1./10_000, b.level(1), "a silent week: only the newest tests count, and no less than leastTests")
	require.Equal(t, 0.01, (&budget{}).level(1e6))
	// A clock that was far ahead and is set right again: what it counted is of no week, and the
	// next tests count.
	b.count(time.Unix(start, 0), 20_000)
	assert.InDelta(t, 1./(7*20_000), b.level(1), 1e-9)
	b.count(time.Unix(start-3600, 0), 20_000)
	assert.InDelta(t, 1./(7*40_000), b.level(1), 1e-9, "an hour back is within the week")
}

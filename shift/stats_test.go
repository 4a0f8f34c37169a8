package shift

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

func TestTQuantile(t *testing.T) {
	for _, df := range []float64{3, 8, 40, 1e7} {
		for _, p := range []float64{0.9, 0.975, 0.999, 1 - 1e-7} {
			if df < 8 && p > 0.975 {
				continue
			}
			exact := distuv.StudentsT{Sigma: 1, Nu: df}.Quantile(p)
			assert.InEpsilon(t, exact, tQuantile(p, df), 0.03, "df %g p %g", df, p)
		}
	}
}

// The variance of normal errors is met whether or not some are far off.
func TestRobustVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	errs := make([]float64, 4000)
	for i := range errs {
		errs[i] = 0.03 * rng.NormFloat64()
	}
	assert.InEpsilon(t, 0.03*0.03, robustVariance(errs, 3999), 0.06)
	for i := range 80 {
		errs[i] = 3
	}
	assert.InEpsilon(t, 0.03*0.03, robustVariance(errs, 3999), 0.2)
	assert.Zero(t, robustVariance(nil, 3))
	assert.Zero(t, robustVariance([]float64{0, 0, 0}, 2))
}

// The prior is found again in spreads drawn from it: between-run variance 0.02², 12 degrees of freedom.
func TestFitVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	prior := distuv.ChiSquared{K: 12, Src: rng}
	own := distuv.ChiSquared{K: 20, Src: rng}
	var all []spread
	for i := range 3000 {
		known := 1e-4 * float64(1+i%5)
		truth := (known + 0.0004) * 12 / prior.Rand()
		all = append(all, spread{DF: 20, Total: truth * own.Rand() / 20, Known: known})
	}
	p := fitVariance(all, variancePrior{})
	assert.InEpsilon(t, 12, p.DF, 0.25)
	assert.InEpsilon(t, 0.0004, p.Between*p.Scale, 0.25)
	otherwise := variancePrior{Between: 3, DF: 5, Scale: 7}
	assert.Equal(t, otherwise, fitVariance(all[:9], otherwise))
}

// Short histories lean on the prior: by hand, (4·(1+3) + 6·7) / 10 = 5.8, of which 1 is known.
func TestModerate(t *testing.T) {
	between, df := variancePrior{Between: 3, DF: 4, Scale: 1}.moderate(spread{DF: 6, Total: 7, Known: 1})
	assert.InDelta(t, 4.8, between, 1e-12)
	assert.Equal(t, 10., df)
	between, _ = variancePrior{Between: 3, DF: 4, Scale: 1}.moderate(spread{DF: 600, Total: 0.5, Known: 1})
	assert.InDelta(t, 0.15, between, 1e-12, "never steadier than a twentieth of the typical operator")
}

func observations(xy ...float64) (out []*observation) {
	for i := 0; i < len(xy); i += 2 {
		out = append(out, &observation{has: true, x: xy[i], y: xy[i+1], v: 1e-6})
	}
	return out
}

func TestLine(t *testing.T) {
	vague := slopePrior{Mean: 0, Var: 1e6}
	l := line{HasX: true}
	// y = 2 + 0.5·x, one run far off.
	l.fit(observations(0, 2, 1, 2.5, 2, 3, 3, 3.5, 4, 4, 5, 4.5, 6, 9, 7, 5.5, 8, 6), vague, nil, 1e-4, 0)
	at10, _ := l.at(10)
	assert.InDelta(t, 0.5, l.Slope, 0.03)
	assert.InDelta(t, 7, at10, 0.15)
	assert.Equal(t, 0., l.Low)
	assert.Equal(t, 8., l.High)
	assert.True(t, l.covers(8.2, 0.25))
	assert.False(t, l.covers(8.3, 0.25))

	flat := line{HasX: true}
	flat.fit(observations(3, 5, 3, 5, 3, 5), slopePrior{Mean: 0.9, Var: 0.01}, nil, 1e-4, 0)
	y, variance := flat.at(4)
	assert.InDelta(t, 5.9, y, 1e-9, "equal rows tell nothing about the slope: the prior's")
	assert.InDelta(t, 0.01+(1e-4+1e-6)/3, variance, 1e-6)

	seeded := line{}
	seeded.fit(observations(0, 1.02), vague, &seed{Y: 1, Var: 1e-6}, 1e-4, 0)
	assert.InDelta(t, 1.01, seeded.Level, 1e-9, "a seed of the runs' variance is one run more")

	assert.Zero(t, seeded.Common)
	slow := observations(0, 2, 0, 2.4, 0, 2, 0, 2.4)
	slow[1].c, slow[3].c = 0.4, 0.4
	seeded.fit(slow, vague, &seed{Y: 2, Var: 1e-6, Common: 0.7}, 1e-4, 0)
	assert.InDelta(t, 0.3, seeded.Common, 1e-9, "of four runs and the seed")

	none := line{}
	none.fit(nil, vague, nil, 1e-4, 0)
	assert.True(t, math.IsInf(none.LevelVar, 1))
}

func run(residuals ...float64) (out []*observation) {
	for _, r := range residuals {
		out = append(out, &observation{has: true, r: r, v: 1e-4})
	}
	return out
}

func TestCommonMode(t *testing.T) {
	const prior = 0.03 * 0.03
	scales := func(n int) []float64 {
		return append([]float64(nil), []float64{1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4}[:n]...)
	}
	locateAll := func(o []*observation) location { return locate(o, scales(len(o)), prior, make([]bool, len(o))) }

	// All operators dearer by 0.3: common, and believed though ten times the prior's.
	all := run(0.30, 0.31, 0.29, 0.30, 0.30)
	c, v := locateAll(all).without(all[0], 1e-4, prior)
	assert.InDelta(t, 0.30, c, 0.01)
	assert.Less(t, v, 1e-4)

	// One of five dearer: the others' common mode is 0, and its own too, which it has no say in.
	one := run(0.2, 0, 0.01, -0.01, 0)
	at := locateAll(one)
	for _, o := range one {
		c, _ := at.without(o, 1e-4, prior)
		assert.InDelta(t, 0, c, 0.006)
	}

	// The heavy one of three is dearer: the two light ones agree that the run is as ever.
	heavy := run(0.2, 0, 0.002)
	heavy[0].v, heavy[1].v, heavy[2].v = 1e-6, 4e-4, 4e-4
	at = locate(heavy, scales(3), prior, make([]bool, 3))
	c, _ = at.without(heavy[1], 1e-4, prior)
	assert.InDelta(t, 0, c, 0.01)

	// Alone, nothing is known: the prior's variance goes into the test.
	alone := run(0.2)
	c, v = locateAll(alone).without(alone[0], 1e-4, prior)
	assert.Zero(t, c)
	assert.Equal(t, prior, v)
	assert.Equal(t, location{}, locate(run(), nil, prior, nil))
}

// A single run however far is no shift; two that agree are; two that a stray and a bad day explain are not.
func TestEvidence(t *testing.T) {
	l := &line{DF: 40, Scale2: 0.02 * 0.02}
	n := noise{rho: 0, far: 0.001}
	level := 1e-6
	apart := time.Hour
	errs := func(e ...float64) (out []*observation) {
		for i, x := range e {
			out = append(out, &observation{r: x, end: time.Time{}.Add(time.Duration(i) * apart)})
		}
		return out
	}
	assert.InDelta(t, 0.001, l.up(errs(1), 1, n).P, 1e-4)
	assert.Less(t, l.up(errs(0.2, 0.19), 1, n).P, level)
	assert.Greater(t, l.up(errs(0.6, 0.04), 1, n).P, level)
	assert.Greater(t, l.up(errs(0.6, 0.3), 1, n).P, 5e-7, "two strays need not agree")
	assert.Equal(t, 1., l.up(errs(-0.2, -0.19), 1, n).P)
	assert.Less(t, l.up(errs(-0.2, -0.19), -1, n).P, level)
	alike := l.up(errs(0.2, 0.19), 1, noise{rho: 0.5, far: 0.001})
	assert.Greater(t, alike.P, l.up(errs(0.2, 0.19), 1, n).P, "neighbours that err alike are less evidence")
	assert.Greater(t, alike.SE, l.up(errs(0.2, 0.19), 1, n).SE)
	e := l.up(errs(0.1, 0.2), 1, n)
	assert.InDelta(t, 0.15, e.Log, 1e-12)
	assert.InDelta(t, 0.02/math.Sqrt2, e.SE, 1e-12)

	d := errs(0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.1, 0.1, 0.1, 0.1)
	assert.Less(t, l.drifted(d, 1, n).P, level)
	assert.Greater(t, l.drifted(errs(0, 0, 0, 0, 0, 0, 0, 0, 3, 3), 1, n).P, 1e-4, "two strays are no drift")

	// Half a minute apart what sends one astray has the next one, too: two runs are not enough, nor are three of which one is a day later, five are.
	apart = 30 * time.Second
	assert.Greater(t, l.up(errs(0.2, 0.19), 1, n).P, 1e-5)
	assert.Greater(t, l.up(errs(0.2, 0.19, 0.2), 1, n).P, level)
	assert.Less(t, l.up(errs(0.2, 0.19, 0.2, 0.19, 0.2), 1, n).P, level)
	assert.InDelta(t, 0.001*strayAgain*strayAgain, n.astray(errs(1, 1, 1), []int{2, 0, 1}), 1e-12)
	apart = strayLasts + time.Second
	assert.InDelta(t, 1e-9, n.astray(errs(1, 1, 1), []int{2, 0, 1}), 1e-15)
	assert.Equal(t, 0.5, noise{far: 0.5}.again(0), "a stray is no less probable after another")
}

// What runs differ by as a whole is uncertain for an operator as far as it is from the baseline's: a run that differs counts for less, and no less certain one is left out as the
// stray. By hand: the mean's standard error where both are 0.4 dearer than the baseline is 0.15·0.4 and, on two runs of 0.02, 0.0141 besides.
func TestEvidenceOfSlowRuns(t *testing.T) {
	l := &line{DF: 40, Scale2: 0.02 * 0.02}
	n := noise{far: 0.001}
	errs := func(commonAndError ...float64) (out []*observation) {
		for i := 0; i < len(commonAndError); i += 2 {
			out = append(out, &observation{r: commonAndError[i] + commonAndError[i+1], c: commonAndError[i], end: time.Time{}.Add(time.Duration(i) * time.Hour)})
		}
		return out
	}
	assert.InDelta(t, math.Sqrt(0.06*0.06+0.0002), l.up(errs(0.4, 0.2, 0.4, 0.2), 1, n).SE, 1e-12)
	as := *l
	as.Common = 0.4
	assert.InDelta(t, 0.02/math.Sqrt2, as.up(errs(0.4, 0.2, 0.4, 0.2), 1, n).SE, 1e-12, "as slow as the baseline's runs")
	assert.InDelta(t, math.Sqrt(0.06*0.06+0.0002), as.up(errs(0, 0.2, 0, 0.2), 1, n).SE, 1e-12, "quicker")

	one := l.up(errs(0, 0.2, 0.4, 0.2), 1, n)
	assert.Less(t, one.SE, 0.025, "the usual run counts for most")
	assert.Greater(t, one.P, 1e-6, "which may be the stray")
	assert.InDelta(t, one.P, l.up(errs(0, 0.2, 0.4, 0.21), 1, n).P, 0.3*one.P, "also where the slow run is the dearer")
}

// Runs that a shift has made dearer agree. Those that do not have the smaller part of the level, and those of an operator that varies by much agree in a wide span.
func TestEvidenceOfRunsThatDisagree(t *testing.T) {
	l := &line{DF: 1e6, Scale2: 0.02 * 0.02}
	n := noise{far: 0.001}
	pair := func(a, b float64) []*observation {
		return []*observation{{r: a}, {r: b, end: time.Time{}.Add(time.Hour)}}
	}
	lower := l.tail(0.15/0.02, 1)
	assert.InEpsilon(t, (2*0.001*lower+1e-6)/0.2, l.up(pair(0.9, 0.15), 1, n).P, 1e-6)
	near := 6 * math.Sqrt2 * 0.02
	assert.InEpsilon(t, l.tail(0.16/0.02*math.Sqrt2, 2)+(2*0.001*near*l.tail(0.15/0.02, 1)+1e-6*near)/0.8, l.up(pair(0.17, 0.15), 1, n).P, 1e-6)
	wide := &line{DF: 1e6, Scale2: 0.2 * 0.2}
	near, agrees := wide.agree(pair(0.9, 0.5))
	assert.True(t, agrees)
	assert.Equal(t, 1., near)
	assert.InEpsilon(t, 0.001, l.up(pair(0.9, 0)[:1], 1, n).P, 1e-3, "one run has none to agree with")
}

// Neighbours share noise, of which a stray is no more than farAt standard deviations: by hand, 0.15 less 0.3·6·0.02 are 5.7 of them, however far off the stray is.
func TestNeighbourOfAStray(t *testing.T) {
	l := &line{DF: 1e6, Scale2: 0.02 * 0.02}
	n := noise{far: 0.001, rho: 0.3}
	for _, stray := range []float64{0.5, 2} {
		p := l.up([]*observation{{r: stray}, {r: 0.15, end: time.Time{}.Add(time.Hour)}}, 1, n).P
		assert.InEpsilon(t, (2*0.001*l.tail(5.7, 1)+1e-6)/0.2, p, 1e-3, "%g", stray)
	}
}

func TestBudget(t *testing.T) {
	var b budget
	start := int64(500_000) * 3600
	assert.Equal(t, 1./10_000, b.level(1))
	for hour := range 24 * 14 {
		b.count(at(1e9*(start+int64(hour)*3600)), 1000)
	}
	assert.InDelta(t, 1./168_000, b.level(1), 1e-9)
	b.count(at(1e9*(start+400*3600*100)), 1000)
	assert.Equal(t, 1./10_000, b.level(1), "a silent week: only the newest tests count, and no less than leastTests")
	require.Equal(t, 0.01, (&budget{}).level(1e6))
	// A clock that was far ahead and is set right again: what it counted is of no week, and the next tests count.
	b.count(at(1e9*start), 20_000)
	assert.InDelta(t, 1./(7*20_000), b.level(1), 1e-9)
	b.count(at(1e9*(start-3600)), 20_000)
	assert.InDelta(t, 1./(7*40_000), b.level(1), 1e-9, "an hour back is within the week")
}

package shift

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A job that loops a query for ten minutes a night tells of a week in the midst of a loop, too, and
// after a restart.
func TestPaceOfLoops(t *testing.T) {
	f, rng := newTestFleet(t), rand.New(rand.NewPCG(5, 7))
	known := func(f *Fleet) *history { return f.queries["q1-abc"].Value.(*history) }
	n := 0
	loop := func(night, runs int) {
		for i := range runs {
			r := invented(rng, n, 1_000_000)
			r.End = time.Date(2026, 11, 1, 23, 55, 0, 0, time.UTC).AddDate(0, 0, night).Add(time.Duration(i) * 10 * time.Minute / 70)
			add(t, f, r)
			n++
		}
	}
	for night := range 7 {
		loop(night, 70)
	}
	assert.InDelta(t, 490, known(f).perWeek(), 1e-9)
	loop(7, 35)
	assert.InDelta(t, 490, known(f).perWeek(), 1e-9)
	text, err := f.Encode("q1-abc")
	require.NoError(t, err)
	g := newTestFleet(t)
	_, err = g.Decode(text)
	require.NoError(t, err)
	assert.Equal(t, known(f).Pace, known(g).Pace)
}

func TestPace(t *testing.T) {
	begin := time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		runs  int
		every time.Duration
		want  float64
	}{
		"one":                       {1, time.Hour, 1},
		"every ten minutes, young":  {7, 10 * time.Minute, 1008},
		"nightly, two nights":       {2, day, 7},
		"nightly, of a month":       {30, day, 7},
		"hourly, a day and a half":  {36, time.Hour, 168},
		"hourly, of eleven days":    {264, time.Hour, 168},
		"weekly":                    {9, week, 1},
		"every month, with a pause": {3, 30 * day, 1},
	} {
		h := newHistory("q1-abc")
		for i := range test.runs {
			h.insert(&record{Execution: int64(i), End: moment{begin.Add(time.Duration(i) * test.every)}})
		}
		assert.InDelta(t, test.want, h.perWeek(), 1e-9, name)
		// A late run counts on its day, and one from before the first week does not.
		before := h.Pace
		h.Pace.count(begin.Add(-10 * day))
		assert.Equal(t, before, h.Pace, name)
		h.Pace.count(h.Runs[len(h.Runs)-1].End.Time)
		assert.NotEqual(t, before, h.Pace, name)
	}
}

// A single run, weeks after the others, does not keep the shifts of an hourly query for a year.
func TestOverAfterASingleRun(t *testing.T) {
	h, set := newHistory("q1-abc"), DefaultSettings()
	begin := time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)
	for i := range 60 {
		h.insert(&record{Execution: int64(i), End: moment{begin.Add(time.Duration(i) * time.Hour)}})
	}
	last := begin.Add(30 * day)
	h.insert(&record{Execution: 60, End: moment{last}})
	// 60 runs in 30 days are 14 a week, which miss 50 in 25 days.
	assert.False(t, h.over(last.Add(24*day), &set))
	assert.True(t, h.over(last.Add(26*day), &set))
}

// A history without a pace begins with the runs that it holds.
func TestPaceOfAnOlderForm(t *testing.T) {
	f, rng := newTestFleet(t), rand.New(rand.NewPCG(5, 7))
	for n := range 10 {
		r := invented(rng, n, 99)
		r.End = r.End.AddDate(0, 0, n)
		add(t, f, r)
	}
	f.queries["q1-abc"].Value.(*history).Pace = pace{}
	text, err := f.Encode("q1-abc")
	require.NoError(t, err)
	require.NotContains(t, string(text), "pace")
	require.NotContains(t, string(text), "node-7", "hosts are not kept")
	g := newTestFleet(t)
	_, err = g.Decode(text)
	require.NoError(t, err)
	assert.InDelta(t, 7, g.queries["q1-abc"].Value.(*history).perWeek(), 1e-9)
}

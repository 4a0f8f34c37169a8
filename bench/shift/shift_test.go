package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/planflame/planflame/shift"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestParse(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-sessions 0", "-sessions 0: at least 1"},
		{"-passes 1", "-passes 1: at least 2"},
		{"-trials 0", "-trials 0: at least 1"},
		{"-editions 0", "-editions 0: at least 1"},
		{"-interrupts 9us", "-interrupts 9µs: at least 10µs, which the kernel allows"},
	} {
		_, err := parse(strings.Fields(c.args))
		assert.EqualError(t, err, c.want)
	}
	o, err := parse(strings.Fields("-queries q06,q01 -record usual-1"))
	require.NoError(t, err)
	assert.Equal(t, []string{"q01", "q06"}, o.queries)
	assert.Equal(t, []string{"usual-1"}, o.only)
	o, err = parse(nil)
	require.NoError(t, err)
	assert.Len(t, o.queries, 22)
}

func TestStatementsKeepTheirNames(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range append(burns(3), reports(2)...) {
		for n := range v.Each {
			id := v.id(n)
			assert.False(t, seen[id], id)
			seen[id] = true
			query, cause := parseID(id)
			assert.Equal(t, v.Query, query)
			assert.Equal(t, v.Cause, cause)
		}
	}
	assert.True(t, seen["burn #2"])
	assert.True(t, seen["burn / join 20 % #0"])
	assert.True(t, seen["report / a skewed key #0"])
}

// Only the burn of the more expensive operator has more elements; all else is the same text.
func TestBurnDiffersInOneLiteral(t *testing.T) {
	usual, shifted := burnSQL("", 0), burnSQL("join", 50)
	assert.Equal(t, 4, strings.Count(usual, "sequence(1, 220)"))
	assert.Equal(t, 3, strings.Count(shifted, "sequence(1, 220)"))
	assert.Equal(t, usual, strings.Replace(shifted, "sequence(1, 330), l_suppkey + s_suppkey", "sequence(1, 220), l_suppkey + s_suppkey", 1))
}

// The replays' level is one page a week for 200,000 operator-runs a day.
func TestLevel(t *testing.T) {
	for _, times := range append([]float64{1}, levelTimes...) {
		p, err := newReplay(times)
		require.NoError(t, err)
		assert.InEpsilon(t, times/1_400_000, p.fleet.Level(), 1e-9)
	}
}

func TestUpperBoundOfCounts(t *testing.T) {
	assert.InDelta(t, 2.996, poissonUpper(0), 0.001)
	assert.InDelta(t, 4.744, poissonUpper(1), 0.001)
	assert.InDelta(t, 10.513, poissonUpper(5), 0.001)
}

func TestStandard(t *testing.T) {
	// The interval of a standard error of 0.1 about a log ratio of 0.3.
	v := shift.Verdict{Ratio: 1.349859, Low: 1.109588, High: 1.642158}
	assert.InDelta(t, 3, standard(v), 0.001)
}

func TestTargetIsTheDearestOfItsRole(t *testing.T) {
	runs := []*sparkRun{{Run: &shift.Run{Operators: []shift.Cost{
		{Key: shift.Key{Stage: "s1", Operator: "filter@3"}, CPU: 5}, {Key: shift.Key{Stage: "s2", Operator: "filter@3"}, CPU: 7}, {Key: shift.Key{Stage: "s2", Operator: "scan@4"}, CPU: 11},
	}}}}
	k, err := target("filter", runs)
	require.NoError(t, err)
	assert.Equal(t, shift.Key{Stage: "s2", Operator: "filter@3"}, k)
	_, err = target("window", runs)
	assert.ErrorContains(t, err, "window")
}

func TestGoalsAreOfTheirClass(t *testing.T) {
	r := results{Figures: map[string]float64{}, Null: &null{}, Power: []power{
		{Sessions: "usual-0", Percent: 20, CV: 0.028, Found: map[int]float64{2: 0.5, 3: 0.75}},
		{Sessions: "usual-1", Percent: 20, CV: 0.044, Found: map[int]float64{2: 0.25, 3: 0.25}},
		{Sessions: "all", Percent: 20, CV: 0.02, Found: map[int]float64{2: 1, 3: 1}},
		{Sessions: "usual-1", Percent: 10, CV: 0.044, Found: map[int]float64{5: 0.125}},
	}}
	r.found()
	assert.Equal(t, 0.5, r.Figures["found_20pct_cv3"])
	assert.Equal(t, 0.5, r.Figures["found_20pct_cv5"])
	assert.Equal(t, 0.375, r.Figures["found_20pct_within2"])
	assert.Equal(t, 0.125, r.Figures["found_10pct_within5"])
	assert.NotContains(t, r.Figures, "found_10pct_cv3")
	assert.Equal(t, 1., r.Figures["found_20pct_cv3_operators"])
	assert.Contains(t, r.Missed, "found_10pct_cv3: no runs varied by 3 % or less")
}

func TestMergeTakesWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "alert.json"), `{"figures": {"alert_50pct_seconds": 37.5, "alert_25pct_seconds": 61, "other": 3}}`)
	r := results{Figures: map[string]float64{}}
	require.NoError(t, r.merge(dir))
	assert.Equal(t, map[string]float64{"alert_50pct_seconds": 37.5, "alert_25pct_seconds": 61}, r.Figures)
	assert.Equal(t, []string{"[dashboard_queries_answered_share]: dashboards.json is not there"}, r.Missed)
	write(t, filepath.Join(dir, "alert.json"), `{"figures": {}}`)
	assert.ErrorContains(t, r.merge(dir), "alert_50pct_seconds")
}

func TestSimulated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "simulated.json")
	write(t, path, `{"power": [{"name": "found_20pct_cv3", "goal": 0.99, "found": 0.95}, {"name": "another", "found": 0.5}], "null": {"null_operator_runs": 1700, "false_alarms": 3}}`)
	r := results{Figures: map[string]float64{}}
	require.NoError(t, r.simulated(path))
	assert.Equal(t, map[string]float64{"simulated_found_20pct_cv3": 0.95, "simulated_false_alarms": 3, "simulated_null_operator_runs": 1700}, r.Figures)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

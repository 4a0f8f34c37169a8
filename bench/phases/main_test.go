package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/phase"
	"github.com/planflame/planflame/trial"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"-conditions", "jdk,rdd", "-sets", "tpch"})
	require.NoError(t, err)
	assert.Equal(t, []string{"jdk", "rdd"}, o.conditions)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-conditions", "jdk,gc"}, `-conditions: there is no "gc"`},
		{[]string{"-sets", "tpcds"}, `-sets: there is no "tpcds"`},
		{[]string{"-draws", "0"}, "-draws"},
	} {
		_, err := parse(test.args)
		assert.ErrorContains(t, err, test.want)
	}
}

// small is a fleet of eight queries of two sorts: scans cost twice as much after the change, sorts
// the same.
func small() *fleet {
	var queries []trial.Query
	var after []trial.Rerun
	for i, size := range []float64{1, 2, 3, 4, 5, 6, 7, 8} {
		scan, sort := 9*size, size
		if i%2 == 1 {
			scan, sort = sort, scan
		}
		queries = append(queries, trial.Query{ID: string(rune('a' + i)), CPU: phase.Mix{"scan": scan, "sort": sort}, Cost: 10 * size})
		after = append(after, trial.Rerun{Query: i, CPU: phase.Mix{"scan": 2 * scan, "sort": sort}})
	}
	return newFleet(queries, after)
}

func TestDesigns(t *testing.T) {
	f := small()
	require.Len(t, f.phases, 2)
	assert.InDelta(t, 1, f.kinds["scan"], 1e-12)
	assert.InDelta(t, 0, f.kinds["sort"], 1e-12)
	assert.InDelta(t, 360, f.old, 1e-9)
	assert.InDelta(t, 360+9*16+20, f.now, 1e-9) // odd sizes are mostly scan
	for _, d := range designs {
		assert.InDelta(t, f.now, d.estimate(f, 8, drawOf(1, 8, 0)), 1e-9, "%s with all queries", d.name)
	}
	top := designs[2]
	require.Equal(t, "top_ratio", top.name)
	assert.InDelta(t, 360*(88+133)/(80+70.), top.estimate(f, 2, drawOf(1, 2, 0)), 1e-9)
	take := neyman(f, 6)
	assert.Equal(t, 6, take[0]+take[1])
}

func TestSimulatedFleet(t *testing.T) {
	f := small()
	big := simulated(f, 3)
	assert.Len(t, big.x, fleetSize)
	assert.InDelta(t, f.kinds["scan"], big.kinds["scan"], 0.05)
	assert.Equal(t, big.x, simulated(f, 3).x)
}

func TestSaved(t *testing.T) {
	f := simulated(small(), 3)
	assert.InDelta(t, 0, saved(f, 20, nil), 1e-12)
	// Half of the cost is left to judge, so twice the width does.
	assert.InDelta(t, 0.6, saved(f, 20, map[string]bool{"sort": true}), 0.2)
}

func TestJobs(t *testing.T) {
	p, err := readJobs([]byte(`{"task_cpu_seconds": 20, "queries": [
	  {"query_name": "sort", "operators": [{"cpu_seconds": 4}, {"cpu_seconds": 3}], "buckets": [{"cpu_seconds": 1}]},
	  {"query_name": "sort", "operators": [{"cpu_seconds": 2}]},
	  {"query_name": "grep", "operators": [{"cpu_seconds": 9}], "buckets": [{"cpu_seconds": 0.5}, {"cpu_seconds": 0.25}]},
	  {"query_name": "idle"}]}`))
	require.NoError(t, err)
	figures := map[string]float64{}
	p.figures(figures)
	assert.Equal(t, map[string]float64{"rdd_placed_share": 0.9, "rdd_placed_share_sort": 0.9, "rdd_placed_share_grep": 9 / 9.75}, figures)
	_, err = readJobs([]byte("{}"))
	assert.ErrorContains(t, err, "task CPU 0 s")
}

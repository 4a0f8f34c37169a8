package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"-sets", "tpch", "-reuse", "recorded,cases", "-hz", "0"})
	require.NoError(t, err)
	assert.Equal(t, []string{"tpch"}, o.sets)
	assert.Equal(t, map[string]bool{"recorded": true, "cases": true}, o.reuse)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-sets", "own,tpcds"}, `-sets: there is no "tpcds"`},
		{[]string{"-reuse", "case"}, `-reuse: there is no "case"`},
		{[]string{"-passes", "0"}, "-passes 0"},
		{[]string{"-hz", "-1"}, "-hz -1"},
	} {
		_, err := parse(test.args)
		assert.ErrorContains(t, err, test.want)
	}
}

func TestFigures(t *testing.T) {
	r := results{Figures: map[string]float64{}, Shares: &shares{Node: 0.9, Named: 0.95}, Sets: map[string]*setResult{
		"tpch": {CPU: &score{Right: 60, Wrong: 20, Disputed: 5, NotJudged: 15}, Lines: score{Right: 1}},
		"own":  {Lines: score{Right: 7, Wrong: 1, NotJudged: 2}},
	}}
	r.figures("tpch")
	r.figures("own")
	assert.Equal(t, map[string]float64{
		"lines_right_share": 0.75, "lines_disputed_share": 0.05, "lines_judged_share": 0.8, "plan_node_share": 0.9, "named_share": 0.95,
		"lines_right_share_own": 0.875, "lines_disputed_share_own": 0, "lines_judged_share_own": 0.8,
	}, r.Figures)
	r = results{Figures: map[string]float64{}, Sets: map[string]*setResult{"tpch": {Lines: score{Right: 1}}}}
	r.figures("tpch")
	assert.Empty(t, r.Figures, "lines without weights are no figure")
	r = results{Figures: map[string]float64{}, Shares: &shares{Node: 0.7, Named: 0.8}, Sets: map[string]*setResult{}}
	r.figures("tpch")
	assert.Equal(t, map[string]float64{"plan_node_share": 0.7, "named_share": 0.8}, r.Figures, "recorded only")
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/bench/internal/session"
)

func TestForms(t *testing.T) {
	f := freshFamilies[0]
	without, with := f.form(7, false), f.form(7, true)
	assert.Equal(t, "filter 7/0", without.ID)
	assert.Equal(t, "filter 7/2", with.ID)
	burn := " AND hash(" + strings.Repeat("l_commitdate, ", 39) + "l_commitdate) <> 77"
	assert.Equal(t, 1, strings.Count(with.SQL, burn))
	assert.Equal(t, without.SQL, strings.Replace(with.SQL, burn, "", 1), "nothing else differs")
	assert.Contains(t, with.SQL, "DATE '1998-12-07'")
	assert.NotEqual(t, with.SQL, f.form(8, true).SQL)

	spec := freshSpec(options{data: "d"}, 3, 5)
	assert.Len(t, spec.Statements, 12, "two families, three plans, with and without")
	assert.Zero(t, spec.Warmup, "first passes count")
	for _, s := range spec.Statements {
		assert.NotContains(t, spec.Setup, s.SQL, "the JVM's warm-up has code of its own")
	}
}

func TestGrowthOfForms(t *testing.T) {
	run := func(statement string, pass int, cpu, filter, aggregate float64) session.Execution {
		return session.Execution{Statement: statement, Pass: pass, TaskCPU: time.Duration(cpu * 1e9), Operators: ops(map[string]float64{"filter@" + statement: filter, "aggregate@s": aggregate})}
	}
	executions := []session.Execution{
		run("filter 1/2", 0, 5, 3.5, 1.5), run("filter 1/0", 0, 2, 1, 1), // the filter grew by 2.5 of 3 s
		run("filter 1/0", 1, 1, 0.5, 0.5), run("filter 1/2", 1, 2, 1.5, 0.5), // and by 1 of 1 s
		run("filter 10/0", 0, 9, 9, 0), run("filter 10/2", 0, 99, 99, 0),
	}
	g, err := collectForms(family{Name: "filter 1", Role: "filter"}, 0, executions)
	require.NoError(t, err)
	require.Len(t, g, 2)
	e, truth := pooled(g[:1], 0, -1)
	assert.InDelta(t, 2.5/3-1, e, 1e-9)
	assert.InDelta(t, 3, truth, 1e-9)
	both := estimateE([]growth{sum(g), sum(g)}, 0)
	assert.InDelta(t, 3.5/4-1, both.E, 1e-9)
	assert.InDelta(t, 8, both.TrueSeconds, 1e-9)
	assert.InDelta(t, 0.125, both.Growth["aggregate"], 1e-9, "0.5 of 4 s")

	_, err = collectForms(family{Name: "filter 10", Role: "filter"}, 0, executions[:5])
	assert.ErrorContains(t, err, "not every level has run")
}

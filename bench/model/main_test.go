package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"-parts", "bridge,cost", "-scale", "0.01", "-reuse"})
	require.NoError(t, err)
	assert.Equal(t, []string{"bridge", "cost"}, o.parts)
	assert.True(t, o.reuse)
	for want, args := range map[string][]string{
		`-parts: there is no "waves"`: {"-parts", "cost,waves"},
		"-hz 0: at least 1":           {"-hz", "0"},
		"-sleep -1: at least 1":       {"-sleep", "-1"},
	} {
		_, err := parse(args)
		assert.ErrorContains(t, err, want)
	}
}

func TestSleepsAreTheSameInEverySession(t *testing.T) {
	first := sleeps(150)
	assert.Equal(t, first, sleeps(150))
	assert.Len(t, first, 12)
	for _, s := range first {
		tasks := strings.Count(s.SQL, "L,") + 1
		assert.Contains(t, s.ID, map[int]string{20: "/20/", 50: "/50/", 100: "/100/"}[tasks])
		assert.Contains(t, s.SQL, "range(0, ")
	}
	assert.Equal(t, 20, strings.Count(first[0].SQL, "150L"), "equal durations, no stragglers")
}

// A statement of each expression has the same plan but for a literal.
func TestExpressionsDifferInOneLiteral(t *testing.T) {
	usual, tenfold := expressionStatements(false), expressionStatements(true)
	require.Len(t, tenfold, len(usual))
	for i, e := range expressions {
		assert.Equal(t, e.role+"-", e.id[:len(e.role)+1])
		assert.NotEqual(t, usual[i].SQL, tenfold[i].SQL, e.id)
		assert.Equal(t, usual[i].SQL, strings.Replace(tenfold[i].SQL, e.tenfold, e.usual, 1), e.id)
	}
}

func TestEveryRecordingThatAPartNeedsIsPlanned(t *testing.T) {
	o := &options{hz: 500}
	plans := o.plans()
	for _, p := range parts {
		for _, n := range p.needs {
			require.Contains(t, plans, n)
			assert.Positive(t, plans[n].passes, n)
		}
	}
}

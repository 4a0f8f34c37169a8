package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func replaced(s, from, to string) string { return strings.Replace(s, from, to, 1) }

func TestTallyWeighsLinesByCPU(t *testing.T) {
	c := filterCase(t)
	u := &c.Units[0]
	text := fingerprintOf(u.Body)
	at := func(statement string, n int) place {
		name, ok := text.line(n)
		require.True(t, ok)
		return place{statement, text.key, name}
	}
	w := &weights{lines: map[place]time.Duration{
		at("q", 5):                           3 * time.Second,
		at("q", 9):                           5 * time.Second,
		at("q", 10):                          2 * time.Second,
		at("q", 11):                          7 * time.Millisecond,   // "} while (false);": hit although it should not be
		at("q", 7):                           110 * time.Millisecond, // a comment
		{"q", fingerprintOf("x").key, "x#1"}: 13 * time.Second,       // the oracle has seen another text
		at("other statement", 5):             17 * time.Second,
	}, unlined: 19 * time.Second, other: 23 * time.Second}
	j, err := c.judge(u)
	require.NoError(t, err)
	tally := newTally(w)
	tally.add("q", j)
	tally.add("q", j) // a class that runs in two stages has its CPU once
	got := tally.finish()

	assert.Equal(t, score{Right: 6, Wrong: 2}, got.Lines, "each line of each class")
	require.NotNil(t, got.CPU)
	assert.InDelta(t, 8.007, got.CPU.Right, 1e-9)
	assert.InDelta(t, 2, got.CPU.Wrong, 1e-9)
	assert.InDelta(t, 8.007/10.007, got.CPU.rightShare(), 1e-9)
	assert.Equal(t, map[string]float64{"line without code": 0.11, "class not seen by the oracle": 30, "no line or no source": 19}, got.CPU.Why)
	assert.InDelta(t, 10.007+49.11, got.CPU.total(), 1e-9)
	assert.InDelta(t, 5.007, got.Operators["Filter"].Right, 1e-9)
	assert.InDelta(t, 2, got.Operators["Filter"].Wrong, 1e-9)
	assert.InDelta(t, 3, got.Operators["Range"].Right, 1e-9)
	require.Len(t, got.WrongLines, 1)
	assert.Equal(t, wrongLine{Query: "q", Class: u.Class, Line: 10, Code: "range_nextIndex_0 = 3;", Outcome: wrong, Want: "Filter (id > 5)", Got: "Range (0, 7)", Rule: "lazy", Weight: 2}, got.WrongLines[0])
}

func TestScoreKeepsDisputedApart(t *testing.T) {
	var s score
	s.add(right, true, 3)
	s.add(wrong, false, 1)
	s.add(disputed, true, 5)
	s.add(disputed, false, 7)
	s.add(mixed, false, 11)
	assert.Equal(t, score{Right: 3, Wrong: 1, Disputed: 12, AmongThem: 5, NotJudged: 11, Why: map[string]float64{"mixed": 11}}, s)
	assert.InDelta(t, 0.75, s.rightShare(), 1e-9)
	assert.InDelta(t, 27, s.total(), 1e-9)
	assert.Zero(t, (&score{}).rightShare(), "nothing judged is not all right")
}

package usualcost

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/costmodel"
)

// The shipped model is of the version that this program reads, and says more of a LIKE than of
// none.
func TestShipped(t *testing.T) {
	m := Shipped()
	cost := func(like float64) costmodel.Usual {
		o := costmodel.Operator{Runs: 1, Tasks: 10}
		n := Node{Role: "filter", Name: "Filter x", Text: "Filter x", Counts: map[string]float64{"like": like, "width": 3}}
		n.Describe(&o, 1e6)
		return m.Predict(&o, 1)
	}
	plain, like := cost(0), cost(1)
	assert.Greater(t, like.PerRow, plain.PerRow+20e-9, "a LIKE costs tens of nanoseconds a row")
	for _, u := range []costmodel.Usual{plain, like} {
		assert.Greater(t, u.PerRow, u.Low)
		assert.Less(t, u.PerRow, u.High)
	}
}

func TestParseRefuses(t *testing.T) {
	_, err := Parse("mine.json", []byte(`{"version": 1}`))
	require.ErrorContains(t, err, "mine.json: a model of version 1, not 2: fit it again")
	_, err = Parse("mine.json", []byte(`{`))
	require.ErrorContains(t, err, "mine.json: ")
}

func TestDescribe(t *testing.T) {
	counts := map[string]float64{"keys": 2}
	exchange := Node{Role: "exchange", Name: "Exchange a (write)", Text: "Exchange hashpartitioning(a#1, b#2, 200), ENSURE", Counts: counts}
	for rows, want := range map[float64]costmodel.Operator{
		7000: {Kind: "exchange Exchange (write)", Role: "exchange", Features: counts, Rows: 7000, Runs: 3, Tasks: 5, Segments: 1000},
		700:  {Kind: "exchange Exchange (write)", Role: "exchange", Features: counts, Rows: 700, Runs: 3, Tasks: 5, Segments: 700},
		0:    {Kind: "exchange Exchange (write) without rows", Role: "exchange without rows", Features: counts, Rows: 3, Runs: 3, Tasks: 5},
	} {
		o := costmodel.Operator{Runs: 3, Tasks: 5}
		exchange.Describe(&o, rows)
		assert.Equal(t, want, o, "%v rows", rows)
	}
	o := costmodel.Operator{Runs: 1}
	(&Node{Role: "aggregate", Name: "HashAggregate a", Mode: "final"}).Describe(&o, 9)
	assert.Equal(t, "aggregate HashAggregate final", o.Kind)
}

// scans are scans of a host whose rows cost so many nanoseconds.
func scans(b *Book, query string, n int, nanos float64) {
	for i := range n {
		o := costmodel.Operator{Runs: 1, Tasks: 10, Samples: 100, Sample: nanos * 1e-9 * 1e7 / 100}
		(&Node{Role: "scan", Name: "Scan t"}).Describe(&o, 1e7)
		b.Learn(Key{query, "result", fmt.Sprint("scan@", i)}, &o)
	}
}

func TestBookLearnsTheSpeed(t *testing.T) {
	b := NewBook(Shipped())
	o := costmodel.Operator{Runs: 1, Tasks: 10}
	(&Node{Role: "scan", Name: "Scan t"}).Describe(&o, 1e7)
	nanos := 1e9 * Shipped().Predict(&o, 1).PerRow
	scans(b, "q1", 4, nanos/2)
	_, known := b.Speed()
	assert.False(t, known, "of four operators")
	b.Learn(Key{"q1", "result", "scan@9"}, &costmodel.Operator{Samples: 4, Sample: 1, Rows: 1})
	_, known = b.Speed()
	assert.False(t, known, "four samples are too few")
	scans(b, "q1", 5, nanos/2)
	speed, known := b.Speed()
	assert.True(t, known)
	assert.InDelta(t, 2, speed, 1e-9)
	// The same operators again count once: another query has more of them.
	for range 10 {
		scans(b, "q1", 5, nanos/2)
	}
	scans(b, "q2", 7, nanos/4)
	speed, _ = b.Speed()
	assert.InDelta(t, 4, speed, 1e-9)
}

func TestBookIsBounded(t *testing.T) {
	b := NewBook(Shipped())
	for i := range 3 {
		scans(b, fmt.Sprint("q", i), mostOperators/2, 10)
	}
	assert.Len(t, b.by, mostOperators)
	assert.Len(t, b.order, mostOperators)
	assert.NotContains(t, b.by, Key{"q0", "result", "scan@0"}, "the first one learned went")
}

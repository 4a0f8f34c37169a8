package exporter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRanking(t *testing.T) {
	start := time.Unix(1000, 0)
	r := newRanking[string](2, time.Minute)

	assert.Equal(t, map[string]bool{"a": true, "b": true}, r.admit(start, map[string]int64{"a": 10, "b": 20}), "room for both")
	assert.Equal(t, map[string]bool{}, r.admit(start, map[string]int64{"c": 14}), "below 1.5 × the weakest inside")
	assert.Equal(t, map[string]bool{"c": true}, r.admit(start, map[string]int64{"c": 2}), "16 > 1.5 × 10")
	assert.Equal(t, map[string]bool{}, r.admit(start, map[string]int64{"a": 5}), "a is outside now: 15 < 1.5 × 16")

	// b (20) and c (16) fade to 5 and 4 in two half-lives; 8 of d beats 1.5 × 4.
	later := start.Add(2 * time.Minute)
	assert.Equal(t, map[string]bool{"d": true}, r.admit(later, map[string]int64{"d": 8}))
	assert.Equal(t, map[string]bool{"b": true}, r.admit(later, map[string]int64{"b": 1, "c": 1}))
}

func TestRankingForgets(t *testing.T) {
	r := newRanking[int](3, time.Minute)
	now := time.Unix(1000, 0)
	for i := range 1000 {
		r.admit(now, map[int]int64{i: int64(i + 1)})
		assert.LessOrEqual(t, len(r.entries), 3*memory)
	}
	in := 0
	for _, e := range r.entries {
		if e.in {
			in++
		}
	}
	assert.Equal(t, 3, in)
}

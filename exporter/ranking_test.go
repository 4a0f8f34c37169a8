package exporter

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRanking(t *testing.T) {
	start := time.Unix(1000, 0)
	r := newRanking[string](2, time.Minute)

	assert.Equal(t, map[string]bool{"a": true, "b": true}, r.admit(start, "", map[string]int64{"a": 10, "b": 20}), "room for both")
	assert.Equal(t, map[string]bool{}, r.admit(start, "", map[string]int64{"c": 14}), "below 1.5 × the weakest inside")
	assert.Equal(t, map[string]bool{"c": true}, r.admit(start, "", map[string]int64{"c": 2}), "16 > 1.5 × 10")
	assert.Equal(t, map[string]bool{}, r.admit(start, "", map[string]int64{"a": 5}), "a is outside now: 15 < 1.5 × 16")

	// b (20) and c (16) fade to 5 and 4 in two half-lives; 8 of d beats 1.5 × 4.
	later := start.Add(2 * time.Minute)
	assert.Equal(t, map[string]bool{"d": true}, r.admit(later, "", map[string]int64{"d": 8}))
	assert.Equal(t, map[string]bool{"b": true}, r.admit(later, "", map[string]int64{"b": 1, "c": 1}))
}

func TestRankingRelease(t *testing.T) {
	now := time.Unix(1000, 0)
	r := newRanking[string](2, time.Minute)
	r.admit(now, "", map[string]int64{"a": 10, "b": 20})
	for range 3 { // a push that fails and comes again
		again := map[string]int64{"c": 14}
		assert.Empty(t, r.admit(now, "", again))
		r.release(again)
	}
	r.release(map[string]int64{"a": 11, "d": 1})
	assert.Zero(t, r.entries["a"].weight)
	assert.Zero(t, r.entries["c"].weight)
	assert.Len(t, r.entries, 3)
}

func TestRankingForgets(t *testing.T) {
	r := newRanking[int](3, time.Minute)
	now := time.Unix(1000, 0)
	for i := range 1000 {
		r.admit(now, "", map[int]int64{i: int64(i + 1)})
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

// A tenant with little weight keeps its share beside one who brings many keys of great weight.
func TestRankingShares(t *testing.T) {
	r := newRanking[int](10, time.Minute)
	now := time.Unix(1000, 0)
	heavy := map[int]int64{}
	for i := range 1000 {
		heavy[i] = 1_000_000 + int64(i)
	}
	for range 3 {
		r.admit(now, "bad", heavy)
		small := map[int]int64{5001: 1, 5002: 2, 5003: 3}
		assert.Equal(t, map[int]bool{5001: true, 5002: true, 5003: true}, r.admit(now, "good", small))
		assert.Len(t, r.admit(now, "bad", heavy), 7, "what others leave of theirs")
		assert.LessOrEqual(t, len(r.entries), 10*memory)
	}
	for i := range 10 {
		small := r.admit(now, "good", map[int]int64{6000 + i: 100})
		assert.Equal(t, i < 5, len(small) == 1, "half of the table: key %d", i)
	}
}

// A tenant that is gone has no share. A key that it left is protected by the share of the next
// tenant who brings it.
func TestRankingSharesOfGoneTenants(t *testing.T) {
	r := newRanking[int](10, time.Minute)
	now := time.Unix(1000, 0)
	for i := range 8 {
		r.admit(now, fmt.Sprint("short ", i), map[int]int64{4 * i: 1000, 4*i + 1: 1000, 4*i + 2: 1000, 4*i + 3: 1000})
	}
	live := map[int]int64{}
	for i := range 20 {
		live[100+i] = 100
	}
	now = now.Add(10 * time.Minute)
	assert.Len(t, r.admit(now, "live", live), 10)
	assert.Empty(t, r.admit(now.Add(time.Minute), "none", nil), "no tenant has a share")

	r = newRanking[int](10, time.Minute)
	light, heavy := map[int]int64{1: 1, 2: 1, 3: 1}, map[int]int64{}
	for i := range 100 {
		heavy[100+i] = 1_000_000
	}
	r.admit(now, "first", light)
	now = now.Add(time.Minute)
	r.admit(now, "second", light)
	r.admit(now, "bad", heavy)
	assert.Len(t, r.admit(now, "second", light), 3)
}

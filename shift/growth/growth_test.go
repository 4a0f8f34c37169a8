package growth

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var begin = time.Date(2026, 11, 1, 2, 0, 0, 0, time.UTC)

// stacks are shares of an operator's CPU by stack, "a>b>c", callee of the operator first; "" is the operator's own.
type stacks map[string]float64

func frames(text string) (out []Frame) {
	if text == "" {
		return nil
	}
	for f := range strings.SplitSeq(text, ">") {
		out = append(out, NewFrame(f))
	}
	return out
}

// sampled is a run of samples drawn from shares, each a second.
func sampled(rng *rand.Rand, s stacks, n int) Tree {
	var t Tree
	for range n {
		u := rng.Float64()
		for _, k := range []string{"gen", "gen>match", "gen>match>find", "gen>match>group", "read", "read>decode", ""} {
			if u -= s[k]; u < 0 {
				t.Add(frames(k), 1)
				break
			}
		}
	}
	return t
}

var usual = stacks{"gen": 0.2, "gen>match": 0.1, "gen>match>find": 0.2, "gen>match>group": 0.1, "read": 0.1, "read>decode": 0.3}

func history(rng *rand.Rand, runs, samples int, shares func(run int) stacks) *History {
	h := &History{}
	for n := range runs {
		h.Add(Run{End: begin.Add(time.Duration(n) * time.Hour), Tree: sampled(rng, shares(n), samples)})
	}
	return h
}

// What find costs three times as much makes the operator 40 % dearer: the path leads to it, from the shift's second run on, and back.
func TestTheCalleeThatGrewIsFound(t *testing.T) {
	dear := stacks{"gen": 0.2 / 1.4, "gen>match": 0.1 / 1.4, "gen>match>find": 0.6 / 1.4, "gen>match>group": 0.1 / 1.4, "read": 0.1 / 1.4, "read>decode": 0.3 / 1.4}
	for _, newer := range []int{2, 3, 5, 9, 24} {
		for seed := range uint64(40) {
			h := history(rand.New(rand.NewPCG(seed, uint64(newer))), 30+newer, 400, func(run int) stacks {
				if run < 30 {
					return usual
				}
				return dear
			})
			c, ok := h.Change(begin.Add(30*time.Hour), 10, 14)
			require.True(t, ok)
			require.Equal(t, []string{"gen", "match", "find"}, c.Frames)
			require.InDelta(t, 2, c.From, 0.3)
			require.InDelta(t, 6, c.To, 0.9)
		}
	}
	h := history(rand.New(rand.NewPCG(1, 2)), 33, 400, func(run int) stacks {
		if run < 30 {
			return dear
		}
		return usual
	})
	c, ok := h.Change(begin.Add(30*time.Hour), 14, 10)
	require.True(t, ok)
	assert.Equal(t, []string{"gen", "match", "find"}, c.Frames)
	assert.Greater(t, c.From, c.To)
}

// The path ends where the growth is a method's own, and where it is spread over callees.
func TestThePathEndsWhereGrowthIsSpread(t *testing.T) {
	for name, c := range map[string]struct {
		dear stacks
		want []string
	}{
		"own":    {stacks{"gen": 0.6 / 1.4, "gen>match": 0.1 / 1.4, "gen>match>find": 0.2 / 1.4, "gen>match>group": 0.1 / 1.4, "read": 0.1 / 1.4, "read>decode": 0.3 / 1.4}, []string{"gen"}},
		"spread": {stacks{"gen": 0.3 / 1.4, "gen>match": 0.2 / 1.4, "gen>match>find": 0.3 / 1.4, "gen>match>group": 0.2 / 1.4, "read": 0.1 / 1.4, "read>decode": 0.3 / 1.4}, []string{"gen", "match"}},
	} {
		h := history(rand.New(rand.NewPCG(3, 5)), 40, 4000, func(run int) stacks {
			if run < 32 {
				return usual
			}
			return c.dear
		})
		got, ok := h.Change(begin.Add(32*time.Hour), 10, 14)
		require.True(t, ok, name)
		assert.Equal(t, c.want, got.Frames, name)
	}
}

// Where nothing changed hardly ever a stack is told: the operator's cost is the same, and two callees are looked at.
func TestNoChangeIsTold(t *testing.T) {
	told := 0
	for seed := range uint64(2000) {
		h := history(rand.New(rand.NewPCG(seed, 11)), 22, 60, func(int) stacks { return usual })
		if _, ok := h.Change(begin.Add(19*time.Hour), 10, 10); ok {
			told++
		}
	}
	assert.Less(t, told, 20, "of 2000: three standard errors, two callees")
	t.Log(told)
}

func TestOneSideIsMissing(t *testing.T) {
	h := history(rand.New(rand.NewPCG(1, 3)), 4, 100, func(int) stacks { return usual })
	_, ok := h.Change(begin, 10, 14)
	assert.False(t, ok, "no run before")
	_, ok = h.Change(begin.Add(4*time.Hour), 10, 14)
	assert.False(t, ok, "no run since")
	_, ok = (&History{}).Change(begin, 10, 14)
	assert.False(t, ok)
}

// A tree keeps its CPU and every node's caller, whatever is pruned; small nodes go first.
func TestPruneKeepsTheTotal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for range 200 {
		var tree Tree
		for range 300 {
			var stack []Frame
			for range rng.IntN(7) {
				stack = append(stack, NewFrame(fmt.Sprint("f", rng.IntN(4))))
			}
			tree.Add(stack, rng.Float64())
		}
		total, most := tree.Total(), 1+rng.IntN(60)
		whole := tree.whole()
		tree.Prune(most, 0.01)
		require.InDelta(t, total, tree.Total(), 1e-9)
		require.LessOrEqual(t, tree.Len(), most)
		for i, cpu := range tree.whole() {
			require.GreaterOrEqual(t, cpu, 0.01*total-1e-9)
			require.Less(t, int(tree.nodes[i].caller), max(i, 1))
		}
		require.InDelta(t, whole[0], tree.whole()[0], 1e-9)
		tree.Add(frames("gen>match"), 3) // it goes on after it was pruned
		tree.Add(frames("gen>match"), 4)
		require.InDelta(t, total+7, tree.Total(), 1e-9)
		require.LessOrEqual(t, tree.Len(), most+2)
	}
	var empty Tree
	empty.Prune(3, 0.01)
	assert.Zero(t, empty.Len())
}

// However many runs: at most four groups of one, two, four and eight runs, the newest one by one, none twice.
func TestHistoryIsBounded(t *testing.T) {
	h := &History{}
	for n := range 500 {
		var tree Tree
		tree.Add(frames("gen"), 1)
		h.Add(Run{End: begin.Add(time.Duration(n) * time.Hour), Samples: 7, Tree: tree})
		sizes := map[int]int{}
		runs := 0
		for i, g := range h.groups {
			sizes[g.runs]++
			runs += g.runs
			require.InDelta(t, 7*float64(g.runs), g.samples, 1e-9)
			require.InDelta(t, float64(g.runs), g.tree.Total(), 1e-9)
			require.Equal(t, time.Duration(g.runs-1)*time.Hour, g.last.Sub(g.first))
			if i > 0 {
				require.True(t, h.groups[i-1].last.Before(g.first))
			}
		}
		for size, k := range sizes {
			require.LessOrEqual(t, k, mostOfSize, "groups of %d", size)
		}
		require.GreaterOrEqual(t, sizes[1], min(n+1, 3))
		require.GreaterOrEqual(t, runs, min(n+1, 45))
	}
	assert.LessOrEqual(t, h.Nodes(), 16*2)
	h.Add(Run{End: begin.Add(499*time.Hour - time.Minute), Tree: sampled(rand.New(rand.NewPCG(1, 1)), usual, 9)}) // late
	for i := 1; i < len(h.groups); i++ {
		assert.False(t, h.groups[i].last.Before(h.groups[i-1].last))
	}
	h.Add(Run{End: begin})
	assert.NotEqual(t, begin, h.groups[0].first, "a run without stacks adds nothing")
}

func TestHistoryIsStored(t *testing.T) {
	h := history(rand.New(rand.NewPCG(7, 9)), 33, 90, func(int) stacks { return usual })
	text, err := json.Marshal(h)
	require.NoError(t, err)
	var back History
	require.NoError(t, json.Unmarshal(text, &back))
	for i := range h.groups {
		h.groups[i].tree.index, h.groups[i].tree.adds = nil, 0
	}
	assert.Equal(t, h.groups, back.groups)

	good := `{"frames":["gen"],"groups":[{"first":3,"last":5,"runs":2,"samples":7,"cpu":1,"nodes":[[0,0,2]]}]}`
	require.NoError(t, json.Unmarshal([]byte(good), &back))
	was := back
	for name, change := range map[string][2]string{
		"decode stacks: group 0: ends": {`"first":3`, `"first":6`},
		"0 runs":                       {`"runs":2`, `"runs":0`},
		"3 runs":                       {`"runs":2`, `"runs":3`},
		"0 samples":                    {`"samples":7`, `"samples":0`},
		"CPU -1":                       {`"cpu":1`, `"cpu":-1`},
		"no CPU":                       {`"cpu":1,"nodes":[[0,0,2]]`, `"cpu":0,"nodes":[[0,0,0]]`},
		"node 0: [1 0 2]":              {`[0,0,2]`, `[1,0,2]`},
		"node 0: [0 1 2]":              {`[0,0,2]`, `[0,1,2]`},
		"node 0: [0 0.5 2]":            {`[0,0,2]`, `[0,0.5,2]`},
		"node 0: [0 0 -2]":             {`[0,0,2]`, `[0,0,-2]`},
		"64 nodes":                     {`[[0,0,2]]`, `[` + strings.Repeat(`[0,0,2],`, 63) + `[0,0,2]]`},
		"groups in no order":           {`]}`, `,{"first":1,"last":2,"runs":1,"samples":1,"cpu":1}]}`},
		"unexpected end":               {`}]}`, ``},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if name == "groups in no order" {
			bad = strings.TrimSuffix(good, change[0]) + change[1]
		}
		require.ErrorContains(t, json.Unmarshal([]byte(bad), &back), name, bad)
		assert.Equal(t, was, back)
	}
}

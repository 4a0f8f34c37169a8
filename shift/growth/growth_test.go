package growth

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stacks are an operator's CPU by stack, "a>b>c", callee of the operator first; "" is the
// operator's own.
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

func (s stacks) total() (sum float64) {
	for _, v := range s {
		sum += v
	}
	return sum
}

// with is s with other CPU of one stack.
func (s stacks) with(stack string, cpu float64) stacks {
	out := maps.Clone(s)
	out[stack] = cpu
	return out
}

// sampled is a run of n samples of s, each a second. Callees vary by so much from run to run,
// beside sampling.
func sampled(rng *rand.Rand, s stacks, n int, vary float64) *Run {
	names := slices.Sorted(maps.Keys(s))
	of := make([]float64, len(names))
	var total float64
	for i, k := range names {
		of[i] = s[k] * max(0, 1+vary*rng.NormFloat64())
		total += of[i]
	}
	r := &Run{Samples: float64(n)}
	for range n {
		u := rng.Float64() * total
		for i, k := range names {
			if u -= of[i]; u < 0 || i == len(names)-1 {
				r.Tree.Add(frames(k), 1)
				break
			}
		}
	}
	r.Tree.Prune(64, 0.01)
	return r
}

func runs(rng *rand.Rand, runs, samples int, s stacks, vary float64) (out []*Run) {
	for range runs {
		out = append(out, sampled(rng, s, samples, vary))
	}
	return out
}

// merged is the runs as one.
func merged(runs []*Run) []*Run {
	m := Merge(runs, 256)
	return []*Run{&m}
}

var usual = stacks{"gen": 2, "gen>match": 1, "gen>match>find": 2, "gen>match>group": 1, "read": 1, "read>decode": 3}

// What find costs three times as much makes the operator 40 % more expensive: the path leads to it,
// from the second run on, upwards and downwards.
func TestTheCalleeThatChangedIsFound(t *testing.T) {
	dear := usual.with("gen>match>find", 6)
	for _, newer := range []int{2, 3, 5, 20} {
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, uint64(newer)))
			was, is := runs(rng, 25, 400, usual, 0.02), runs(rng, newer, 400, dear, 0.02)
			c, ok := Changed(was, is, 10, 14)
			require.True(t, ok)
			require.Equal(t, []string{"gen", "match", "find"}, c.Frames)
			require.InDelta(t, 2, c.From, 0.3)
			require.InDelta(t, 6, c.To, 0.9)
			c, ok = Changed(is, was, 14, 10)
			require.True(t, ok)
			require.Equal(t, []string{"gen", "match", "find"}, c.Frames)
			require.InDelta(t, 6, c.From, 0.9)
			require.InDelta(t, 2, c.To, 0.3)
			c, ok = Changed(merged(was), is, 10, 14)
			require.Equal(t, newer > leastFree, ok)
			if !ok {
				continue
			}
			require.Equal(t, []string{"gen", "match", "find"}, c.Frames)
			require.InDelta(t, 2, c.From, 0.3)
		}
	}
}

// Runs that were merged stand for as many: how runs differ is less in their mean than in one.
func TestMergedRunsStandForMany(t *testing.T) {
	found := 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 11))
		c, ok := Changed(merged(runs(rng, 25, 2000, usual, 0.15)), runs(rng, 8, 2000, usual.with("gen>match>find", 4.4), 0.15), 10, 12.4)
		if ok && slices.Equal(c.Frames, []string{"gen", "match", "find"}) {
			found++
		}
	}
	assert.GreaterOrEqual(t, found, 18)
}

// The path ends where the change is a method's own, or no one callee's; so it may be empty.
func TestThePathEndsWhereTheChangeIsSpread(t *testing.T) {
	wide := stacks{"a": 3, "b": 3, "c": 3, "": 1}
	for name, c := range map[string]struct {
		was, is stacks
		want    []string
	}{
		"a method's own":                    {usual, usual.with("gen", 6), []string{"gen"}},
		"two callees and their caller":      {usual, usual.with("gen>match", 2).with("gen>match>find", 3).with("gen>match>group", 3), []string{"gen", "match"}},
		"the operator's own, and a little":  {usual.with("", 5), usual.with("", 9).with("gen", 2.2), nil},
		"three callees alike":               {wide, stacks{"a": 4.3, "b": 4.3, "c": 4.3, "": 1}, nil},
		"another method instead":            {usual, usual.with("gen>match>find", 0).with("gen>match>search", 6), []string{"gen", "match", "search"}},
		"one fell and another grew by more": {usual, usual.with("read>decode", 1).with("gen>match>find", 8), []string{"gen", "match", "find"}},
		"three fifths, the others own":      {usual, usual.with("gen", 4).with("read>decode", 6), []string{"read", "decode"}},
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 5))
			got, ok := Changed(runs(rng, 25, 4000, c.was, 0), runs(rng, 5, 4000, c.is, 0), c.was.total(), c.is.total())
			assert.Equal(t, c.want, got.Frames)
			assert.Equal(t, c.want != nil, ok)
		})
	}
}

// Only the operator's cost changed and its stacks did not, so each of ten callees has a tenth of
// the change. Hardly ever is one named, upwards or downwards. That holds with few samples or many,
// and with many runs on one side or on both. It holds if runs differ by more than sampling.
func TestNoCalleeIsToldByChance(t *testing.T) {
	s := stacks{}
	for i := range 10 {
		s[fmt.Sprint("callee ", i)] = 1
	}
	for _, samples := range []int{10, 60, 200} {
		for _, newer := range []int{2, 5, 20} {
			for _, vary := range []float64{0, 0.2} {
				up, down, of := 0, 0, 0
				for seed := range uint64(100) {
					rng := rand.New(rand.NewPCG(seed, uint64(1000*newer+samples)))
					was, is := runs(rng, 20, samples, s, vary), runs(rng, newer, samples, s, vary)
					if _, ok := Changed(was, is, 10, 11); ok {
						up++
					}
					if _, ok := Changed(was, is, 10, 9); ok {
						down++
					}
					if _, ok := Changed(merged(was), is, 10, 11); ok {
						of++
					}
				}
				assert.LessOrEqual(t, max(up, down, of), 3, "of 100 with %d samples, %d newer runs, callees that vary by %g: up %d, down %d, against merged runs %d", samples, newer, vary, up, down, of)
			}
		}
	}
}

// Where the deepest frames of one branch are pruned on one side and not on the other, the path ends
// before them: they did not cost nothing. Two chains of calls share the operator's CPU, and the
// trees have no room for both.
func TestPrunedFramesAreNotTakenForNothing(t *testing.T) {
	chain := func(name string, n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprint(name, i))
		}
		return strings.Join(all, ">")
	}
	regex, parse, inner := chain("regex", 50), chain("parse", 30), chain("parse", 16)
	for name, c := range map[string]struct {
		was, is stacks
		want    string // that the path begins with
		from    float64
	}{
		"the leaf":  {stacks{regex: 50, parse: 40}, stacks{regex: 50, parse: 80}, "parse", 40},
		"the inner": {stacks{regex: 42, parse: 40}, stacks{regex: 38, parse: 40, inner: 20}, "parse", 40},
	} {
		for _, samples := range []int{200, 1000} {
			for seed := range uint64(8) {
				rng := rand.New(rand.NewPCG(seed, uint64(samples)))
				was, is := runs(rng, 10, samples, c.was, 0.02), runs(rng, 6, samples, c.is, 0.02)
				for _, each := range []struct{ was, is []*Run }{{was, is}, {is, was}, {merged(was), is}} {
					before, since := c.was.total(), c.is.total()
					if each.was[0] == is[0] {
						before, since = since, before
					}
					got, ok := Changed(each.was, each.is, before, since)
					if !ok && samples == 200 {
						continue // too few of them
					}
					require.True(t, ok, name)
					require.Equal(t, "parse0", got.Frames[0], name)
					require.NotContains(t, got.Frames, "parse29", name)
					require.InDelta(t, c.from, min(got.From, got.To), 8, "%s: %v", name, got)
				}
			}
		}
	}
}

func TestOneSideIsMissing(t *testing.T) {
	some := runs(rand.New(rand.NewPCG(1, 3)), 4, 100, usual, 0)
	for _, none := range [][]*Run{nil, {{Samples: 3}}} {
		_, ok := Changed(none, some, 10, 14)
		assert.False(t, ok)
		_, ok = Changed(some, none, 10, 14)
		assert.False(t, ok)
	}
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
		least := slices.Sorted(slices.Values(tree.whole()))[max(0, tree.Len()-most)]
		tree.Prune(most, 0.01)
		require.InDelta(t, total, tree.Total(), 1e-9)
		require.LessOrEqual(t, tree.Len(), most)
		for i, cpu := range tree.whole() {
			require.GreaterOrEqual(t, cpu, max(least, 0.01*total)-1e-9)
			require.Less(t, int(tree.nodes[i].caller), max(i, 1))
		}
		require.InDelta(t, total, tree.whole()[0], 1e-9)
		tree.Add(frames("gen>match"), 3) // it goes on after it was pruned
		tree.Add(frames("gen>match"), 4)
		require.InDelta(t, total+7, tree.Total(), 1e-9)
		require.LessOrEqual(t, tree.Len(), most+2)
	}
	var empty Tree
	empty.Prune(3, 0.01)
	assert.Zero(t, empty.Len())
}

func TestMergeAdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	a, b := sampled(rng, usual, 50, 0), sampled(rng, usual.with("other", 3), 70, 0)
	a.Tree.Merge(&b.Tree)
	assert.InDelta(t, 120, a.Tree.Total(), 1e-9)
	m := Merge([]*Run{b, {Tree: a.Tree, Samples: 120, Merged: 2}}, 4)
	assert.Equal(t, 3, m.Merged)
	assert.InDelta(t, 190, m.Samples, 1e-9)
	assert.InDelta(t, 190, m.Tree.Total(), 1e-9)
	assert.Equal(t, 4, m.Tree.Len())
	places := map[string]bool{}
	for i, n := range a.Tree.nodes[1:] {
		key := fmt.Sprint(n.caller, n.frame)
		assert.False(t, places[key], "node %d is twice", i)
		places[key] = true
	}
}

func TestTreeIsStored(t *testing.T) {
	tree := sampled(rand.New(rand.NewPCG(7, 9)), usual, 90, 0).Tree
	tree.Prune(4, 0)
	text, err := json.Marshal(&tree)
	require.NoError(t, err)
	var back Tree
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, tree.nodes, back.nodes)
	assert.Positive(t, back.cut)
	assert.InDelta(t, tree.cut, back.cut, 0)

	good := `{"frames":["gen"],"cpu":1,"nodes":[[0,0,2]]}`
	require.NoError(t, json.Unmarshal([]byte(good), &back))
	was := back
	for says, change := range map[string][2]string{
		"CPU -1 of node 0":  {`"cpu":1`, `"cpu":-1`},
		"no CPU":            {`"cpu":1,"nodes":[[0,0,2]]`, `"cpu":0,"nodes":[[0,0,0]]`},
		"node 1: [1 0 2]":   {`[0,0,2]`, `[1,0,2]`},
		"node 1: [0 1 2]":   {`[0,0,2]`, `[0,1,2]`},
		"node 1: [0 0.5 2]": {`[0,0,2]`, `[0,0.5,2]`},
		"CPU -2 of node 1":  {`[0,0,2]`, `[0,0,-2]`},
		"65537 nodes":       {`[[0,0,2]]`, `[` + strings.Repeat(`[0,0,2],`, mostStored) + `[0,0,2]]`},
		"CPU -1 that was":   {`"cpu":1`, `"cpu":1,"cut":-1`},
		"cannot unmarshal":  {`[[0,0,2]]`, `3`},
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(strings.Replace(good, change[0], change[1], 1)), &back), says)
		assert.Equal(t, was, back)
	}
}

package phase

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planted are mixes of three sorts, in turn.
func planted(n int, seed uint64) (mixes []Mix) {
	random := rand.New(rand.NewPCG(seed, 1))
	around := func(x float64) float64 { return x * (0.9 + 0.2*random.Float64()) }
	for i := range n {
		m := Mix{"scan": around(20), "exchange": around(10)}
		m[[]Kind{"sort", "join", "[codegen]"}[i%3]] = around(70)
		mixes = append(mixes, m)
	}
	return mixes
}

func TestPlantedPhases(t *testing.T) {
	mixes := planted(31, 5)
	phases := Find(mixes, 1)
	require.Len(t, phases, 3)
	names := []string{"sort", "join", "[codegen]"}
	for k, p := range phases { // 11, 10 and 10 members
		assert.Equal(t, names[k], p.Name)
		for n, i := range p.Members {
			assert.Equal(t, k+3*n, i, "%s", p.Name)
		}
	}
	assert.Equal(t, phases, Find(mixes, 1))
}

func TestFewMixes(t *testing.T) {
	assert.Nil(t, Find(nil, 1))
	assert.Equal(t, []Phase{{Name: "mixed", Members: []int{0}}}, Find([]Mix{{"scan": 3}}, 1))
	alike := []Mix{{"scan": 3, "sort": 1}, {"scan": 6, "sort": 2}, {"scan": 9, "sort": 3}}
	assert.Equal(t, []Phase{{Name: "mixed", Members: []int{0, 1, 2}}}, Find(alike, 1))
	empty := Find([]Mix{{"scan": 3}, {"scan": 5}, {"sort": 2}, {"sort": 4}, {}}, 1)
	members := 0
	for _, p := range empty {
		members += len(p.Members)
	}
	assert.Equal(t, 5, members)
}

// K-means may leave a center without points: of these 12 one is.
func TestNoPhaseIsEmpty(t *testing.T) {
	random := rand.New(rand.NewPCG(91636, 7))
	var points [][]float64
	for range 30 {
		points = append(points, []float64{random.Float64(), random.Float64()})
	}
	phases := phasesOf([]Kind{"sort", "join"}, points, cluster(points, 12, 1))
	assert.Len(t, phases, 11)
	members := 0
	for _, p := range phases {
		assert.NotEmpty(t, p.Members)
		members += len(p.Members)
	}
	assert.Equal(t, 30, members)
}

func TestAtMostTwentyPhases(t *testing.T) {
	var mixes []Mix
	for i := range 90 {
		mixes = append(mixes, Mix{Kind(fmt.Sprintf("k%02d", i/3)): 1})
	}
	phases := Find(mixes, 1)
	assert.LessOrEqual(t, len(phases), mostPhases)
	assert.Greater(t, len(phases), mostPhases/2)
	seen := map[string]bool{}
	for _, p := range phases {
		assert.False(t, seen[p.Name], p.Name)
		seen[p.Name] = true
	}
}

func TestSilhouette(t *testing.T) {
	points := [][]float64{{0, 0}, {0, 2}, {6, 1}, {6, 1}}
	c := cluster(points, 2, 1)
	// Centers (0, 1) and (6, 1): own distances 1, 1, 0, 0; to the other center √37, √37, 6, 6.
	assert.InDelta(t, (2*(6.0827625303-1)/6.0827625303+2)/4, c.silhouette, 1e-9)
	assert.InDelta(t, 2, c.inertia, 1e-12)
	assert.Equal(t, c.of[0], c.of[1])
	assert.Equal(t, c.of[2], c.of[3])
	assert.Len(t, cluster(points, 4, 1).centers, 3, "three points differ")
	assert.Equal(t, []float64{3, 1}, cluster(points, 1, 1).centers[0])
}

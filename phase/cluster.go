package phase

import (
	"math"
	"math/rand/v2"
	"slices"
)

// clusters are points around centers.
type clusters struct {
	centers    [][]float64
	of         []int   // :: point → its center
	inertia    float64 // sum of the squared distances to the points' centers
	silhouette float64 // mean, -1 … 1; 0 of a single cluster
}

const (
	starts     = 4   // of which the one with the least inertia counts
	mostRounds = 100 // of one start; it ends before if no point moves
)

// cluster puts points around k centers at most: k-means (Lloyd) from k-means++ (Arthur and
// Vassilvitskii 2007). If fewer points differ, there are fewer centers.
func cluster(points [][]float64, k int, seed uint64) (best clusters) {
	best.inertia = math.Inf(1)
	for start := range uint64(starts) {
		c := clusters{centers: spread(points, k, rand.New(rand.NewPCG(seed, uint64(k)<<32|start))), of: slices.Repeat([]int{-1}, len(points))}
		for range mostRounds {
			if !c.assign(points) {
				break
			}
			c.move(points)
		}
		if c.inertia < best.inertia {
			best = c
		}
	}
	best.silhouette = best.measure(points)
	return best
}

// spread draws centers among the points, each with a probability in proportion to its squared
// distance from those before it.
func spread(points [][]float64, k int, random *rand.Rand) [][]float64 {
	centers := [][]float64{points[random.IntN(len(points))]}
	least := make([]float64, len(points))
	for i := range least {
		least[i] = math.Inf(1)
	}
	for len(centers) < k {
		sum := 0.
		for i, x := range points {
			least[i] = min(least[i], distance2(x, centers[len(centers)-1]))
			sum += least[i]
		}
		if sum == 0 {
			break // every point is a center
		}
		at, next := float64(random.Float64()*sum), -1 // converted as in distance2
		for i, d := range least {
			if d > 0 {
				next = i
			}
			if at -= d; at < 0 && next >= 0 {
				break
			}
		}
		centers = append(centers, points[next])
	}
	return centers
}

// assign gives each point its nearest center, and reports whether one changed.
func (c *clusters) assign(points [][]float64) (changed bool) {
	c.inertia = 0
	for i, x := range points {
		at, d := c.nearest(x, -1)
		changed = changed || c.of[i] != at
		c.of[i] = at
		c.inertia += d
	}
	return changed
}

// nearest returns the center next to a point, and its squared distance; the center except is passed
// over.
func (c *clusters) nearest(x []float64, except int) (at int, least float64) {
	at, least = -1, math.Inf(1)
	for k, center := range c.centers {
		if d := distance2(x, center); k != except && d < least {
			at, least = k, d
		}
	}
	return at, least
}

// move puts each center into the middle of its points. One without points stays.
func (c *clusters) move(points [][]float64) {
	members := make([][][]float64, len(c.centers))
	for i, x := range points {
		members[c.of[i]] = append(members[c.of[i]], x)
	}
	for k, m := range members {
		if len(m) > 0 {
			c.centers[k] = mean(m)
		}
	}
}

// measure returns the mean simplified silhouette (Hruschka et al. 2004): distances are to centers
// and not to all other points, so the time grows with the number of points and not with its square.
func (c *clusters) measure(points [][]float64) float64 {
	if len(c.centers) < 2 {
		return 0
	}
	members := make([]int, len(c.centers))
	for _, k := range c.of {
		members[k]++
	}
	sum := 0.
	for i, x := range points {
		if members[c.of[i]] == 1 {
			continue // 0 (Rousseeuw 1987): else the best clusters would be single points
		}
		own := math.Sqrt(distance2(x, c.centers[c.of[i]]))
		_, d := c.nearest(x, c.of[i])
		if other := math.Sqrt(d); other > 0 {
			sum += (other - own) / max(other, own)
		}
	}
	return sum / float64(len(points))
}

// distance2 is the squared distance of two points. The conversion keeps the compiler from fusing
// the product with the sum, which would round otherwise on other machines.
func distance2(x, y []float64) (sum float64) {
	for i := range x {
		d := x[i] - y[i]
		sum += float64(d * d)
	}
	return sum
}

func mean(points [][]float64) []float64 {
	out := make([]float64, len(points[0]))
	for _, x := range points {
		for k := range x {
			out[k] += x[k]
		}
	}
	for k := range out {
		out[k] /= float64(len(points))
	}
	return out
}

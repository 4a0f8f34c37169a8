package main

import (
	"context"
	"fmt"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"
)

// besideStock runs a session of v and a stock one at once. Each has a core of its own, and they
// swap cores from round to round. So what makes the machine slower for minutes makes both slower.
// Each JVM is told to take itself for one with all cores, since with one it would choose another
// collector of garbage and fewer compiler threads. The shorter of two sessions leaves the other
// alone at its end, where that is a little faster.
func (b *bench) besideStock(ctx context.Context, v variant, w workload, round int) ([]sessionRun, error) {
	two, err := twoCores()
	if err != nil {
		return nil, err
	}
	b.pairs++
	group, ctx := errgroup.WithContext(ctx)
	begin := newGate(2)
	out := make([]sessionRun, 2)
	for i, each := range []variant{b.variants[0], v} {
		core := &two[(i+round)%2]
		group.Go(func() error {
			r, err := b.session(ctx, each, w, place{core: core, ready: begin.pass})
			r.Pair, r.Core = b.pairs, core
			out[i] = r
			return err
		})
	}
	return out, group.Wait()
}

// twoCores are the first that this process may use. Two threads of one core would do, but for what
// they take from each other.
func twoCores() ([]int, error) {
	all, err := cores()
	if err != nil {
		return nil, err
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("-beside takes two cores, and this process may use %d", len(all))
	}
	return all[:2], nil
}

// gate lets its visitors go on when all are there.
type gate struct {
	mu      sync.Mutex
	missing int
	open    chan struct{}
}

func newGate(visitors int) *gate { return &gate{missing: visitors, open: make(chan struct{})} }

// pass returns when the last has come.
func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	if g.missing--; g.missing == 0 {
		close(g.open)
	}
	g.mu.Unlock()
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mean of some numbers with its standard error; 0 for one number.
type mean struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

// beyond is what a has beyond b, class by class.
func beyond(a, b map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for class, cpu := range a {
		out[class] = cpu - b[class]
	}
	for class, cpu := range b {
		if _, both := a[class]; !both {
			out[class] = -cpu
		}
	}
	return out
}

// meansOf are the means by key; a key that a map lacks is 0 there.
func meansOf(maps []map[string]float64) map[string]mean {
	out := map[string]mean{}
	n := float64(len(maps))
	for _, m := range maps {
		for k, v := range m {
			at := out[k]
			at.Mean += v / n
			out[k] = at
		}
	}
	if n < 2 {
		return out
	}
	for k, at := range out {
		var squares float64
		for _, m := range maps {
			squares += (m[k] - at.Mean) * (m[k] - at.Mean)
		}
		at.SE = math.Sqrt(squares / (n - 1) / n)
		out[k] = at
	}
	return out
}

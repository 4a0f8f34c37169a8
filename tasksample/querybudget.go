package tasksample

import (
	"fmt"
	"math"
	"time"
)

// QueryBudget bounds the samples that one node keeps of each query in an hour, by keeping a part of
// them. The part follows from the CPU of all tasks and from the parts before it, never from what
// samples show. So a sample that weighs 1 / (its rate · the part) leaves estimates unbiased.
//
// For each query it holds S, the samples that it is expected to have kept lately, samples of an
// hour ago counting 1/e:
//
//	dS = kept · rate · dCPU - S · dt / 1 h        kept = 1 - S / PerHour
//
// and a thousandth is always kept. So a query that has used little keeps all of its samples. A
// query that would steadily have x times PerHour in an hour keeps 1 / (1 + x) of them. But for that
// thousandth S never exceeds PerHour, and an hour has at most twice as many: what was saved up, and
// what the hour brings.
//
// It holds at most MostQueries queries; for a new one beyond that the one with the smallest S goes
// and begins again when it comes again (PushedOut counts). Not safe for concurrent use.
type QueryBudget struct {
	perHour   float64
	queries   map[string]querySpent
	pushedOut uint64
}

// querySpent is S at a time.
type querySpent struct {
	samples float64
	at      time.Time
}

// MostQueries bounds the queries of a QueryBudget.
const MostQueries = 4096

// leastKept is the smallest part that is kept: a weight beyond a thousand times the rate's would
// make an estimate of a single sample.
const leastKept = 0.001

// NewQueryBudget returns a budget of so many samples an hour and query on this node, more than 0.
// Where several nodes share a fleet's budget each has its part: rates differ between nodes then,
// and weights follow them.
func NewQueryBudget(perHour float64) (*QueryBudget, error) {
	if !(perHour > 0) || math.IsInf(perHour, 1) {
		return nil, fmt.Errorf("samples of a query in an hour: %v is not more than 0", perHour)
	}
	return &QueryBudget{perHour: perHour, queries: map[string]querySpent{}}, nil
}

// Kept is the part of a query's samples that is kept now, in (0, 1].
func (b *QueryBudget) Kept(query string, now time.Time) float64 {
	return b.kept(b.spent(query, now))
}

func (b *QueryBudget) kept(samples float64) float64 { return max(1-samples/b.perHour, leastKept) }

// spent is a query's S.
func (b *QueryBudget) spent(query string, now time.Time) float64 {
	s := b.queries[query]
	if age := now.Sub(s.at); age > 0 {
		return s.samples * math.Exp(-age.Hours())
	}
	return s.samples
}

// Use tells how many samples clocks have offered of a query, before any is left out: the CPU that
// its tasks have used, sampled or not, times their rates. It solves the equation above over all of
// them, which may be samples of a long task. None are offered where there are less than 0.
func (b *QueryBudget) Use(query string, offered float64, now time.Time) {
	if !(offered > 0) {
		return
	}
	if _, known := b.queries[query]; !known && len(b.queries) >= MostQueries {
		b.pushOut(now)
	}
	s := b.spent(query, now)
	// dS / (1 - S/Q) = d(offered), down to the least part that is kept.
	full := b.perHour * (1 - leastKept)
	if s < full {
		free := b.perHour * math.Log((b.perHour-s)/(b.perHour-full)) // offers until then
		if offered <= free {
			s, offered = b.perHour-(b.perHour-s)*math.Exp(-offered/b.perHour), 0
		} else {
			s, offered = full, offered-free
		}
	}
	b.queries[query] = querySpent{s + leastKept*offered, now}
}

// pushOut forgets the query that has the least to lose.
func (b *QueryBudget) pushOut(now time.Time) {
	least, found := "", math.Inf(1)
	for query := range b.queries {
		if s := b.spent(query, now); s < found || s == found && query < least {
			least, found = query, s
		}
	}
	delete(b.queries, least)
	b.pushedOut++
}

// PushedOut is how many queries had to go for others.
func (b *QueryBudget) PushedOut() uint64 { return b.pushedOut }

// Thinning draws which of a clock's samples are kept. While the kept part is constant, the kept
// samples are as evenly spaced as the clock's own. This is systematic sampling with unequal
// probabilities (Madow 1949). Each sample is kept with just the probability asked for, whatever was
// asked for before. The phase is the caller's to draw: uniform in [0, 1). One for each clock.
type Thinning struct{ Phase float64 }

// Keep reports whether the next sample is kept, with probability kept in [0, 1].
func (t *Thinning) Keep(kept float64) bool {
	t.Phase += kept
	if t.Phase < 1 {
		return false
	}
	t.Phase -= math.Floor(t.Phase)
	return true
}

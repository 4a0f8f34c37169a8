package shift

import (
	"math"

	"github.com/planflame/planflame/shift/internal/stats"
)

const (
	// usable is the largest variance of a log cost that is taken at all: four samples.
	usable = 0.25
	// coarsest is the mean one of a baseline that is judged: eight samples.
	coarsest = 0.125
)

// view is what a judgement reads: the newest runs of a plan, and the costs of its operators in
// them. It is made once and never written to.
type view struct {
	set       *Settings
	priors    *Priors
	quantiles *stats.Quantiles
	level     float64 // of one operator's test over all windows
	margin    float64 // of log rows, beyond the baseline's

	h     *history
	runs  []*record // oldest first, the run under judgement last
	most  []float64 // rows of the run's operator with the most
	young []bool    // executors are not warm
	left  []bool    // … and the run is left out for it
	group []int     // the observation that a run belongs to
	// pooled: too few runs are warm, so young ones count that share executors.
	pooled bool
	ops    []series
}

// series is the costs of one operator in the runs of a view.
type series struct {
	*operator
	index int32 // in the history's operators
	own   bool  // by its own rows, not by the most of the run
	hasX  bool
	obs   []observation // by run
	runs  []int         // runs that are its present normal, without those left out
	young []int         // … those left out
}

// observation is one operator in one run, in logs.
type observation struct {
	has bool    // the cost is usable and part of the operator's present normal
	x   float64 // log of rows
	y   float64 // log of CPU seconds
	v   float64 // variance of y by sampling
}

// newView is the view of a plan's newest runs up to a position in h.Runs, which are numbered.
func newView(h *history, plan int32, last int, set *Settings) *view {
	v := &view{h: h, set: set, margin: math.Log1p(set.RowsMargin)}
	first := last + 1
	for n := 0; first > 0 && n < 2*(set.BaselineRuns+mostTested); {
		first--
		if h.Runs[first].Plan == plan {
			n++
		}
	}
	known := map[string]int{}
	for i, r := range h.Runs[:last+1] {
		if r.Plan != plan {
			continue
		}
		known[r.id().Application]++
		if i < first {
			continue
		}
		young, ok := r.young()
		if !ok {
			young = known[r.id().Application] <= youngRuns
		}
		v.runs, v.most = append(v.runs, r), append(v.most, r.mostRows())
		v.young = append(v.young, young && !set.without("young"))
	}
	v.observe()
	for i, o := range h.Operators {
		if o.Plan == plan {
			v.ops = append(v.ops, series{operator: o, index: int32(i)})
			v.lay(&v.ops[len(v.ops)-1])
		}
	}
	return v
}

// observe leaves young runs out if there are enough warm ones, and groups those that count.
func (v *view) observe() {
	n := len(v.runs)
	warm, lately := 0, 0
	for i, young := range v.young {
		if !young {
			warm++
			if i >= n-mostTested {
				lately++
			}
		}
	}
	v.left, v.group = make([]bool, n), make([]int, n)
	enough := warm > v.set.MinimumRuns && float64(lately) >= warmShare*float64(min(mostTested, n))
	group, size := -1, 0
	for i := range v.runs {
		if enough && v.young[i] {
			v.left[i] = true
			continue
		}
		size++
		share := i > 0 && v.young[i] && v.young[i-1] && !enough && v.runs[i].Application == v.runs[i-1].Application && v.runs[i].shares(v.runs[i-1])
		if v.set.without("groups") || !share || size > youngRuns || v.runs[i].newcomers() {
			group, size = group+1, 1
		}
		v.pooled = v.pooled || share
		v.group[i] = group
	}
}

// last is the position of the run under judgement.
func (v *view) last() int { return len(v.runs) - 1 }

// lay fills in the costs of an operator.
func (v *view) lay(s *series) {
	own, fallback, all := 0, 0, 0
	cells := make([]*cell, len(v.runs))
	for i, r := range v.runs {
		cells[i] = r.cell(s.index)
		if k := cells[i]; k != nil && s.counts(r) {
			all++
			if k.rows > 0 {
				own++
			}
			if v.most[i] > 0 {
				fallback++
			}
		}
	}
	s.own = 2*own >= all && own > 0
	s.hasX = s.own || 5*fallback >= 4*all && fallback > 0
	s.obs = make([]observation, len(v.runs))
	for i, r := range v.runs {
		k, o := cells[i], &s.obs[i]
		if k == nil {
			continue
		}
		o.y, o.v = k.logCost()
		o.has = s.counts(r) && o.v <= usable
		if s.hasX {
			rows := s.rows(v.most[i], k)
			o.has = o.has && rows > 0
			o.x = math.Log(max(rows, 1))
		}
		switch {
		case o.has && v.left[i]:
			s.young = append(s.young, i)
		case o.has:
			s.runs = append(s.runs, i)
		}
	}
}

// rows is what the operator's cost in a run is held against; 0: not known.
func (s *series) rows(most float64, k *cell) float64 {
	if s.own {
		return k.rows
	}
	return most
}

// split is how many of the operator's runs are before its newest hold observations, but least at
// least if there are so many.
func (v *view) split(s *series, hold, least int) int {
	n, seen, last := len(s.runs), 0, -1
	for n > least {
		if g := v.group[s.runs[n-1]]; g != last {
			if seen == hold {
				break
			}
			seen, last = seen+1, g
		}
		n--
	}
	return n
}

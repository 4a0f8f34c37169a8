package shift

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// record is one run in a history.
type record struct {
	id    RunID
	end   time.Time
	plan  int32 // id of the plan's variant
	cpu   float64
	parts []part
	cells []cell // by operator
	// The run's common mode when it was last looked at: where its operators agree, and how surely.
	// Variance 0: no one knows.
	common, commonVar float64
}

// cell is one operator in one run.
type cell struct {
	op                           int32 // index in the query's table
	cpu, variance, rows, samples float64
}

func (c *cell) cost() Cost {
	return Cost{CPU: c.cpu, Variance: c.variance, Rows: c.rows, Samples: c.samples}
}

func (r *record) cell(op int32) *cell {
	i, ok := slices.BinarySearchFunc(r.cells, op, func(c cell, op int32) int { return cmp.Compare(c.op, op) })
	if !ok {
		return nil
	}
	return &r.cells[i]
}

func (r *record) compare(o *record) int {
	if c := r.end.Compare(o.end); c != 0 {
		return c
	}
	return compareID(r.id, o.id)
}

func compareID(a, b RunID) int {
	return cmp.Or(cmp.Compare(a.Application, b.Application), cmp.Compare(a.Execution, b.Execution))
}

// mostRows is the largest number of rows of an operator of the run: the regressor of operators that
// count none.
func (r *record) mostRows() (most float64) {
	for i := range r.cells {
		most = max(most, r.cells[i].rows)
	}
	return most
}

// variant is one shape of a query's plan: its fingerprint and its operators.
type variant struct {
	id   int32
	plan string
	last time.Time // end of the newest run
	runs int       // ever
	away int       // judged runs of the query since then
}

// span is a time that is left out of a baseline: [From, To).
type span struct{ From, To time.Time }

// operator is what is kept of one operator of one plan beside its costs.
type operator struct {
	Key
	variant int32
	name    string
	spread  spread // as last fitted: the fleet's priors are made of it
	normal
}

// normal is what judgements have found of an operator: which of its runs are its present normal,
// and what is known of it besides. It is replaced, never changed.
type normal struct {
	from   time.Time  // the baseline begins here
	skip   []span     // shifted and mended again
	slope  slopePrior // of an earlier baseline
	seed   *seed      // of another plan
	ref    *line      // frozen, for drift
	refEnd time.Time  // of the newest run of its baseline
	active *active
}

// active is a shift that has been found and is neither mended nor accepted.
type active struct {
	Since    time.Time // end of the first shifted run
	SinceRun RunID
	Log      float64 // when it was found
	Now      float64 // in the newest runs
	P        float64
	Runs     int // since then
	Before   line
	Was      time.Time // where the baseline before began
	Drift    bool
	Last     RunID // the last run at the cost before the shift, and its end; zero: not known
	LastEnd  time.Time
	Note     string // Fleet.Note
}

const mostSpans = 8

// counts reports whether a run belongs to the operator's present normal.
func (o *operator) counts(r *record) bool {
	if r.end.Before(o.from) {
		return false
	}
	for _, s := range o.skip {
		if !r.end.Before(s.From) && r.end.Before(s.To) {
			return false
		}
	}
	return true
}

// history is what is kept of one query.
type history struct {
	query    string
	name     string
	version  string
	labels   map[string]string
	records  []*record // oldest first
	variants []*variant
	ops      []*operator
	index    map[opKey]int32
	nextPlan int32
	slower   time.Time // since when all of the query is slower; zero: it is not
	pending  *record   // being made: its operators are in use
}

type opKey struct {
	variant int32
	Key
}

func newHistory(query string) *history {
	return &history{query: query, index: map[opKey]int32{}, pending: &record{}}
}

// find is the run's record, or nil.
func (h *history) find(id RunID) *record {
	for _, r := range h.records {
		if r.id == id {
			return r
		}
	}
	return nil
}

// insert puts a record in order and returns its position.
func (h *history) insert(r *record) int {
	i, _ := slices.BinarySearchFunc(h.records, r, (*record).compare)
	h.records = slices.Insert(h.records, i, r)
	return i
}

// operator is the index of an operator of a plan, made where there is none yet; -1 where the plan
// has too many.
func (h *history) operator(variant int32, k Key, name string, most int) int32 {
	id := opKey{variant, k}
	i, ok := h.index[id]
	if !ok {
		if i = h.room(variant, most); i < 0 {
			return -1
		}
		op := &operator{Key: k, variant: variant}
		if int(i) == len(h.ops) {
			h.ops = append(h.ops, op)
		} else {
			h.ops[i] = op
		}
		h.index[id] = i
	}
	if name != "" {
		h.ops[i].name = name
	}
	return i
}

// room is a place for one more operator of the plan: a free one, that of one without runs, or a new
// one.
func (h *history) room(variant int32, most int) int32 {
	count, free := 0, int32(-1)
	for i, o := range h.ops {
		switch {
		case o == nil:
			free = int32(i)
		case o.variant == variant:
			count++
		}
	}
	if count >= most {
		free = h.unused(variant)
		if free < 0 {
			return -1
		}
		delete(h.index, opKey{variant, h.ops[free].Key})
		h.ops[free] = nil
	}
	if free < 0 {
		free = int32(len(h.ops))
	}
	return free
}

func (h *history) unused(variant int32) int32 {
	used := make([]bool, len(h.ops))
	for _, r := range append(h.records[:len(h.records):len(h.records)], h.pending) {
		for i := range r.cells {
			used[r.cells[i].op] = true
		}
	}
	for i, o := range h.ops {
		if o != nil && o.variant == variant && !used[i] {
			return int32(i)
		}
	}
	return -1
}

// trim forgets the oldest runs beyond most and returns how many. What their executors took part in
// is kept by the executors' later runs.
func (h *history) trim(most int) int {
	n := max(len(h.records)-most, 0)
	if n > 0 {
		number(h.records)
	}
	h.records = slices.Delete(h.records, 0, n)
	return n
}

// forget drops a plan with its operators and runs.
func (h *history) forget(v *variant) {
	h.records = slices.DeleteFunc(h.records, func(r *record) bool { return r.plan == v.id })
	for i, o := range h.ops {
		if o != nil && o.variant == v.id {
			delete(h.index, opKey{v.id, o.Key})
			h.ops[i] = nil
		}
	}
	h.variants = slices.DeleteFunc(h.variants, func(o *variant) bool { return o == v })
}

// perWeek is how often the query runs.
func (h *history) perWeek() float64 {
	n := len(h.records)
	if n < 2 {
		return 1
	}
	d := h.records[n-1].end.Sub(h.records[0].end)
	if d <= 0 {
		return 1
	}
	const week = 7 * 24 * time.Hour
	return max(1, float64(n-1)*float64(week)/float64(d))
}

// logCost is the log of the cell's CPU without the bias that sampling gives it, and its variance.
func (c *cell) logCost() (y, v float64) {
	cost := c.cost()
	v = cost.relative()
	return math.Log(c.cpu) + v/2, v
}

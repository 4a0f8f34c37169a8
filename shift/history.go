package shift

import (
	"cmp"
	"math"
	"slices"
)

// formatVersion is the version of stored histories. Version 1 held lines without a loading: it is
// read, too. A file of any other version is refused, not guessed at.
const (
	formatVersion  = 2
	withoutLoading = 1
)

// history is what is kept of one query. What has a tag is stored.
type history struct {
	Version   int               `json:"version"`
	Query     string            `json:"query"`
	Name      string            `json:"name,omitempty"`
	Spark     string            `json:"spark,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
	Plans     []*variant        `json:"plans"`
	Operators []*operator       `json:"operators"`
	Runs      []*record         `json:"runs"`            // oldest first
	Pace      pace              `json:"pace,omitzero"`   // zero: an older form, without it
	Slower    moment            `json:"slower,omitzero"` // since when all of the query is slower; zero: it is not
	index     map[opKey]int32   // places in Operators
}

// variant is one shape of a query's plan: its fingerprint and its operators.
type variant struct {
	Fingerprint string `json:"fingerprint"`
	Last        moment `json:"last"`           // end of the newest run
	Runs        int    `json:"runs"`           // ever
	Away        int    `json:"away,omitempty"` // judged runs of the query since then
}

// operator is what is kept of one operator of one plan beside its costs.
type operator struct {
	Key
	Plan   int32  `json:"plan"` // place in Plans
	Name   string `json:"name,omitempty"`
	Spread spread `json:"spread"` // as last fitted: the fleet's priors are made of it
	normal
}

// normal is what judgements have found of an operator: which of its runs are its present normal,
// and what is known of it besides. It is replaced, never changed.
type normal struct {
	From   moment     `json:"from,omitzero"`    // the baseline begins here
	Skip   []span     `json:"skip,omitempty"`   // shifted and mended again
	Slope  slopePrior `json:"slope,omitzero"`   // of an earlier baseline
	Seed   *seed      `json:"seed,omitempty"`   // of another plan
	Ref    *line      `json:"ref,omitempty"`    // frozen, for drift
	RefEnd moment     `json:"ref_end,omitzero"` // of the newest run of its baseline
	Active *active    `json:"active,omitempty"`
}

// active is a shift that has been found and is neither mended nor accepted.
type active struct {
	Since    moment  `json:"since"` // end of the first shifted run
	SinceRun RunID   `json:"run"`
	Log      float64 `json:"log"` // when it was found
	Now      float64 `json:"now"` // in the newest runs
	P        float64 `json:"p"`
	Runs     int     `json:"runs"` // since then
	Before   line    `json:"before"`
	Was      moment  `json:"was"` // where the baseline before began
	Drift    bool    `json:"drift,omitempty"`
	Last     RunID   `json:"last,omitzero"`     // the last run at the cost before the shift; zero: not known
	LastEnd  moment  `json:"last_end,omitzero"` // … and its end
	Note     string  `json:"note,omitempty"`    // Fleet.Note
}

// record is one run in a history.
type record struct {
	Application string  `json:"app"`
	Execution   int64   `json:"id"`
	End         moment  `json:"end"`
	Plan        int32   `json:"plan"` // place in Plans
	CPU         float64 `json:"cpu"`
	Parts       []part  `json:"parts,omitempty"`
	Cells       []cell  `json:"cells"` // by operator
	// The run's common mode when it was last looked at: where its operators agree, and how surely.
	// Variance 0: no one knows.
	Common    float64 `json:"common,omitempty"`
	CommonVar float64 `json:"common_var,omitempty"`
}

func newRecord(r *Run) *record {
	return &record{Application: r.ID.Application, Execution: r.ID.Execution, End: moment{r.End}, CPU: r.CPU, Parts: newParts(r.Parts)}
}

func (r *record) id() RunID { return RunID{r.Application, r.Execution} }

// cell is one operator in one run.
type cell struct {
	op                           int32 // place in Operators
	cpu, variance, rows, samples float64
}

// span is a time that is left out of a baseline: from the first to before the second.
type span [2]moment

func (c *cell) cost() Cost {
	return Cost{CPU: c.cpu, Variance: c.variance, Rows: c.rows, Samples: c.samples}
}

// find is the place of an operator's cell, or where it would be.
func (r *record) find(op int32) (int, bool) {
	return slices.BinarySearchFunc(r.Cells, op, func(c cell, op int32) int { return cmp.Compare(c.op, op) })
}

func (r *record) cell(op int32) *cell {
	i, ok := r.find(op)
	if !ok {
		return nil
	}
	return &r.Cells[i]
}

func (r *record) compare(o *record) int {
	return cmp.Or(r.End.Compare(o.End.Time), cmp.Compare(r.Application, o.Application), cmp.Compare(r.Execution, o.Execution))
}

// mostRows is the largest number of rows of an operator of the run: the regressor of operators that
// count none.
func (r *record) mostRows() (most float64) {
	for i := range r.Cells {
		most = max(most, r.Cells[i].rows)
	}
	return most
}

const mostSpans = 8

// counts reports whether a run belongs to the operator's present normal.
func (o *operator) counts(r *record) bool {
	if r.End.Before(o.From.Time) {
		return false
	}
	for _, s := range o.Skip {
		if !r.End.Before(s[0].Time) && r.End.Before(s[1].Time) {
			return false
		}
	}
	return true
}

type opKey struct {
	variant int32
	Key
}

func newHistory(query string) *history {
	return &history{Version: formatVersion, Query: query, index: map[opKey]int32{}}
}

// find is the run's record, or nil.
func (h *history) find(id RunID) *record {
	for _, r := range h.Runs {
		if r.id() == id {
			return r
		}
	}
	return nil
}

// insert puts a record in order, counts it, and returns its position.
func (h *history) insert(r *record) int {
	i, _ := slices.BinarySearchFunc(h.Runs, r, (*record).compare)
	h.Runs = slices.Insert(h.Runs, i, r)
	h.Pace.count(r.End.Time)
	return i
}

// operator returns the place of an operator of a plan. It makes one if there is none, if need be in
// the room of one without runs. It returns -1 if the plan has too many.
func (h *history) operator(plan int32, k Key, name string, most int) int32 {
	i, ok := h.index[opKey{plan, k}]
	if !ok {
		count := 0
		for _, o := range h.Operators {
			if o.Plan == plan {
				count++
			}
		}
		if count >= most && !h.dropUnused(plan) {
			return -1
		}
		i = h.place(&operator{Key: k, Plan: plan})
	}
	if name != "" {
		h.Operators[i].Name = name
	}
	return i
}

// place adds an operator.
func (h *history) place(o *operator) int32 {
	i := int32(len(h.Operators))
	h.Operators, h.index[opKey{o.Plan, o.Key}] = append(h.Operators, o), i
	return i
}

// dropUnused drops an operator of the plan that is in no run; false if there is none.
func (h *history) dropUnused(plan int32) bool {
	used := make([]bool, len(h.Operators))
	for _, r := range h.Runs {
		for i := range r.Cells {
			used[r.Cells[i].op] = true
		}
	}
	for i, o := range h.Operators {
		if o.Plan == plan && !used[i] {
			h.drop(func(other *operator) bool { return other == o })
			return true
		}
	}
	return false
}

// drop drops operators that are in no run.
func (h *history) drop(gone func(*operator) bool) {
	place, all := make([]int32, len(h.Operators)), h.Operators
	h.Operators, h.index = nil, map[opKey]int32{}
	for i, o := range all {
		if !gone(o) {
			place[i] = h.place(o)
		}
	}
	for _, r := range h.Runs {
		for i := range r.Cells {
			r.Cells[i].op = place[r.Cells[i].op]
		}
	}
}

// trim forgets the oldest runs beyond most and returns how many. What their executors took part in
// is kept by the executors' later runs.
func (h *history) trim(most int) int {
	n := max(len(h.Runs)-most, 0)
	if n > 0 {
		number(h.Runs)
	}
	h.Runs = slices.Delete(h.Runs, 0, n)
	return n
}

// bound forgets the plans that ran longest ago beyond most, with their operators and runs, and
// returns how many.
func (h *history) bound(most int) (forgotten int) {
	for ; len(h.Plans) > most; forgotten++ {
		oldest := slices.MinFunc(h.Plans, func(a, b *variant) int { return a.Last.Compare(b.Last.Time) })
		plan := int32(slices.Index(h.Plans, oldest))
		h.Plans = slices.Delete(h.Plans, int(plan), int(plan)+1)
		h.Runs = slices.DeleteFunc(h.Runs, func(r *record) bool { return r.Plan == plan })
		later := func(p *int32) {
			if *p > plan {
				*p--
			}
		}
		gone := map[*operator]bool{}
		for _, o := range h.Operators {
			gone[o] = o.Plan == plan
			later(&o.Plan)
		}
		for _, r := range h.Runs {
			later(&r.Plan)
		}
		h.drop(func(o *operator) bool { return gone[o] })
	}
	return forgotten
}

// perWeek is how often the query runs. Within the first day its newest runs tell it.
func (h *history) perWeek() float64 {
	if h.Pace.Day > 0 {
		return max(1, h.Pace.perWeek())
	}
	return h.lately()
}

// lately is how many runs a week would have by the span of those that are held.
func (h *history) lately() float64 {
	n := len(h.Runs)
	if n < 2 {
		return 1
	}
	d := h.Runs[n-1].End.Sub(h.Runs[0].End.Time)
	if d <= 0 {
		return 1
	}
	return max(1, float64(n-1)*float64(week)/float64(d))
}

// logCost is the log of the cell's CPU without the bias that sampling gives it, and its variance.
func (c *cell) logCost() (y, v float64) {
	cost := c.cost()
	v = cost.relative()
	return math.Log(c.cpu) + v/2, v
}

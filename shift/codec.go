package shift

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// formatVersion is the version of stored histories. Version 1 held lines without a loading: it is
// read, too. A file of any other version is refused, not guessed at.
const (
	formatVersion  = 2
	withoutLoading = 1
)

// ErrVersion is the cause where a state is of another version of the format.
var ErrVersion = errors.New("another version of the format")

// The stored form of a history. Times are nanoseconds since 1970.
type (
	storedHistory struct {
		Version   int               `json:"version"`
		Query     string            `json:"query"`
		Name      string            `json:"name,omitempty"`
		Spark     string            `json:"spark,omitempty"`
		Labels    map[string]string `json:"labels,omitempty"`
		Plans     []storedPlan      `json:"plans"`
		Operators []storedOperator  `json:"operators"`
		Runs      []storedRun       `json:"runs"`
		Slower    int64             `json:"slower,omitempty"`
	}
	storedPlan struct {
		Fingerprint string `json:"fingerprint"`
		Last        int64  `json:"last"`
		Runs        int    `json:"runs"`
		Away        int    `json:"away,omitempty"`
	}
	storedOperator struct {
		Plan   int           `json:"plan"` // index in Plans
		Stage  string        `json:"stage"`
		ID     string        `json:"id"`
		Name   string        `json:"name,omitempty"`
		From   int64         `json:"from,omitempty"`
		Skip   [][2]int64    `json:"skip,omitempty"`
		Slope  *slopePrior   `json:"slope,omitempty"`
		Seed   *seed         `json:"seed,omitempty"`
		Spread spread        `json:"spread"`
		Ref    *line         `json:"ref,omitempty"`
		RefEnd int64         `json:"ref_end,omitempty"`
		Active *storedActive `json:"active,omitempty"`
	}
	storedActive struct {
		Since  int64    `json:"since"`
		Run    RunID    `json:"run"`
		Log    float64  `json:"log"`
		Now    *float64 `json:"now,omitempty"` // left out: as log
		P      float64  `json:"p"`
		Runs   int      `json:"runs"`
		Before line     `json:"before"`
		Was    int64    `json:"was"`
		Drift  bool     `json:"drift,omitempty"`
		Last   RunID    `json:"last,omitzero"`
		End    int64    `json:"last_end,omitempty"`
		Note   string   `json:"note,omitempty"`
	}
	storedRun struct {
		Application string  `json:"app"`
		Execution   int64   `json:"id"`
		End         int64   `json:"end"`
		Plan        int     `json:"plan"`
		CPU         float64 `json:"cpu"`
		// Parts of before executors were told apart have neither CPU nor Before.
		Parts []storedPart `json:"parts,omitempty"`
		// Cells are operator (index in Operators), CPU, variance, rows, samples.
		Cells     [][5]float64 `json:"cells"`
		Common    float64      `json:"common,omitempty"`
		CommonVar float64      `json:"common_var,omitempty"`
	}
	storedPart struct {
		ID     string
		Host   string
		CPU    float32 `json:",omitempty"`
		Before uint8   `json:",omitempty"` // runs that the executor took part in before, at least
	}
)

// Encode is a query's history in its stored form; nil where there is none.
func (f *Fleet) Encode(query string) ([]byte, error) {
	e, ok := f.queries[query]
	if !ok {
		return nil, nil
	}
	text, err := json.Marshal(e.Value.(*history).stored())
	if err != nil {
		return nil, fmt.Errorf("encode history of %q: %w", query, err)
	}
	return text, nil
}

func (h *history) stored() *storedHistory {
	out := &storedHistory{Version: formatVersion, Query: h.query, Name: h.name, Spark: h.version, Labels: h.labels, Slower: nanos(h.slower)}
	plan := map[int32]int{}
	for i, v := range h.variants {
		plan[v.id] = i
		out.Plans = append(out.Plans, storedPlan{v.plan, nanos(v.last), v.runs, v.away})
	}
	place := map[int32]int{}
	for k, o := range h.ops {
		if o != nil {
			place[int32(k)] = len(out.Operators)
			out.Operators = append(out.Operators, o.stored(plan[o.variant]))
		}
	}
	for _, r := range h.records {
		s := storedRun{Application: r.id.Application, Execution: r.id.Execution, End: nanos(r.end), Plan: plan[r.plan], CPU: r.cpu,
			Common: r.common, CommonVar: r.commonVar, Cells: make([][5]float64, 0, len(r.cells))}
		for _, p := range r.parts {
			s.Parts = append(s.Parts, storedPart{p.id, p.host, p.cpu, p.before})
		}
		for _, c := range r.cells {
			s.Cells = append(s.Cells, [5]float64{float64(place[c.op]), c.cpu, c.variance, c.rows, c.samples})
		}
		out.Runs = append(out.Runs, s)
	}
	return out
}

func (o *operator) stored(plan int) storedOperator {
	s := storedOperator{Plan: plan, Stage: o.Stage, ID: o.Operator, Name: o.name, From: nanos(o.from), Seed: o.seed, Spread: o.spread, Ref: o.ref,
		RefEnd: nanos(o.refEnd)}
	for _, x := range o.skip {
		s.Skip = append(s.Skip, [2]int64{nanos(x.From), nanos(x.To)})
	}
	if o.slope.Var > 0 {
		s.Slope = &o.slope
	}
	if a := o.active; a != nil {
		s.Active = &storedActive{nanos(a.Since), a.SinceRun, a.Log, &a.Now, a.P, a.Runs, a.Before, nanos(a.Was), a.Drift, a.Last, nanos(a.LastEnd), a.Note}
	}
	return s
}

// Decode takes a stored history in. Where the query has one already, they are merged: runs of both,
// each once; what else is kept of an operator comes from the history with the newer last run. What
// does not fit is an error, and nothing is taken in.
func (f *Fleet) Decode(text []byte) (query string, err error) {
	var s storedHistory
	if err := json.Unmarshal(text, &s); err != nil {
		return "", fmt.Errorf("decode history: %w", err)
	}
	if s.Version != formatVersion && s.Version != withoutLoading {
		return "", fmt.Errorf("decode history of %.80q: version %d, want %d: %w", s.Query, s.Version, formatVersion, ErrVersion)
	}
	h, err := s.history()
	if err != nil {
		return "", fmt.Errorf("decode history of %.80q: %w", s.Query, err)
	}
	if e, ok := f.queries[h.query]; ok {
		mine := e.Value.(*history)
		if newer(h, mine) {
			h, mine = mine, h
		}
		mine.merge(h)
		h = mine
		e.Value = h
	} else {
		f.put(h)
	}
	f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
	f.bound(h)
	return s.Query, nil
}

// bound holds a history that came from elsewhere to the limits of this Fleet.
func (f *Fleet) bound(h *history) {
	for len(h.variants) > f.set.MaxPlans {
		f.drops.Plans++
		h.forget(slices.MinFunc(h.variants, func(a, b *variant) int { return a.last.Compare(b.last) }))
	}
}

func (s *storedHistory) history() (*history, error) {
	if s.Query == "" || len(s.Query) > maxText {
		return nil, fmt.Errorf("query fingerprint of %d bytes", len(s.Query))
	}
	h := newHistory(s.Query)
	h.name, h.version, h.labels, h.slower = s.Name, s.Spark, s.Labels, at(s.Slower)
	for _, p := range s.Plans {
		h.variants = append(h.variants, &variant{id: h.nextPlan, plan: p.Fingerprint, last: at(p.Last), runs: p.Runs, away: p.Away})
		h.nextPlan++
	}
	for i := range s.Operators {
		if s.Version == withoutLoading {
			s.Operators[i].upgrade()
		}
		o, err := s.Operators[i].operator(len(s.Plans))
		if err != nil {
			return nil, fmt.Errorf("operator %d: %w", i, err)
		}
		id := opKey{o.variant, o.Key}
		if _, twice := h.index[id]; twice {
			return nil, fmt.Errorf("operator %d: %q of stage %q twice", i, o.Operator, o.Stage)
		}
		h.index[id] = int32(i)
		h.ops = append(h.ops, o)
	}
	seen := map[RunID]bool{}
	for i := range s.Runs {
		r, err := s.Runs[i].record(h)
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", i, err)
		}
		if seen[r.id] {
			return nil, fmt.Errorf("run %d: %s twice", i, r.id)
		}
		seen[r.id] = true
		h.records = append(h.records, r)
	}
	slices.SortFunc(h.records, (*record).compare)
	return h, nil
}

func (s *storedOperator) operator(plans int) (*operator, error) {
	switch {
	case s.Plan < 0 || s.Plan >= plans:
		return nil, fmt.Errorf("plan %d of %d", s.Plan, plans)
	case s.ID == "":
		return nil, errors.New("no id")
	case len(s.Skip) > mostSpans:
		return nil, fmt.Errorf("%d spans left out, at most %d", len(s.Skip), mostSpans)
	}
	o := &operator{Key: Key{s.Stage, s.ID}, variant: int32(s.Plan), name: s.Name, spread: s.Spread,
		normal: normal{from: at(s.From), seed: s.Seed, ref: s.Ref, refEnd: at(s.RefEnd)}}
	for _, x := range s.Skip {
		o.skip = append(o.skip, span{at(x[0]), at(x[1])})
	}
	if err := s.Spread.check(); err != nil {
		return nil, err
	}
	if s.Slope != nil {
		if !(s.Slope.Var > 0) || math.Abs(s.Slope.Mean) > 100 {
			return nil, fmt.Errorf("slope %g, variance %g", s.Slope.Mean, s.Slope.Var)
		}
		o.slope = *s.Slope
	}
	if s.Seed != nil && !(s.Seed.Var > 0) {
		return nil, fmt.Errorf("seed of variance %g", s.Seed.Var)
	}
	if a := s.Active; a != nil {
		now := a.Log
		if a.Now != nil {
			now = *a.Now
		}
		o.active = &active{at(a.Since), a.Run, a.Log, now, a.P, a.Runs, a.Before, at(a.Was), a.Drift, a.Last, at(a.End), a.Note}
		if math.Abs(a.Log) > 100 || math.Abs(now) > 100 {
			return nil, fmt.Errorf("active shift of log %g, now %g", a.Log, now)
		}
	}
	for _, l := range []*line{s.Ref, activeLine(o.active)} {
		if l != nil && !l.finite() {
			return nil, errors.New("line without runs, variance or degrees of freedom")
		}
	}
	return o, nil
}

// upgrade gives the lines of version 1 a loading. Their level was that without a common mode.
func (s *storedOperator) upgrade() {
	up := func(l *line) { l.Level, l.Load = l.Level+l.Common, 1 }
	if s.Ref != nil {
		up(s.Ref)
	}
	if s.Active != nil {
		up(&s.Active.Before)
	}
}

func activeLine(a *active) *line {
	if a == nil {
		return nil
	}
	return &a.Before
}

func (s *storedRun) record(h *history) (*record, error) {
	r := &record{id: RunID{s.Application, s.Execution}, end: at(s.End), plan: int32(s.Plan), cpu: s.CPU, common: s.Common, commonVar: s.CommonVar}
	switch {
	case s.Application == "":
		return nil, errors.New("no application id")
	case s.Plan < 0 || s.Plan >= len(h.variants):
		return nil, fmt.Errorf("plan %d of %d", s.Plan, len(h.variants))
	case !within(s.CPU, 0, maxCPU) || !within(s.CommonVar, 0, maxCPU) || math.Abs(s.Common) > 100 || len(s.Parts) > maxParts:
		return nil, fmt.Errorf("CPU %g, common mode %g, variance %g, %d parts", s.CPU, s.Common, s.CommonVar, len(s.Parts))
	}
	for _, p := range s.Parts {
		if !within(float64(p.CPU), 0, maxCPU) || p.Before > youngRuns {
			return nil, fmt.Errorf("part %.20q: CPU %g, %d runs before", p.ID, p.CPU, p.Before)
		}
		r.parts = append(r.parts, part{id: p.ID, host: p.Host, cpu: p.CPU, before: p.Before})
	}
	for _, c := range s.Cells {
		k := c[0]
		if !within(k, 0, float64(len(h.ops)-1)) || k != math.Trunc(k) || h.ops[int(k)].variant != r.plan {
			return nil, fmt.Errorf("operator %g is not one of its plan", k)
		}
		if !(c[1] > 0) || c[1] > maxCPU || !within(c[2], 0, maxCPU*maxCPU) || !within(c[3], 0, maxRows) || !within(c[4], 0, maxRows) {
			return nil, fmt.Errorf("operator %g: CPU %g, variance %g, rows %g, samples %g", k, c[1], c[2], c[3], c[4])
		}
		r.cells = append(r.cells, cell{int32(k), c[1], c[2], c[3], c[4]})
	}
	slices.SortFunc(r.cells, func(a, b cell) int { return cmp.Compare(a.op, b.op) })
	for i := 1; i < len(r.cells); i++ {
		if r.cells[i].op == r.cells[i-1].op {
			return nil, fmt.Errorf("operator %d twice", r.cells[i].op)
		}
	}
	return r, nil
}

func (sp *spread) check() error {
	for _, v := range []float64{sp.DF, sp.Total, sp.Known, sp.Far, sp.Runs} {
		if !within(v, 0, 1e9) {
			return fmt.Errorf("spread with %g", v)
		}
	}
	if math.Abs(sp.Lag) > 1e9 {
		return fmt.Errorf("spread with products %g", sp.Lag)
	}
	return nil
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func at(nanos int64) time.Time {
	if nanos == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}

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

// ErrVersion is the cause where a state is of another version of the format.
var ErrVersion = errors.New("another version of the format")

// moment is a time that is stored as nanoseconds since 1970; 0 is none.
type moment struct{ time.Time }

// MarshalJSON implements json.Marshaler.
func (m moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("0"), nil
	}
	return json.Marshal(m.UnixNano())
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(text []byte) error {
	var nanos int64
	if err := json.Unmarshal(text, &nanos); err != nil {
		return err
	}
	if *m = (moment{}); nanos != 0 {
		m.Time = time.Unix(0, nanos).UTC()
	}
	return nil
}

// MarshalJSON implements json.Marshaler: operator, CPU, variance, rows, samples.
func (c cell) MarshalJSON() ([]byte, error) {
	return json.Marshal([...]float64{float64(c.op), c.cpu, c.variance, c.rows, c.samples})
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *cell) UnmarshalJSON(text []byte) error {
	var v [5]float64
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	if !within(v[0], 0, math.MaxInt32) || v[0] != math.Trunc(v[0]) {
		return fmt.Errorf("operator %g is none", v[0])
	}
	*c = cell{int32(v[0]), v[1], v[2], v[3], v[4]}
	return nil
}

// Encode is a query's history in its stored form; nil if there is none.
func (f *Fleet) Encode(query string) ([]byte, error) {
	h := f.known(query)
	if h == nil {
		return nil, nil
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode history of %q: %w", query, err)
	}
	return text, nil
}

// Decode takes a stored history in. Where the query has one already, they are merged: runs of both,
// each once; what else is kept of an operator comes from the history with the newer last run. What
// does not fit is an error, and nothing is taken in.
func (f *Fleet) Decode(text []byte) (query string, err error) {
	h := newHistory("")
	if err := json.Unmarshal(text, h); err != nil {
		return "", fmt.Errorf("decode history: %w", err)
	}
	if query = h.Query; h.Version != formatVersion && h.Version != withoutLoading {
		return "", fmt.Errorf("decode history of %.80q: version %d, want %d: %w", query, h.Version, formatVersion, ErrVersion)
	}
	if err := h.check(); err != nil {
		return "", fmt.Errorf("decode history of %.80q: %w", query, err)
	}
	if e, ok := f.queries[query]; ok {
		mine := e.Value.(*history)
		if newer(h, mine) {
			h, mine = mine, h
		}
		mine.merge(h)
		h, e.Value = mine, mine
	} else {
		f.put(h)
	}
	f.drops.Runs += uint64(h.trim(f.set.MaxRuns))
	f.drops.Plans += uint64(h.bound(f.set.MaxPlans))
	return query, nil
}

// check says what makes a decoded history unfit, and makes it one of this version.
func (h *history) check() error {
	if h.Query == "" || len(h.Query) > maxText {
		return fmt.Errorf("query fingerprint of %d bytes", len(h.Query))
	}
	if slices.Contains(h.Plans, nil) || slices.Contains(h.Operators, nil) || slices.Contains(h.Runs, nil) {
		return errors.New("a plan, operator or run is null")
	}
	for i, o := range h.Operators {
		if err := o.check(h.Version, len(h.Plans)); err != nil {
			return fmt.Errorf("operator %d: %w", i, err)
		}
		if _, twice := h.index[opKey{o.Plan, o.Key}]; twice {
			return fmt.Errorf("operator %d: %q of stage %q twice", i, o.Operator, o.Stage)
		}
		h.index[opKey{o.Plan, o.Key}] = int32(i)
	}
	seen := map[RunID]bool{}
	for i, r := range h.Runs {
		if err := r.check(h); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
		if seen[r.id()] {
			return fmt.Errorf("run %d: %s twice", i, r.id())
		}
		seen[r.id()] = true
	}
	slices.SortFunc(h.Runs, (*record).compare)
	if err := h.Pace.check(); err != nil {
		return err
	}
	if h.Pace == (pace{}) {
		for _, r := range h.Runs {
			h.Pace.count(r.End.Time)
		}
	}
	h.Version = formatVersion
	return nil
}

func (o *operator) check(version, plans int) error {
	var lines []*line
	if o.Ref != nil {
		lines = append(lines, o.Ref)
	}
	if a := o.Active; a != nil {
		if math.Abs(a.Log) > 100 || math.Abs(a.Now) > 100 {
			return fmt.Errorf("active shift of log %g, now %g", a.Log, a.Now)
		}
		lines = append(lines, &a.Before)
	}
	for _, l := range lines {
		if version == withoutLoading { // the level was that without a common mode
			l.Level, l.Load = l.Level+l.Common, 1
		}
		if !l.finite() {
			return errors.New("line without runs, variance or degrees of freedom")
		}
	}
	switch {
	case o.Plan < 0 || int(o.Plan) >= plans:
		return fmt.Errorf("plan %d of %d", o.Plan, plans)
	case o.Operator == "":
		return errors.New("no id")
	case len(o.Skip) > mostSpans:
		return fmt.Errorf("%d spans left out, at most %d", len(o.Skip), mostSpans)
	case o.Slope != slopePrior{} && !(o.Slope.Var > 0 && math.Abs(o.Slope.Mean) <= 100):
		return fmt.Errorf("slope %g, variance %g", o.Slope.Mean, o.Slope.Var)
	case o.Seed != nil && !(o.Seed.Var > 0):
		return fmt.Errorf("seed of variance %g", o.Seed.Var)
	case math.Abs(o.Spread.Lag) > 1e9:
		return fmt.Errorf("spread with products %g", o.Spread.Lag)
	}
	for _, v := range []float64{o.Spread.DF, o.Spread.Total, o.Spread.Known, o.Spread.Far, o.Spread.Runs} {
		if !within(v, 0, 1e9) {
			return fmt.Errorf("spread with %g", v)
		}
	}
	return nil
}

func (r *record) check(h *history) error {
	switch {
	case r.Application == "":
		return errors.New("no application id")
	case r.Plan < 0 || int(r.Plan) >= len(h.Plans):
		return fmt.Errorf("plan %d of %d", r.Plan, len(h.Plans))
	case !within(r.CPU, 0, maxCPU) || !within(r.CommonVar, 0, maxCPU) || math.Abs(r.Common) > 100 || len(r.Parts) > maxParts:
		return fmt.Errorf("CPU %g, common mode %g, variance %g, %d parts", r.CPU, r.Common, r.CommonVar, len(r.Parts))
	}
	for _, p := range r.Parts {
		if !within(float64(p.CPU), 0, maxCPU) || p.Before > youngRuns {
			return fmt.Errorf("part %.20q: CPU %g, %d runs before", p.ID, p.CPU, p.Before)
		}
	}
	slices.SortFunc(r.Cells, func(a, b cell) int { return cmp.Compare(a.op, b.op) })
	for i, c := range r.Cells {
		switch {
		case int(c.op) >= len(h.Operators) || h.Operators[c.op].Plan != r.Plan:
			return fmt.Errorf("operator %d is not one of its plan", c.op)
		case i > 0 && c.op == r.Cells[i-1].op:
			return fmt.Errorf("operator %d twice", c.op)
		case !(c.cpu > 0) || c.cpu > maxCPU || !within(c.variance, 0, maxCPU*maxCPU) || !within(c.rows, 0, maxRows) || !within(c.samples, 0, maxRows):
			return fmt.Errorf("operator %d: CPU %g, variance %g, rows %g, samples %g", c.op, c.cpu, c.variance, c.rows, c.samples)
		}
	}
	return nil
}

// storedFleet is what is kept beside the histories.
type storedFleet struct {
	Version int    `json:"version"`
	Priors  Priors `json:"priors"`
	Budget  budget `json:"budget"`
}

// EncodePriors is what the fleet knows beside its histories, in its stored form.
func (f *Fleet) EncodePriors() ([]byte, error) {
	text, err := json.Marshal(storedFleet{formatVersion, f.priors, f.budget})
	if err != nil {
		return nil, fmt.Errorf("encode the fleet's priors: %w", err)
	}
	return text, nil
}

// DecodePriors takes over what EncodePriors has written. What does not fit is an error, and nothing
// is taken over.
func (f *Fleet) DecodePriors(text []byte) error {
	var s storedFleet
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("decode the fleet's priors: %w", err)
	}
	if s.Version == withoutLoading {
		var old struct {
			Priors struct{ Variance struct{ Between, DF float64 } }
		}
		if err := json.Unmarshal(text, &old); err != nil {
			return fmt.Errorf("decode the fleet's priors: %w", err)
		}
		s.Priors.Between, s.Priors.DF = old.Priors.Variance.Between, old.Priors.Variance.DF
	} else if s.Version != formatVersion {
		return fmt.Errorf("decode the fleet's priors: version %d, want %d: %w", s.Version, formatVersion, ErrVersion)
	}
	if err := s.Priors.check(); err != nil {
		return fmt.Errorf("decode the fleet's priors: %w", err)
	}
	for i, n := range s.Budget.Hours {
		if !within(n, 0, 1e12) {
			return fmt.Errorf("decode the fleet's priors: %g tests in hour %d", n, i)
		}
	}
	if s.Budget.Hour < 0 || s.Budget.Hour > 1e8 {
		return fmt.Errorf("decode the fleet's priors: hour %d", s.Budget.Hour)
	}
	f.priors, f.budget = s.Priors, s.Budget
	return nil
}

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/planflame/planflame/costmodel"
	"github.com/planflame/planflame/internal/columns"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/usualcost"
)

// bridgeReport says of each query of two recordings why it costs what it does now.
type bridgeReport struct {
	Old     string        `json:"old"`
	New     string        `json:"new"`
	Common  float64       `json:"common_factor"`  // of the cost per row of all operators
	Queries []queryBridge `json:"queries"`        // by falling size of the change
	Lost    []string      `json:"lost,omitempty"` // says of which queries all runs failed
}

// queryBridge leads from the CPU of a run of a query in the old recording to the one in the new.
// Seconds of a run, of its operators. Rows, Plan, Run and Code sum to Change.
type queryBridge struct {
	Query     string           `json:"query"`
	Name      string           `json:"name"`
	Old       float64          `json:"old_seconds"`
	New       float64          `json:"new_seconds"`
	RunsOld   int              `json:"runs_old"` // that did not fail
	RunsNew   int              `json:"runs_new"`
	FailedOld int              `json:"failed_old,omitempty"` // more runs
	FailedNew int              `json:"failed_new,omitempty"`
	Change    bridgePart       `json:"change"`
	Rows      bridgePart       `json:"rows"`
	Plan      bridgePart       `json:"plan"`
	Run       bridgePart       `json:"whole_run"`
	Code      bridgePart       `json:"code"`
	Came      []string         `json:"came"` // operators of the new recording alone
	Went      []string         `json:"went"` // … the old
	Operators []operatorBridge `json:"operators"`
}

type bridgePart struct {
	Seconds float64    `json:"seconds"`
	CI95    [2]float64 `json:"ci95"`
}

// operatorBridge is an operator of a queryBridge.
type operatorBridge struct {
	Operator string     `json:"operator"`
	Name     string     `json:"name"`
	Old      float64    `json:"old_seconds"`
	New      float64    `json:"new_seconds"`
	RowsOld  *float64   `json:"rows_old"` // of a run
	RowsNew  *float64   `json:"rows_new"`
	Rows     bridgePart `json:"rows"`
	Plan     bridgePart `json:"plan"`
	Run      bridgePart `json:"whole_run"`
	Code     bridgePart `json:"code"`
}

func partOf(p costmodel.Part) bridgePart {
	return bridgePart{p.Seconds, [2]float64{p.Seconds - p.Half(), p.Seconds + p.Half()}}
}

// exchangeRole is the role of exchanges in a plan.
const exchangeRole = "exchange"

// against holds one recording against another.
func against(old, new *columns.Model, oldName, newName, query string) (*bridgeReport, error) {
	for _, m := range []struct {
		*columns.Model
		name string
	}{{old, oldName}, {new, newName}} {
		if m.Meta.RunFraction > 0 {
			return nil, fmt.Errorf("--against: in %s runs were drawn, so their operators have no cost of a run", m.name)
		}
	}
	matches := match(old, new)
	var all []costmodel.Pair
	for _, m := range matches {
		all = append(all, m.pairs...)
	}
	common := costmodel.CommonOf(all)
	out := &bridgeReport{Old: oldName, New: newName, Common: math.Exp(common.Log), Queries: []queryBridge{}, Lost: append(lostOf(old, oldName, query), lostOf(new, newName, query)...)}
	for _, m := range matches {
		if query == "" || query == m.query || query == m.name {
			out.Queries = append(out.Queries, m.bridge(common))
		}
	}
	switch {
	case query == "" || len(out.Queries) > 0:
	case len(out.Lost) > 0:
		return nil, fmt.Errorf("--query %s", strings.Join(out.Lost, "; "))
	default:
		return nil, fmt.Errorf("--query %q: not in both recordings", query)
	}
	slices.SortStableFunc(out.Queries, func(a, b queryBridge) int {
		return cmp.Compare(math.Abs(b.Change.Seconds), math.Abs(a.Change.Seconds))
	})
	return out, nil
}

// lostOf says of which queries all runs failed in a recording.
func lostOf(m *columns.Model, name, query string) (out []string) {
	for id, o := range m.Outcomes(columns.Selection{Query: query}) {
		if o.Lost() {
			out = append(out, lostIn(cmp.Or(o.Name, id), o.Failed, name).Error())
		}
	}
	slices.Sort(out)
	return out
}

// matched is a query of both recordings with its operators.
type matched struct {
	query, name string
	pairs       []costmodel.Pair
	operators   []placed // :: pairs
	old, new    columns.Outcomes
}

// placed names an operator in a stage of a query. Two physical operators of one logical operator,
// such as a broadcast join and a sort-merge join, are two.
type placed struct{ physical, operator, name, place string }

// match matches the operators of the queries of both recordings: by operator and stage, and those
// that are left by operator alone. If a plan changes, so does what its stages are called.
func match(old, new *columns.Model) (out []*matched) {
	before, after := sidesOf(old), sidesOf(new)
	for _, q := range after {
		i := slices.IndexFunc(before, func(b *querySides) bool { return b.query == q.query })
		if i < 0 {
			continue
		}
		m := &matched{query: q.query, name: cmp.Or(q.name, q.query), old: before[i].outcomes, new: q.outcomes}
		m.match(before[i], q)
		out = append(out, m)
	}
	return out
}

// match pairs the operators of a query.
func (m *matched) match(old, new *querySides) {
	paired := map[placed]bool{} // of old
	partner := func(o placed) (placed, bool) {
		if _, there := old.by[o]; there {
			return o, true
		}
		for _, left := range old.order {
			if _, there := new.by[left]; !there && !paired[left] && left.physical == o.physical && left.operator == o.operator {
				return left, true
			}
		}
		return placed{}, false
	}
	add := func(o placed, old, new costmodel.Side) {
		m.operators, m.pairs = append(m.operators, o), append(m.pairs, costmodel.Pair{Old: old, New: new})
	}
	for _, o := range new.order {
		if p, there := partner(o); there {
			paired[p] = true
			add(o, old.by[p], new.by[o])
		} else {
			add(o, old.unsampled(o), new.by[o])
		}
	}
	for _, o := range old.order {
		if !paired[o] {
			add(o, old.by[o], new.unsampled(o))
		}
	}
}

// querySides are the operators of a query in one recording, per run.
type querySides struct {
	query, name string
	runs        int // that did not fail
	outcomes    columns.Outcomes
	sample      float64 // seconds of a run that a sample stands for
	by          map[placed]costmodel.Side
	order       []placed
	planned     map[plannedOperator]bool
	rows        map[[2]string]float64 // operator, place → rows of a run
}

// plannedOperator is an operator that a plan has, sampled or not.
type plannedOperator struct{ physical, operator string }

// unsampled is the side of an operator of which there is no sample: it costs less than one if the
// plan has it.
func (s *querySides) unsampled(o placed) costmodel.Side {
	if !s.planned[plannedOperator{bare(o.physical), o.operator}] {
		return costmodel.Side{}
	}
	rows := s.rows[[2]string{o.operator, o.place}]
	return costmodel.Side{There: true, Variance: s.sample * s.sample, Sample: s.sample, Rows: rows, RowsKnown: rows > 0}
}

// plan notes the operators of the last updates of a query's plans, and their rows.
func (s *querySides) plan(m *columns.Model) {
	for i := range m.Work {
		if q := m.Work[i].Query; q == columns.None || m.Queries[q].Query != s.query || m.Executions[m.Work[i].Execution].Failed {
			continue
		}
		for _, r := range m.Work[i].Rows {
			s.rows[[2]string{m.Operators[r[0]].Operator, m.Operators[r[0]].Place}] += float64(r[1]) / float64(max(s.runs, 1))
		}
	}
	for i := range m.Plans {
		if q := m.Plans[i].Query; q == columns.None || m.Queries[q].Query != s.query {
			continue
		}
		for k := range m.Plans[i].Nodes {
			n := &m.Plans[i].Nodes[k]
			if n.Operator != "" && !n.Replaced {
				s.planned[plannedOperator{bare(usualcost.Physical(n.OperatorName)), n.Operator}] = true
			}
		}
	}
}

// sidesOf are the queries of a recording, each with all of its plans, without failed runs.
func sidesOf(m *columns.Model) (out []*querySides) {
	report, outcomes := m.Report(columns.Selection{WithoutFailed: true}), m.Outcomes(columns.Selection{})
	of := map[string]*querySides{}
	for i := range report.Queries {
		q := &report.Queries[i]
		s := of[q.Query]
		if s == nil {
			s = &querySides{query: q.Query, name: q.Name, outcomes: outcomes[q.Query], by: map[placed]costmodel.Side{}, planned: map[plannedOperator]bool{}, rows: map[[2]string]float64{}}
			of[q.Query] = s
			out = append(out, s)
		}
		s.runs += q.Runs
	}
	for _, s := range out {
		s.sample = 1 / float64(max(m.Meta.Hz, 1)) / float64(max(s.runs, 1))
		s.plan(m)
	}
	for i := range report.Queries {
		q := &report.Queries[i]
		for k := range q.Operators {
			of[q.Query].add(&m.Meta, &q.Operators[k])
		}
	}
	return out
}

// add adds an operator's cost.
func (s *querySides) add(meta *columns.Meta, o *columns.OperatorReport) {
	key := placed{usualcost.Physical(o.Name), o.Operator, o.Name, o.Stage}
	side, known := s.by[key]
	if !known {
		side = costmodel.Side{There: true, RowsKnown: true}
		s.order = append(s.order, key)
	}
	runs := float64(max(s.runs, 1))
	cpu, spread := o.CPUSeconds/runs, meta.Spread.Operator
	if o.Role == exchangeRole {
		spread = meta.Spread.Exchange
	}
	side.CPU += cpu
	side.Variance += o.SE*o.SE/runs/runs + spread*spread*cpu*cpu
	side.Sample = s.sample
	if o.Rows == nil {
		side.RowsKnown = false
	} else {
		side.Rows += float64(*o.Rows) / runs
	}
	s.by[key] = side
}

func (m *matched) bridge(common costmodel.Common) queryBridge {
	b := costmodel.Split(m.pairs, common)
	out := queryBridge{
		Query: m.query, Name: m.name, RunsOld: m.old.Runs - m.old.Failed, RunsNew: m.new.Runs - m.new.Failed, FailedOld: m.old.Failed, FailedNew: m.new.Failed, Change: partOf(b.Change), Rows: partOf(b.Rows), Plan: partOf(b.Plan), Run: partOf(b.Run), Code: partOf(b.Code),
		Came: []string{}, Went: []string{}, Operators: []operatorBridge{},
	}
	for i, p := range m.pairs {
		o := operatorBridge{
			Operator: m.operators[i].operator, Name: m.operators[i].name, Old: p.Old.CPU, New: p.New.CPU,
			Rows: partOf(b.Of[i].Rows), Plan: partOf(b.Of[i].Plan), Run: partOf(b.Of[i].Run), Code: partOf(b.Of[i].Code),
		}
		if p.Old.There && p.Old.RowsKnown {
			o.RowsOld = &p.Old.Rows
		}
		if p.New.There && p.New.RowsKnown {
			o.RowsNew = &p.New.Rows
		}
		switch {
		case !p.Old.There:
			out.Came = append(out.Came, m.operators[i].physical)
		case !p.New.There:
			out.Went = append(out.Went, m.operators[i].physical)
		}
		out.Old, out.New = out.Old+p.Old.CPU, out.New+p.New.CPU
		out.Operators = append(out.Operators, o)
	}
	return out
}

// againstRun reads both recordings and holds them against each other.
func againstRun(newDir, oldDir results, query string) (*bridgeReport, error) {
	new, errNew := analyze(newDir.recording(), pipeline.Without{}, drawing{})
	old, errOld := analyze(oldDir.recording(), pipeline.Without{}, drawing{})
	err := errors.Join(errNew, errOld)
	if new == nil || old == nil {
		return nil, err
	}
	out, refused := against(old.model, new.model, string(oldDir), string(newDir), query)
	return out, errors.Join(err, refused)
}

// reportAgainst prints why the queries of one recording cost more or less than in another.
func reportAgainst(new, old results, part *selecting) error {
	if part.format != "" && part.format != "text" && part.format != "json" {
		return fmt.Errorf("--format %q: with --against text or json", part.format)
	}
	r, err := againstRun(new, old, part.query)
	if r == nil {
		return err
	}
	if part.format == "json" {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return errors.Join(err, e.Encode(r))
	}
	return errors.Join(err, r.text(os.Stdout))
}

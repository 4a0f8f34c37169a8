package shift

import (
	"cmp"
	"math"
	"slices"

	"github.com/planflame/planflame/shift/internal/stats"
)

// What tells a changed plan where the fingerprint is the same: an operator that matters came, went
// or became another physical operator. An operator of few samples may be missing by chance.
const (
	planRuns      = 3    // runs of a plan before its operators are held against a run's
	planLooks     = 10   // runs that are looked back on
	planShare     = 0.02 // of the run's CPU
	planCame      = 12.  // samples of an operator that was never there
	planWent      = 20.  // mean samples of one that was always there
	planWentShare = 0.9  // … in this share of the runs
	planLeastCPU  = 0.3  // of the usual CPU, below which a run may miss operators because it had nothing to do
	planAway      = 5    // runs of other plans after which a plan that comes back is reported
	seedVariance  = 0.1 * 0.1
)

// match is the run's plan, -1 where it is a new one. most is how many operators a
// plan may have.
func (h *history) match(r *Run, most int) int32 {
	best := int32(-1)
	for i, v := range h.Plans {
		if v.Fingerprint == r.Plan && (best < 0 || v.Last.After(h.Plans[best].Last.Time)) && !h.differs(int32(i), r, most) {
			best = int32(i)
		}
	}
	return best
}

// differs reports whether the run's operators are not the operators of the plan's runs.
func (h *history) differs(plan int32, r *Run, most int) bool {
	looked := h.newest(plan, planLooks)
	if len(looked) < planRuns || r.CPU <= 0 {
		return false
	}
	known := 0
	for _, op := range h.Operators {
		if op.Plan == plan {
			known++
		}
	}
	there := make(map[Key]bool, len(r.Operators))
	for i := range r.Operators {
		o := &r.Operators[i]
		there[o.Key] = true
		if o.CPU < planShare*r.CPU || o.Support() < planCame {
			continue
		}
		k, ok := h.index[opKey{plan, o.Key}]
		if known >= most && !ok {
			continue // no room was left for it
		}
		if !ok || known < most && !slices.ContainsFunc(looked, func(rec *record) bool { return rec.cell(k) != nil }) {
			return true
		}
		if was := class(h.Operators[k].Name); was != "" && o.class() != "" && was != o.class() {
			return true
		}
	}
	usual := make([]float64, len(looked))
	for i, rec := range looked {
		usual[i] = rec.CPU
	}
	if r.CPU < planLeastCPU*stats.Median(usual) {
		return false
	}
	for k, op := range h.Operators {
		if op.Plan == plan && !there[op.Key] && always(looked, int32(k)) {
			return true
		}
	}
	return false
}

// always tells that an operator was in nearly all of the runs, with enough samples not to be
// missing by chance.
func always(runs []*record, op int32) bool {
	n, samples := 0, 0.
	for _, r := range runs {
		if c := r.cell(op); c != nil && c.cpu >= planShare*r.CPU {
			n++
			cost := c.cost()
			samples += min(cost.Support(), 1/leastRelative)
		}
	}
	return float64(n) >= planWentShare*float64(len(runs)) && samples >= planWent*float64(n)
}

// newest is the newest runs of a plan, newest last.
func (h *history) newest(plan int32, most int) (out []*record) {
	for i := len(h.Runs) - 1; i >= 0 && len(out) < most; i-- {
		if h.Runs[i].Plan == plan {
			out = append(out, h.Runs[i])
		}
	}
	slices.Reverse(out)
	return out
}

// previous is the plan of the newest run before the record's, -1 if there is none or the plan
// is the record's own. away tells that several runs before had other plans than the record's.
func (h *history) previous(r *record) (plan int32, away bool) {
	i := slices.Index(h.Runs, r)
	if i < 1 || h.Runs[i-1].Plan == r.Plan {
		return -1, false
	}
	away = i >= planAway
	for _, o := range h.Runs[max(0, i-planAway):i] {
		away = away && o.Plan != r.Plan
	}
	return h.Runs[i-1].Plan, away
}

// pairs are the operators of two plans that are the same: by stage and id, or by id where each plan
// has it once.
func (h *history) pairs(a, b int32) map[int32]int32 {
	count := map[int32]map[string]int{a: {}, b: {}}
	byID := map[string]int32{}
	for k, o := range h.Operators {
		if o.Plan == a || o.Plan == b {
			count[o.Plan][o.Operator]++
			if o.Plan == a {
				byID[o.Operator] = int32(k)
			}
		}
	}
	out := map[int32]int32{}
	for k, o := range h.Operators {
		if o.Plan != b {
			continue
		}
		if i, ok := h.index[opKey{a, o.Key}]; ok {
			out[int32(k)] = i
		} else if count[a][o.Operator] == 1 && count[b][o.Operator] == 1 {
			out[int32(k)] = byID[o.Operator]
		}
	}
	return out
}

// lines are what is known of a plan's operators from the runs up to a position, by index.
func (h *history) lines(plan int32, last int, p *Priors, set *Settings) map[int32]*line {
	v := newView(h, plan, last, set)
	v.priors = p
	out := map[int32]*line{}
	if len(v.runs) == 0 {
		return out
	}
	f := newFit(v, 0, 0)
	for j := range f.cols {
		if c := &f.cols[j]; len(c.base) > 0 {
			out[c.index] = &c.line
		}
	}
	return out
}

// seed gives the operators of a new plan what the one before knows of them, and what it does not is
// added as variance.
func (h *history) seed(from, to int32, lines map[int32]*line) {
	for k, i := range h.pairs(from, to) {
		if l := lines[i]; l != nil {
			h.Operators[k].Seed = &seed{X: l.Centre, Y: l.Level, Var: l.LevelVar + l.Scale2 + seedVariance, HasX: l.HasX, Common: l.Common}
			h.Operators[k].Slope = l.widened(slopeSD * slopeSD)
		}
	}
}

// changed lists what another plan brought: the operators of both with their ratio, dearest change
// first, and the runs of one only.
func (h *history) changed(e *Event, before int32, r *record, lines map[int32]*line) {
	e.Plan, e.PlanBefore = h.Plans[r.Plan].Fingerprint, h.Plans[before].Fingerprint
	e.Since, e.SinceRun = r.End.Time, r.id()
	pairs := h.pairs(before, r.Plan)
	kept := map[int32]bool{}
	for i := range r.Cells {
		c := &r.Cells[i]
		op := h.Operators[c.op]
		k, ok := pairs[c.op]
		l := lines[k]
		if !ok || l == nil {
			if !ok && c.cpu >= planShare*r.CPU {
				e.Appeared = append(e.Appeared, Change{Key: op.Key, Name: op.Name, To: c.cpu})
			}
			continue
		}
		kept[k] = true
		x := 0.
		if l.HasX {
			if x = math.Log(max(c.rows, 1)); c.rows <= 0 || !l.covers(x, math.Log1p(math.E)) {
				x = l.Centre
			}
		}
		y, v := c.logCost()
		expected, fixed := l.at(x, 0)
		e.Changes = append(e.Changes, Change{Key: op.Key, Name: op.Name, From: math.Exp(expected), To: c.cpu,
			Evidence:  Evidence{Runs: 1, Log: y - expected, SE: math.Sqrt(l.noise(v, 0) + fixed), DF: max(l.DF, 1), P: 1},
			CoreHours: coreHours(math.Exp(expected), c.cpu, h.perWeek())})
	}
	looked := h.newest(before, planLooks)
	for k, op := range h.Operators {
		if op.Plan != before || kept[int32(k)] || lines[int32(k)] == nil {
			continue
		}
		if usual := math.Exp(lines[int32(k)].Level); usual >= planShare*r.CPU && slices.ContainsFunc(looked, func(rec *record) bool { return rec.cell(int32(k)) != nil }) {
			e.Vanished = append(e.Vanished, Change{Key: op.Key, Name: op.Name, From: usual})
		}
	}
	byCPU := func(a, b Change) int {
		return cmp.Or(cmp.Compare(math.Abs(b.To-b.From), math.Abs(a.To-a.From)), cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Stage, b.Stage))
	}
	slices.SortFunc(e.Changes, byCPU)
	slices.SortFunc(e.Appeared, byCPU)
	slices.SortFunc(e.Vanished, byCPU)
}

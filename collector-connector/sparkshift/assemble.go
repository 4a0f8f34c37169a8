package sparkshift

import (
	"cmp"
	"container/list"
	"math"
	"slices"
	"time"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

// Bounds of one open run.
const (
	mostParts     = 4096
	mostOperators = 4096 // of a part
)

// openRuns are runs of which parts may still come, by the time of their newest part. It is not safe
// for concurrent use.
type openRuns struct {
	settle, open time.Duration // Config.Waiting.Settle and SettleOpen
	most         int
	by           map[shift.RunID]*list.Element // of *openRun
	order        *list.List                    // newest part first
	early        []*openRun                    // pushed out by newer ones, to be judged at once
	pushed       uint64                        // how many ever
}

// openRun is a run in parts.
type openRun struct {
	run    shift.Run // without parts, operators and CPU
	newest time.Time // when its newest part came
	ended  bool      // some part was told after its end
	// leftOut says that some part was not sampled, as its run was not drawn: what operators cost is
	// not known, or of a part of the run alone.
	leftOut bool
	parts   map[string]*openPart
}

// openPart is what one executor said. Each value is there once: a point that comes again replaces
// it.
type openPart struct {
	host      string
	cpu       float64 // NaN: not said
	operators map[shift.Key]*shift.Cost
	noRows    map[shift.Key]bool // rows were not said
	usual     map[shift.Key]usualCost
}

func newOpenRuns(cfg *Config) openRuns {
	return openRuns{settle: cfg.Waiting.Settle, open: cfg.Waiting.SettleOpen, most: cfg.Waiting.MaxOpenRuns, by: map[shift.RunID]*list.Element{}, order: list.New()}
}

// part is the part that a point belongs to, made if there is none; nil where the run has too
// many.
func (o *openRuns) part(by *costmetrics.Teller, x *costmetrics.ExecutionPoint, now time.Time) *openPart {
	id := shift.RunID{Application: by.Application, Execution: x.ID}
	e, ok := o.by[id]
	if !ok {
		for len(o.by) >= o.most {
			last := o.order.Remove(o.order.Back()).(*openRun)
			delete(o.by, last.run.ID)
			o.early = append(o.early, last)
			o.pushed++
		}
		e = o.order.PushFront(&openRun{run: shift.Run{ID: id, Query: x.Query}, parts: map[string]*openPart{}})
		o.by[id] = e
	}
	o.order.MoveToFront(e)
	r := e.Value.(*openRun)
	r.newest = now
	r.describe(by, x)
	p := r.parts[by.Executor]
	if p == nil {
		if len(r.parts) >= mostParts {
			return nil
		}
		p = &openPart{host: by.Host, cpu: math.NaN(), operators: map[shift.Key]*shift.Cost{}, noRows: map[shift.Key]bool{}, usual: map[shift.Key]usualCost{}}
		r.parts[by.Executor] = p
	}
	return p
}

// has reports whether parts of a run are waiting.
func (o *openRuns) has(id shift.RunID) bool {
	_, ok := o.by[id]
	return ok
}

// describe keeps what is said about the run; parts that say nothing leave it as it is.
func (r *openRun) describe(by *costmetrics.Teller, x *costmetrics.ExecutionPoint) {
	r.run.Name, r.run.Plan, r.run.Version = cmp.Or(x.Name, r.run.Name), cmp.Or(x.Plan, r.run.Plan), cmp.Or(by.Version, r.run.Version)
	r.ended = r.ended || !x.Left
	r.leftOut = r.leftOut || x.LeftOut
	if r.run.Labels == nil || len(by.Labels) > len(r.run.Labels) { // labels of a pod may come late
		r.run.Labels = by.Labels
	}
	if x.End.After(r.run.End) {
		r.run.End = x.End
	}
}

// cost is the operator's cost in the part; nil where there are too many.
func (p *openPart) cost(x *costmetrics.ExecutionPoint) *shift.Cost {
	k := shift.Key{Stage: x.Place, Operator: x.Operator}
	c := p.operators[k]
	if c == nil {
		if len(p.operators) >= mostOperators {
			return nil
		}
		c = &shift.Cost{Key: k}
		p.operators[k] = c
		p.noRows[k] = true
	}
	c.Name = cmp.Or(x.OperatorName, c.Name)
	return c
}

// settledRun is a run that is waited for no longer.
type settledRun struct {
	*shift.Run
	ended   bool // some part was told after its end; else no one knows how much of the run is there
	leftOut bool // what its operators cost is not known
	usual   map[shift.Key]usualCost
}

// dropped is the outcome of a run that is not part of its query's history, or "" for other runs.
// Either nothing is known of the run's operators, or it was re-run under unusual conditions.
func (r *settledRun) dropped() string {
	switch {
	case r.leftOut:
		return "not_sampled"
	case r.Labels[semconv.Trial] != "":
		return "trial"
	}
	return ""
}

// settled takes out the runs whose newest part is old enough, in the order of their ends.
func (o *openRuns) settled(now time.Time) []settledRun {
	ready := o.early
	o.early = nil
	for e := o.order.Back(); e != nil; {
		r, newer := e.Value.(*openRun), e.Prev()
		waited := now.Sub(r.newest)
		if waited < o.settle {
			break
		}
		if r.ended || waited >= o.open {
			o.order.Remove(e)
			delete(o.by, r.run.ID)
			ready = append(ready, r)
		}
		e = newer
	}
	return finished(ready)
}

// rest takes out all runs, in the order of their ends.
func (o *openRuns) rest() []settledRun {
	ready := o.early
	for e := o.order.Front(); e != nil; e = e.Next() {
		ready = append(ready, e.Value.(*openRun))
	}
	o.early = nil
	o.order.Init()
	clear(o.by)
	return finished(ready)
}

func finished(runs []*openRun) (out []settledRun) {
	for _, r := range runs {
		out = append(out, settledRun{r.finish(), r.ended, r.leftOut, r.usual()})
	}
	slices.SortStableFunc(out, func(a, b settledRun) int {
		return cmp.Or(a.End.Compare(b.End), cmp.Compare(a.ID.Application, b.ID.Application), cmp.Compare(a.ID.Execution, b.ID.Execution))
	})
	return out
}

// finish adds the parts up.
func (r *openRun) finish() *shift.Run {
	run := r.run
	run.Query = historyOf(run.Query, run.Labels)
	sums, order := map[shift.Key]*shift.Cost{}, []shift.Key(nil)
	noRows := map[shift.Key]bool{}
	rest := map[shift.Key]float64{} // rows of executors without CPU of the operator
	for _, id := range sortedKeys(r.parts) {
		p := r.parts[id]
		operators := 0.
		for k, c := range p.operators {
			if !(c.CPU > 0) {
				rest[k] += c.Rows
				continue
			}
			operators += c.CPU
			s := sums[k]
			if s == nil {
				s = &shift.Cost{Key: k}
				sums[k] = s
				order = append(order, k)
			}
			s.Name = cmp.Or(s.Name, c.Name)
			s.CPU, s.Variance, s.Rows, s.Samples = s.CPU+c.CPU, s.Variance+c.Sampling(), s.Rows+c.Rows, s.Samples+c.Samples
			// Rows that one executor does not tell make the sum no measure.
			noRows[k] = noRows[k] || p.noRows[k]
		}
		cpu := p.cpu
		if math.IsNaN(cpu) {
			cpu = operators
		}
		run.CPU += cpu
		run.Parts = append(run.Parts, shift.Part{ID: id, Host: p.host, CPU: cpu})
	}
	slices.SortFunc(order, func(a, b shift.Key) int {
		return cmp.Or(cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Stage, b.Stage))
	})
	for _, k := range order {
		sums[k].Rows += rest[k]
		if noRows[k] {
			sums[k].Rows = 0
		}
		run.Operators = append(run.Operators, *sums[k])
	}
	return &run
}

package sparkcalibration

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// run is an SQL execution, or a stage outside of SQL, of which sums have come.
type run struct {
	id      costmetrics.RunID
	newest  time.Time                    // when its newest part came
	parts   map[costmetrics.PartID]*part // that may still get points
	added   map[costmetrics.PartID]bool  // whose points are in the sums below
	stages  map[tasksample.StageID]*costmetrics.StageSums
	owners  map[tasksample.StageID]costmetrics.Owner
	totals  []total
	rows    map[costmetrics.OperatorAt]*costmetrics.PartRows
	python  map[costmetrics.OperatorAt]*costmetrics.PartPython
	common  map[string]any // what all resources of the run have alike
	held    int            // cells, keys and names of parts, as Config.MaxSums counts them
	told    int            // how often it was estimated
	unsound int            // cells that lacked some of their sums
	ended   bool           // some JVM told its end after it
}

// part is a part with where it came from.
type part struct {
	*costmetrics.Part
	owner    costmetrics.Owner
	resource map[string]any
	changed  time.Time // when its last point came
	entries  int       // as they are in run.held
}

// total is the CPU of an execution on one executor.
type total struct {
	costmetrics.Total
	resource map[string]any
}

func newRun(id costmetrics.RunID) *run {
	r := &run{id: id, added: map[costmetrics.PartID]bool{}}
	r.begin()
	return r
}

// begin begins the sums again; names of parts stay.
func (r *run) begin() {
	r.parts, r.stages, r.owners = map[costmetrics.PartID]*part{}, map[tasksample.StageID]*costmetrics.StageSums{}, map[tasksample.StageID]costmetrics.Owner{}
	r.rows, r.python = map[costmetrics.OperatorAt]*costmetrics.PartRows{}, map[costmetrics.OperatorAt]*costmetrics.PartPython{}
	r.totals, r.common, r.unsound = nil, nil, 0
	r.held = len(r.added)
}

// part is the part that points belong to, made if there is none; nil where it was added up
// before.
func (r *run) part(id costmetrics.PartID, resource pcommon.Map, labels []string, now time.Time) *part {
	if r.added[id] {
		return nil
	}
	p := r.parts[id]
	if p == nil {
		own := map[string]string{}
		for k, v := range resource.All() {
			own[k] = v.AsString()
		}
		p = &part{Part: costmetrics.NewPart(), owner: costmetrics.OwnerOf(own[semconv.ServiceName], labels, own), resource: resource.AsRaw()}
		r.parts[id] = p
	}
	r.newest, p.changed = now, now
	return p
}

// count brings held up to date after points came to a part, and takes note of an end.
func (r *run) count(p *part) {
	n := p.Entries()
	r.held += n - p.entries
	p.entries = n
	r.ended = r.ended || p.Total != nil && !p.Total.Left
}

// fold adds the parts up that nothing came to for a while: all of them, where wait is 0.
func (r *run) fold(now time.Time, wait time.Duration) {
	for id, p := range r.parts {
		if now.Sub(p.changed) < wait {
			continue
		}
		r.add(p)
		delete(r.parts, id)
		r.added[id] = true
		r.held += 1 - p.entries
	}
}

// add adds a part to the sums.
func (r *run) add(p *part) {
	for id, from := range p.Stages {
		st := r.stages[id]
		if st == nil {
			st = &costmetrics.StageSums{Execution: from.Execution, Stage: id, Probability: from.Probability, Statistics: tasksample.NewStage[semconv.Operator]()}
			r.stages[id], r.owners[id] = st, p.owner
		}
		st.Query, st.Name, st.Place = cmp.Or(st.Query, from.Query), cmp.Or(st.Name, from.Name), cmp.Or(st.Place, from.Place)
		r.unsound += costmetrics.MakeSound(from.Statistics)
		before := costmetrics.Entries(st.Statistics)
		st.Statistics.Merge(from.Statistics)
		r.held += costmetrics.Entries(st.Statistics) - before
	}
	if p.Total != nil {
		r.totals = append(r.totals, total{*p.Total, p.resource})
		r.held++
	}
	for of, from := range p.Rows {
		rows := r.rows[of]
		if rows == nil {
			rows = &costmetrics.PartRows{Place: of.Place, Operator: of.Operator, Known: true}
			r.rows[of] = rows
			r.held++
		}
		rows.Name, rows.Rows, rows.Known = cmp.Or(rows.Name, from.Name), rows.Rows+from.Rows, rows.Known && from.Known
	}
	for at, from := range p.Python {
		python := r.python[at]
		if python == nil {
			python = &costmetrics.PartPython{Place: at.Place, Operator: at.Operator}
			r.python[at] = python
			r.held++
		}
		python.Name, python.CPU = cmp.Or(python.Name, from.Name), python.CPU+from.CPU
	}
	r.inCommon(p.resource)
}

// inCommon keeps what this resource has like all before it.
func (r *run) inCommon(resource map[string]any) {
	if r.common == nil {
		r.common = maps.Clone(resource)
		return
	}
	maps.DeleteFunc(r.common, func(k string, v any) bool {
		w, ok := resource[k]
		return !ok || !equal(v, w)
	})
}

// equal compares what attributes hold; lists and maps are never alike.
func equal(a, b any) bool {
	switch a.(type) {
	case string, int64, float64, bool:
		return a == b
	}
	return false
}

// estimated is what the stages of a run say.
type estimated struct {
	stages       []stageEstimate
	operators    []costmetrics.OperatorCost
	cpu, invalid time.Duration
}

// stageEstimate is what one stage says.
type stageEstimate struct {
	*costmetrics.StageSums
	owner  costmetrics.Owner
	result tasksample.Result[semconv.Operator]
}

// estimate computes what each operator cost, from all stages that are there, in their order.
func (r *run) estimate() (out estimated) {
	type of = costmetrics.OperatorAt
	costs, names := map[of]*costmetrics.OperatorCost{}, map[of]map[string]time.Duration{}
	add := func(at of, name string, cpu time.Duration) *costmetrics.OperatorCost {
		c := costs[at]
		if c == nil {
			c = &costmetrics.OperatorCost{Place: at.Place, Operator: at.Operator}
			costs[at], names[at] = c, map[string]time.Duration{}
		}
		c.CPU += cpu
		names[at][name] += cpu
		return c
	}
	for _, id := range slices.Sorted(maps.Keys(r.stages)) {
		st := stageEstimate{r.stages[id], r.owners[id], r.stages[id].Statistics.EstimateWithoutIntervals()}
		out.stages = append(out.stages, st)
		out.cpu += st.result.CPU
		if !st.result.Valid {
			out.invalid += st.result.CPU
		}
		for key, e := range st.result.Keys {
			if key.ID == "" {
				continue // a bucket: in the execution's CPU, and no operator's
			}
			c := add(of{Place: key.Place, Operator: key.ID}, key.Name, e.CPU)
			c.Variance, c.Samples = c.Variance+e.SE.Seconds()*e.SE.Seconds(), c.Samples+e.Samples
		}
	}
	for at, python := range r.python {
		add(at, python.Name, python.CPU).Python += python.CPU
	}
	for at, c := range costs {
		c.Name = most(names[at])
		if rows := r.rows[at]; rows != nil && rows.Known {
			c.Rows, c.RowsKnown = rows.Rows, true
		}
		out.operators = append(out.operators, *c)
	}
	slices.SortFunc(out.operators, func(a, b costmetrics.OperatorCost) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Operator, b.Operator))
	})
	return out
}

// most is the name under which most CPU was seen, the first in the alphabet among equals.
func most(names map[string]time.Duration) (best string) {
	cpu := time.Duration(-1)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] > cpu {
			best, cpu = name, names[name]
		}
	}
	return best
}

package costmetrics

import (
	"math"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pmetric"

	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/tasksample"
)

// RunID names what is estimated together: an SQL execution, or a stage outside of SQL.
type RunID struct {
	Application string
	JVM         string // set where the application's id is not known: then every JVM is its own
	Execution   tasksample.ExecutionID
	Stage       tasksample.StageID // -1 of an SQL execution
}

// PartID names what one JVM told of a run in one window.
type PartID struct {
	Run RunID
	JVM string // host, process and executor
	End int64  // of the window, nanoseconds since 1970
}

// Part is what one JVM told of a run in one window. It may come in several requests and each point
// more than once: what is there stays.
type Part struct {
	Stages map[tasksample.StageID]*StageSums
	Total  *Total // nil: the run is not over there
	Rows   map[OperatorAt]*PartRows
	Python map[OperatorAt]*PartPython
}

// OperatorAt is an operator at one place of stages.
type OperatorAt struct{ Place, Operator string }

// Total is what a JVM tells of an execution that is over.
type Total struct {
	Execution
	Failed bool
	CPU    time.Duration // of all its tasks and Python workers there
}

// NewPart returns an empty part.
func NewPart() *Part {
	return &Part{Stages: map[tasksample.StageID]*StageSums{}, Rows: map[OperatorAt]*PartRows{}, Python: map[OperatorAt]*PartPython{}}
}

// Entries is how many cells, keys, rows and operators with Python workers the part has.
func (p *Part) Entries() int {
	n := 1 + len(p.Rows) + len(p.Python)
	for _, s := range p.Stages {
		n += 1 + Entries(s.Statistics)
	}
	return n
}

// Counts are what became of points.
type Counts struct{ Taken, Senseless, Duplicate int }

// Read puts the points of a request to their parts, which find gives; where it gives nil, that part
// was complete before and its points are duplicates. Other metrics are passed over. The resource is
// valid during the call of find.
func Read(md pmetric.Metrics, find func(id PartID, resource pcommon.Map) *Part) (c Counts) {
	for _, rm := range md.ResourceMetrics().All() {
		resource := rm.Resource().Attributes()
		for _, sm := range rm.ScopeMetrics().All() {
			r := reader{find: find, resource: resource, scope: sm.Scope().Attributes(), counts: &c}
			r.id, r.sensible = runOf(resource, r.scope)
			for _, m := range sm.Metrics().All() {
				r.metric(m)
			}
		}
	}
	return c
}

// reader reads the points of one scope.
type reader struct {
	find            func(PartID, pcommon.Map) *Part
	resource, scope pcommon.Map
	counts          *Counts
	id              PartID // End is the end of the last point
	sensible        bool   // the scope says what run its points are of
	asked           bool
	part            *Part // of id, where asked
}

// outcome is what became of a point.
type outcome uint8

const (
	senseless outcome = iota
	taken
	duplicate
)

// metric reads the points of a metric, if it is one of a part.
func (r *reader) metric(m pmetric.Metric) {
	put := r.putter(m.Name())
	if put == nil {
		return
	}
	if m.Type() != pmetric.MetricTypeSum || m.Sum().AggregationTemporality() != pmetric.AggregationTemporalityDelta {
		r.counts.Senseless++
		return
	}
	for _, dp := range m.Sum().DataPoints().All() {
		switch r.point(dp, put) {
		case taken:
			r.counts.Taken++
		case duplicate:
			r.counts.Duplicate++
		default:
			r.counts.Senseless++
		}
	}
}

// putter is what takes the points of a metric; nil of one that is no part's.
func (r *reader) putter(name string) func(*Part, pmetric.NumberDataPoint) outcome {
	if f, ok := cellNamed[name]; ok {
		return func(p *Part, dp pmetric.NumberDataPoint) outcome { return r.cell(p, dp, f) }
	}
	if f, ok := keyNamed[name]; ok {
		return func(p *Part, dp pmetric.NumberDataPoint) outcome { return r.key(p, dp, f) }
	}
	if f, ok := stageNamed[name]; ok {
		return func(p *Part, dp pmetric.NumberDataPoint) outcome {
			s := r.stage(p)
			if s == nil {
				return senseless
			}
			return put(f, s.Statistics, dp)
		}
	}
	switch name {
	case semconv.MetricPartCPU:
		return r.total
	case semconv.MetricPartRows:
		return r.rows
	case semconv.MetricPartPythonCPU:
		return r.python
	}
	return nil
}

// point finds the part and puts the point there.
func (r *reader) point(dp pmetric.NumberDataPoint, put func(*Part, pmetric.NumberDataPoint) outcome) outcome {
	if !r.sensible || dp.Timestamp() == 0 || dp.Timestamp() > math.MaxInt64 {
		return senseless
	}
	if end := int64(dp.Timestamp()); !r.asked || end != r.id.End {
		r.id.End, r.asked = end, true
		r.part = r.find(r.id, r.resource)
	}
	if r.part == nil {
		return duplicate
	}
	return put(r.part, dp)
}

// stage are the sums of the scope's stage; nil where it names none.
func (r *reader) stage(p *Part) *StageSums {
	id, ok := number(r.scope, semconv.StageID)
	if !ok || id < 0 || id > math.MaxInt32 {
		return nil
	}
	s := p.Stages[tasksample.StageID(id)]
	if s == nil {
		probability, ok := r.scope.Get(semconv.ExecutionProbability)
		if !ok || probability.Type() != pcommon.ValueTypeDouble || !(probability.Double() > 0 && probability.Double() <= 1) {
			return nil
		}
		s = &StageSums{Execution: r.id.Run.Execution, Stage: tasksample.StageID(id), Probability: probability.Double(), Query: text(r.scope, semconv.QueryFingerprint),
			Name: text(r.scope, semconv.QueryName), Place: text(r.scope, semconv.StagePlace), Statistics: tasksample.NewStage[semconv.Operator]()}
		p.Stages[s.Stage] = s
	}
	return s
}

// cellOf are the sums of a point's cell, made if there are none; nil where it names none.
func (r *reader) cellOf(p *Part, a pcommon.Map) (*StageSums, *cellSums) {
	class, ok := number(a, semconv.SamplingClass)
	tier, known := tiers[text(a, semconv.SamplingTier)]
	if !ok || !known || class < 0 || class > math.MaxInt8 {
		return nil, nil
	}
	s := r.stage(p)
	if s == nil {
		return nil, nil
	}
	id := tasksample.Cell{Class: tasksample.Class(class), Tier: tier}
	c := s.Statistics.Cells[id]
	if c == nil {
		c = &cellSums{Keys: map[semconv.Operator]*keySums{}}
		s.Statistics.Cells[id] = c
	}
	return s, c
}

func (r *reader) cell(p *Part, dp pmetric.NumberDataPoint, f field[cellSums]) outcome {
	_, c := r.cellOf(p, dp.Attributes())
	if c == nil {
		return senseless
	}
	return put(f, c, dp)
}

func (r *reader) key(p *Part, dp pmetric.NumberDataPoint, f field[keySums]) outcome {
	a := dp.Attributes()
	key := semconv.Operator{ID: text(a, semconv.OperatorID), Name: text(a, semconv.OperatorName), Role: text(a, semconv.OperatorRole), Bucket: text(a, semconv.CPUBucket)}
	if (key.ID == "") == (key.Bucket == "") {
		return senseless
	}
	s, c := r.cellOf(p, a)
	if c == nil {
		return senseless
	}
	key.Query, key.Place = s.Query, s.Place
	if v, ok := a.Get(semconv.QueryFingerprint); ok {
		key.Query = v.AsString()
	}
	if v, ok := a.Get(semconv.StagePlace); ok {
		key.Place = v.AsString()
	}
	k := c.Keys[key]
	if k == nil {
		k = &keySums{}
		c.Keys[key] = k
	}
	return put(f, k, dp)
}

// put sets a sum, if it is not there already.
func put[S any](f field[S], s *S, dp pmetric.NumberDataPoint) outcome {
	n, x := f.at(s)
	switch {
	case n != nil && (dp.ValueType() != pmetric.NumberDataPointValueTypeInt || dp.IntValue() <= 0):
		return senseless
	case x != nil && (dp.ValueType() != pmetric.NumberDataPointValueTypeDouble || !(dp.DoubleValue() > 0) || dp.DoubleValue() > f.most()):
		return senseless
	case n != nil && *n != 0 || x != nil && *x != 0:
		return duplicate
	case n != nil:
		*n = uint64(dp.IntValue())
	default:
		*x = dp.DoubleValue()
	}
	return taken
}

// total takes the CPU of an execution that is over.
func (r *reader) total(p *Part, dp pmetric.NumberDataPoint) outcome {
	seconds := dp.DoubleValue()
	end, ok := number(r.scope, semconv.ExecutionEnd)
	if !ok || end <= 0 || r.id.Run.Execution == tasksample.NoExecution || dp.ValueType() != pmetric.NumberDataPointValueTypeDouble || !(seconds >= 0 && seconds < mostSeconds) {
		return senseless
	}
	if p.Total != nil {
		return duplicate
	}
	flag := func(key string) (is, there bool) {
		v, ok := r.scope.Get(key)
		return ok && v.Bool(), ok
	}
	ended, told := flag(semconv.ExecutionEnded)
	sampled, drawn := flag(semconv.ExecutionSampled)
	failed, _ := flag(semconv.ExecutionFailed)
	p.Total = &Total{Failed: failed, CPU: time.Duration(math.Round(seconds * 1e9)), Execution: Execution{
		ID: int64(r.id.Run.Execution), Query: text(r.scope, semconv.QueryFingerprint), Name: text(r.scope, semconv.QueryName), Plan: text(r.scope, semconv.QueryPlan),
		End: time.Unix(0, end).UTC(), Left: told && !ended, LeftOut: drawn && !sampled}}
	return taken
}

// mostSeconds is more CPU than a time.Duration holds.
const mostSeconds = 9e9

// rows takes the rows of an operator.
func (r *reader) rows(p *Part, dp pmetric.NumberDataPoint) outcome {
	a := dp.Attributes()
	of := OperatorAt{text(a, semconv.StagePlace), text(a, semconv.OperatorID)}
	known := !dp.Flags().NoRecordedValue()
	if of.Operator == "" || r.id.Run.Execution == tasksample.NoExecution || known && (dp.ValueType() != pmetric.NumberDataPointValueTypeInt || dp.IntValue() < 0) {
		return senseless
	}
	if p.Rows[of] != nil {
		return duplicate
	}
	rows := &PartRows{Place: of.Place, Operator: of.Operator, Name: text(a, semconv.OperatorName), Known: known}
	if known {
		rows.Rows = uint64(dp.IntValue())
	}
	p.Rows[of] = rows
	return taken
}

// python takes the CPU of Python workers for an operator.
func (r *reader) python(p *Part, dp pmetric.NumberDataPoint) outcome {
	a, seconds := dp.Attributes(), dp.DoubleValue()
	at := OperatorAt{text(a, semconv.StagePlace), text(a, semconv.OperatorID)}
	if at.Operator == "" || r.id.Run.Execution == tasksample.NoExecution || dp.ValueType() != pmetric.NumberDataPointValueTypeDouble || !(seconds > 0 && seconds < mostSeconds) {
		return senseless
	}
	if p.Python[at] != nil {
		return duplicate
	}
	p.Python[at] = &PartPython{Place: at.Place, Operator: at.Operator, Name: text(a, semconv.OperatorName), CPU: time.Duration(math.Round(seconds * 1e9))}
	return taken
}

// runOf says what run a scope is of, and whether it says so at all.
func runOf(resource, scope pcommon.Map) (id PartID, ok bool) {
	pid, _ := number(resource, semconv.PID)
	id.JVM = strings.Join([]string{text(resource, semconv.HostName), strconv.FormatInt(pid, 10), text(resource, semconv.ExecutorID)}, "\x00")
	id.Run = RunID{Application: text(resource, semconv.ApplicationID), Execution: tasksample.NoExecution, Stage: -1}
	if id.Run.Application == "" {
		id.Run.JVM = id.JVM
	}
	if execution, there := scope.Get(semconv.ExecutionID); there {
		id.Run.Execution = tasksample.ExecutionID(execution.Int())
		return id, execution.Type() == pcommon.ValueTypeInt && execution.Int() >= 0
	}
	stage, there := number(scope, semconv.StageID)
	id.Run.Stage = tasksample.StageID(stage)
	return id, there && stage >= 0 && stage <= math.MaxInt32
}

// number is an attribute that is a whole number.
func number(a pcommon.Map, key string) (int64, bool) {
	v, ok := a.Get(key)
	if !ok || v.Type() != pcommon.ValueTypeInt {
		return 0, false
	}
	return v.Int(), true
}

// text is an attribute as a text, "" if there is none.
func text(a pcommon.Map, key string) string {
	if v, ok := a.Get(key); ok {
		return v.AsString()
	}
	return ""
}

func named[S any](fields []field[S]) map[string]field[S] {
	out := map[string]field[S]{}
	for _, f := range fields {
		out[f.name] = f
	}
	return out
}

var cellNamed, keyNamed, stageNamed = named(cellFields), named(keyFields), named(stageFields)

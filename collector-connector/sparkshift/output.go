package sparkshift

import (
	"context"
	"strconv"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.uber.org/zap"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
)

var gaugeTexts = map[string][2]string{ // name → unit, description
	semconv.MetricCostRatio:        {"1", "CPU of the operator in the query's newest run over what its history explains; of a shifted operator, over the cost before the shift"},
	semconv.MetricCostLower:        {"1", "Lower end of the ratio's 95 % interval"},
	semconv.MetricCostUpper:        {"1", "Upper end of the ratio's 95 % interval"},
	semconv.MetricCostExpected:     {"s", "CPU that the operator's history explains, at the newest run's rows and common mode"},
	semconv.MetricCostUsual:        {"s", "CPU that an operator of this kind usually costs on its hosts, with the rows and tasks of the newest run"},
	semconv.MetricCostUsualRatio:   {"1", "CPU of the operator in the newest run over what is usual, from the first run on"},
	semconv.MetricCostUsualLower:   {"1", "Ratio below which 2.5 % of operators of its kind lie"},
	semconv.MetricCostUsualUpper:   {"1", "Ratio above which 2.5 % of operators of its kind lie"},
	semconv.MetricCostDetectable:   {"1", "Ratio that would be found within five runs in nine cases of ten, where it is larger than 1 + minimum_effect"},
	semconv.MetricCostShifted:      {"{shift}", "1 where a shift to a higher cost stands, else 0"},
	semconv.MetricCostShiftRatio:   {"1", "Size of the shift that stands, either way, by the newest five runs"},
	semconv.MetricCostShiftedSince: {"s", "When the first run of the shift that stands ended, in seconds since 1970; its attributes are that run, the last good run, the stack that grew and links"},
	semconv.MetricQueryRunsSeen:    {"{run}", "Runs of the query's plan that the history has had, at most the attribute spark.sql.cost.runs.needed: from then on operators are judged"},
	semconv.MetricQueryPlans:       {"{plan}", "1: the plan of the query's newest run is the one that the attribute spark.query.plan names"},
	semconv.MetricQueryCommonRatio: {"1", "CPU of all operators of the query's newest run together, over what their history explains"},
}

// shown is a query's newest judgement, of which the gauges are repeated.
type shown struct {
	judgement shift.Judgement
	usual     []point // of its operators
	at        time.Time
}

// output gathers what one tick delivers.
type output struct {
	now     time.Time
	minimum float64 // 1 + minimum effect
	links   links
	metrics pmetric.Metrics
	logs    plog.Logs
}

func newOutput(e *engine, now time.Time) *output {
	return &output{now: now, minimum: 1 + e.config.Judging.MinimumEffect, links: links{e.config.DashboardURL, e.config.FlameGraphURL}, metrics: pmetric.NewMetrics(), logs: plog.NewLogs()}
}

// gauges adds the gauges of a judgement, at a time.
func (o *output) gauges(s *shown, at time.Time) { o.add(s, at, true) }

// add adds the gauges of a judgement: all of them, or only the gauges of standing shifts.
func (o *output) add(s *shown, at time.Time, all bool) {
	j := &s.judgement
	var points []point
	for i := range j.Operators {
		v := &j.Operators[i]
		if all || v.Active.Ratio > 0 {
			points = append(points, o.operator(v)...)
		}
	}
	if all {
		points = append(points, s.usual...)
	}
	if all && j.Common.SE > 0 {
		ratio, _, _ := j.Common.Ratio()
		points = append(points, point{semconv.MetricQueryCommonRatio, nil, ratio})
	}
	if all && j.Plan != "" {
		points = append(points, point{semconv.MetricQueryPlans, nil, 1})
	}
	if all && j.Needed > 0 {
		points = append(points, point{semconv.MetricQueryRunsSeen, nil, float64(j.Seen)})
	}
	if len(points) == 0 {
		return
	}
	rm := o.metrics.ResourceMetrics().AppendEmpty()
	for k, v := range j.Labels {
		rm.Resource().Attributes().PutStr(k, v)
	}
	sm := rm.ScopeMetrics().AppendEmpty()
	sm.Scope().SetName(metadata.ScopeName)
	by := map[string]pmetric.NumberDataPointSlice{}
	for _, p := range points {
		slice, ok := by[p.name]
		if !ok {
			m := sm.Metrics().AppendEmpty()
			m.SetName(p.name)
			m.SetUnit(gaugeTexts[p.name][0])
			m.SetDescription(gaugeTexts[p.name][1])
			slice = m.SetEmptyGauge().DataPoints()
			by[p.name] = slice
		}
		dp := slice.AppendEmpty()
		dp.SetTimestamp(pcommon.NewTimestampFromTime(at))
		dp.SetDoubleValue(p.value)
		a := dp.Attributes()
		a.PutStr(semconv.QueryFingerprint, fingerprintOf(j.Query))
		putText(a, semconv.QueryName, j.Name)
		switch p.name {
		case semconv.MetricQueryPlans:
			a.PutStr(semconv.QueryPlan, j.Plan)
		case semconv.MetricQueryRunsSeen:
			a.PutStr(semconv.EventRunsNeeded, strconv.Itoa(j.Needed))
		case semconv.MetricCostShiftedSince:
			o.standing(a, j, p.verdict)
		}
		if p.verdict != nil {
			a.PutStr(semconv.OperatorID, p.verdict.Operator)
			putText(a, semconv.OperatorName, p.verdict.Name)
			putText(a, semconv.StagePlace, p.verdict.Stage)
		}
	}
}

type point struct {
	name    string
	verdict *shift.Verdict // nil: of the query
	value   float64
}

// operator is the gauges of one operator; what is not known has none.
func (o *output) operator(v *shift.Verdict) (out []point) {
	put := func(name string, value float64) { out = append(out, point{name, v, value}) }
	if v.Ratio > 0 {
		put(semconv.MetricCostRatio, v.Ratio)
		put(semconv.MetricCostLower, v.Low)
		put(semconv.MetricCostUpper, v.High)
		put(semconv.MetricCostExpected, v.Expected)
	}
	if v.Detectable > o.minimum {
		put(semconv.MetricCostDetectable, v.Detectable)
	}
	shifted := 0.
	if v.Active.Costlier {
		shifted = 1
	}
	if v.Status == shift.Judged || v.Status == shift.ShiftedCost || v.Active.Ratio > 0 {
		put(semconv.MetricCostShifted, shifted)
	}
	if v.Active.Ratio > 0 {
		put(semconv.MetricCostShiftRatio, v.Active.Ratio)
		put(semconv.MetricCostShiftedSince, float64(v.Active.Since.UnixMilli())/1000)
	}
	return out
}

// standing adds what an alert says of a shift. It changes with the shift alone, so the gauge has
// one series a shift.
func (o *output) standing(a pcommon.Map, j *shift.Judgement, v *shift.Verdict) {
	s := &v.Active
	putTime(a, semconv.EventSince, s.Since)
	putTime(a, semconv.EventBefore, s.LastEnd)
	putText(a, semconv.EventSinceRun, runText(s.Run))
	putText(a, semconv.EventBeforeRun, runText(s.Last))
	putText(a, semconv.EventStack, s.Note)
	before := s.LastEnd
	if before.IsZero() {
		before = s.Since
	}
	o.links.put(a, &linked{service: j.Labels[semconv.ServiceName], query: fingerprintOf(j.Query), name: j.Name, operator: v.Operator, before: before})
}

// runText is a run's id, "" of none.
func runText(id shift.RunID) string {
	if id.Application == "" {
		return ""
	}
	return id.String()
}

// repeat adds the gauges of queries that ran lately, and of standing shifts of queries that still
// run. The lock is held.
func (e *engine) repeat(out *output, now time.Time) {
	for _, query := range sortedKeys(e.shown) {
		s := e.shown[query]
		if !e.fleet.Has(query) {
			delete(e.shown, query)
			continue
		}
		if s.at.Equal(now) {
			continue // just told
		}
		lately := now.Sub(s.at) <= retain
		if !lately && e.fleet.Retire(query, now) {
			e.store.mark(query)
			delete(e.shown, query)
			continue
		}
		out.add(s, now, lately)
	}
}

// deliver hands the output on. What is refused is counted and lost: the gauges come again, and an
// event that was lost still shows in them.
func (e *engine) deliver(ctx context.Context, out *output) {
	if e.metrics != nil && out.metrics.ResourceMetrics().Len() > 0 {
		if err := e.metrics.ConsumeMetrics(ctx, out.metrics); err != nil {
			e.fail(ctx, "metrics", err)
		}
	}
	if e.logs != nil && out.logs.ResourceLogs().Len() > 0 {
		if err := e.logs.ConsumeLogs(ctx, out.logs); err != nil {
			e.fail(ctx, "logs", err, zap.Int("events", out.logs.LogRecordCount()))
		}
	}
}

func putText(a pcommon.Map, key, value string) {
	if value != "" {
		a.PutStr(key, value)
	}
}

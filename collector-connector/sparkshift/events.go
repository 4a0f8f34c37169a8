package sparkshift

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadata"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/shift"
	"github.com/planflame/planflame/shift/growth"
)

// flameBefore is how much time the flame graph before a shift covers.
const flameBefore = 24 * time.Hour

// event adds the log record of an event. stacks are those that changed most, one for each of its
// Changes; nil: none is known.
func (o *output) event(e *shift.Event, stacks []growth.Change) {
	rl := o.logs.ResourceLogs().AppendEmpty()
	for k, v := range e.Labels {
		rl.Resource().Attributes().PutStr(k, v)
	}
	sl := rl.ScopeLogs().AppendEmpty()
	sl.Scope().SetName(metadata.ScopeName)
	r := sl.LogRecords().AppendEmpty()
	r.SetEventName(semconv.EventPrefix + string(e.Kind))
	r.SetTimestamp(pcommon.NewTimestampFromTime(e.Time))
	r.SetObservedTimestamp(pcommon.NewTimestampFromTime(o.now))
	r.SetSeverityNumber(plog.SeverityNumberInfo)
	r.SetSeverityText("INFO")
	if e.Kind.Alarm() {
		r.SetSeverityNumber(plog.SeverityNumberWarn)
		r.SetSeverityText("WARN")
	}
	r.Body().SetStr(sentence(e) + within(stacks))
	describe(r.Attributes(), e, stacks)
	var c *shift.Change
	if len(e.Changes) > 0 && e.Kind != shift.PlanChanged {
		c = &e.Changes[0]
	}
	o.links.put(r.Attributes(), about(e, c))
}

func describe(a pcommon.Map, e *shift.Event, stacks []growth.Change) {
	a.PutStr(semconv.EventKind, string(e.Kind))
	a.PutStr(semconv.ApplicationID, e.Run.Application)
	a.PutInt(semconv.ExecutionID, e.Run.Execution)
	putText(a, semconv.QueryFingerprint, fingerprintOf(e.Query))
	putText(a, semconv.QueryName, e.Name)
	putText(a, semconv.SparkVersion, e.Version)
	putText(a, semconv.QueryPlan, e.Plan)
	putText(a, semconv.QueryPlanBefore, e.PlanBefore)
	putText(a, semconv.HostName, e.Host)
	putTime(a, semconv.EventSince, e.Since)
	putTime(a, semconv.EventBefore, e.Before)
	if e.SinceRun.Application != "" {
		a.PutStr(semconv.EventSinceRun, e.SinceRun.String())
	}
	if e.BeforeRun.Application != "" {
		a.PutStr(semconv.EventBeforeRun, e.BeforeRun.String())
	}
	switch {
	case len(e.Changes) > 0 && e.Kind != shift.PlanChanged:
		c := &e.Changes[0]
		putChange(a, c)
		if len(stacks) > 0 {
			putStack(a, &stacks[0])
		}
		a.PutStr(semconv.EventFlameGraph, about(e, c).selector())
	case e.Common.SE > 0:
		putEvidence(a, e.Common)
		a.PutStr(semconv.EventFlameGraph, about(e, nil).selector())
	default:
		a.PutStr(semconv.EventFlameGraph, about(e, nil).selector())
	}
	putChanges(a, semconv.EventOperators, e.Changes)
	if list, ok := a.Get(semconv.EventOperators); ok {
		for i := range stacks {
			putStack(list.Slice().At(i).Map(), &stacks[i])
		}
	}
	putChanges(a, semconv.EventAppeared, e.Appeared)
	putChanges(a, semconv.EventVanished, e.Vanished)
	before := e.Before
	if before.IsZero() {
		before = e.Since
	}
	if !before.IsZero() {
		putTime(a, semconv.EventFlameBeforeFrom, before.Add(-flameBefore))
		putTime(a, semconv.EventFlameBeforeTo, before)
		putTime(a, semconv.EventFlameAfterFrom, before)
		putTime(a, semconv.EventFlameAfterTo, e.Time)
	}
}

func putChanges(a pcommon.Map, key string, changes []shift.Change) {
	if len(changes) == 0 {
		return
	}
	list := a.PutEmptySlice(key)
	for i := range changes {
		putChange(list.AppendEmpty().SetEmptyMap(), &changes[i])
	}
}

func putChange(a pcommon.Map, c *shift.Change) {
	a.PutStr(semconv.OperatorID, c.Operator)
	putText(a, semconv.OperatorName, c.Name)
	putText(a, semconv.StagePlace, c.Stage)
	if c.From > 0 {
		a.PutDouble(semconv.EventFrom, c.From)
	}
	if c.To > 0 {
		a.PutDouble(semconv.EventTo, c.To)
	}
	if c.Evidence.SE > 0 {
		putEvidence(a, c.Evidence)
	}
	if c.CoreHours != 0 {
		a.PutDouble(semconv.EventCoreHours, c.CoreHours)
	}
}

func putStack(a pcommon.Map, c *growth.Change) {
	if len(c.Frames) == 0 {
		return
	}
	list := a.PutEmptySlice(semconv.EventStack)
	for _, f := range c.Frames {
		list.AppendEmpty().SetStr(f)
	}
	a.PutDouble(semconv.EventStackFrom, c.From)
	a.PutDouble(semconv.EventStackTo, c.To)
}

// within is what the sentence of an event goes on with: in which stack most of the first operator's
// change is.
func within(stacks []growth.Change) string {
	if len(stacks) == 0 || len(stacks[0].Frames) == 0 {
		return ""
	}
	s := &stacks[0]
	return fmt.Sprintf("; the stack that changed most: %s, %.3g s a run, was %.3g s", s.Frames[len(s.Frames)-1], s.To, s.From)
}

func putEvidence(a pcommon.Map, e shift.Evidence) {
	ratio, low, high := e.Ratio()
	a.PutDouble(semconv.EventRatio, ratio)
	a.PutDouble(semconv.EventLower, low)
	a.PutDouble(semconv.EventUpper, high)
	a.PutInt(semconv.EventRuns, int64(e.Runs))
	if e.P < 1 {
		a.PutDouble(semconv.EventProbability, e.P)
	}
}

func putTime(a pcommon.Map, key string, t time.Time) {
	if !t.IsZero() {
		a.PutStr(key, t.UTC().Format(time.RFC3339))
	}
}

// sentence says the event to people.
func sentence(e *shift.Event) string {
	query := e.Name
	if query == "" {
		query = fingerprintOf(e.Query)
	}
	switch e.Kind {
	case shift.PlanChanged:
		return fmt.Sprintf("%s runs another plan since %s: %d operators in both plans, %d new, %d gone", query, since(e), len(e.Changes), len(e.Appeared), len(e.Vanished))
	case shift.RunSlower:
		return fmt.Sprintf("Run %s of %s used %s more CPU in all operators together", e.Run, query, percent(e.Common))
	case shift.QuerySlower:
		return fmt.Sprintf("%s uses %s more CPU in all operators together since %s", query, percent(e.Common), since(e))
	case shift.QueryRecovered:
		return fmt.Sprintf("All operators of %s together are back to their earlier cost", query)
	case shift.HostSlower:
		return fmt.Sprintf("Queries on host %s use %s more CPU in all operators together since %s", e.Host, percent(e.Common), since(e))
	case shift.HostRecovered:
		return fmt.Sprintf("Queries on host %s are back to their earlier cost", e.Host)
	case shift.Moved:
		return fmt.Sprintf("CPU of %s moved between operators since %s; their sum is unchanged: %s", query, since(e), strings.Join(eachSpends(e.Changes), "; "))
	}
	if len(e.Changes) == 0 {
		return fmt.Sprintf("%s: %s", query, e.Kind)
	}
	c := &e.Changes[0]
	name, cost := called(c), spends(c)
	ratio, low, high := c.Evidence.Ratio()
	others := ""
	if n := len(e.Changes) - 1; n > 0 {
		others = fmt.Sprintf("; %d more operators changed with it", n)
	}
	switch e.Kind {
	case shift.Resolved:
		return fmt.Sprintf("%s of %s is back to its earlier cost (before %s): %s%s", name, query, e.Before.UTC().Format(time.RFC3339), cost, others)
	case shift.Accepted:
		return fmt.Sprintf("%s of %s: the cost since %s is now treated as normal: %s%s", name, query, since(e), cost, others)
	}
	return fmt.Sprintf("%s of %s uses %.2f times its earlier CPU (95 %% interval %.2f to %.2f) since %s: %s, %+.3g core-hours a week%s", name, query, ratio, low, high, since(e),
		cost, c.CoreHours, others)
}

// called is an operator's name for people.
func called(c *shift.Change) string { return cmp.Or(c.Name, c.Operator) }

func spends(c *shift.Change) string { return fmt.Sprintf("%.3g s a run, was %.3g s", c.To, c.From) }

func eachSpends(changes []shift.Change) (out []string) {
	for i := range changes {
		out = append(out, called(&changes[i])+" "+spends(&changes[i]))
	}
	return out
}

func since(e *shift.Event) string {
	if e.SinceRun.Application == "" {
		return e.Since.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("run %s (%s)", e.SinceRun, e.Since.UTC().Format(time.RFC3339))
}

func percent(e shift.Evidence) string {
	_, low, high := e.Ratio()
	return fmt.Sprintf("%.0f %% (95 %% interval %.0f to %.0f)", 100*math.Expm1(e.Log), 100*(low-1), 100*(high-1))
}

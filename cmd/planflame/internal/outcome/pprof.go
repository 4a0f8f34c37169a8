package outcome

import (
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// Window is the wall-clock time that a profile covers.
type Window struct {
	Start    time.Time
	Duration time.Duration
}

// seriesLabels are the labels of which a server may make series, the same as in
// config/collector.yaml. None changes from run to run. Ids do, and so does the plan with other
// literals.
var seriesLabels = map[string]bool{"query": true, "query_name": true, "stage": true, "operator": true, "operator_name": true}

// Pprof makes a pprof profile: samples/count and cpu/nanoseconds, leaf first, with the operator
// frames.
//
// Labels, each only where it is known. What a run shares with other runs: query, query_name, plan,
// stage, operator, operator_name, part, bucket. CPU without a plan node has the bucket in brackets
// for operator. CPU of no task thread has a group: "threads" (the JVM's other threads) or
// "children" (its child processes; Python workers' count for their operator). The run's own:
// sql_execution_id, stage_id, stage_attempt; jvm where there are several; task_attempt_id and
// partition where they were kept apart. All are text: pprof loses numeric labels that are 0. period
// is the sampling period, 0 unknown.
func Pprof(p window.Profile, w Window, period time.Duration) (*profile.Profile, error) {
	b := builder{functions: map[functionKey]*profile.Function{}, locations: map[pipeline.StackFrame]*profile.Location{}, out: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: int64(period),
		TimeNanos: w.Start.UnixNano(), DurationNanos: int64(w.Duration), DefaultSampleType: "cpu",
	}}
	for _, j := range p.JVMs {
		for i := range j.Entries {
			b.add(&j.Entries[i], j.Stacks, len(p.JVMs) > 1)
		}
	}
	if err := b.out.CheckValid(); err != nil {
		return nil, fmt.Errorf("check profile: %w", err)
	}
	return b.out, nil
}

// builder numbers functions and locations as they come.
type builder struct {
	out       *profile.Profile
	functions map[functionKey]*profile.Function
	locations map[pipeline.StackFrame]*profile.Location
}

type functionKey struct{ name, file string }

func (b *builder) add(e *window.Entry, stacks *window.Stacks, severalJVMs bool) {
	if e.Samples == 0 && e.CPU == 0 {
		return // bounds alone
	}
	s := &profile.Sample{Value: []int64{int64(e.Samples), int64(e.CPU)}}
	for _, f := range stacks.Indices(e.Stack) {
		s.Location = append(s.Location, b.location(stacks.Frames()[f]))
	}
	s.Label = labels(e.Labels, severalJVMs)
	b.out.Sample = append(b.out.Sample, s)
}

func (b *builder) location(f pipeline.StackFrame) *profile.Location {
	l := b.locations[f]
	if l == nil {
		l = &profile.Location{ID: uint64(len(b.out.Location) + 1), Line: []profile.Line{{Function: b.function(f), Line: int64(f.Line)}}}
		b.locations[f] = l
		b.out.Location = append(b.out.Location, l)
	}
	return l
}

func (b *builder) function(f pipeline.StackFrame) *profile.Function {
	key := functionKey{f.Name, f.File}
	fn := b.functions[key]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(b.out.Function) + 1), Name: f.Name, SystemName: f.Name, Filename: f.File}
		b.functions[key] = fn
		b.out.Function = append(b.out.Function, fn)
	}
	return fn
}

func labels(l pipeline.Labels, severalJVMs bool) map[string][]string {
	out := map[string][]string{}
	set := func(key, value string) {
		if value != "" {
			out[key] = []string{value}
		}
	}
	number := func(key string, value int64) { out[key] = []string{strconv.FormatInt(value, 10)} }
	set("query", l.Query)
	set("query_name", l.QueryName)
	set("plan", l.Plan)
	set("stage", l.StagePlace)
	set("operator", l.Operator)
	set("operator_name", l.OperatorName)
	set("part", string(l.Part))
	set("group", string(l.Group))
	if l.Bucket != attribution.BucketNone {
		set("bucket", string(l.Bucket))
		set("operator", l.Name())
	}
	if l.Execution != tasksample.NoExecution {
		number("sql_execution_id", int64(l.Execution))
	}
	if l.Stage != pipeline.NoStage {
		number("stage_id", int64(l.Stage))
		number("stage_attempt", int64(l.StageAttempt))
	}
	if l.Task >= 0 {
		number("task_attempt_id", int64(l.Task))
		number("partition", int64(l.Partition))
	}
	if severalJVMs {
		number("jvm", int64(l.JVM))
	}
	return out
}

// WithSeriesLabels is a copy of a profile of Pprof's with query, query_name, stage, operator and
// operator_name for its only labels. Equal samples are merged. It is for a server that makes a
// series of every set of labels.
func WithSeriesLabels(p *profile.Profile) (*profile.Profile, error) {
	c := p.Copy()
	for _, s := range c.Sample {
		maps.DeleteFunc(s.Label, func(key string, _ []string) bool { return !seriesLabels[key] })
	}
	merged, err := profile.Merge([]*profile.Profile{c})
	if err != nil {
		return nil, fmt.Errorf("merge profile by its series' labels: %w", err)
	}
	return merged, nil
}

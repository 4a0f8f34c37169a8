package outcome

import (
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/tasksample"
)

// Window is the wall-clock time that a profile covers.
type Window struct {
	Start    time.Time
	Duration time.Duration
}

// Pprof makes a pprof profile: samples/count and cpu/nanoseconds, leaf first, with the operator frames.
//
// String labels are what a run shares with other runs: query, query_name, plan, stage, operator, operator_name, bucket; each only where
// it is known. Numeric labels are the run's own: sql_execution_id, stage_id, stage_attempt, jvm, and task_attempt_id and partition where
// they were kept apart; pprof servers make no series of them. period is the sampling period, 0 unknown.
func Pprof(p pipeline.Profile, w Window, period time.Duration) (*profile.Profile, error) {
	b := builder{functions: map[functionKey]*profile.Function{}, locations: map[pipeline.StackFrame]*profile.Location{}, out: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: int64(period),
		TimeNanos: w.Start.UnixNano(), DurationNanos: int64(w.Duration), DefaultSampleType: "cpu",
	}}
	for _, j := range p.JVMs {
		for i := range j.Entries {
			b.add(&j.Entries[i], len(p.JVMs) > 1)
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

func (b *builder) add(e *pipeline.Entry, severalJVMs bool) {
	s := &profile.Sample{Value: []int64{int64(e.Samples), int64(e.CPU)}}
	for _, f := range e.Stack {
		s.Location = append(s.Location, b.location(f))
	}
	s.Label, s.NumLabel = labels(e.Labels, severalJVMs)
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

func labels(l pipeline.Labels, severalJVMs bool) (map[string][]string, map[string][]int64) {
	text, numbers := map[string][]string{}, map[string][]int64{}
	for k, v := range map[string]string{
		"query": l.Query, "query_name": l.QueryName, "plan": l.Plan, "stage": l.StagePlace, "operator": l.Operator,
		"operator_name": l.OperatorName, "bucket": string(l.Bucket),
	} {
		if v != "" {
			text[k] = []string{v}
		}
	}
	if l.Bucket != attribution.BucketNone {
		text["operator"] = []string{l.Name()}
	}
	if l.Execution != tasksample.NoExecution {
		numbers["sql_execution_id"] = []int64{int64(l.Execution)}
	}
	if l.Stage != pipeline.NoStage {
		numbers["stage_id"], numbers["stage_attempt"] = []int64{int64(l.Stage)}, []int64{int64(l.StageAttempt)}
	}
	if l.Task >= 0 {
		numbers["task_attempt_id"], numbers["partition"] = []int64{int64(l.Task)}, []int64{int64(l.Partition)}
	}
	if severalJVMs {
		numbers["jvm"] = []int64{int64(l.JVM)}
	}
	return text, numbers
}

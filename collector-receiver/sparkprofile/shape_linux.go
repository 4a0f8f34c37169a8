package sparkprofile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/internal/costmetrics"
	"github.com/planflame/planflame/internal/pipeline"
	"github.com/planflame/planflame/internal/semconv"
	"github.com/planflame/planflame/internal/window"
	"github.com/planflame/planflame/tasksample"
)

// scopeName names the instrumentation scope of all profiles.
const scopeName = "github.com/planflame/planflame/collector-receiver/sparkprofile"

// fallbackService is service.name while a JVM's application is not known: Pyroscope and others need
// one.
const fallbackService = "spark"

// shape makes OTLP profiles out of windows.
type shape struct {
	config  *Config
	origin  attributes.Origin
	version string
	// environment are the attributes of all resources whose JVM does not set them itself:
	// OTEL_RESOURCE_ATTRIBUTES of this process, without reserved ones and without service.name,
	// which is this Collector's own. nil: none.
	environment map[string]string
	trusted     trusted
	labels      []string // of owners: Config.Labels and the names of trusted ones
}

func newShape(c *Config, given trusted, origin attributes.Origin, version string, environment map[string]string) shape {
	s := shape{config: c, origin: origin, version: version, environment: environment, trusted: given, labels: c.Labels}
	for _, name := range given.names() {
		if !slices.Contains(s.labels, name) {
			s.labels = append(slices.Clip(s.labels), name)
		}
	}
	return s
}

// valueOf is what a profile holds of an entry: its sample type and the value, 0 for nothing.
type valueOf struct {
	name, unit string
	value      func(*window.Entry) int64
}

var (
	cpuValue    = valueOf{"cpu", "nanoseconds", func(e *window.Entry) int64 { return int64(e.CPU) }}
	sampleValue = valueOf{"samples", "count", func(e *window.Entry) int64 { return int64(e.Samples) }}
)

// profiles makes one ResourceProfiles for each JVM that has something to show.
func (s *shape) profiles(w delivery) pprofile.Profiles {
	out := pprofile.NewProfiles()
	frames, stacks := 0, 0 // of the largest: the JVMs of an application have the same ones
	for i := range w.profile.JVMs {
		of := w.profile.JVMs[i].Stacks
		frames, stacks = max(frames, len(of.Frames())), max(stacks, of.Len())
	}
	d := newDictionary(out.Dictionary(), frames, stacks)
	values := []valueOf{cpuValue}
	if s.config.SampleCounts {
		values = append(values, sampleValue)
	}
	for i := range w.profile.JVMs {
		j := &w.profile.JVMs[i]
		if len(j.Entries) == 0 {
			continue
		}
		rp := out.ResourceProfiles().AppendEmpty()
		s.resource(rp.Resource().Attributes(), j)
		sp := rp.ScopeProfiles().AppendEmpty()
		sp.Scope().SetName(scopeName)
		sp.Scope().SetVersion(s.version)
		for _, v := range values {
			s.profile(d, sp.Profiles().AppendEmpty(), w, j, v)
		}
	}
	return out
}

// service is service.name of a JVM.
func (s *shape) service(j *window.JVMProfile) string {
	return cmp.Or(s.config.ServiceName, j.Application.Attributes[semconv.ServiceName], j.Application.Name, fallbackService)
}

// own are the attributes of a JVM that were not measured: its own over the attributes of the
// Collector's environment, and what is trusted over both.
func (s *shape) own(j *window.JVMProfile) map[string]string {
	all := maps.Clone(s.environment)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, j.Application.Attributes)
	delete(all, semconv.ServiceName)
	s.trusted.give(all, j.JVM.Place)
	return all
}

func (s *shape) owner(j *window.JVMProfile) costmetrics.Owner {
	return costmetrics.OwnerOf(s.service(j), s.labels, s.own(j))
}

// tenant is whose a JVM is by the kernel's word: its pod, container or user.
func tenant(j *window.JVMProfile) string {
	p := j.JVM.Place
	if p == nil {
		return ""
	}
	return cmp.Or(p.PodUID, p.ID, strconv.Itoa(p.UID))
}

// environment reads OTEL_RESOURCE_ATTRIBUTES of this process. An error discards all of it.
func environment(text string) (map[string]string, uint64, error) {
	all, err := attributes.Parse(text)
	if err != nil {
		return nil, 0, fmt.Errorf("environment variable %s: %w", attributes.EnvironmentVariable, err)
	}
	delete(all, semconv.ServiceName)
	kept := attributes.NewSet()
	kept.Add(all)
	return kept.By, kept.Dropped, nil
}

// resource is what a JVM's profiles and executions carry. What is measured stands over what the
// JVM's user says.
func (s *shape) resource(a pcommon.Map, j *window.JVMProfile) {
	own := s.own(j)
	for _, key := range slices.Sorted(maps.Keys(own)) {
		a.PutStr(key, own[key])
	}
	a.PutStr(semconv.ServiceName, s.service(j))
	a.PutStr(semconv.HostName, s.origin.Host)
	a.PutInt(semconv.PID, int64(j.JVM.PID))
	if p := j.JVM.Place; p != nil {
		a.PutInt(semconv.UserID, int64(p.UID))
		if p.ID != "" {
			a.PutStr(semconv.ContainerID, p.ID)
		}
		if p.PodUID != "" {
			a.PutStr(semconv.PodUID, p.PodUID)
		}
	}
	for _, known := range []struct{ key, value string }{
		{semconv.ApplicationID, j.Application.ID},
		{semconv.ApplicationName, j.Application.Name},
		{semconv.ExecutorID, j.Application.ExecutorID},
		{semconv.SparkVersion, j.Application.SparkVersion},
	} {
		if known.value != "" {
			a.PutStr(known.key, known.value)
		}
	}
}

func (s *shape) profile(d *dictionary, p pprofile.Profile, w delivery, j *window.JVMProfile, v valueOf) {
	p.SampleType().SetTypeStrindex(d.text(v.name))
	p.SampleType().SetUnitStrindex(d.text(v.unit))
	p.PeriodType().SetTypeStrindex(d.text(cpuValue.name))
	p.PeriodType().SetUnitStrindex(d.text(cpuValue.unit))
	p.SetPeriod(int64(s.config.period()))
	p.SetTime(pcommon.NewTimestampFromTime(w.start))
	p.SetDurationNano(uint64(w.duration / time.Nanosecond))
	indices := pcommon.NewInt32Slice()
	var of *pipeline.Labels // whose attributes indices are: entries of the same labels stand together
	for i := range j.Entries {
		e := &j.Entries[i]
		value := v.value(e)
		if value <= 0 {
			continue
		}
		sample := p.Samples().AppendEmpty()
		sample.SetStackIndex(d.stack(j.Stacks, e.Stack))
		sample.Values().Append(value)
		if of == nil || *of != e.Labels {
			of, indices = &e.Labels, pcommon.NewInt32Slice()
			s.attributes(d, indices, e.Labels)
		}
		indices.CopyTo(sample.AttributeIndices())
	}
}

// attributes are the names on the wire. What is not known is left out.
func (s *shape) attributes(d *dictionary, to pcommon.Int32Slice, l pipeline.Labels) {
	text := func(key, value string) {
		if value != "" {
			to.Append(d.attribute(key, value, 0))
		}
	}
	number := func(key string, value int64) { to.Append(d.attribute(key, "", value)) }

	text(semconv.QueryFingerprint, l.Query)
	text(semconv.QueryName, l.QueryName)
	text(semconv.QueryPlan, l.Plan)
	if s.config.QuerySummary {
		text(semconv.QuerySummary, l.QueryName)
	}
	if l.Execution != tasksample.NoExecution {
		number(semconv.ExecutionID, int64(l.Execution))
	}
	if l.Stage != pipeline.NoStage {
		number(semconv.StageID, int64(l.Stage))
		number(semconv.StageAttempt, int64(l.StageAttempt))
	}
	text(semconv.StagePlace, l.StagePlace)
	operator, name := l.Operator, l.OperatorName
	if l.Bucket != attribution.BucketNone {
		operator, name = l.Name(), l.Name()
	}
	text(semconv.OperatorID, operator)
	text(semconv.OperatorName, name)
	text(semconv.OperatorPart, string(l.Part))
	text(semconv.CPUGroup, string(l.Group))
	if l.Task >= 0 {
		number(semconv.TaskAttemptID, int64(l.Task))
		number(semconv.PartitionID, int64(l.Partition))
	}
}

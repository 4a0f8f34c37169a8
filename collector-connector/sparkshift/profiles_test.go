package sparkshift

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/pdata/pprofile"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-connector/sparkshift/internal/metadatatest"
)

// Names of frames as the receiver gives them, leaf first, with the operator's frame and what is
// above it.
const (
	above    = "!Op filter@22>org.apache.spark.sql.execution.BufferedRowIterator.hasNext>java.lang.Thread.run"
	gen      = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage%d.processNext"
	find     = "java.util.regex.Matcher.find"
	match    = "java.util.regex.Matcher.match"
	lambda   = "org.example.Udf$$Lambda$%d/0x00007f5fb8d8c3c8.apply"
	ownFrame = "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage.processNext"
)

// window makes profiles of stacks, "leaf>…>root" with "!" before the operator's frame, and their
// CPU in seconds, of one execution.
type window struct {
	pd     pprofile.Profiles
	places map[string]int32 // in its table, by sort and text
}

func newWindow() *window {
	w := &window{pprofile.NewProfiles(), map[string]int32{}}
	w.text("")
	d := w.pd.Dictionary()
	d.AttributeTable().AppendEmpty()
	d.LocationTable().AppendEmpty()
	d.FunctionTable().AppendEmpty()
	d.StackTable().AppendEmpty()
	return w
}

func (w *window) text(s string) int32 {
	return w.once("text "+s, func(d pprofile.ProfilesDictionary) int {
		d.StringTable().Append(s)
		return d.StringTable().Len()
	})
}

func (w *window) attribute(key string, value any) int32 {
	return w.once(fmt.Sprint("attribute ", key, value), func(d pprofile.ProfilesDictionary) int {
		a := d.AttributeTable().AppendEmpty()
		a.SetKeyStrindex(w.text(key))
		if err := a.Value().FromRaw(value); err != nil {
			panic(err)
		}
		return d.AttributeTable().Len()
	})
}

func (w *window) stack(frames string) int32 {
	return w.once("stack "+frames, func(d pprofile.ProfilesDictionary) int {
		var places []int32
		for f := range strings.SplitSeq(frames, ">") {
			places = append(places, w.location(f))
		}
		d.StackTable().AppendEmpty().LocationIndices().FromRaw(places)
		return d.StackTable().Len()
	})
}

func (w *window) location(frame string) int32 {
	return w.once("location "+frame, func(d pprofile.ProfilesDictionary) int {
		name, kind := frame, "jvm"
		if operator, ok := strings.CutPrefix(frame, "!"); ok {
			name, kind = operator, "planflame"
		}
		d.FunctionTable().AppendEmpty().SetNameStrindex(w.text(name))
		l := d.LocationTable().AppendEmpty()
		l.Lines().AppendEmpty().SetFunctionIndex(int32(d.FunctionTable().Len() - 1))
		l.AttributeIndices().Append(w.attribute("profile.frame.type", kind))
		return d.LocationTable().Len()
	})
}

// once is the place of an entry, the last of its table when add returns that table's length.
func (w *window) once(key string, add func(pprofile.ProfilesDictionary) int) int32 {
	i, ok := w.places[key]
	if !ok {
		i = int32(add(w.pd.Dictionary()) - 1)
		w.places[key] = i
	}
	return i
}

// of adds a JVM's profile.
func (w *window) of(application, sampleType, unit string) pprofile.Profile {
	rp := w.pd.ResourceProfiles().AppendEmpty()
	if application != "" {
		rp.Resource().Attributes().PutStr("spark.application.id", application)
	}
	p := rp.ScopeProfiles().AppendEmpty().Profiles().AppendEmpty()
	p.SampleType().SetTypeStrindex(w.text(sampleType))
	p.SampleType().SetUnitStrindex(w.text(unit))
	return p
}

// sample adds a sample of an operator; more are further attributes, a value that is nil takes one
// away.
func (w *window) sample(p pprofile.Profile, execution int64, stack string, cpu float64, more map[string]any) {
	s := p.Samples().AppendEmpty()
	s.SetStackIndex(w.stack(stack))
	s.Values().Append(int64(cpu * 1e9))
	attributes := map[string]any{"spark.sql.execution.id": execution, "spark.stage.name": "result", "spark.sql.operator.id": "filter@22"}
	for k, v := range more {
		attributes[k] = v
	}
	for k, v := range attributes {
		if v != nil {
			s.AttributeIndices().Append(w.attribute(k, v))
		}
	}
}

// nightlyStacks are stacks of nightly's filter, a hundred to the second: what it costs more is in
// match, which find calls.
func nightlyStacks(n int, factor float64) pprofile.Profiles {
	w := newWindow()
	p := w.of("app-3", "cpu", "nanoseconds")
	own := fmt.Sprintf(gen, n%3+1)
	w.sample(p, int64(n), own+">"+above, 60, nil)
	w.sample(p, int64(n), fmt.Sprintf(lambda, n)+">"+own+">"+above, 50, nil)
	w.sample(p, int64(n), find+">"+own+">"+above, 10, nil)
	w.sample(p, int64(n), match+">"+find+">"+own+">"+above, 50+170*(factor-1), nil)
	return w.pd
}

// night gives a run's stacks and then what it cost.
func (r *rig) night(rng *rand.Rand, n int, factor float64) {
	require.NoError(r.t, r.stacks.ConsumeProfiles(context.Background(), nightlyStacks(n, factor)))
	r.send(nightly(rng, n, factor))
}

// What is no operator's is passed over, what makes no sense is counted.
func TestSamplesOfNoOperator(t *testing.T) {
	for name, c := range map[string]struct {
		application, kind, unit string
		more                    map[string]any
		spoil                   func(pprofile.Profiles, pprofile.Sample)
		dropped                 int64
	}{
		"no application":    {"", "cpu", "nanoseconds", nil, nil, 0},
		"counts":            {"app-3", "samples", "count", nil, nil, 0},
		"no execution":      {"app-3", "cpu", "nanoseconds", map[string]any{"spark.sql.execution.id": nil}, nil, 0},
		"execution text":    {"app-3", "cpu", "nanoseconds", map[string]any{"spark.sql.execution.id": "11"}, nil, 0},
		"no operator":       {"app-3", "cpu", "nanoseconds", map[string]any{"spark.sql.operator.id": nil}, nil, 0},
		"a bucket":          {"app-3", "cpu", "nanoseconds", map[string]any{"spark.sql.operator.id": "task framework"}, nil, 0},
		"a worker's bucket": {"app-3", "cpu", "nanoseconds", map[string]any{"spark.sql.operator.id": "[python worker]", "spark.cpu.group": "children"}, nil, 0},
		"no such stack":     {"app-3", "cpu", "nanoseconds", nil, func(_ pprofile.Profiles, s pprofile.Sample) { s.SetStackIndex(99) }, 1},
		"no such label":     {"app-3", "cpu", "nanoseconds", nil, func(_ pprofile.Profiles, s pprofile.Sample) { s.AttributeIndices().Append(-1) }, 1},
		"no such place": {"app-3", "cpu", "nanoseconds", nil, func(pd pprofile.Profiles, s pprofile.Sample) {
			pd.Dictionary().StackTable().At(int(s.StackIndex())).LocationIndices().SetAt(0, 99)
		}, 1},
		"no such function": {"app-3", "cpu", "nanoseconds", nil, func(pd pprofile.Profiles, _ pprofile.Sample) {
			pd.Dictionary().LocationTable().At(1).Lines().At(0).SetFunctionIndex(99)
		}, 1},
		"two values": {"app-3", "cpu", "nanoseconds", nil, func(_ pprofile.Profiles, s pprofile.Sample) { s.Values().Append(3) }, 1},
		"negative":   {"app-3", "cpu", "nanoseconds", nil, func(_ pprofile.Profiles, s pprofile.Sample) { s.Values().SetAt(0, -3) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, componenttest.NewNopHost(), nil)
			w := newWindow()
			p := w.of(c.application, c.kind, c.unit)
			w.sample(p, 11, find+">"+above, 3, c.more)
			if c.spoil != nil {
				c.spoil(w.pd, p.Samples().At(0))
			}
			require.NoError(t, r.stacks.ConsumeProfiles(context.Background(), w.pd))
			assert.Zero(t, r.engine.stacks.openNodes)
			assert.Empty(t, r.engine.stacks.open)
			metadatatest.AssertEqualConnectorSparkShiftDropped(t, r.telemetry, points("dropped", allDropped, map[string]int64{"sample": c.dropped}), metricdatatest.IgnoreTimestamp())
		})
	}
}

func TestLastingNames(t *testing.T) {
	for name, want := range map[string]string{
		"org.apache.spark.executor.Executor$TaskRunner$$Lambda$2465/0x00007f5fb8d8c3c8.apply":                          "org.apache.spark.executor.Executor$TaskRunner$$Lambda.apply",
		"org.apache.spark.executor.Executor$TaskRunner$$Lambda/0x00007f5fb8d8c3c8.apply":                               "org.apache.spark.executor.Executor$TaskRunner$$Lambda.apply",
		"org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage12.agg_doConsume_0$": "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage.agg_doConsume_0$",
		"java.lang.invoke.LambdaForm$MH/0x00007f5fb8d8c3c8.invoke":                                                     "java.lang.invoke.LambdaForm$MH.invoke",
		"jdk.internal.reflect.GeneratedMethodAccessor12.invoke":                                                        "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
		"com.sun.proxy.$Proxy43.read":    "com.sun.proxy.$Proxy.read",
		"org.example.Job.$anonfun$run$4": "org.example.Job.$anonfun$run$4",
		"_ZN9JavaCalls11call_helperEv":   "_ZN9JavaCalls11call_helperEv",
	} {
		assert.Equal(t, want, lasting(name))
	}
}

// A request of a window as a busy node sends it: 2,000 samples of 40 stacks of 25 frames, of five
// executions and seven operators.
func BenchmarkTakeProfiles(b *testing.B) {
	w := newWindow()
	p := w.of("app-3", "cpu", "nanoseconds")
	deep := strings.Repeat("org.apache.spark.util.Some.method>", 20)
	for i := range 2000 {
		w.sample(p, int64(i%5), fmt.Sprintf("f%d>g%d>", i%20, i%40)+deep+above, 0.05, map[string]any{"spark.sql.operator.id": fmt.Sprintf("filter@%d", i%7)})
	}
	e := &engine{config: defaultConfig(), now: time.Now}
	e.stacks = newStackBook(e.config)
	for b.Loop() {
		e.takeProfiles(context.Background(), w.pd)
	}
}

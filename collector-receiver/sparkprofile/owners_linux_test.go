package sparkprofile

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/planflame/planflame/collector-receiver/sparkprofile/internal/metadatatest"
	"github.com/planflame/planflame/internal/attributes"
	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// owned replaces what the application of the scenario says of itself.
type owned struct {
	sampler.Sink
	json string
}

func (o *owned) Record(id sampler.JVMID, t jvmlog.MonoTime, r jvmlog.Record) {
	if _, is := r.(*jvmlog.Application); is {
		r = &jvmlog.Application{JSON: []byte(o.json)}
	}
	o.Sink.Record(id, t, r)
}

// Two teams run the same query on one host: profiles and single executions carry all that their
// JVMs say, the series what is configured, so they stay apart.
func TestOwners(t *testing.T) {
	t.Setenv(attributes.EnvironmentVariable, "k8s.cluster.name=c7,tenant=nobody,service.name=the-collector,host.name=node-7,service.instance.id=staging,container.id=its-own")
	profiles := &consumertest.ProfilesSink{}
	r, costs, tel := costly(t, func(c *Config) { c.Labels = []string{"tenant", "team"} })
	r.profiles = profiles
	app := func(more string) string {
		return `{"application_id": "app-3", "application_name": "nightly", "executor_id": "5", "spark_version": "4.3.0", ` + more + `}`
	}
	feed(&owned{r.collect, app(`"labels": {"team": "margin", "cost.center": "31"}, "environment": {"OTEL_RESOURCE_ATTRIBUTES": "tenant=t7,team=env"}`)}, 1)
	rowsAndEnd(r.collect, 1, 1, false)
	feed(&owned{r.collect, app(`"labels": {"team": "risk"}, "dropped_labels": 2, "environment": {"OTEL_SERVICE_NAME": "daily"}`)}, 2)
	require.NoError(t, r.deliver(context.Background(), time.Now()))

	const host = "node-7"
	margin := map[string]any{"service.name": "nightly", "team": "margin", "cost.center": "31", "tenant": "t7", "k8s.cluster.name": "c7",
		"host.name": host, "container.id": "c0ffee", "k8s.pod.uid": "8a1b-pod", "process.user.id": int64(185)}
	risk := map[string]any{"service.name": "daily", "team": "risk", "tenant": "nobody", "k8s.cluster.name": "c7"}
	for i, want := range []map[string]any{margin, risk} {
		got := profiles.AllProfiles()[0].ResourceProfiles().At(i).Resource().Attributes().AsRaw()
		for k, v := range want {
			assert.Equal(t, v, got[k], k)
		}
		assert.Equal(t, host, got["host.name"])
	}
	for i, more := range []int{5, 9} { // process.pid and four of Spark; those and the four of host and container
		got := profiles.AllProfiles()[0].ResourceProfiles().At(i).Resource().Attributes()
		assert.Equal(t, len([]map[string]any{margin, risk}[i])+more, got.Len(), "%v", got.AsRaw())
	}
	points, resources := shown(t, costs.AllMetrics()[0])
	run := resources["spark.sql.execution.cpu.time s"]
	require.Len(t, run, 1)
	assert.Equal(t, "31", run[0]["cost.center"])
	assert.ElementsMatch(t, []map[string]any{
		{"service.name": "nightly", "service.instance.id": "staging", "host.name": host, "tenant": "t7", "team": "margin"},
		{"service.name": "daily", "service.instance.id": "staging", "host.name": host, "tenant": "nobody", "team": "risk"},
	}, resources["spark.sql.query.cpu.time s"])
	for _, p := range points["spark.sql.query.cpu.time s"] {
		assert.InDelta(t, 0.040, p.value, 1e-9)
	}
	metadatatest.AssertEqualReceiverSparkProfileProblems(t, tel, droppedLabels(t, r, 2), metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

// droppedLabels are the scenario's problems, of which n are dropped labels.
func droppedLabels(t *testing.T, r *sparkProfile, n int64) (out []metricdata.DataPoint[int64]) {
	t.Helper()
	require.Equal(t, uint64(n), r.metrics.counts.DroppedLabels)
	for name, v := range map[string]int64{
		"dropped_label": n, "lost": 2 * 29, "throttled": 2 * 31, "truncated": 2 * 37, "missed_task_event": 2 * 43, "bad_record": 2 * 53, "name_failed": 2 * (167 + 173),
		"overrun": 2 * 179, "agent_dropped_record": 2 * 181, "agent_dropped_thread": 2 * 193, "agent_dropped_source": 2 * 197,
		"agent_dropped_plan": 2 * 199, "agent_refused_control": 2 * 223, "agent_dropped_rows": 2 * 239,
	} {
		out = append(out, metricdata.DataPoint[int64]{Value: v, Attributes: attribute.NewSet(attribute.String("problem", name))})
	}
	return out
}

func TestEnvironment(t *testing.T) {
	got, dropped, err := environment("team=margin,service.name=c,host.name=x,k8s.pod.uid=its-own,k8s.node.name=x,long=" + strings.Repeat("v", 257))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"team": "margin", "k8s.node.name": "x"}, got)
	assert.Equal(t, uint64(1), dropped)
	_, _, err = environment("team")
	assert.ErrorContains(t, err, `environment variable OTEL_RESOURCE_ATTRIBUTES: attribute "team"`)
}

// A counter is exported, or it is one of these, which lose nothing or have a metric of their own.
func TestCountersAreExported(t *testing.T) {
	want := map[string][]string{
		"received": nil, "Totals": {"Rounds"}, "Counts": {"Samples", "Labelled", "Held", "Tasks"},
		"Stats": {"Samples", "Repaired", "MissedRecords", "Named", "AgentDroppedBytes", "AgentCPUNanos"},
	}
	for _, c := range counters {
		var plain []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c)) {
			if f.Type.Kind() == reflect.Uint64 && f.Tag == "" {
				plain = append(plain, f.Name)
			}
		}
		name := reflect.TypeOf(c).Name()
		assert.Equal(t, want[name], plain, name)
	}
	assert.Subset(t, tagged(tagProblem), []string{"lost", "folded", "weak", "bad_sample"}, "one of each struct")
	assert.Equal(t, []string{"budget", "run"}, tagged(tagNotKept))
}

// A series that is born with its first problem never shows that as an increase.
func TestProblemsBeginAtZero(t *testing.T) {
	r, tel := idle(t, consumertest.NewNop(), nil)
	r.metrics.begin(context.Background())
	var want []metricdata.DataPoint[int64]
	for _, e := range []string{"changed", "found", "gone", "lease_refused", "let_go", "perf_open_failed", "refused", "ring_damaged", "scan_failed", "unjudged"} {
		want = append(want, metricdata.DataPoint[int64]{Attributes: attribute.NewSet(attribute.String("event", e))})
	}
	metadatatest.AssertEqualReceiverSparkProfileJvmEvents(t, tel, want, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

// A label that the node gives comes from the process's user and cgroup. What its JVM says of it is
// left out and counted, and series of owners are told apart by it.
func TestTrustedLabels(t *testing.T) {
	t.Setenv(attributes.EnvironmentVariable, "host.name=node-7,stage=production")
	profiles := &consumertest.ProfilesSink{}
	r, costs, tel := costly(t, func(c *Config) {
		c.Labels = []string{"team"}
		c.TrustedLabels = []TrustedLabels{
			{UID: []int{184}, Labels: map[string]string{"tenant": "another's"}},
			{UID: []int{185}, Labels: map[string]string{"tenant": "margin", "stage": ""}},
			{Labels: map[string]string{"tenant": "everyone", "rack": "r3"}},
		}
	})
	r.profiles = profiles
	feed(&owned{r.collect, `{"application_id": "app-3", "application_name": "nightly", "labels": {"tenant": "risk", "stage": "test", "team": "t5"}, "dropped_labels": 2}`}, 1)
	require.NoError(t, r.deliver(context.Background(), time.Now()))
	got := profiles.AllProfiles()[0].ResourceProfiles().At(0).Resource().Attributes().AsRaw()
	for name, want := range map[string]any{"tenant": "margin", "rack": "r3", "team": "t5", "stage": "production"} {
		assert.Equal(t, want, got[name], name)
	}
	_, resources := shown(t, costs.AllMetrics()[0])
	assert.Equal(t, "margin", resources["spark.sql.query.cpu.time s"][0]["tenant"])
	assert.Equal(t, uint64(2), r.metrics.counts.ClaimedLabels)
	_, err := tel.GetMetric("otelcol_receiver_spark_profile_problems")
	require.NoError(t, err)

	other := map[string]string{}
	r.shape.trusted.give(other, nil)
	assert.Equal(t, map[string]string{"tenant": "everyone", "rack": "r3"}, other, "no one knows its user")
}

func TestTrustedLabelsRefusals(t *testing.T) {
	for want, l := range map[string]TrustedLabels{
		"trusted_labels[0]::labels: empty":                    {UID: []int{3}},
		"trusted_labels[0]::uid[0]: -1 is not in":             {UID: []int{-1}, Labels: map[string]string{"tenant": "x"}},
		`trusted_labels[0]::labels: "container.id" is no`:     {Labels: map[string]string{"container.id": "x"}},
		`trusted_labels[0]::labels: "service.name" is no lab`: {Labels: map[string]string{"service.name": "x"}},
	} {
		c := defaultConfig()
		c.TrustedLabels = []TrustedLabels{l}
		assert.ErrorContains(t, c.Validate(), want)
	}
}

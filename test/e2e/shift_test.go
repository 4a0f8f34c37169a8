//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/pmetric/pmetricotlp"
)

// TestShift gives the built Collector, on the ready configuration of a gateway, the costs of 40
// runs of a query over OTLP, with a restart half way. The last two have an operator that costs 30 %
// more. That is one alarm with that operator, in the log record and in what Prometheus scrapes,
// where it still stands after another restart. Events that nodes tell go through.
func TestShift(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	events := &eventStore{}
	server := httptest.NewServer(events)
	defer server.Close()
	dir := u.tempDir(t)
	g := startGateway(t, u, dir, server.URL)
	rng := rand.New(rand.NewPCG(19, 23))
	for n := range 20 {
		g.send(t, nightlyRun(rng, n, 1))
	}
	g.settled(t, 20)
	g.stop(t)

	g = startGateway(t, u, dir, server.URL)
	for n := 20; n < 38; n++ {
		g.send(t, nightlyRun(rng, n, 1))
	}
	g.settled(t, 18)
	require.Empty(t, events.all(), "nothing has changed so far")
	shown := g.scrape(t)
	assert.Equal(t, 0., shown[`spark_sql_operator_cost_shifted filter@22`])
	assert.InDelta(t, 1, shown[`spark_sql_operator_cost_ratio filter@22`], 0.1)
	for name := range shown {
		assert.False(t, strings.HasPrefix(name, "spark_sql_execution_"), "%s would be a new series with every run", name)
	}
	assert.InDelta(t, 17, shown[`spark_sql_operator_cpu_time_seconds_total scan@11`], 0, "counters go past the connector")

	for n := 38; n < 40; n++ {
		g.send(t, nightlyRun(rng, n, 1.3))
	}
	eventually(t, time.Minute, func() error {
		if len(events.all()) == 0 {
			return errors.New("no event")
		}
		return nil
	})
	assert.Equal(t, []string{"spark.sql.cost.shift filter@22"}, events.all())
	eventually(t, time.Minute, func() error {
		shown = g.scrape(t)
		if shown[`spark_sql_operator_cost_shifted filter@22`] != 1 {
			return fmt.Errorf("not shown as shifted: %v", shown)
		}
		return nil
	})
	assert.InDelta(t, 1.3, shown[`spark_sql_operator_cost_shift_ratio filter@22`], 0.08)
	assert.Equal(t, 0., shown[`spark_sql_operator_cost_shifted scan@11`])
	g.stop(t)

	g = startGateway(t, u, dir, server.URL)
	eventually(t, time.Minute, func() error {
		if shown = g.scrape(t); shown[`spark_sql_operator_cost_shifted filter@22`] != 1 {
			return fmt.Errorf("not shown as shifted after a restart: %v", shown)
		}
		return nil
	})
	assert.Len(t, events.all(), 1, "told once")
	slow := plog.NewLogs()
	slow.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().SetEventName("spark.task.slow")
	body, err := plogotlp.NewExportRequestFromLogs(slow).MarshalProto()
	require.NoError(t, err)
	g.post(t, "logs", body)
	eventually(t, time.Minute, func() error {
		if all := events.all(); !slices.Contains(all, "spark.task.slow ") {
			return fmt.Errorf("events that nodes told do not go through: %q", all)
		}
		return nil
	})
	g.stop(t)
}

// gateway is a Collector on config/gateway.yaml.
type gateway struct {
	*collector
	otlp, prometheus string
}

func startGateway(t *testing.T, u user, storage, events string, extra ...string) *gateway {
	t.Helper()
	config := func(name string) string { return filepath.Join(root(t), "config", name) }
	overlay := filepath.Join(u.tempDir(t), "test.yaml")
	require.NoError(t, os.WriteFile(overlay, []byte(`
exporters:
  otlp_http/events: {logs_endpoint: "`+events+`", compression: none}
service:
  pipelines:
    logs/shifts: {exporters: [debug/events, otlp_http/events]}
    logs/slow: {exporters: [debug/events, otlp_http/events]}
`), 0o644))
	at := func() string { return "127.0.0.1:" + strconv.Itoa(freePort(t)) }
	g := &gateway{otlp: at(), prometheus: at(), collector: &collector{log: &logBuffer{}, done: make(chan error, 1), metrics: freePort(t)}}
	g.cmd = u.command(context.Background(), storage, built(t, "planflame-collector"), append([]string{
		"--config", config("gateway.yaml"), "--config", overlay,
		"--set=receivers::otlp::protocols::grpc::tls=null", "--set=receivers::otlp::protocols::grpc::auth=null", "--set=service::extensions=[file_storage]", // plain, on loopback
		"--set", "receivers::otlp::protocols::http::endpoint=" + g.otlp,
		"--set", "connectors::spark_shift::settle=0s", "--set", "connectors::spark_shift::interval=50ms"}, extra...)...)
	g.cmd.Env = append(g.cmd.Env, "PLANFLAME_OTLP_ENDPOINT="+at(), "PLANFLAME_COSTS_ENDPOINT="+g.prometheus, "PLANFLAME_QUEUE_DIR="+storage,
		"PLANFLAME_METRICS_PORT="+strconv.Itoa(g.metrics))
	g.cmd.Stdout, g.cmd.Stderr = g.log, g.log
	require.NoError(t, g.cmd.Start())
	go func() { g.done <- g.cmd.Wait() }()
	t.Cleanup(func() {
		g.kill()
		g.log.keep(t, "gateway")
	})
	eventually(t, 30*time.Second, func() error {
		resp, err := http.Get("http://" + g.otlp)
		if err != nil {
			return fmt.Errorf("%w; its log:\n%s", err, g.log)
		}
		return resp.Body.Close()
	})
	return g
}

// send gives it a request over OTLP.
func (g *gateway) send(t *testing.T, md pmetric.Metrics) {
	t.Helper()
	body, err := pmetricotlp.NewExportRequestFromMetrics(md).MarshalProto()
	require.NoError(t, err)
	g.post(t, "metrics", body)
}

// post gives it a request of a signal.
func (g *gateway) post(t *testing.T, signal string, body []byte) {
	t.Helper()
	resp, err := http.Post("http://"+g.otlp+"/v1/"+signal, "application/x-protobuf", bytes.NewReader(body))
	require.NoError(t, err)
	said, err := io.ReadAll(resp.Body)
	require.NoError(t, errors.Join(err, resp.Body.Close()))
	require.Equal(t, http.StatusOK, resp.StatusCode, "%s", said)
}

// settled waits until the connector has judged so many runs.
func (g *gateway) settled(t *testing.T, runs int) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		text, err := get("http://127.0.0.1:" + strconv.Itoa(g.metrics) + "/metrics")
		if err != nil {
			return err
		}
		if want := regexp.MustCompile(fmt.Sprintf(`(?m)^otelcol_connector_spark_shift_runs(_total)?\{.*outcome="judged".*\} %d$`, runs)); !want.MatchString(text) {
			return fmt.Errorf("%s does not show: %s", want, strings.Join(regexp.MustCompile(`otelcol_connector.*runs.*`).FindAllString(text, -1), "\n"))
		}
		return nil
	})
}

// scrape is what Prometheus would have, by metric and operator. A connection that is refused is an
// empty answer.
func (g *gateway) scrape(t *testing.T) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	text, err := get("http://" + g.prometheus + "/metrics")
	if err != nil {
		return out
	}
	for _, f := range regexp.MustCompile(`(?m)^(spark_\w+)\{(.*)\} (\S+)$`).FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(f[3], 64)
		require.NoError(t, err, f[0])
		require.Contains(t, f[2], `service_name="nightly"`)
		require.Contains(t, f[2], `spark_query_fingerprint="q1-abc"`)
		operator := regexp.MustCompile(`spark_sql_operator_id="([^"]*)"`).FindStringSubmatch(f[2])
		if operator == nil {
			operator = []string{"", ""}
		}
		out[f[1]+" "+operator[1]] = v
	}
	return out
}

func get(url string) (string, error) {
	resp, err := http.Get(url)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(resp.Body)
	return string(text), errors.Join(err, resp.Body.Close())
}

// eventStore takes log records over OTLP.
type eventStore struct {
	mu    sync.Mutex
	names []string
}

func (s *eventStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	request := plogotlp.NewExportRequest()
	if err = errors.Join(err, request.UnmarshalProto(body)); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rl := range request.Logs().ResourceLogs().All() {
		for _, sl := range rl.ScopeLogs().All() {
			for _, rec := range sl.LogRecords().All() {
				operator, _ := rec.Attributes().Get("spark.sql.operator.id")
				s.names = append(s.names, rec.EventName()+" "+operator.Str())
			}
		}
	}
}

// all are the events that came, with their operators.
func (s *eventStore) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.names...)
}

// nightlyRuns is how many runs a test sends at most, an hour apart. The newest is of just now:
// shifts of a query that does not run any more end.
const nightlyRuns = 40

// nightlyRun is the run number n of a query of five operators that vary by 1 % each and by 2 %
// together; factor is what the filter costs more. With it comes a counter, as the receiver sends
// them.
func nightlyRun(rng *rand.Rand, n int, factor float64) pmetric.Metrics {
	md := pmetric.NewMetrics()
	rm := md.ResourceMetrics().AppendEmpty()
	for k, v := range map[string]string{"service.name": "nightly", "spark.application.id": "app-" + strconv.Itoa(n), "spark.executor.id": "5", "host.name": "node-7", "team": "margin"} {
		rm.Resource().Attributes().PutStr(k, v)
	}
	end := pcommon.NewTimestampFromTime(time.Now().Add(time.Duration(n-nightlyRuns) * time.Hour))
	ms := rm.ScopeMetrics().AppendEmpty().Metrics()
	put := func(name, operator string, value float64) {
		m := ms.AppendEmpty()
		m.SetName(name)
		dp := m.SetEmptyGauge().DataPoints().AppendEmpty()
		dp.SetDoubleValue(value)
		dp.SetTimestamp(end)
		a := dp.Attributes()
		a.PutInt("spark.sql.execution.id", 3)
		a.PutStr("spark.query.fingerprint", "q1-abc")
		a.PutStr("spark.query.name", "tpch q06")
		if operator != "" {
			a.PutStr("spark.sql.operator.id", operator)
			a.PutStr("spark.sql.operator.name", "Op "+operator)
			a.PutStr("spark.stage.name", "result")
		}
	}
	common := 1 + 0.02*rng.NormFloat64()
	for i, operator := range []string{"scan@11", "filter@22", "project@33", "aggregate@44", "exchange@55"} {
		cpu := float64(200-30*i) * common * (1 + 0.01*rng.NormFloat64())
		if operator == "filter@22" {
			cpu *= factor
		}
		put("spark.sql.execution.operator.cpu.time", operator, cpu)
		put("spark.sql.execution.operator.cpu.variance", operator, cpu/100)
		put("spark.sql.execution.operator.samples", operator, 100*cpu)
		put("spark.sql.execution.operator.rows", operator, 1e6)
	}
	put("spark.sql.execution.cpu.time", "", 700*common)

	counter := md.ResourceMetrics().AppendEmpty()
	counter.Resource().Attributes().PutStr("service.name", "nightly")
	m := counter.ScopeMetrics().AppendEmpty().Metrics().AppendEmpty()
	m.SetName("spark.sql.operator.cpu.time")
	m.SetUnit("s")
	m.SetEmptySum().SetIsMonotonic(true)
	m.Sum().SetAggregationTemporality(pmetric.AggregationTemporalityCumulative)
	dp := m.Sum().DataPoints().AppendEmpty()
	dp.SetTimestamp(pcommon.NewTimestampFromTime(time.Now()))
	dp.SetDoubleValue(17)
	dp.Attributes().PutStr("spark.query.fingerprint", "q1-abc")
	dp.Attributes().PutStr("spark.sql.operator.id", "scan@11")
	return md
}

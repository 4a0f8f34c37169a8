package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/loopback"
)

// series are counters, one sample an hour, as OpenMetrics text.
type series struct{ by map[string][]string }

// add adds a counter that has these values from an hour on.
func (s *series) add(metric, labels string, from time.Time, values ...float64) {
	for i, v := range values {
		s.by[metric] = append(s.by[metric], fmt.Sprintf("%s_total{%s} %g %d", metric, labels, v, from.Add(time.Duration(i)*time.Hour).Unix()))
	}
}

func (s *series) text() string {
	var b strings.Builder
	for metric, lines := range s.by {
		fmt.Fprintf(&b, "# TYPE %s counter\n%s\n", metric, strings.Join(lines, "\n"))
	}
	return b.String() + "# EOF\n"
}

// tool is a built tool; where it has not been built the test is skipped, and in CI fails.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "build", "tools", name))
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		lacks := path + " is missing: run scripts/build-prometheus"
		if os.Getenv("CI") != "" {
			t.Fatal(lacks)
		}
		t.Skip(lacks)
	}
	return path
}

// startPrometheus serves series from a real Prometheus.
func startPrometheus(t *testing.T, s *series) string {
	t.Helper()
	dir := t.TempDir()
	text, config, data := filepath.Join(dir, "series.txt"), filepath.Join(dir, "prometheus.yml"), filepath.Join(dir, "data")
	require.NoError(t, os.WriteFile(text, []byte(s.text()), 0o644))
	require.NoError(t, os.WriteFile(config, nil, 0o644))
	said, err := exec.Command(tool(t, "promtool"), "tsdb", "create-blocks-from", "openmetrics", text, data).CombinedOutput()
	require.NoError(t, err, "%s", said)
	ports, err := loopback.Ports(1)
	require.NoError(t, err)
	address := "127.0.0.1:" + strconv.Itoa(ports[0])
	server := exec.Command(tool(t, "prometheus"), "--config.file="+config, "--storage.tsdb.path="+data, "--web.listen-address="+address)
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	server.Stderr = log
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		_ = log.Close()
	})
	require.Eventually(t, func() bool {
		r, err := http.Get("http://" + address + "/-/ready")
		if err != nil {
			return false
		}
		_ = r.Body.Close()
		return r.StatusCode == http.StatusOK
	}, time.Minute, 50*time.Millisecond, "see %s", log.Name())
	return "http://" + address
}

// nightly are the values of a counter over hours, which grows by step at midnight, and had begun
// before.
func nightly(hours int, step float64) (out []float64) {
	for h := range hours {
		out = append(out, step*float64(3+h/24))
	}
	return out
}

// nights are the series of five queries that ran every night for eight days before a time, and of
// their re-runs after it.
func nights(planned time.Time) *series {
	begin := planned.Add(-8 * 24 * time.Hour)
	s := &series{map[string][]string{}}
	const hours = 8*24 + 1
	query := func(name string) string {
		return fmt.Sprintf(`spark_query_fingerprint="q1-%s",spark_query_name="nightly %s",service_name="etl",team="margin"`, name, name)
	}
	operator := func(name, stage, id, shown string) string {
		return query(name) + fmt.Sprintf(`,spark_stage_name="%s",spark_sql_operator_id="%s",spark_sql_operator_name="%s"`, stage, id, shown)
	}
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		size := float64(i + 1)
		s.add("spark_sql_query_runs", query(name), begin, nightly(hours, 1)...)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "first", "scan@1", "Scan t"), begin, nightly(hours, 600*size)...)
		s.add("spark_sql_operator_rows", operator(name, "first", "scan@1", "Scan t"), begin, nightly(hours, 1e6)...)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "result", "aggregate@2", "HashAggregate k"), begin, nightly(hours, 300*size)...)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "result", "[codegen]", "[codegen]"), begin, nightly(hours, 100)...)
	}
	s.add("spark_sql_operator_cpu_time_seconds", operator("once", "result", "scan@1", "Scan u"), begin, nightly(hours, 7)...) // no runs are known
	s.add("spark_sql_operator_cpu_time_seconds", operator("risk", "result", "scan@1", "Scan u")+`,owner="x"`, begin, nightly(hours, 7)...)
	s.add("spark_sql_query_runs", strings.ReplaceAll(query("risk"), "margin", "risk"), begin, nightly(hours, 1)...)

	// One run each under the change: the scan takes 1.5 times the CPU a row. Query b reads twice
	// the rows. The Collector of c's node restarts after half of the aggregate. d fails, e does not
	// run.
	const trialLabel = `,trial="jdk25"`
	rerun := func(name string, size, rows float64) {
		at := planned.Add(2 * time.Hour)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "first", "scan@1", "Scan t")+trialLabel, at, 900*size*rows, 900*size*rows)
		s.add("spark_sql_operator_rows", operator(name, "first", "scan@1", "Scan t")+trialLabel, at, 1e6*rows, 1e6*rows)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "result", "aggregate@2", "HashAggregate k")+trialLabel, at, 150*size*rows, 300*size*rows)
		s.add("spark_sql_operator_cpu_time_seconds", operator(name, "result", "[codegen]", "[codegen]")+trialLabel, at, 100, 100)
	}
	rerun("a", 1, 1)
	rerun("b", 2, 2)
	for _, name := range []string{"a", "b", "c"} {
		s.add("spark_sql_query_runs", query(name)+trialLabel, planned.Add(2*time.Hour), 1, 1)
	}
	s.add("spark_sql_operator_cpu_time_seconds", operator("c", "first", "scan@1", "Scan t")+trialLabel, planned.Add(2*time.Hour), 2700, 2700)
	s.add("spark_sql_operator_rows", operator("c", "first", "scan@1", "Scan t")+trialLabel, planned.Add(2*time.Hour), 1e6, 1e6)
	s.add("spark_sql_operator_cpu_time_seconds", operator("c", "result", "aggregate@2", "HashAggregate k")+trialLabel, planned.Add(2*time.Hour), 500, 400)
	s.add("spark_sql_operator_cpu_time_seconds", operator("d", "first", "scan@1", "Scan t")+trialLabel, planned.Add(2*time.Hour), 50, 50)
	s.add("spark_sql_query_runs", query("d")+trialLabel, planned.Add(2*time.Hour), 0, 0)
	return s
}

// A run counts though its series are born with it: a driver is on another host each night. The
// series of the first night are older than the seven days.
func TestUsualCostOnANewHostEachNight(t *testing.T) {
	until := time.Now().Truncate(time.Hour)
	s := &series{map[string][]string{}}
	for night := range 8 {
		at := until.Add(time.Duration(night-8)*24*time.Hour + time.Hour)
		if night == 0 {
			at = until.Add(-7*24*time.Hour - time.Hour)
		}
		query := fmt.Sprintf(`spark_query_fingerprint="q1-a",spark_query_name="nightly",host_name="node-%d"`, night)
		operator := query + `,spark_stage_name="result",spark_sql_operator_id="scan@1",spark_sql_operator_name="Scan t"`
		s.add("spark_sql_query_runs", query, at, 1, 1, 1)
		s.add("spark_sql_operator_cpu_time_seconds", operator, at, 600, 600, 600)
		s.add("spark_sql_operator_rows", operator, at, 1e6, 1e6, 1e6)
	}
	p, err := newPrometheus(startPrometheus(t, s))
	require.NoError(t, err)
	all, err := p.usual(context.Background(), 7*24*time.Hour, until, "")
	require.NoError(t, err)
	want := &trialQuery{id: "q1-a", name: "nightly"}
	want.runs.Count = 7
	want.add("scan@1", "Scan t", 7*600, 7e6, false)
	assert.Equal(t, trialQueries{"q1-a": want}, all)
}

// TestPrometheusHidesThePassword holds that no error says the password of the URL.
func TestPrometheusHidesThePassword(t *testing.T) {
	for address, want := range map[string]string{
		"http://user:secret@127.0.0.1:1":   "http://user:xxxxx@127.0.0.1:1",
		"http://user:secret@prom\x7f:9090": "--prometheus: not a URL such as http://prom:9090",
		"user:secret@prom:9090":            "--prometheus: not a URL such as http://prom:9090",
	} {
		p := planning{source: source{address}, over: "7d", name: "a", runs: 5}
		_, err := p.plan(context.Background(), nil, time.Now())
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "secret")
	}
}

// TestTrialOfPrometheus plans and judges against a real Prometheus: five queries that run every
// night for eight days, then re-runs that are one run each.
func TestTrialOfPrometheus(t *testing.T) {
	planned := time.Now().Add(-12 * time.Hour).Truncate(time.Hour)
	s := nights(planned)
	first := `spark_query_fingerprint="q1-first",spark_query_name="first",team="margin"`
	s.add("spark_sql_query_runs", first, planned.Add(-3*24*time.Hour), 1, 1, 1)
	s.add("spark_sql_operator_cpu_time_seconds", first+`,spark_sql_operator_id="scan@1",spark_sql_operator_name="Scan u"`, planned.Add(-3*24*time.Hour), 7, 7, 7)
	url := startPrometheus(t, s)

	p := planning{source: source{url}, over: "7d", selector: `team="margin"`, name: "jdk25", runs: 5}
	f, err := p.plan(context.Background(), nil, planned)
	require.NoError(t, err)
	require.Len(t, f.Queries, 5)
	assert.Equal(t, 3, f.LeftOut, "first, which ran once, once, and risk, whose runs are another team's")
	for i, q := range f.Queries {
		size := float64(i + 1)
		assert.InEpsilon(t, 7*600*size, q.CPU["scan"], 0.01, q.ID)
		assert.InEpsilon(t, 7*300*size, q.CPU["aggregate HashAggregate"], 0.01, q.ID)
		assert.InEpsilon(t, 700, q.CPU["[codegen]"], 0.01, q.ID)
		require.NotNil(t, q.Usual, q.ID)
		assert.InEpsilon(t, 7, q.Usual.Count, 0.01, q.ID)
	}

	path := filepath.Join(t.TempDir(), "trial.json")
	file, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, writeJSON(file, f))
	require.NoError(t, file.Close())
	from := source{url}
	j, err := from.judge(context.Background(), path, nil, planned.Add(6*time.Hour))
	require.NoError(t, err)
	assert.Equal(t, 3, j.Seen)
	assert.Equal(t, []judgedQuery{{"q1-d", "nightly d"}}, j.Failed)
	assert.Equal(t, []judgedQuery{{"q1-e", "nightly e"}}, j.Missing)
	assert.Zero(t, j.Others)
	byName := map[string]rerunQuery{}
	for _, r := range j.Reruns {
		byName[r.Name] = r
	}
	for name, want := range map[string]float64{"a": 900 + 300 + 100, "b": 2*(900+300) + 100, "c": 2700 + 900} {
		r := byName["nightly "+name]
		assert.InEpsilon(t, 7*want, r.New, 0.01, name)
		assert.InDelta(t, 1, r.Runs, 1e-9, name)
	}
	assert.InEpsilon(t, 2, byName["nightly b"].Rows, 0.01)
	// Scans are 42 of each query's 63 parts of operators, and the scans of all queries cost 9000 of
	// 14000.
	assert.InDelta(t, 0.5*9000/14000, j.Fleet.Change, 0.02)
	assert.Less(t, j.Fleet.Low, 0.5*9000/14000)
	assert.Greater(t, j.Fleet.High, 0.5*9000/14000)

	_, err = from.judge(context.Background(), path, nil, planned.Add(time.Hour)) // before any re-run
	assert.ErrorContains(t, err, "trial jdk25: 0 of 5 re-runs were seen")
	p.selector = "team="
	_, err = p.plan(context.Background(), nil, planned)
	assert.ErrorContains(t, err, url)
	p.prometheus, p.selector = "http://127.0.0.1:1", ""
	_, err = p.plan(context.Background(), nil, planned)
	assert.ErrorContains(t, err, "http://127.0.0.1:1")
}

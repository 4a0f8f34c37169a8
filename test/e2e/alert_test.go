//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/config/dashboards"
	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// Letters of the text that the query of test/jobs/nightly.py compares with, and how often it runs
// as always. The comparison's cost follows the letters: the longer text costs about four times as
// much. bench/alert has shifts of a quarter and a half, at the shipped rates.
const (
	usualLetters, usualRuns = 10, 30
	dearLetters             = 40
	onAndOn                 = 1_000_000
)

// alertSettings is what the Collector has other than as shipped, beside startCollector's window. A
// run is judged soon: after longer than a window.
//
// A run of a second has samples enough only if each task is sampled often. At one false alarm in
// 100 weeks, none of 2,000 simulated histories of a restless machine had an alarm too early. Such a
// machine hides the shift for longer: 92 % were found within 45 runs, 96 % within 60, and the test
// has time for more. What is left of a shift is accepted after 50 runs, even if they take a minute:
// the longer text may leave the compiled code more expensive.
var alertSettings = []string{
	"--set", "receivers::spark_profile::sampling_hz=1000", "--set", "connectors::spark_shift::alarms_per_week=0.01",
	"--set", "connectors::spark_shift::accept_after_time=0s",
	"--set", "connectors::spark_shift::settle=9s", "--set", "connectors::spark_shift::interval=500ms",
}

const shiftAlert = "PlanflameOperatorCostShifted"

// dashboardURL is where people would open Grafana.
const dashboardURL = "https://grafana.example/below"

// TestAlert runs one query again and again on real Spark, under the ready configurations of
// Collector, Prometheus and Alertmanager, changed in addresses, folders, intervals and
// alertSettings alone. One expression of it becomes more expensive. The alert fires at the
// Alertmanager, with that expression's operator and no other, and not before. The message says
// since which run and in which stack. Its links and labels open the flame graph, and every query of
// the dashboards has an answer. Then the expression is mended, and the alert ends.
func TestAlert(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	started := time.Now()
	server := pyroscopetest.Start(t)
	t.Setenv("PLANFLAME_DASHBOARD_URL", dashboardURL)
	t.Setenv("PLANFLAME_FLAMEGRAPH_URL", server.URL)
	costs := "127.0.0.1:" + strconv.Itoa(freePort(t))
	c := startCollector(t, u, server.URL, append([]string{"--config", filepath.Join(root(t), "config", "operator-costs.yaml"), "--set", "exporters::prometheus::endpoint=" + costs},
		alertSettings...)...)
	m := startMonitoring(t, u, costs, "127.0.0.1:"+strconv.Itoa(c.metrics))
	j := startNightly(t, sparkNewest(t), u, nil)
	j.run(t, usualLetters, usualRuns)
	require.Empty(t, shifts(t, m), "nothing had changed; operators: %v; events: %q", m.ratios(), eventsOf(c))

	before := j.carryOut(t, dearLetters, onAndOn)
	var alert firing
	eventually(t, 3*patience, func() error { // it takes up to sixty runs
		found := shifts(t, m)
		if len(found) == 0 {
			return fmt.Errorf("no alert after %d runs with the longer text; runs: %v; operators: %v; events: %q", len(j.ended(t))-before, judged(t, c), m.ratios(), eventsOf(c))
		}
		alert = found[0]
		return nil
	})
	j.carryOut(t, dearLetters, 0)
	all := j.ended(t)
	dear := all[before:]
	seconds := time.Since(dear[0]).Seconds()
	for _, f := range shifts(t, m) {
		require.Regexp(t, "^filter@", f.Labels["spark_sql_operator_id"], "operators: %v; events: %q", m.ratios(), eventsOf(c))
		assert.Contains(t, f.Labels["spark_sql_operator_name"], "levenshtein", "%v", f.Labels)
	}
	shifted := sinceOf(t, c)
	require.WithinRange(t, shifted, all[0].Add(-2*time.Second), dear[len(dear)-1].Add(2*time.Second), "since a run of this application")
	assert.False(t, shifted.Before(all[before-2].Truncate(time.Second)), "it became more expensive with the run that ended %s, and is dated %s; events: %q", dear[0], shifted, eventsOf(c))
	grown, err := m.ask("sum(spark_sql_operator_cost_expected_seconds * spark_sql_operator_cost_ratio) / sum(spark_sql_operator_cost_expected_seconds)")
	require.NoError(t, err)
	t.Logf("%s %.1f s after the end of the first dear run, since %.1f s after it; the query costs %.2f times what it did; %v; operators: %v", alert.Annotations["summary"],
		seconds, shifted.Sub(dear[0]).Seconds(), grown["{}"], alert.Annotations, m.ratios())
	assert.Regexp(t, `UTF8String\.levenshteinDistance`, stackOf(t, c), "the stack that grew most")

	rerunOf(t, u, m) // while the Alertmanager waits for more alerts of the group
	checkMessage(t, m, server, alert, all)
	dashboardsAnswer(t, m.prometheus, server.URL, started, time.Now())
	t.Logf("%.0f s so far", time.Since(started).Seconds())

	require.False(t, t.Failed(), "no use to mend it")
	told := len(eventsOf(c))
	before = j.carryOut(t, usualLetters, onAndOn)
	eventually(t, 3*patience, func() error {
		if found := shifts(t, m); len(found) > 0 {
			return fmt.Errorf("after %d mended runs still %v; operators: %v; events: %q", len(j.ended(t))-before, found, m.ratios(), eventsOf(c))
		}
		// What has run the dear text may stay more expensive by a fifth than it was. Then the mend
		// is told as a step, and what is left of the shift stands until it is accepted.
		if events := eventsOf(c)[told:]; !regexp.MustCompile("(resolved|cheaper) filter@").MatchString(strings.Join(events, "\n")) {
			return fmt.Errorf("after %d mended runs nothing tells of the mend; operators: %v; events: %q", len(j.ended(t))-before, m.ratios(), events)
		}
		return nil
	})
	mended := j.ended(t)[before:]
	t.Logf("over %.1f s after the end of the first of %d mended runs; events: %q", time.Since(mended[0]).Seconds(), len(mended), eventsOf(c))
	j.end(t)
	c.stop(t)
}

// rerunOf runs the query twice as a part of a trial, which the dashboard of trials shows and
// spark_shift does not judge.
func rerunOf(t *testing.T, u user, m *monitoring) {
	t.Helper()
	j := startNightly(t, sparkNewest(t), u, []string{quickJava}, "--conf", "spark.planflame.label.trial=jdk25")
	j.run(t, usualLetters, 2)
	j.end(t)
	eventually(t, time.Minute, func() error {
		for _, expr := range []string{`spark_sql_query_runs_total{trial="jdk25", spark_query_name="nightly lines"}`, `otelcol_connector_spark_shift_runs{outcome="trial"}`} {
			got, err := m.ask("sum(" + expr + ")")
			if err != nil || got["{}"] != 2 {
				return fmt.Errorf("%s: %v, not 2; error: %v", expr, got, err)
			}
		}
		return nil
	})
}

// shifts are the active alerts of operators that shifted; whatever else is active is logged.
func shifts(t *testing.T, m *monitoring) (out []firing) {
	t.Helper()
	all, err := m.firing()
	require.NoError(t, err)
	for _, f := range all {
		if strings.HasPrefix(f.name(), shiftAlert) {
			out = append(out, f)
		}
	}
	return out
}

// ratios are the newest ratios by operator, for a failure's text.
func (m *monitoring) ratios() string {
	got, err := m.ask("max by (spark_sql_operator_id) (spark_sql_operator_cost_ratio)")
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, operator := range slices.Sorted(maps.Keys(got)) {
		out = append(out, fmt.Sprintf("%s %.2f", operator, got[operator]))
	}
	return strings.Join(out, ", ")
}

// eventsOf are the events about operators and whole runs in the Collector's log, in their order.
// Each has its kind, the first operator, and by which ratio that changed, if that is said.
func eventsOf(c *collector) (out []string) {
	value := func(line, key string) string {
		_, after, _ := strings.Cut(line, " spark.sql."+key+"=")
		v, _, _ := strings.Cut(after, " ")
		return v
	}
	for line := range strings.Lines(c.log.String()) {
		switch kind := value(line, "cost.event"); kind {
		case "shift", "drift", "cheaper", "moved", "resolved", "accepted", "query_slower", "run_slower":
			out = append(out, strings.TrimSpace(kind+" "+value(line, "operator.id")+" "+value(line, "cost.ratio")))
		}
	}
	return out
}

// stackOf is the stack that grew most by the Collector's log: the stack of the first event that
// says an operator costs more.
func stackOf(t *testing.T, c *collector) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)spark\.sql\.cost\.event=(?:shift|drift) .*?spark\.sql\.cost\.stack=(\[.*?\])`).FindStringSubmatch(c.log.String())
	require.NotNil(t, found, "events in the Collector's log:\n%s", c.log)
	t.Logf("the stack that grew most: %s", found[1])
	return found[1]
}

// sinceOf is since when the Collector's log says that an operator costs more. That is the first
// event of its kind. If the cost goes on to rise while the compiler takes in what changed, that is
// told besides, as a step of its own.
func sinceOf(t *testing.T, c *collector) time.Time {
	t.Helper()
	found := regexp.MustCompile(`(?m)spark\.sql\.cost\.event=(?:shift|drift) .*?spark\.sql\.cost\.since=(\S+)`).FindStringSubmatch(c.log.String())
	require.NotNil(t, found, "events in the Collector's log:\n%s", c.log)
	since, err := time.Parse(time.RFC3339, found[1])
	require.NoError(t, err)
	return since
}

// checkMessage waits for the message that the receiver of tickets gets, and opens what it names in
// Pyroscope. runs are the ends of all runs.
func checkMessage(t *testing.T, m *monitoring, server *pyroscopetest.Server, alert firing, runs []time.Time) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		if len(m.messages.about(shiftAlert)) == 0 {
			return assertionError("no message")
		}
		return nil
	})
	messages := m.messages.about(shiftAlert)
	assert.Len(t, messages, 1, "grouped by query and owner")
	got := messages[0]
	assert.Equal(t, "/ticket", got.path)
	assert.Equal(t, "firing", got.Status)
	assert.Equal(t, map[string]string{
		"alertname": shiftAlert, "service_name": "nightly", "team": "margin", "tenant": "t7", "spark_query_fingerprint": alert.Labels["spark_query_fingerprint"],
	}, got.GroupLabels)
	said := got.Alerts[0].Annotations
	assert.Regexp(t, `^Filter .*levenshtein.* of nightly lines uses \d\.\d\d times its earlier CPU$`, said["summary"])
	assert.Regexp(t, `^The newest run used [\d.]+ s of CPU in it; its history predicts [\d.]+ s\. That is [\d.]+ times as much, 95 % interval [\d.]+ to [\d.]+\.$`, said["description"])
	assert.Regexp(t, `^([\d.e+-]+ core-hours a week|not known: no CPU of the last day)$`, said["saving"])
	assert.Regexp(t, `UTF8String\.levenshteinDistance: [\d.e+-]+ s a run, was [\d.e+-]+ s$`, said["stack"])
	good, since := runOf(t, said["last_good_run"]), runOf(t, said["since_run"])
	assert.Positive(t, since.execution-good.execution, "%v", said)
	assert.True(t, since.end.After(good.end), "%v", said)
	for _, run := range []alertRun{good, since} {
		assert.True(t, slices.ContainsFunc(runs, func(end time.Time) bool { return end.Sub(run.end).Abs() < 3*time.Second }), "%v is a run of this application: %v", run, runs)
	}
	page, err := url.Parse(said["dashboard"])
	require.NoError(t, err)
	assert.Equal(t, dashboardURL+"/d/planflame-query", page.Scheme+"://"+page.Host+page.Path)
	assert.Equal(t, []string{"nightly lines", alert.Labels["spark_query_fingerprint"], alert.Labels["spark_sql_operator_id"]},
		[]string{page.Query().Get("var-query_name"), page.Query().Get("var-query"), page.Query().Get("var-operator")})
	var d dashboards.Dashboard
	readJSON(t, filepath.Join(root(t), "config", "grafana", "dashboards", "planflame-query.json"), &d)
	for name := range page.Query() {
		if v, ok := strings.CutPrefix(name, "var-"); ok {
			assert.True(t, slices.ContainsFunc(d.Templating.List, func(x *dashboards.Variable) bool { return x.Name == v }), "the page has no variable %s", v)
		}
	}
	flames, err := url.Parse(said["flame_graph"])
	require.NoError(t, err)
	assert.Equal(t, server.URL+"/comparison-diff", flames.Scheme+"://"+flames.Host+flames.Path)
	assert.Equal(t, said["pyroscope_query"], flames.Query().Get("rightQuery"))
	assert.Equal(t, strconv.FormatInt(good.end.Unix(), 10), flames.Query().Get("leftUntil")[:10])
	selector, ok := strings.CutPrefix(said["pyroscope_query"], pyroscopetest.CPU)
	require.True(t, ok, said["pyroscope_query"])
	total, _, err := server.FlameGraph(t.Context(), pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: selector})
	require.NoError(t, err)
	assert.Positive(t, total, "flame graph of %s", selector)
}

// alertRun is a run as an alert names it: APPLICATION/EXECUTION (TIME).
type alertRun struct {
	execution int
	end       time.Time
}

func runOf(t *testing.T, text string) (out alertRun) {
	t.Helper()
	found := regexp.MustCompile(`^\S+/(\d+) \((\S+)\)$`).FindStringSubmatch(text)
	require.NotNil(t, found, text)
	var err error
	out.execution, err = strconv.Atoi(found[1])
	require.NoError(t, err)
	out.end, err = time.Parse(time.RFC3339, found[2])
	require.NoError(t, err)
	return out
}

// nightly is a Spark application of test/jobs/nightly.py.
type nightly struct {
	log                 *logBuffer
	done                chan error
	order, runs, enough string
}

func startNightly(t *testing.T, s spark, u user, env []string, conf ...string) *nightly {
	t.Helper()
	dir := u.tempDir(t)
	file := func(name string) string { return filepath.Join(dir, name) }
	j := &nightly{log: &logBuffer{}, done: make(chan error, 1), order: file("order"), runs: file("runs"), enough: file("enough")}
	require.NoError(t, os.WriteFile(j.order, []byte("0 0"), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	args := append([]string{"--master", "local[2]", "--driver-memory", "1g",
		"--jars", built(t, "plugin", "planflame-spark.jar"), "--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin", "--conf", "spark.ui.enabled=false",
		"--conf", "spark.planflame.label.team=margin"}, conf...)
	args = append(args, filepath.Join(root(t), "test", "jobs", "nightly.py"), "--data", built(t, "tpch", "sf0.1"), "--order", j.order, "--runs", j.runs, "--stop", j.enough)
	cmd := u.command(ctx, dir, filepath.Join(s.venv, "bin", "spark-submit"), args...)
	cmd.Env = append(append(append(cmd.Env, s.env(t, u, s.home(t))...), "OTEL_RESOURCE_ATTRIBUTES=tenant=t7"), env...)
	cmd.Stdout, cmd.Stderr = j.log, j.log
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		j.done <- cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return j
}

// carryOut has the query run so often with a text of so many letters, after the run that is under
// way, and returns how many runs have ended so far.
func (j *nightly) carryOut(t *testing.T, letters, times int) int {
	t.Helper()
	order := fmt.Sprintf("%d %d", letters, times)
	require.NoError(t, os.WriteFile(j.order+".new", []byte(order), 0o644))
	require.NoError(t, os.Rename(j.order+".new", j.order))
	return len(j.ended(t))
}

// run has the query run so often and waits for the last of these runs.
func (j *nightly) run(t *testing.T, letters, times int) {
	t.Helper()
	before := j.carryOut(t, letters, times)
	eventually(t, patience, func() error {
		select {
		case err := <-j.done:
			j.done <- err
			t.Fatalf("the job ended: %v\n%s", err, j.log)
		default:
		}
		if n := len(j.ended(t)) - before; n < times {
			return fmt.Errorf("%d of %d runs; the job's log:\n%s", n, times, j.log)
		}
		return nil
	})
}

// ended are the ends of all runs so far.
func (j *nightly) ended(t *testing.T) (out []time.Time) {
	t.Helper()
	text, err := os.ReadFile(j.runs)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(line, "\n") {
			break // still being written
		}
		var letters int
		var end float64
		_, err := fmt.Sscan(line, &letters, &end)
		require.NoError(t, err, line)
		out = append(out, time.UnixMilli(int64(end*1000)))
	}
	return out
}

// end lets the job end.
func (j *nightly) end(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(j.enough, nil, 0o644))
	err := <-j.done
	j.done <- err
	require.NoError(t, err, "%s", j.log)
}

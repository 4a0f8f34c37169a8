package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// point is a request with the CPU of one operator of one execution.
func point(execution int, query string, cpu float64) string {
	return fmt.Sprintf(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"spark.application.id","value":{"stringValue":"app-3"}},{"key":"spark.executor.id","value":{"stringValue":"driver"}}]},`+
		`"scopeMetrics":[{"metrics":[{"name":"spark.sql.execution.operator.cpu.time","gauge":{"dataPoints":[{"timeUnixNano":"1760000000000000000","asDouble":%g,`+
		`"attributes":[{"key":"spark.sql.execution.id","value":{"intValue":"%d"}},{"key":"spark.query.fingerprint","value":{"stringValue":"%s"}},{"key":"spark.sql.operator.id","value":{"stringValue":"scan@7"}}]}]}}]}]}]}`,
		cpu, execution, query) + "\n"
}

func session3(t *testing.T, dir, requests string) {
	t.Helper()
	write(t, filepath.Join(dir, "usual-0.collector", "session.json"), `{"kind": "usual", "passes": 2, "hz": 700}`)
	write(t, filepath.Join(dir, "usual-0.collector", "requests.jsonl"), requests)
	write(t, filepath.Join(dir, "usual-0", "executions.jsonl"), `{"id": "burn #3", "pass": 0, "execution": 11, "seconds": 1.5}
{"id": "burn / join 20 % #0", "pass": 1, "execution": 12, "seconds": 1.5}
{"id": "burn #0", "pass": 2, "execution": 13, "seconds": 1.5}
{"id": "burn #1", "pass": -1, "execution": 14, "seconds": 1.5}
{"id": "burn #2", "pass": 2, "exec`)
	write(t, filepath.Join(dir, "usual-0", "events", "app-3"), `{"Event":"SparkListenerJobStart","Stage IDs":[5],"Properties":{"spark.sql.execution.id":"11"}}
{"Event":"SparkListenerTaskEnd","Stage ID":5,"Task Metrics":{"Executor CPU Time":2500000000,"Executor Deserialize CPU Time":500000000}}
`)
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	session3(t, dir, point(11, "q1-a", 1.75)+point(12, "q1-a", 2.25)+point(14, "q1-a", 5)+`{"resourceMe`)
	rs, err := load(dir)
	require.NoError(t, err)
	require.Len(t, rs.Runs, 3)
	assert.Equal(t, 1, rs.Missing, "nothing came of execution 13")
	assert.Equal(t, 700, rs.Hz)
	r := rs.Runs[0]
	assert.Equal(t, "burn", r.Query)
	assert.Equal(t, 3., r.TaskCPU)
	assert.Equal(t, 1.75, r.Run.CPU)
	assert.True(t, r.asAlways())
	assert.Equal(t, "join 20 %", rs.Runs[1].Cause)
	assert.False(t, rs.Runs[1].asAlways())
	assert.False(t, rs.Runs[2].asAlways(), "to warm up")
}

func TestLoadRefusesACauseThatMakesAnotherQuery(t *testing.T) {
	dir := t.TempDir()
	session3(t, dir, point(11, "q1-a", 1.75)+point(12, "q1-b", 2.25))
	_, err := load(dir)
	assert.ErrorContains(t, err, `query burn with cause "join 20 %": fingerprint q1-b, was q1-a`)
	_, err = load(t.TempDir())
	assert.ErrorContains(t, err, "no session is recorded there")
}

//go:build e2e

package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// TestClusterToPyroscope runs two queries at once on two executors, and asks a real Pyroscope for
// the flame graph of one operator.
func TestClusterToPyroscope(t *testing.T) {
	onBothSparks(t, rootUser, ordinaryUser, func(t *testing.T, s spark, u user) {
		server := pyroscopetest.Start(t)
		c := startCollector(t, u, server.URL)
		j := startJob(t, s, u, jobSpec{plugin: true, executors: 2, seconds: 10, data: "sf0.3", conf: []string{"--conf", "spark.planflame.label.team=margin"}})
		j.wait(t)
		// Before the Collector is stopped: what its queue on disk has not sent by then is sent when
		// it starts again.
		checkTotal(t, server, j)
		c.stop(t)
		checkPyroscope(t, server)
	})
}

// clusterJob is everything of the cluster's job; without a group it is the tasks'.
var clusterJob = pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="concurrent"}`}

// checkTotal waits until the server has the job's CPU.
func checkTotal(t *testing.T, server *pyroscopetest.Server, j *job) {
	t.Helper()
	spark := readEventLog(t, j.events)
	eventually(t, time.Minute, func() error {
		everything, _, err := server.FlameGraph(t.Context(), pyroscopetest.Query{Type: clusterJob.Type, Selector: `{service_name="concurrent", group=""}`})
		if err != nil {
			return err
		}
		if seconds := float64(everything) / 1e9; math.Abs(seconds-spark.seconds) > 0.10*spark.seconds {
			return assertionError(fmt.Sprintf("Pyroscope has %.2f s, Spark counted %.2f s in %d tasks", seconds, spark.seconds, spark.tasks))
		}
		t.Logf("Pyroscope has %.2f s, Spark counted %.2f s in %d tasks", float64(everything)/1e9, spark.seconds, spark.tasks)
		return nil
	})
}

// checkPyroscope asks for label values and one operator's flame graph.
func checkPyroscope(t *testing.T, server *pyroscopetest.Server) {
	t.Helper()
	var operators []string
	eventually(t, time.Minute, func() (err error) {
		operators, err = server.LabelValues(t.Context(), clusterJob, "operator")
		if err == nil && len(operators) < 5 {
			return assertionError("operators: " + strings.Join(operators, ", "))
		}
		return err
	})
	t.Logf("operators: %s", strings.Join(operators, ", "))
	queries, err := server.LabelValues(t.Context(), clusterJob, "query_name")
	require.NoError(t, err)
	assert.Contains(t, queries, "tpch q06")
	assert.Contains(t, queries, "tpch q03")

	teams, err := server.LabelValues(t.Context(), clusterJob, "team")
	require.NoError(t, err)
	assert.Equal(t, []string{"margin"}, teams)

	q6 := pyroscopetest.Query{Type: clusterJob.Type, Selector: `{service_name="concurrent", query_name="tpch q06"}`}
	q6operators, err := server.LabelValues(t.Context(), q6, "operator")
	require.NoError(t, err)
	var filter string
	for _, role := range []string{"scan", "filter", "aggregate"} {
		found := ""
		for _, o := range q6operators {
			if strings.HasPrefix(o, role+"@") {
				found = o
			}
		}
		assert.NotEmpty(t, found, "Q6 has no %s operator in Pyroscope: %q", role, q6operators)
		if role == "filter" {
			filter = found
		}
	}

	one := pyroscopetest.Query{Type: clusterJob.Type, Selector: `{service_name="concurrent", query_name="tpch q06", operator="` + filter + `"}`}
	total, boxes, err := server.FlameGraph(t.Context(), one)
	require.NoError(t, err)
	assert.Positive(t, total, "CPU of Q6's filter")
	generated := int64(0)
	for name, ns := range boxes {
		if strings.Contains(name, "GeneratedIteratorForCodegenStage") {
			generated += ns
		}
	}
	assert.Positive(t, generated, "the filter's flame graph has generated code: %d boxes", len(boxes))
}

type assertionError string

func (e assertionError) Error() string { return string(e) }

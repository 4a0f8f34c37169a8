//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/attribution"
	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// ofTeam selects the CPU of the concurrent job with that label; more are further conditions.
func ofTeam(team, more string) pyroscopetest.Query {
	return pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="concurrent", team="` + team + `"` + more + `}`}
}

// checkTotal waits until the server has the CPU of a team's job, sampled at hz: all of it, and
// nothing twice. The sum has the chance of checkClocks in it, for a window keeps its samples'
// weights. Above it are perf's clock, and what Spark leaves out: what a thread does before its
// first reading of a task. In a JVM of seconds beside other work, whose compilers waited for a
// core, that was 0.3 s of 2.7 s.
func checkTotal(t *testing.T, server *pyroscopetest.Server, team string, j *job, hz float64) {
	t.Helper()
	spark := readEventLog(t, j.events)
	seconds := func(more string) (float64, error) {
		ns, _, err := server.FlameGraph(t.Context(), ofTeam(team, `, group=""`+more))
		return float64(ns) / 1e9, err
	}
	eventually(t, time.Minute, func() error {
		all, err := seconds("")
		if err != nil {
			return err
		}
		kernel, err := seconds(`, operator="[` + string(attribution.BucketKernel) + `]"`)
		if err != nil {
			return err
		}
		const startUp = 0.5
		chance := splitError(summary{TaskCPUSeconds: spark.seconds, KernelUnsampledSeconds: kernel, Hz: hz})
		said := fmt.Sprintf("Pyroscope has %.2f s, %.2f s of them the kernel's, Spark counted %.2f s in %d tasks; chance is %.2f s", all, kernel, spark.seconds, spark.tasks, chance)
		if all < spark.seconds-chance || all > 1.05*spark.seconds+startUp+chance+stolenSeconds(t)-j.stolen {
			return assertionError(said)
		}
		t.Log(said)
		return nil
	})
}

// checkPyroscope asks for label values and one operator's flame graph of a team's job. Without a
// group the job is all of it: tasks, other threads and child processes.
func checkPyroscope(t *testing.T, server *pyroscopetest.Server, team string) {
	t.Helper()
	all := ofTeam(team, "")
	var operators []string
	eventually(t, time.Minute, func() (err error) {
		operators, err = server.LabelValues(t.Context(), all, "operator")
		if err == nil && len(operators) < 5 {
			return assertionError("operators: " + strings.Join(operators, ", "))
		}
		return err
	})
	t.Logf("operators: %s", strings.Join(operators, ", "))
	queries, err := server.LabelValues(t.Context(), all, "query_name")
	require.NoError(t, err)
	assert.Contains(t, queries, "tpch q06")
	assert.Contains(t, queries, "tpch q03")

	q6operators, err := server.LabelValues(t.Context(), ofTeam(team, `, query_name="tpch q06"`), "operator")
	require.NoError(t, err)
	of := func(role string, operators []string) string {
		i := slices.IndexFunc(operators, func(o string) bool { return strings.HasPrefix(o, role+"@") })
		if assert.GreaterOrEqual(t, i, 0, "no %s operator in Pyroscope: %q", role, operators) {
			return operators[i]
		}
		return ""
	}
	// Q6's aggregate gets one row of 50 and may have no sample.
	of("scan", q6operators)
	filter := of("filter", q6operators)
	of("aggregate", operators)

	total, boxes, err := server.FlameGraph(t.Context(), ofTeam(team, `, query_name="tpch q06", operator="`+filter+`"`))
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

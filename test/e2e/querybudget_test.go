//go:build e2e

package e2e

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/bound"
)

// Of the budget of TestQueryBudget: samples a second of a task's CPU, and samples of a query that a
// node keeps in an hour. The latter is its half of what two may.
const (
	budgetHz      = 150 // so few that a look at the tasks' CPU, one a second, charges a part of the budget alone
	queryPerHour  = 1600
	budgetNodes   = 2
	queryOnNode   = queryPerHour / budgetNodes
	budgetAtLeast = 2 // times queryOnNode that the query has to be offered, or the budgets below are too near to each other
)

// TestQueryBudget runs one query that goes beyond its samples an hour under a Collector. Of n that
// its clocks offer, Q·(1 - e^(-n/Q)) are kept, no more. What they stand for is still the CPU of its
// tasks. That is the sum of weights that nothing has calibrated, within what chance does to that
// many samples of unequal weights.
func TestQueryBudget(t *testing.T) {
	u := users[0]
	if os.Geteuid() != 0 {
		u = user{name: "ordinary", uid: -1}
	}
	overlay := filepath.Join(u.tempDir(t), "budget.yaml")
	require.NoError(t, os.WriteFile(overlay, []byte(fmt.Sprintf(`
receivers:
  spark_profile:
    task_sampling: {policy: budget, base_hz: %d, fraction: 0, budget: {samples_per_second: 100000, query_samples_per_hour: %d, nodes: %d}}
`, budgetHz, queryPerHour, budgetNodes)), 0o644))
	c := startCollector(t, u, "http://127.0.0.1:1", "--config", overlay)
	job := partitionsJob(t, u, nil, "--master", "local[2]", "--jars", built(t, "plugin", "planflame-spark.jar"),
		"--conf", "spark.plugins=io.planflame.spark.PlanflamePlugin")
	job.Args = append(job.Args, "--rows", "20000000") // the last one counts; eighteen seconds of CPU
	log, err := output(t, job)
	require.NoError(t, err, "%s", log)
	var m metrics
	eventually(t, time.Minute, func() error { // the job's JVM is gone, and its last window told
		m = scrape(t, c.metrics)
		if live := m.value("jvms", `state="live"`); live != 0 || m.value("jvm_events", `event="gone"`) == 0 {
			return fmt.Errorf("%g JVMs are live", live)
		}
		return nil
	})
	kept, not := m.value("samples", ""), m.value("not_kept_samples", `why="budget"`)
	offered := kept + not
	keeps := func(budget float64) float64 { return budget * (1 - math.Exp(-offered/budget)) }
	want := keeps(queryOnNode)
	// Each of the n samples that were offered is kept with e^(-i/Q), if it is the i-th, and weighs
	// that the more. So Σ of the squared weights of kept samples is Σ e^(i/Q) of periods². It is
	// that at most, as kept ones are evenly spaced.
	se := math.Sqrt(queryOnNode*math.Expm1(offered/queryOnNode)) / offered
	sampled, cpu, kernel := m.value("sampled_cpu", ""), m.value("task_cpu", ""), m.value("kernel_cpu", "")
	t.Logf("%g of %g samples kept, %.0f by the budget; %.2f s sampled of %.2f with %.2f in a kernel that has no samples (%.3f), standard error %.3f", kept, offered, want, sampled,
		cpu, kernel, sampled/(cpu-kernel), se)
	require.Greater(t, offered, float64(budgetAtLeast*queryOnNode), "the query is within its budget")
	// The budget is charged by looks, and samples before the query's plan are all kept. So what is
	// kept is off by what a look charges, which grows with the machine's load. It must be nearer to
	// the budget than to any wrong one: the whole query's, half of the node's, none.
	assert.Less(t, kept, (want+keeps(queryPerHour))/2, "nearer to the budget of all nodes, %.0f, or to none", keeps(queryPerHour))
	assert.Greater(t, kept, (want+keeps(queryOnNode/2))/2, "nearer to half of the budget, %.0f", keeps(queryOnNode/2))
	heaviest := math.Exp(offered/queryOnNode) / offered // of the sum, the weight of the last sample
	assert.InDelta(t, 1, sampled/(cpu-kernel), bound.Weights(se, heaviest)+0.02, "what the samples that were kept stand for")
	c.stop(t)
}

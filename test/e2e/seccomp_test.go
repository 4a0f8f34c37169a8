//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSeccomp reads a real Spark of the user that Spark's image has, with the rights of the
// DaemonSet. It does so under the filter that the chart offers as Localhost. It also does so under
// the filter of a runtime that does not know CAP_PERFMON, which leaves tasks without samples. The
// Spark is refused perf events of its own, as in a container. TestShippedRights has the chart's
// default, RuntimeDefault.
func TestSeccomp(t *testing.T) {
	if os.Geteuid() != 0 {
		lacks(t, "root: users and capabilities of their own")
	}
	confine := buildConfine(t)
	spark := user{uid: 185, become: []string{confine, "-uid", "185", "-user", "spark", "-caps", "", "-refuse", "perf_event_open=EPERM", "--"}}
	j := startJob(t, sparkNewest(t), spark, jobSpec{plugin: true, seconds: untilEnd, data: "sf0.01", env: []string{quickJava}})
	under := func(kind string, seconds float64) metrics { // of tasks' CPU, at least
		r := daemonSetRights(t)
		r.seccomp = seccompProfile(t, kind)
		c := startCollector(t, r.user(confine), "http://127.0.0.1:9", "--set=receivers::spark_profile::window=1s")
		var m metrics
		eventually(t, patience, func() error {
			var err error
			if m, err = tryScrape(c.metrics); err == nil && m.value("task_cpu", "") < seconds {
				err = fmt.Errorf("%s; its log:\n%s", m, c.log)
			}
			return err
		})
		c.kill()
		return m
	}
	m := under("Localhost", 1)
	assert.Positive(t, m.value("samples", ""), "%s", m)
	assert.Zero(t, m.value("kernel_cpu", ""), "privileged: the kernel is sampled, too")
	assert.Zero(t, m.value("jvms", `state="unreadable"`), "%s", m)
	older := under("older runtime", 0.1)
	assert.Zero(t, older.value("samples", ""), "the filter is on: %s", older)
	j.end(t)
	require.NotEmpty(t, j.wait(t))
}

//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// leaseSlack is how much later than the lease's timeout a JVM may be seen to stop: a round of its
// housekeeping thread, and a busy machine.
const leaseSlack = 5 * time.Second

// TestLease stops the Collector of a running job, as a debugger or a full node would. The JVM ends
// sampling when the lease is stale, the next Collector takes over, and the first, awake again,
// gives way. A third is refused and says so. A reader of higher rank takes the JVM and gives it
// back. One that selects another application leaves it alone all the while. The job does not
// notice. The JVM opens its own events here, for then it is the JVM that has to end sampling.
func TestLease(t *testing.T) {
	s := sparkNewest(t)
	u := user{uid: ordinaryUID}
	if syscall.Geteuid() != 0 {
		u.uid = -1
	}
	debug := []string{"--set=service::pipelines::profiles::exporters=[debug]", "--set=exporters::debug::verbosity=basic"}
	start := func() *collector { return startCollector(t, u, "http://127.0.0.1:9", debug...) }
	others := startCollector(t, u, "http://127.0.0.1:9", append(debug, "--set="+include("{application: [another-*]}"))...)
	first := start()
	j := startJob(t, s, u, jobSpec{plugin: true, seconds: untilEnd, data: "sf0.01", env: []string{quickJava}})
	waitForLine(t, first.log, "JVM found", patience)
	pid := waitForAgent(t, j.cmd.Process.Pid, j.log)
	eventually(t, patience, func() error { return sampling(pid, true) })

	owner := leaseOf(t, pid).LeaseOwner
	require.NoError(t, first.cmd.Process.Signal(syscall.SIGSTOP))
	var beat jvmlog.MonoTime // its last
	eventually(t, jvmlog.LeaseTimeout+leaseSlack, func() error {
		page := leaseOf(t, pid)
		if page.LeaseOwner != owner { // another Collector of this machine, which takes what no one asks for
			return nil
		}
		beat = page.LeaseHeartbeat
		return sampling(pid, false)
	})
	off := time.Duration(jvmlog.Now() - beat)
	t.Logf("sampling was off, or another's, %v after the last sign of life", off.Round(100*time.Millisecond))
	assert.Greater(t, off, jvmlog.LeaseTimeout, "a reader may be late by less than the timeout")

	second := start()
	waitForLine(t, second.log, "JVM found", patience)
	eventually(t, patience, func() error { return sampling(pid, true) })
	require.NoError(t, first.cmd.Process.Signal(syscall.SIGCONT))
	waitForLine(t, first.log, "another reader took this JVM over", patience)
	first.kill()

	third := start()
	waitForLine(t, third.log, "another reader samples this JVM; waiting for it", patience)
	assert.NoError(t, sampling(pid, true), "the second reader is not disturbed")
	third.kill()

	asRun := takeLease(t, pid) // as planflame run would, which goes first
	waitForLine(t, second.log, "another reader took this JVM over", patience)
	eventually(t, patience, func() error {
		require.NoError(t, asRun.Heartbeat(jvmlog.Now()))
		if !strings.Contains(second.log.String(), "another reader samples this JVM; waiting for it") {
			return errors.New("the second reader does not wait")
		}
		return nil
	})
	require.NoError(t, errors.Join(asRun.Release(), asRun.Close()))
	eventually(t, patience, func() error {
		if n := strings.Count(second.log.String(), "JVM found"); n != 2 {
			return fmt.Errorf("the second reader found the JVM %d times", n)
		}
		return sampling(pid, true)
	})
	eventually(t, patience, func() error { // it shares the machine with them by its selector
		m, err := tryScrape(others.metrics)
		if n := m.value("jvms", `state="unselected"`); err == nil && n < 1 {
			err = fmt.Errorf("%g JVMs are left to others; log:\n%s", n, others.log)
		}
		return err
	})
	assert.NotContains(t, others.log.String(), "JVM found")
	j.end(t)
	assert.Equal(t, plainResults(t), j.wait(t), "results with Collectors that were stopped")
	quiet(t, j)
	second.stop(t)
	for _, line := range []string{"another reader took this JVM over", "another reader samples this JVM; waiting for it"} {
		assert.Equal(t, 1, strings.Count(second.log.String(), line), "%s:\n%s", line, second.log)
	}
}

// takeLease takes a JVM's lease with the highest rank.
func takeLease(t *testing.T, pid int) *jvmlog.Control {
	t.Helper()
	memory, err := openAgent(pid)
	require.NoError(t, err)
	control, err := jvmlog.OpenControl(memory.Control)
	require.NoError(t, errors.Join(err, memory.Close()))
	require.NoError(t, control.Acquire(uint64(time.Now().UnixNano())<<8|1, jvmlog.RankNamed, jvmlog.Now()))
	return control
}

// leaseOf is the control page of a JVM.
func leaseOf(t *testing.T, pid int) jvmlog.ControlPage {
	t.Helper()
	memory, err := openAgent(pid)
	require.NoError(t, err)
	page := make([]byte, jvmlog.ControlBytes)
	_, err = memory.Control.ReadAt(page, 0)
	require.NoError(t, errors.Join(err, memory.Close()))
	control, err := jvmlog.DecodeControl(page)
	require.NoError(t, err)
	return control
}

// sampling checks that a JVM has events of its own that are on, or none.
func sampling(pid int, want bool) error {
	return withLog(pid, func(log *jvmlog.Log) error {
		on := 0
		threads := log.Threads(nil)
		for _, th := range threads {
			if th.PerfFD >= 0 && th.BasePeriodNS > 0 {
				on++
			}
		}
		if want != (on > 0) {
			return fmt.Errorf("%d of %d threads have an event that is on", on, len(threads))
		}
		return nil
	})
}

//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/exporter/pyroscopetest"
)

// checkPushed holds what the server has against the summary, of which whole is the CPU of tasks,
// other threads and child processes.
func checkPushed(t *testing.T, server *pyroscopetest.Server, s summary, whole float64) {
	t.Helper()
	all := pyroscopetest.Query{Type: pyroscopetest.CPU, Selector: `{service_name="tpch"}`}
	var total int64
	var boxes map[string]int64
	eventually(t, time.Minute, func() (err error) {
		total, boxes, err = server.FlameGraph(t.Context(), all)
		if err != nil {
			return err
		}
		if seconds := float64(total) / 1e9; math.Abs(seconds-whole) > 0.01*whole {
			return fmt.Errorf("the server has %.3f s, the run %.3f", seconds, whole)
		}
		return nil
	})

	operators, err := server.LabelValues(t.Context(), all, "operator")
	require.NoError(t, err)
	for _, own := range []string{"sql_execution_id", "stage_id", "stage_attempt", "plan", "bucket"} {
		values, err := server.LabelValues(t.Context(), all, own)
		require.NoError(t, err)
		assert.Empty(t, values, "%s would make new series with every run", own)
	}
	require.NotEmpty(t, s.Queries)
	for _, q := range s.Queries {
		one := pyroscopetest.Query{Type: all.Type, Selector: fmt.Sprintf(`{service_name="tpch", query="%s", operator!~"\\[.*"}`, q.Query)}
		cpu, _, err := server.FlameGraph(t.Context(), one)
		require.NoError(t, err)
		assert.InDelta(t, q.CPUSeconds, float64(cpu)/1e9, 0.001+0.01*q.CPUSeconds, "operators of %s", q.QueryName)
		for _, o := range q.Operators {
			if o.CPUSeconds > 0 {
				assert.Contains(t, operators, o.Operator, "of %s", q.QueryName)
				assert.Positive(t, boxes[o.Name], "%q has a box in the flame graph", o.Name)
			}
		}
	}
	for _, b := range s.Buckets {
		assert.Contains(t, operators, "["+b.Name+"]", "buckets are operators in brackets")
	}
	t.Logf("Pyroscope has %.3f s of %.3f s in %d operators and buckets", float64(total)/1e9, whole, len(operators))
}

// checkView serves the run as `planflame view --pprof` does, reads its pages, and ends it
// with SIGINT.
func checkView(t *testing.T, u user, run tpchRun) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := u.command(ctx, u.tempDir(t), built(t, "planflame"), "view", "--pprof", "--no-browser", run.out)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	address, said := "", ""
	for lines := bufio.NewScanner(stderr); address == "" && lines.Scan(); {
		said += lines.Text() + "\n"
		address = regexp.MustCompile(`http://localhost:[1-9]\d*$`).FindString(lines.Text())
	}
	require.NotEmpty(t, address, "no address in %q", said)
	for _, page := range []string{"/flamegraph", "/top?sort=cum&nf=0"} { // /top shows 500 nodes, by default those with most CPU of their own
		resp, err := http.Get(address + page)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, page)
		for _, q := range run.summary.Queries {
			if q.CPUSeconds < 0.05*run.summary.TaskCPUSeconds {
				continue
			}
			// The pages escape what is special in JSON and HTML, so a name is looked for up to its
			// first such character.
			top := q.Operators[0].Name
			if i := strings.IndexAny(top, `<>&'"=`); i > 0 {
				top = top[:i]
			}
			assert.Contains(t, string(body), top, "%s has the most expensive operator of %s", page, q.QueryName)
		}
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(stderr)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait(), "exit code after SIGINT; it said %s%s", said, rest)
}

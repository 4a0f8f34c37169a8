//go:build e2e

package e2e

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tpchRun is one run of TPC-H queries under `planflame run`.
type tpchRun struct {
	summary summary
	cpu     sparkCPU
	stolen  float64 // seconds that the hypervisor took from this machine meanwhile
	results string  // what the queries returned, order and all
	out     string  // the run's --out
	log     string
}

// tpchSpec says which queries run, and how.
type tpchSpec struct {
	plain   bool // without planflame, for comparison
	queries string
	repeat  string
	data    string   // folder of the tables below build/tpch; "" sf0.3
	env     []string // on top of the user's
}

// runTPCH runs queries on a Spark of this machine under planflame.
func runTPCH(t *testing.T, s spark, u user, spec tpchSpec) tpchRun {
	t.Helper()
	data := built(t, "tpch", cmp.Or(spec.data, "sf0.3"))
	require.NoError(t, hasParquet(data))
	dir := u.tempDir(t)
	events := filepath.Join(dir, "events")
	require.NoError(t, os.Mkdir(events, 0o755))
	u.own(t, events)

	var args []string
	name := filepath.Join(s.venv, "bin", "spark-submit")
	if !spec.plain {
		name = built(t, "planflame")
		args = []string{"run", "--out", filepath.Join(dir, "out"), "--hz", "200", "--", filepath.Join(s.venv, "bin", "spark-submit")}
	}
	args = append(args, "--master", "local[2]", "--driver-memory", "2g")
	args = append(args, eventLogConf(events)...)
	args = append(args, filepath.Join(root(t), "jobs", "tpch.py"), "--data", data, "--queries", spec.queries, "--repeat", spec.repeat,
		"--sql-dir", filepath.Join(root(t), "jobs", "tpch"), "--results", filepath.Join(dir, "results.txt"))

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := u.command(ctx, dir, name, args...)
	cmd.Env = append(append(cmd.Env, s.env(t, u, s.home(t))...), spec.env...)
	before := stolenSeconds(t)
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)

	run := tpchRun{log: log, stolen: stolenSeconds(t) - before, out: filepath.Join(dir, "out"), cpu: readEventLog(t, events)}
	results, err := os.ReadFile(filepath.Join(dir, "results.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, results)
	run.results = string(results)
	if !spec.plain {
		readJSON(t, filepath.Join(run.out, "summary.json"), &run.summary)
	}
	return run
}

// TestTPCH runs all 22 queries on both lines of Spark as root, five of them as an ordinary user, and holds the summaries against Spark's
// own account.
func TestTPCH(t *testing.T) {
	queries := "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22"
	names := map[string]map[string]bool{} // query name → fingerprints seen
	for _, s := range []spark{sparkOld(t), sparkNewest(t)} {
		t.Run("spark-"+s.version, func(t *testing.T) {
			plain := runTPCH(t, s, user{uid: -1}, tpchSpec{plain: true, queries: queries, repeat: "1"})
			asUsers(t, func(t *testing.T, u user) {
				if u.uid != 0 {
					run := runTPCH(t, s, u, tpchSpec{queries: "1,3,6,9,18", repeat: "3"})
					checkTotals(t, run, u)
					checkOperators(t, run.summary)
					return
				}
				run := runTPCH(t, s, u, tpchSpec{queries: queries, repeat: "2"})
				checkTotals(t, run, u)
				checkOperators(t, run.summary)
				assert.Equal(t, plain.results, run.results, "results with and without planflame")
				assert.True(t, strings.HasPrefix(run.summary.SparkVersion, s.version), "spark_version %s", run.summary.SparkVersion)
				for _, q := range run.summary.Queries {
					if names[q.QueryName] == nil {
						names[q.QueryName] = map[string]bool{}
					}
					names[q.QueryName][q.Query] = true
				}
			})
		})
	}
	fingerprints := map[string]string{}
	tpch := 0
	for name, prints := range names {
		if !strings.HasPrefix(name, "tpch q") {
			continue
		}
		tpch++
		assert.Len(t, prints, 1, "fingerprints of %s over versions and users: %v", name, prints)
		for p := range prints {
			assert.Empty(t, fingerprints[p], "%s and %s share %s", name, fingerprints[p], p)
			fingerprints[p] = name
		}
	}
	assert.Equal(t, 22, tpch, "queries of TPC-H seen")
}

// checkTotals holds the summary's sums together, and against Spark's event log.
func checkTotals(t *testing.T, run tpchRun, u user) {
	t.Helper()
	s := run.summary
	t.Logf("mode %s: %d samples (%d lost, %d truncated), raw %.2f s + kernel %.2f s, threads %.2f s, spark %.2f s, attributed %.4f, disputed %.4f, unknown %.4f",
		s.Mode, s.Samples, s.LostSamples, s.TruncatedStacks, s.RawTaskCPUSeconds, s.KernelUnsampledSeconds, s.TaskCPUSeconds, run.cpu.seconds,
		s.AttributedShare, s.DisputedShare, s.UnknownShare)
	for _, b := range s.Buckets {
		t.Logf("bucket %-24s %.3f s", b.Name, b.CPUSeconds)
	}
	// perf's task clock runs on while the hypervisor has taken the CPU away; the thread's clock, which Spark reads, does not.
	assert.InDelta(t, run.cpu.seconds, s.RawTaskCPUSeconds+s.KernelUnsampledSeconds, 0.03*run.cpu.seconds+run.stolen, "raw + kernel against Spark's own account")
	assert.Less(t, float64(s.LostSamples), 0.001*float64(s.Samples)+1, "lost samples")

	var operators, buckets float64
	for _, q := range s.Queries {
		var inQuery, share float64
		for _, o := range q.Operators {
			inQuery += o.CPUSeconds
			share += o.Share
		}
		assert.InDelta(t, q.CPUSeconds, inQuery, 0.001+0.001*q.CPUSeconds, "operators of %s", q.QueryName)
		operators += inQuery
	}
	for _, b := range s.Buckets {
		buckets += b.CPUSeconds
	}
	assert.InEpsilon(t, s.TaskCPUSeconds, operators+buckets, 0.001, "operators and buckets sum to the threads' CPU")
	assert.InDelta(t, s.AttributedShare, operators/s.TaskCPUSeconds, 0.001)
	assert.InDelta(t, s.UnknownShare, s.bucket("unknown")/s.TaskCPUSeconds, 0.001)

	attributed := s.AttributedShare
	if u.uid != 0 { // kernel time has no samples for an ordinary user: it is a bucket of its own, never spread over operators
		assert.Equal(t, "self-opened", s.Mode)
		attributed /= 1 - s.bucket("kernel (not sampled)")/s.TaskCPUSeconds
	} else {
		assert.Equal(t, "privileged", s.Mode)
		assert.Zero(t, s.KernelUnsampledSeconds)
	}
	// What a JVM does once, however long the job runs, would be a tenth of so short a run: compiling generated code, loading classes.
	once := (s.bucket("codegen") + s.bucket("class loading") + s.bucket("jit")) / s.TaskCPUSeconds
	assert.GreaterOrEqual(t, attributed/(1-once), 0.93, "share of task CPU with a plan node, but for start-up")
	assert.GreaterOrEqual(t, 1-s.UnknownShare, 0.99, "share with a plan node or a named bucket")
	assert.LessOrEqual(t, s.DisputedShare, 0.05, "disputed share")
}

// stolenSeconds is the CPU time that the hypervisor has taken from this machine since it started (/proc/stat, field steal).
func stolenSeconds(t *testing.T) float64 {
	t.Helper()
	b, err := os.ReadFile("/proc/stat")
	require.NoError(t, err)
	fields := strings.Fields(strings.SplitN(string(b), "\n", 2)[0])
	require.Greater(t, len(fields), 8, "/proc/stat")
	ticks, err := strconv.ParseFloat(fields[8], 64)
	require.NoError(t, err)
	return ticks / 100 // USER_HZ
}

// checkOperators looks at three queries whose operators fuse into one method.
func checkOperators(t *testing.T, s summary) {
	t.Helper()
	q6 := s.query(t, "tpch q6")
	for _, role := range []string{"scan", "filter", "aggregate"} {
		assert.Positive(t, q6.role(role), "CPU of Q6's %s: %+v", role, q6.Operators)
	}
	for _, name := range []string{"tpch q3", "tpch q9"} {
		q := s.query(t, name)
		assert.Positive(t, q.role("join"), "CPU of %s's joins: %+v", name, q.Operators)
	}
}

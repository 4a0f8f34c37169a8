//go:build e2e

package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beside is the part of summary.json that is about what runs beside the tasks.
type beside struct {
	ProcessCPUSeconds float64 `json:"process_cpu_seconds"`
	TaskThreadSeconds float64 `json:"task_thread_seconds"`
	Outside           []struct {
		Name       string  `json:"name"`
		CPUSeconds float64 `json:"cpu_seconds"`
	} `json:"outside"`
	Python struct {
		WorkerCPUSeconds float64 `json:"worker_cpu_seconds"`
		UnplacedSeconds  float64 `json:"unplaced_seconds"`
		FeedCPUSeconds   float64 `json:"feed_cpu_seconds"`
		OutsideSeconds   float64 `json:"outside_queries_seconds"`
		DaemonCPUSeconds float64 `json:"daemon_cpu_seconds"`
		OtherCPUSeconds  float64 `json:"other_cpu_seconds"`
	} `json:"python"`
	CPUSeconds float64       `json:"cpu_seconds"`
	Queries    []pythonQuery `json:"queries"`
}

// pythonQuery is a query of summary.json as far as it is about Python workers.
type pythonQuery struct {
	QueryName        string           `json:"query_name"`
	CPUSeconds       float64          `json:"cpu_seconds"`
	JVMCPUSeconds    float64          `json:"jvm_cpu_seconds"`
	PythonCPUSeconds float64          `json:"python_cpu_seconds"`
	Operators        []pythonOperator `json:"operators"`
}

type pythonOperator struct {
	Name             string      `json:"name"`
	CPUSeconds       float64     `json:"cpu_seconds"`
	JVMCPUSeconds    float64     `json:"jvm_cpu_seconds"`
	PythonCPUSeconds float64     `json:"python_cpu_seconds"`
	PythonRange      *[2]float64 `json:"python_cpu_range"`
}

// outside is the CPU of a class of threads, and of all.
func (b beside) outside(name string) (one, all float64) {
	for _, o := range b.Outside {
		if o.Name == name {
			one = o.CPUSeconds
		}
		all += o.CPUSeconds
	}
	return one, all
}

// wholeCPU is all CPU that a run's summary tells of: of tasks, other threads and child processes.
func wholeCPU(t *testing.T, out string) float64 {
	t.Helper()
	var s summary
	var b beside
	readJSON(t, filepath.Join(out, "summary.json"), &s)
	readJSON(t, filepath.Join(out, "summary.json"), &b)
	_, outside := b.outside("")
	return s.TaskCPUSeconds + outside + b.Python.WorkerCPUSeconds + b.Python.DaemonCPUSeconds + b.Python.OtherCPUSeconds
}

// jobRun is one run of a job under `planflame run`.
type jobRun struct {
	beside  beside
	summary summary
	profile *profile.Profile
	log     string
}

// runJob runs a job of test/jobs/ on a Spark of this machine under planflame, with hz samples a
// second of task CPU; dir is the user's.
func runJob(t *testing.T, s spark, u user, dir string, hz int, env []string, job string, args ...string) jobRun {
	t.Helper()
	out := filepath.Join(dir, "out")
	line := append([]string{"run", "--out", out, "--hz", strconv.Itoa(hz), "--", filepath.Join(s.venv, "bin", "spark-submit"), "--master", "local[2]", "--driver-memory", "1g",
		"--conf", "spark.ui.enabled=false", filepath.Join(root(t), "test", "jobs", job)}, args...)
	ctx, cancel := context.WithTimeout(t.Context(), jobTime)
	defer cancel()
	cmd := u.command(ctx, dir, built(t, "planflame"), line...)
	cmd.Env = append(append(cmd.Env, sessionsEnv(t, s, u, s.home(t))...), env...)
	log, err := output(t, cmd)
	require.NoError(t, err, "%s", log)
	run := jobRun{log: log}
	readJSON(t, filepath.Join(out, "summary.json"), &run.beside)
	readJSON(t, filepath.Join(out, "summary.json"), &run.summary)
	run.profile = parsedProfile(t, out)
	return run
}

// label is a label of a sample, "" where it has none.
func label(s *profile.Sample, key string) string {
	if v := s.Label[key]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// cpuOfGroups sums a profile's CPU by group and operator, in seconds; the group's own sum stands
// under "".
func cpuOfGroups(p *profile.Profile) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, s := range p.Sample {
		g := label(s, "group")
		if out[g] == nil {
			out[g] = map[string]float64{}
		}
		out[g][""] += float64(s.Value[1]) / 1e9
		out[g][label(s, "operator")] += float64(s.Value[1]) / 1e9
	}
	return out
}

// checkThreads holds the account of a JVM's threads against what the job reads of its JVM before
// its end, and the profile's groups against the account.
func checkThreads(t *testing.T, run tpchRun) {
	t.Helper()
	var b beside
	readJSON(t, filepath.Join(run.out, "summary.json"), &b)
	own := numbers(t, run.log, `compiler threads: ([\d.]+) of ([\d.]+) CPU s of the JVM`)[1]
	tasks := run.summary.TaskCPUSeconds
	t.Logf("process %.3f s, the job's own reading before its end %.3f s; task threads %.3f s, tasks %.3f s; %+v", b.ProcessCPUSeconds, own, b.TaskThreadSeconds, tasks, b.Outside)
	_, all := b.outside("")
	assert.InDelta(t, b.ProcessCPUSeconds, b.TaskThreadSeconds+all, 1e-6, "task threads and the others are the process")
	// The job read it before Spark was stopped. That takes some hundred milliseconds, and the
	// compilers work on what waits for them.
	assert.GreaterOrEqual(t, b.ProcessCPUSeconds, own-0.02)
	assert.LessOrEqual(t, b.ProcessCPUSeconds, 1.02*own+1)
	assert.InDelta(t, tasks, b.TaskThreadSeconds, 0.02*tasks+0.1, "two accounts of the same threads: Spark's tasks and /proc")
	for _, name := range []string{"gc", "jit", "vm threads", "driver", "shuffle and rpc", "profiler"} {
		one, _ := b.outside(name)
		assert.Positive(t, one, "%s has a share", name)
	}
	ended, _ := b.outside("ended threads")
	other, _ := b.outside("other threads")
	assert.Less(t, ended+other, 0.05*b.ProcessCPUSeconds+0.3, "CPU without a class of threads")

	groups := cpuOfGroups(parsedProfile(t, run.out))
	assert.InDelta(t, tasks, groups[""][""], 0.001*tasks, "tasks are a group of their own")
	assert.InDelta(t, all, groups["threads"][""], 1e-6)
	for _, o := range b.Outside {
		assert.InDelta(t, o.CPUSeconds, groups["threads"]["["+o.Name+"]"], 1e-6)
	}
	assert.Contains(t, run.log, "Outside of tasks, ")
}

// parsedProfile is a run's profile.
func parsedProfile(t *testing.T, out string) *profile.Profile {
	t.Helper()
	f, err := os.Open(filepath.Join(out, "profile.pb.gz"))
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	p, err := profile.Parse(f)
	require.NoError(t, err)
	return p
}

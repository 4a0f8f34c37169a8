//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownAccount is what the Python workers of a job said of themselves.
type ownAccount struct {
	workers   int
	seconds   float64            // user + system, by getrusage
	functions map[string]float64 // within each function
}

func readOwnAccount(t *testing.T, dir string) ownAccount {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	out, workers := ownAccount{functions: map[string]float64{}}, map[string]float64{}
	for _, path := range files {
		pid, function, ok := strings.Cut(filepath.Base(path), ".")
		if !ok || strings.HasSuffix(path, ".new") {
			continue // a worker was ended while it wrote
		}
		var one struct {
			CPUSeconds      float64 `json:"cpu_seconds"`
			FunctionSeconds float64 `json:"function_seconds"`
		}
		readJSON(t, path, &one)
		workers[pid] = max(workers[pid], one.CPUSeconds)
		out.functions[function] += one.FunctionSeconds
	}
	for _, s := range workers {
		out.workers++
		out.seconds += s
	}
	require.Positive(t, out.workers, "Python workers wrote nothing into %s", dir)
	return out
}

func runPython(t *testing.T, s spark, u user, shape string) (jobRun, ownAccount) {
	t.Helper()
	dir := u.tempDir(t)
	reports := filepath.Join(dir, "reports")
	require.NoError(t, os.Mkdir(reports, 0o755))
	u.own(t, reports)
	run := runJob(t, s, u, dir, "1g", "python_udf.py", "--report", reports, "--shape", shape, "--rows", "8000")
	own := readOwnAccount(t, reports)
	t.Logf("%d workers say %.3f s (%v), planflame %+v", own.workers, own.seconds, own.functions, run.beside.Python)
	assert.InEpsilon(t, own.seconds, run.beside.Python.WorkerCPUSeconds, 0.05, "the workers' own account")
	assert.InDelta(t, run.beside.Python.WorkerCPUSeconds+run.beside.Python.DaemonCPUSeconds+run.beside.Python.OtherCPUSeconds,
		cpuOfGroups(run.profile)["children"][""], 1e-6, "the profile has them all")
	return run, own
}

// TestPythonWorkers holds the CPU of Python workers against their own account, on both lines of Spark, the newest as an ordinary user: in sum,
// and by the plan node that runs each function.
func TestPythonWorkers(t *testing.T) {
	for _, s := range []spark{sparkOld(t), sparkNewest(t)} {
		t.Run("spark-"+s.version, func(t *testing.T) {
			u := user{name: "own", uid: -1}
			if s == sparkNewest(t) && os.Geteuid() == 0 {
				u = user{name: "ordinary", uid: ordinaryUID}
			}
			run, own := runPython(t, s, u, "two")
			checkPlaces(t, run, own)
			// Spark's CPU of tasks does not have the workers'; ours must not either.
			assert.Less(t, run.summary.TaskCPUSeconds, 0.5*own.seconds+2)
		})
	}
}

// checkPlaces holds the plan nodes of the functions before and after an exchange against what the functions said.
func checkPlaces(t *testing.T, run jobRun, own ownAccount) {
	t.Helper()
	python, byFunction := run.beside.Python, map[string]float64{}
	for _, q := range run.beside.Queries {
		for _, o := range q.Operators {
			for name := range own.functions {
				if o.PythonCPUSeconds > 0 && strings.Contains(o.Name, name+"(") {
					byFunction[name] += o.PythonCPUSeconds
				}
			}
		}
	}
	t.Logf("by plan node: %v, unplaced %.3f s", byFunction, python.UnplacedSeconds)
	placed, within := python.WorkerCPUSeconds-python.UnplacedSeconds, own.functions["before"]+own.functions["after"]
	assert.Less(t, python.UnplacedSeconds, 0.1*python.WorkerCPUSeconds)
	assert.InDelta(t, placed, byFunction["before"]+byFunction["after"], 0.001)
	// The workers start in the first stage and are used again in the second, so the first has their start, too.
	assert.InDelta(t, own.functions["before"]/within, byFunction["before"]/placed, 0.08, "share of the function before the exchange")
	frames := map[string]bool{}
	for _, f := range run.profile.Function {
		frames[f.Name] = true
	}
	assert.True(t, frames["python worker before"] && frames["python worker after"], "frames name the functions")
}

// TestPythonWorkersThatCannotBePlaced: two functions of one stage in nodes of their own, and a function of an RDD, of which no plan knows.
func TestPythonWorkersThatCannotBePlaced(t *testing.T) {
	for _, shape := range []string{"pair", "rdd"} {
		t.Run(shape, func(t *testing.T) {
			run, _ := runPython(t, sparkNewest(t), user{uid: -1}, shape)
			assert.InEpsilon(t, run.beside.Python.WorkerCPUSeconds, run.beside.Python.UnplacedSeconds, 0.1)
			bucket := cpuOfGroups(run.profile)["children"]["[python worker]"]
			assert.InDelta(t, run.beside.Python.UnplacedSeconds, bucket, 1e-6, "in the bucket")
		})
	}
}

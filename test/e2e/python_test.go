//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"slices"
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
		if !ok || pid == "workers" || strings.HasSuffix(path, ".new") {
			continue // the job's own, or a worker was ended while it wrote
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

// pythonShapes are the shapes of test/jobs/python_udf.py whose workers' CPU belongs to one plan
// node: the node's name and the function that burns there.
var pythonShapes = map[string]struct{ node, function string }{
	"two":        {"^(Batch|Arrow)EvalPython before", "before"},
	"made":       {"Scan", "made"},
	"arrow":      {"^(Python)?MapInArrow ", "batches"},
	"arrowudf":   {"^ArrowEvalPython ", "arrowed"},
	"mapped":     {"^MapInPandas ", "frames"},
	"vector":     {"^ArrowEvalPython ", "vectors"},
	"grouped":    {"^FlatMapGroupsInPandas ", "groups"},
	"cogrouped":  {"^FlatMapCoGroupsInPandas ", "cogroups"},
	"aggregated": {"^(AggregateInPandas|ArrowAggregatePython) ", "totals"},
	"windowed":   {"^(WindowInPandas|ArrowWindowPython) ", "windows"},
	"table":      {"^(Batch|Arrow)EvalPythonUDTF ", "rows"},
	"source":     {"BatchScan", "reads"},
	"sink":       {"AppendData", "writes"},
}

// TestPythonWorkers holds what a job cost against Spark's own account of its tasks and the kernel's
// clocks of its Python workers, which the job reads. It does so in all, by query, and by the plan
// node that runs each function. On both lines of Spark, the newest as an ordinary user.
func TestPythonWorkers(t *testing.T) {
	t.Parallel()
	shapes := []string{"mapped", "two", "pair", "joined", "made", "arrow", "arrowudf", "vector", "grouped", "cogrouped", "aggregated", "windowed", "table", "rdd"} // the last has what workers use at their end too: no upper bound is held of it
	for _, s := range []spark{sparkOld(t), sparkNewest(t)} {
		t.Run("spark-"+s.version, func(t *testing.T) {
			u, shapes := user{name: "own", uid: -1}, shapes
			if s == sparkNewest(t) {
				shapes = slices.Insert(slices.Clone(shapes), len(shapes)-1, "source", "sink")
				if os.Geteuid() == 0 {
					u = user{name: "ordinary", uid: ordinaryUID}
				}
			}
			dir := u.tempDir(t)
			reports, events := filepath.Join(dir, "reports"), filepath.Join(dir, "events")
			for _, d := range []string{reports, events} {
				require.NoError(t, os.Mkdir(d, 0o755))
				u.own(t, d)
			}
			run := runJob(t, s, u, dir, 200, []string{quickJava}, "python_udf.py", "--report", reports, "--events", events, "--shape", strings.Join(shapes, ","), "--rows", "6000")
			byShape := map[string]float64{}
			readJSON(t, filepath.Join(reports, "workers.json"), &byShape)
			own := readOwnAccount(t, reports)
			checkHeadline(t, run, byShape, readEventLog(t, events).seconds)
			for _, shape := range shapes {
				if want, ok := pythonShapes[shape]; ok {
					t.Run(shape, func(t *testing.T) {
						checkPythonShape(t, run.beside.query(t, "python "+shape), want.node, own.functions[want.function], byShape[shape])
					})
				}
			}
			checkTwo(t, run, own, byShape["two"])
			checkBounds(t, run.beside.query(t, "python pair"), own, "keep", "change")
			checkBounds(t, run.beside.query(t, "python joined"), own, "left", "right")
			rdd := 0.0
			for _, q := range run.beside.Queries {
				for _, o := range q.Operators {
					if strings.HasPrefix(o.Name, "sum at python_udf.py") {
						rdd += o.PythonCPUSeconds
					}
				}
			}
			assert.GreaterOrEqual(t, rdd, 0.9*own.functions["mapped"], "a function of an RDD is its stage's")
		})
	}
}

// query is the query of a name.
func (b beside) query(t *testing.T, name string) pythonQuery {
	t.Helper()
	for _, q := range b.Queries {
		if q.QueryName == name {
			return q
		}
	}
	t.Fatalf("no query %q", name)
	return pythonQuery{}
}

// checkHeadline holds the whole against Spark's CPU of tasks and the kernel's of workers.
func checkHeadline(t *testing.T, run jobRun, byShape map[string]float64, tasks float64) {
	t.Helper()
	workers := 0.
	for _, seconds := range byShape {
		workers += seconds
	}
	b := run.beside
	t.Logf("tasks %.3f s by Spark, workers %.3f s by the kernel: %.3f s; planflame %.3f s, of tasks %.3f s, %+v", tasks, workers, tasks+workers, b.CPUSeconds,
		run.summary.TaskCPUSeconds, b.Python)
	// The threads that feed workers in Spark 3.5 are in neither of the two accounts.
	assert.InEpsilon(t, tasks+workers, b.CPUSeconds-b.Python.FeedCPUSeconds, 0.02, "what the job cost")
	assert.InDelta(t, b.CPUSeconds, run.summary.TaskCPUSeconds+b.Python.WorkerCPUSeconds+b.Python.FeedCPUSeconds, 1e-6)
	feed, _ := b.outside("python feed")
	assert.InDelta(t, feed, b.Python.FeedCPUSeconds, 1e-6)
	assert.Equal(t, run.summary.SparkVersion == sparkOld(t).version, feed > 0, "a thread of its own feeds a worker")
	assert.InDelta(t, b.Python.WorkerCPUSeconds+b.Python.DaemonCPUSeconds+b.Python.OtherCPUSeconds, cpuOfGroups(run.profile)["children"][""], 1e-6, "the profile has them all")
	sum := b.Python.OutsideSeconds
	for _, q := range b.Queries {
		sum += q.CPUSeconds
	}
	for _, bucket := range run.summary.Buckets {
		sum += bucket.CPUSeconds
	}
	assert.InDelta(t, b.CPUSeconds, sum, 0.001*b.CPUSeconds, "queries, buckets and workers outside of queries are all of it")
}

// checkPythonShape holds the first operator of a query against the function that it runs: workers
// do a little more than the function.
func checkPythonShape(t *testing.T, q pythonQuery, node string, function, workers float64) {
	t.Helper()
	require.Positive(t, function)
	first := q.Operators[0]
	t.Logf("%s: %.3f s of Python in %.3f s, the function %.3f s, workers %.3f s", first.Name, first.PythonCPUSeconds, q.CPUSeconds, function, workers)
	assert.Regexp(t, node, first.Name, "the most expensive operator")
	assert.InDelta(t, first.CPUSeconds, first.JVMCPUSeconds+first.PythonCPUSeconds, 1e-6)
	assert.InDelta(t, q.CPUSeconds, q.JVMCPUSeconds+q.PythonCPUSeconds, 1e-6)
	assert.GreaterOrEqual(t, first.PythonCPUSeconds, 0.97*function)
	assert.LessOrEqual(t, q.PythonCPUSeconds, 1.02*workers+0.05)
}

// checkTwo holds the plan nodes of the functions before and after an exchange against what the
// functions said.
func checkTwo(t *testing.T, run jobRun, own ownAccount, workers float64) {
	t.Helper()
	byFunction := map[string]float64{}
	for _, o := range run.beside.query(t, "python two").Operators {
		for _, name := range []string{"before", "after"} {
			if strings.Contains(o.Name, name+"(") {
				byFunction[name] += o.PythonCPUSeconds
			}
		}
	}
	t.Logf("by plan node: %v", byFunction)
	beside := workers - own.functions["before"] - own.functions["after"] // what the workers did for both: they load libraries, read and write rows
	for name, cpu := range byFunction {
		assert.GreaterOrEqual(t, cpu, 0.97*own.functions[name], name)
		assert.LessOrEqual(t, cpu, own.functions[name]+beside+0.05, name)
	}
	assert.Len(t, byFunction, 2)
	frames := map[string]bool{}
	for _, f := range run.profile.Function {
		frames[f.Name] = true
	}
	assert.True(t, frames["python worker before"] && frames["python worker after"], "frames name the functions")
}

// checkBounds holds a query whose two Python nodes run at once: the first row is of both, and each
// node's range has its function's CPU.
func checkBounds(t *testing.T, q pythonQuery, own ownAccount, functions ...string) {
	t.Helper()
	assert.Equal(t, "[python worker]", q.Operators[0].Name)
	for _, name := range functions {
		require.Positive(t, own.functions[name])
		found := false
		for _, o := range q.Operators {
			if strings.Contains(o.Name, name+"(") && o.PythonRange != nil {
				found = true
				t.Logf("%s: %.3f s in %v", name, own.functions[name], *o.PythonRange)
				assert.LessOrEqual(t, o.PythonRange[0], own.functions[name]+0.1)
				assert.GreaterOrEqual(t, o.PythonRange[1], 0.97*own.functions[name])
			}
		}
		assert.True(t, found, "a row of %s with bounds", name)
	}
}

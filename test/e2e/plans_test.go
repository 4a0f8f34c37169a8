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

// TestCodeOfOtherPlans runs test/jobs/plans.py on both lines of Spark: tasks of SQL executions, and
// of none, that run code which another plan compiled.
func TestCodeOfOtherPlans(t *testing.T) {
	t.Parallel()
	onBothSparks(t, ordinaryUser, rootUser, func(t *testing.T, s spark, u user) {
		dir := u.tempDir(t)
		data := filepath.Join(dir, "data")
		require.NoError(t, os.Mkdir(data, 0o755))
		u.own(t, data)
		run := runJob(t, s, u, dir, 500, nil, "plans.py", "--dir", data) // some operators take 20 ms
		sum := run.summary
		t.Logf("tasks %.2f s, attributed %.3f, buckets %v", sum.TaskCPUSeconds, sum.AttributedShare, sum.Buckets)
		assert.GreaterOrEqual(t, sum.placedShare("task deserialization"), 0.95, "share under its own operators, but for start-up: %v", sum.Buckets)
		for _, want := range []struct {
			query     string
			operators []string
		}{
			{"clicks", []string{"Filter ", "StateStoreSave ", "Scan events", "HashAggregate k, sum(v)"}},
			{"clicks: aggregate", []string{"Write parquet digits"}},
			{"minutes", []string{"Filter ", "StateStoreSave ", "EventTimeWatermark t", "StreamSink"}},
		} {
			q := exactQuery(t, sum, want.query)
			for _, name := range want.operators {
				assert.Positive(t, q.cpuOf(name), "CPU of %q of %s: %+v", name, want.query, q.Operators)
			}
			assert.Zero(t, q.cpuOf("Scan "+want.query), "nothing is the scan of an RDD's: %+v", q.Operators)
		}
		assert.Greater(t, exactQuery(t, sum, "clicks").cpuOf("Filter "), 0.5*exactQuery(t, sum, "clicks").CPUSeconds)
		for _, query := range []string{"clicks: aggregate", "minutes"} {
			assert.Len(t, exactQuery(t, sum, query).SQLExecutionIDs, 2, "each batch of two files is an execution of %s", query)
		}
		for _, q := range sum.Queries {
			if q.QueryName == "minutes" {
				assert.Equal(t, exactQuery(t, sum, "minutes").Query, q.Query, "a batch without new data is of the same query")
			}
		}
		checkRDDs(t, sum)
		checkFiles(t, run)
	})
}

// checkRDDs holds jobs without SQL that compute a DataFrame's RDD against the operators of its
// plan.
func checkRDDs(t *testing.T, sum summary) {
	t.Helper()
	for _, want := range []struct {
		query     string
		operators []string
	}{
		{"rdd of filter", []string{"Filter not", "Scan events"}},
		{"rdd without aqe", []string{"Filter not", "Scan events", "HashAggregate k, sum(v)"}},
	} {
		q := exactQuery(t, sum, want.query)
		assert.True(t, strings.HasPrefix(q.Query, "r1-"), "%s is a job without SQL: %s", want.query, q.Query)
		for _, name := range want.operators {
			assert.Positive(t, q.cpuOf(name), "CPU of %q of %s: %+v", name, want.query, q.Operators)
		}
		assert.LessOrEqual(t, q.cpuOfRDDs(), 0.05*q.CPUSeconds, "CPU of %s that is of no operator: %+v", want.query, q.Operators)
		assert.Greater(t, q.cpuOf("Filter not"), 0.5*q.CPUSeconds, "CPU of the filter of %s: %+v", want.query, q.Operators)
	}
	exactQuery(t, sum, "collect at plans.py") // what Python does with the rows
	exactQuery(t, sum, "count at plans.py")
	for _, q := range sum.Queries {
		for _, o := range q.Operators {
			assert.NotContains(t, o.Name, "$anonfun$", "operators of %s", q.QueryName)
		}
	}
	adaptive := exactQuery(t, sum, "aggregate events") // AQE computed its shuffle in a job of its own
	assert.Empty(t, adaptive.SQLExecutionIDs)
	assert.Greater(t, adaptive.cpuOf("Filter not"), 0.5*adaptive.CPUSeconds, "CPU of the filter of the RDD: %+v", adaptive.Operators)
	assert.LessOrEqual(t, adaptive.cpuOfRDDs(), 0.05*adaptive.CPUSeconds, "CPU of the RDD that is of no operator: %+v", adaptive.Operators)
}

// exactQuery is the query with that name that used most CPU.
func exactQuery(t *testing.T, s summary, name string) summaryQuery {
	t.Helper()
	var names []string
	for _, q := range s.Queries { // by falling CPU
		if q.QueryName == name {
			return q
		}
		names = append(names, q.QueryName)
	}
	t.Fatalf("no query named %q among %q", name, names)
	return summaryQuery{}
}

// cpuOfRDDs is the CPU of what goes by a call site and not by an operator of a plan.
func (q summaryQuery) cpuOfRDDs() (cpu float64) {
	for _, o := range q.Operators {
		if strings.HasPrefix(o.Operator, "rdd@") {
			cpu += o.CPUSeconds
		}
	}
	return cpu
}

// cpuOf is the CPU of the operators whose names begin so.
func (q summaryQuery) cpuOf(prefix string) (cpu float64) {
	for _, o := range q.Operators {
		if strings.HasPrefix(o.Name, prefix) {
			cpu += o.CPUSeconds
		}
	}
	return cpu
}

// checkFiles holds the functions of generated classes against their texts: each text has a file of
// its own, and Spark's names are in several.
func checkFiles(t *testing.T, run jobRun) {
	t.Helper()
	files := map[string]map[string]bool{}
	for _, f := range run.profile.Function {
		if name, ok := strings.CutPrefix(f.Name, "org.apache.spark.sql.catalyst.expressions.GeneratedClass$"); ok {
			assert.Regexp(t, `^generated-[0-9a-f]{8}\.java$`, f.Filename, "file of %s", f.Name)
			if files[name] == nil {
				files[name] = map[string]bool{}
			}
			files[name][f.Filename] = true
		}
	}
	assert.Greater(t, len(files["GeneratedIteratorForCodegenStage1.processNext"]), 2, "texts of one name: %v", files)
}

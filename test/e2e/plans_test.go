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

// TestCodeOfOtherPlans runs jobs/plans.py on both lines of Spark: tasks of SQL executions, and of none, that run code which another plan compiled.
func TestCodeOfOtherPlans(t *testing.T) {
	onBothSparks(t, ordinaryUser, rootUser, func(t *testing.T, s spark, u user) {
		dir := u.tempDir(t)
		data := filepath.Join(dir, "data")
		require.NoError(t, os.Mkdir(data, 0o755))
		u.own(t, data)
		run := runJob(t, s, u, dir, "1g", "plans.py", "--dir", data)
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
		for _, q := range sum.Queries {
			if q.QueryName == "minutes" {
				assert.Equal(t, exactQuery(t, sum, "minutes").Query, q.Query, "a batch without new data is of the same query")
			}
		}
		checkFiles(t, run)
	})
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

// cpuOf is the CPU of the operators whose names begin so.
func (q summaryQuery) cpuOf(prefix string) (cpu float64) {
	for _, o := range q.Operators {
		if strings.HasPrefix(o.Name, prefix) {
			cpu += o.CPUSeconds
		}
	}
	return cpu
}

// checkFiles holds the functions of generated classes against their texts: each text has a file of its own, and Spark's names are in several.
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

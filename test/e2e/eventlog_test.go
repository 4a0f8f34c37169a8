//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sparkCPU is what Spark itself measured, from its event log: an account that planflame has no hand
// in.
type sparkCPU struct {
	tasks   int
	seconds float64 // executorCpuTime + executorDeserializeCpuTime of all successful task attempts
}

// eventLogConf switches Spark's event log on.
func eventLogConf(dir string) []string {
	return []string{
		"--conf", "spark.eventLog.enabled=true",
		"--conf", "spark.eventLog.dir=file://" + dir,
		"--conf", "spark.eventLog.compress=false",
		"--conf", "spark.eventLog.rolling.enabled=false",
	}
}

// readEventLog sums the tasks of every application that logged into dir.
func readEventLog(t *testing.T, dir string) sparkCPU {
	t.Helper()
	var sum sparkCPU
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "event logs in %s", dir)
	for _, f := range files {
		file, err := os.Open(f)
		require.NoError(t, err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			if !strings.HasPrefix(lines.Text(), `{"Event":"SparkListenerTaskEnd"`) {
				continue
			}
			var end struct {
				Metrics *struct {
					CPU         int64 `json:"Executor CPU Time"`
					Deserialize int64 `json:"Executor Deserialize CPU Time"`
				} `json:"Task Metrics"`
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &end))
			if end.Metrics != nil {
				sum.tasks++
				sum.seconds += float64(end.Metrics.CPU+end.Metrics.Deserialize) / 1e9
			}
		}
		require.NoError(t, lines.Err())
		require.NoError(t, file.Close())
	}
	require.NotZero(t, sum.tasks, "tasks in the event log")
	return sum
}

package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSQLMetrics(t *testing.T) {
	dir := t.TempDir()
	log := `{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart","executionId":3,"sparkPlanInfo":{"nodeName":"WholeStageCodegen (1)","children":[{"nodeName":"HashAggregate","children":[{"nodeName":"Filter","children":[],"metrics":[{"name":"number of output rows","accumulatorId":9,"metricType":"sum"}]}],"metrics":[{"name":"time in aggregation build","accumulatorId":8,"metricType":"timing"}]}],"metrics":[{"name":"duration","accumulatorId":7,"metricType":"timing"}]}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Accumulables":[{"ID":7,"Update":"30","Metadata":"sql"},{"ID":8,"Update":"20","Metadata":"sql"},{"ID":9,"Update":"1000","Metadata":"sql"},{"ID":11,"Update":"2500000","Metadata":"sql"},{"ID":5,"Update":[["rdd_1",{}]]}]}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Accumulables":[{"ID":8,"Update":"5","Metadata":"sql"},{"ID":7,"Update":"-1","Metadata":"sql"}]}}
{"Event":"org.apache.spark.sql.execution.ui.SparkListenerSQLAdaptiveExecutionUpdate","executionId":3,"sparkPlanInfo":{"nodeName":"Exchange","children":[],"metrics":[{"name":"shuffle write time","accumulatorId":11,"metricType":"nsTiming"}]}}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "local-1"), []byte(log), 0o644))
	got, err := SQLMetrics(dir)
	require.NoError(t, err)
	assert.Equal(t, map[int64]map[string]time.Duration{3: {
		"WholeStageCodegen": 30 * time.Millisecond, "HashAggregate": 25 * time.Millisecond, "Exchange": 2500 * time.Microsecond,
	}}, got, "a filter has no time; an update may stand before the plan that names it")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "local-2"), []byte(`{"Event":"SparkListenerTaskEnd","Task Info":{"Accumulables":[{"ID":7,"Update":"x","Metadata":"sql"}]}}`), 0o644))
	_, err = SQLMetrics(dir)
	assert.ErrorContains(t, err, "accumulator 7")
}

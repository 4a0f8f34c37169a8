package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTaskCPU(t *testing.T) {
	dir := t.TempDir()
	log := `{"Event":"SparkListenerLogStart","Spark Version":"4.3.0"}
{"Event":"SparkListenerJobStart","Job ID":0,"Stage IDs":[0,1],"Properties":{"spark.sql.execution.id":"7"}}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task Metrics":{"Executor CPU Time":300,"Executor Deserialize CPU Time":20}}
{"Event":"SparkListenerJobStart","Job ID":1,"Stage IDs":[1,2],"Properties":{"spark.sql.execution.id":"8"}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Metrics":{"Executor CPU Time":1000,"Executor Deserialize CPU Time":1}}
{"Event":"SparkListenerTaskEnd","Stage ID":2,"Task Metrics":{"Executor CPU Time":50000,"Executor Deserialize CPU Time":5}}
{"Event":"SparkListenerJobStart","Job ID":2,"Stage IDs":[3],"Properties":{}}
{"Event":"SparkListenerTaskEnd","Stage ID":3,"Task Metrics":{"Executor CPU Time":600000,"Executor Deserialize CPU Time":0}}
{"Event":"SparkListenerTaskEnd","Stage ID":3}
{"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":3}}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "local-1"), []byte(log), 0o644))
	got, err := TaskCPU(dir)
	require.NoError(t, err)
	assert.Equal(t, map[int64]time.Duration{7: 1321, 8: 50005, -1: 600000}, got, "stage 1 ran in the first job that had it")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "local-2"), []byte(`{"Event":"SparkListenerTaskEnd","Stage`), 0o644))
	_, err = TaskCPU(dir)
	assert.ErrorContains(t, err, "local-2")
	_, err = TaskCPU(t.TempDir())
	assert.ErrorContains(t, err, "none in")
}

func TestSchedules(t *testing.T) {
	dir := t.TempDir()
	log := `{"Event":"SparkListenerExecutorAdded","Executor ID":"0","Executor Info":{"Host":"a","Total Cores":2}}
{"Event":"SparkListenerExecutorAdded","Executor ID":"1","Executor Info":{"Host":"b","Total Cores":1}}
{"Event":"SparkListenerJobStart","Job ID":0,"Stage IDs":[0,1],"Properties":{"spark.sql.execution.id":"7"}}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task Info":{"Launch Time":1000,"Finish Time":1100}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Launch Time":2100,"Finish Time":2900},"Task Metrics":{"Executor Deserialize Time":50,"Executor Run Time":600,"Result Serialization Time":10}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Launch Time":2000,"Finish Time":2600},"Task Metrics":{"Executor Run Time":540}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Task Info":{"Launch Time":2500,"Finish Time":3000}}`
	// The third was killed and left no metrics; it was launched before the driver had booked the
	// end of the second.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "local-1"), []byte(log), 0o644))
	got, err := Schedules(dir)
	require.NoError(t, err)
	longest := Schedule{Tasks: 3, Slots: 3, Busy: 1200 * time.Millisecond, Span: time.Second}
	assert.Equal(t, map[int64]Schedule{7: longest}, got)
	assert.InDelta(t, 0.6, longest.Idle(), 1e-9)
	assert.Zero(t, Schedule{}.Idle())
	_, err = Schedules(t.TempDir())
	assert.ErrorContains(t, err, "none in")
}

func TestReadJoinsByExecution(t *testing.T) {
	dir := t.TempDir()
	sample := func(execution, operator, name string, n, cpu int64) *profile.Sample {
		l := map[string][]string{"operator": {operator}}
		if execution != "" {
			l["sql_execution_id"], l["operator_name"] = []string{execution}, []string{name}
		}
		return &profile.Sample{Value: []int64{n, cpu}, Label: l}
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample: []*profile.Sample{
			sample("3", "filter@a", "Filter x", 5, 50), sample("3", "filter@a", "Filter x", 7, 70), sample("3", "[codegen]", "", 1, 11),
			{Value: []int64{0, 500}, Label: map[string][]string{"operator": {"python@b"}, "sql_execution_id": {"3"}, "group": {"children"}}},
			sample("4", "filter@a", "Filter x", 2, 20), sample("", "[no sql plan]", "", 9, 90),
		},
	}
	path := filepath.Join(dir, "profile.pb.gz")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, p.Write(f))
	require.NoError(t, f.Close())
	events := filepath.Join(dir, "events")
	require.NoError(t, os.Mkdir(events, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(events, "a"), []byte(`{"Event":"SparkListenerJobStart","Stage IDs":[0],"Properties":{"spark.sql.execution.id":"3"}}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Task Metrics":{"Executor CPU Time":140,"Executor Deserialize CPU Time":2}}`), 0o644))
	log := filepath.Join(dir, "log")
	require.NoError(t, os.WriteFile(log, []byte(`{"id": "q/1", "pass": -1, "execution": 3, "seconds": 1.5, "rows": 4}`+"\n"), 0o644))

	got, err := Settings{}.read(dir, events, log, nil)
	require.NoError(t, err)
	assert.Equal(t, []Execution{{Statement: "q/1", Pass: -1, ID: 3, Wall: 1500 * time.Millisecond, TaskCPU: 142, Operators: map[string]Operator{
		"filter@a": {"Filter x", 120, 12}, "[codegen]": {"", 11, 1},
	}}}, got)

	other := map[string]map[int64]map[string]Operator{"names": {3: {"agg@b": {"Agg", 120, 12}}, 4: {}}}
	got, err = Settings{}.read(dir, events, log, other)
	require.NoError(t, err)
	assert.Equal(t, map[string]map[string]Operator{"names": {"agg@b": {"Agg", 120, 12}}}, got[0].Baselines)

	require.NoError(t, os.WriteFile(log, []byte(`{"id": "q/1", "pass": 0, "execution": 4, "seconds": 1.5}`), 0o644))
	_, err = Settings{}.read(dir, events, log, nil)
	assert.ErrorContains(t, err, "execution 4 has no task")
}

func TestJars(t *testing.T) {
	spark := t.TempDir()
	_, err := Jars(spark)
	require.ErrorContains(t, err, spark+": 0 folders")
	jars := filepath.Join(spark, "lib", "python3.11", "site-packages", "pyspark", "jars")
	require.NoError(t, os.MkdirAll(jars, 0o755))
	got, err := Jars(spark)
	require.NoError(t, err)
	require.Equal(t, jars, got)
}

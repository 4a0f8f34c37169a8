//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/codemap"
	"github.com/planflame/planflame/sampler/jvmlog"
	"github.com/planflame/planflame/sampler/recording"
	"github.com/planflame/planflame/tasksample"
)

// checkRows holds the rows that executors count, and the ends of executions, against Spark's own
// event log.
func checkRows(t *testing.T, out, events string) {
	t.Helper()
	want, got := readSparkRows(t, events), recordedRows(t, filepath.Join(out, "recording"))

	require.Greater(t, len(want.nodes), 50, "nodes of which Spark shows rows")
	for id, name := range want.nodes {
		assert.Equal(t, want.sums[id], got.sums[id], "accumulator %d, %s", id, name)
	}
	for id, sum := range got.sums {
		assert.Equal(t, want.sums[id], sum, "accumulator %d", id)
	}
	assert.Equal(t, want.tasks, got.tasks, "tasks that succeeded, by stage")
	assert.Zero(t, got.stats.AgentDroppedRows)
	assert.Equal(t, want.ends, got.ends)
	assert.GreaterOrEqual(t, len(want.ends), 5, "queries")
	assert.Empty(t, got.late, "rows behind the end of their execution")
	t.Logf("%d nodes with rows, %d accumulators, %d stages, %d executions", len(want.nodes), len(got.sums), len(want.tasks), len(want.ends))
}

// rowCounts is what tasks did to SQL metrics of type sum, and how executions ended.
type rowCounts struct {
	sums  map[int64]int64  // accumulator id → sum over successful tasks; no zeros
	nodes map[int64]string // accumulator id → node, of "number of output rows" that tasks have changed
	tasks map[int64]int    // stage id → successful tasks, of stages of SQL executions
	ends  map[int64]jvmlog.ExecutionEnd
	stats sampler.Stats
	late  []jvmlog.Rows // behind their execution's end
}

func newRowCounts() rowCounts {
	return rowCounts{sums: map[int64]int64{}, nodes: map[int64]string{}, tasks: map[int64]int{}, ends: map[int64]jvmlog.ExecutionEnd{}}
}

// rowSink takes them from a recording.
type rowSink struct{ rowCounts }

func (s *rowSink) Record(_ sampler.JVMID, _ jvmlog.MonoTime, r jvmlog.Record) {
	switch r := r.(type) {
	case *jvmlog.Rows:
		s.tasks[int64(r.StageID)] += int(r.Tasks)
		for _, a := range r.Accumulated {
			s.sums[int64(a.ID)] += a.Sum
		}
		if _, over := s.ends[int64(r.ExecutionID)]; over {
			s.late = append(s.late, *r)
		}
	case *jvmlog.ExecutionEnd:
		s.ends[int64(r.ExecutionID)] = *r
	}
}
func (s *rowSink) Stats(_ sampler.JVMID, v sampler.Stats)    { s.stats = v }
func (s *rowSink) JVMFound(sampler.JVM)                      {}
func (s *rowSink) Thread(sampler.JVMID, jvmlog.Thread)       {}
func (s *rowSink) TaskEvent(sampler.JVMID, jvmlog.TaskEvent) {}
func (s *rowSink) Sample(sampler.JVMID, sampler.Sample)      {}
func (s *rowSink) Watermark(sampler.JVMID, jvmlog.MonoTime)  {}
func (s *rowSink) JVMGone(sampler.JVMID)                     {}
func (s *rowSink) Symbol(sampler.JVMID, codemap.Frame)       {}

func recordedRows(t *testing.T, path string) rowCounts {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	r, err := recording.NewReader(f)
	require.NoError(t, err)
	defer r.Close()
	sink := rowSink{newRowCounts()}
	require.NoError(t, r.Replay(&sink))
	return sink.rowCounts
}

// sparkPlan is a SparkPlanInfo in an event log.
type sparkPlan struct {
	Name    string        `json:"nodeName"`
	Nodes   []sparkPlan   `json:"children"`
	Metrics []sparkMetric `json:"metrics"`
}

type sparkMetric struct {
	Name string `json:"name"`
	ID   int64  `json:"accumulatorId"`
	Type string `json:"metricType"`
}

// sparkEvent is what this test needs of the events of a log.
type sparkEvent struct {
	Event      string
	StageID    int64             `json:"Stage ID"`
	StageIDs   []int64           `json:"Stage IDs"`
	Properties map[string]string `json:"Properties"`
	Reason     struct {
		Reason string
	} `json:"Task End Reason"`
	Info struct {
		Accumulables []struct {
			ID     int64
			Update json.RawMessage
		}
	} `json:"Task Info"`
	Execution int64      `json:"executionId"`
	Time      int64      `json:"time"`
	Error     string     `json:"errorMessage"`
	Plan      *sparkPlan `json:"sparkPlanInfo"`
}

// sparkLog sums up an event log.
type sparkLog struct {
	rowCounts
	sum        map[int64]bool   // accumulators of type sum
	rows       map[int64]string // those that are a node's rows → the node
	executions map[int64]int64  // stage → execution
	changed    map[int64]int64  // accumulator → sum of updates, of any type
	ran        map[int64]bool   // executions with tasks
}

func readSparkRows(t *testing.T, dir string) rowCounts {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, err := os.Open(files[0])
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	log := sparkLog{rowCounts: newRowCounts(), sum: map[int64]bool{}, rows: map[int64]string{}, executions: map[int64]int64{}, changed: map[int64]int64{}, ran: map[int64]bool{}}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e sparkEvent
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e), "%s", lines.Text())
		log.take(t, &e)
	}
	require.NoError(t, lines.Err())
	return log.finish()
}

func (l *sparkLog) take(t *testing.T, e *sparkEvent) {
	switch e.Event[strings.LastIndexByte(e.Event, '.')+1:] {
	case "SparkListenerJobStart":
		if id, err := strconv.ParseInt(e.Properties["spark.sql.execution.id"], 10, 64); err == nil {
			for _, stage := range e.StageIDs {
				l.executions[stage] = id
			}
		}
	case "SparkListenerTaskEnd":
		execution, ours := l.executions[e.StageID]
		if e.Reason.Reason != "Success" || !ours {
			return
		}
		l.tasks[e.StageID]++
		l.ran[execution] = true
		for _, a := range e.Info.Accumulables {
			if v, err := strconv.ParseInt(strings.Trim(string(a.Update), `"`), 10, 64); err == nil {
				l.changed[a.ID] += v
			}
		}
	case "SparkListenerSQLExecutionEnd":
		l.ends[e.Execution] = jvmlog.ExecutionEnd{ExecutionID: tasksample.ExecutionID(e.Execution), Failed: e.Error != "", UnixNano: e.Time * 1e6}
	default:
		if e.Plan != nil {
			l.plan(e.Plan)
		}
	}
}

func (l *sparkLog) plan(p *sparkPlan) {
	for _, m := range p.Metrics {
		if m.Type == "sum" {
			l.sum[m.ID] = true
		}
		if m.Name == "number of output rows" {
			l.rows[m.ID] = p.Name
		}
	}
	for i := range p.Nodes {
		l.plan(&p.Nodes[i])
	}
}

// finish keeps what executors can know: accumulators of type sum, executions that had tasks.
func (l *sparkLog) finish() rowCounts {
	for id, v := range l.changed {
		if v == 0 || !l.sum[id] {
			continue
		}
		l.sums[id] = v
		if node, ok := l.rows[id]; ok {
			l.nodes[id] = node
		}
	}
	for id := range l.ends {
		if !l.ran[id] {
			delete(l.ends, id)
		}
	}
	return l.rowCounts
}

//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// timeLog is where the time of an application went by its event log, computed millisecond by
// millisecond: an account that planflame has no hand in.
type timeLog struct {
	begin, end int64
	slots      []int // by millisecond since begin, as the next two
	running    []int // tasks
	active     []int // stages
	stages     map[stageID]*stageLog
	executions map[int64]*[2]int64       // begin and end
	plans      map[int64]map[string]bool // of an execution, all subplans that it had
}

type stageID struct{ id, attempt int64 }

type stageLog struct {
	submitted, finish int64
	name              string
	execution         *int64     // nil: of no SQL execution
	python            bool       // an RDD of it runs in Python
	tasks             [][2]int64 // launch and finish
	run               []int64
	sums              stageFigures
	held, idle        float64 // slot seconds
}

// stageFigures are sums of Spark's metrics, in the units and by the keys of summary.json.
type stageFigures struct {
	Run            float64 `json:"run_seconds"`
	CPU            float64 `json:"cpu_seconds"`
	Deserialize    float64 `json:"deserialize_seconds"`
	DeserializeCPU float64 `json:"deserialize_cpu_seconds"`
	Serialize      float64 `json:"serialize_seconds"`
	GC             float64 `json:"gc_seconds"`
	FetchWait      float64 `json:"fetch_wait_seconds"`
	ShuffleWrite   float64 `json:"shuffle_write_seconds"`
	MemorySpilled  float64 `json:"memory_spilled_bytes"`
	DiskSpilled    float64 `json:"disk_spilled_bytes"`
	InputBytes     float64 `json:"input_bytes"`
	InputRows      float64 `json:"input_rows"`
	OutputBytes    float64 `json:"output_bytes"`
	OutputRows     float64 `json:"output_rows"`
	ReadBytes      float64 `json:"shuffle_read_bytes"`
	ReadRows       float64 `json:"shuffle_read_rows"`
	WriteBytes     float64 `json:"shuffle_write_bytes"`
	WriteRows      float64 `json:"shuffle_write_rows"`
}

// timeEvent is what this account needs of an event.
type timeEvent struct {
	Event        string
	Timestamp    int64
	Time         int64             `json:"time"`
	Execution    int64             `json:"executionId"`
	StageID      int64             `json:"Stage ID"`
	StageAttempt int64             `json:"Stage Attempt ID"`
	Properties   map[string]string `json:"Properties"`
	Plan         *planTexts        `json:"sparkPlanInfo"`
	Executor     struct {
		Cores int `json:"Total Cores"`
	} `json:"Executor Info"`
	Stage struct {
		ID         int64  `json:"Stage ID"`
		Attempt    int64  `json:"Stage Attempt ID"`
		Submission int64  `json:"Submission Time"`
		Completion int64  `json:"Completion Time"`
		Name       string `json:"Stage Name"`
		RDDs       []struct {
			Name  string `json:"Name"`
			Scope string `json:"Scope"`
		} `json:"RDD Info"`
	} `json:"Stage Info"`
	Task struct {
		Launch int64 `json:"Launch Time"`
		Finish int64 `json:"Finish Time"`
	} `json:"Task Info"`
	Metrics *struct {
		Run            float64 `json:"Executor Run Time"`
		CPU            float64 `json:"Executor CPU Time"`
		Deserialize    float64 `json:"Executor Deserialize Time"`
		DeserializeCPU float64 `json:"Executor Deserialize CPU Time"`
		Serialize      float64 `json:"Result Serialization Time"`
		GC             float64 `json:"JVM GC Time"`
		MemorySpilled  float64 `json:"Memory Bytes Spilled"`
		DiskSpilled    float64 `json:"Disk Bytes Spilled"`
		Read           struct {
			Wait   float64 `json:"Fetch Wait Time"`
			Remote float64 `json:"Remote Bytes Read"`
			Local  float64 `json:"Local Bytes Read"`
			Rows   float64 `json:"Total Records Read"`
		} `json:"Shuffle Read Metrics"`
		Write struct {
			Time  float64 `json:"Shuffle Write Time"`
			Bytes float64 `json:"Shuffle Bytes Written"`
			Rows  float64 `json:"Shuffle Records Written"`
		} `json:"Shuffle Write Metrics"`
		Input struct {
			Bytes float64 `json:"Bytes Read"`
			Rows  float64 `json:"Records Read"`
		} `json:"Input Metrics"`
		Output struct {
			Bytes float64 `json:"Bytes Written"`
			Rows  float64 `json:"Records Written"`
		} `json:"Output Metrics"`
	} `json:"Task Metrics"`
}

// readTimeLog reads the event log of the one application that logged into dir.
func readTimeLog(t *testing.T, dir string) *timeLog {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, err := os.Open(files[0])
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	log := &timeLog{stages: map[stageID]*stageLog{}, executions: map[int64]*[2]int64{}, plans: map[int64]map[string]bool{}}
	var executors [][2]int64 // since when, cores
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), `{"Event":"org.apache.spark.sql.streaming.`) {
			continue // a stream's own events have times as text
		}
		var e timeEvent
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e), "%s", lines.Text())
		switch e.Event[strings.LastIndexByte(e.Event, '.')+1:] {
		case "SparkListenerApplicationStart":
			log.begin = e.Timestamp
		case "SparkListenerApplicationEnd":
			log.end = e.Timestamp
		case "SparkListenerExecutorAdded":
			executors = append(executors, [2]int64{e.Timestamp, int64(e.Executor.Cores)})
		case "SparkListenerSQLExecutionStart":
			log.executions[e.Execution] = &[2]int64{e.Time, 0}
			log.plan(&e)
		case "SparkListenerSQLAdaptiveExecutionUpdate":
			log.plan(&e)
		case "SparkListenerStageSubmitted":
			log.stage(stageID{e.Stage.ID, e.Stage.Attempt}).begin(t, &e)
		case "SparkListenerSQLExecutionEnd":
			log.executions[e.Execution][1] = e.Time
		case "SparkListenerTaskEnd":
			log.stage(stageID{e.StageID, e.StageAttempt}).task(&e)
		case "SparkListenerStageCompleted":
			s := log.stage(stageID{e.Stage.ID, e.Stage.Attempt})
			s.submitted, s.finish = e.Stage.Submission, e.Stage.Completion
		}
	}
	require.NoError(t, lines.Err())
	require.NotZero(t, log.end, "the event log is whole")
	log.divide(executors)
	return log
}

func (l *timeLog) stage(id stageID) *stageLog {
	if l.stages[id] == nil {
		l.stages[id] = &stageLog{}
	}
	return l.stages[id]
}

func (l *timeLog) plan(e *timeEvent) {
	if l.plans[e.Execution] == nil {
		l.plans[e.Execution] = map[string]bool{}
	}
	e.Plan.subplans(l.plans[e.Execution])
}

func (s *stageLog) begin(t *testing.T, e *timeEvent) {
	t.Helper()
	s.name = e.Stage.Name
	if id := e.Properties["spark.sql.execution.id"]; id != "" {
		n, err := strconv.ParseInt(id, 10, 64)
		require.NoError(t, err)
		s.execution = &n
	}
	for _, rdd := range e.Stage.RDDs {
		s.python = s.python || strings.Contains(rdd.Name+rdd.Scope, "Python")
	}
}

func (s *stageLog) task(e *timeEvent) {
	s.tasks = append(s.tasks, [2]int64{e.Task.Launch, e.Task.Finish})
	m, f := e.Metrics, &s.sums
	if m == nil {
		return
	}
	s.run = append(s.run, int64(m.Run))
	for _, add := range []struct {
		to          *float64
		value, unit float64
	}{
		{&f.Run, m.Run, 1e3}, {&f.CPU, m.CPU, 1e9}, {&f.Deserialize, m.Deserialize, 1e3}, {&f.DeserializeCPU, m.DeserializeCPU, 1e9}, {&f.Serialize, m.Serialize, 1e3},
		{&f.GC, m.GC, 1e3}, {&f.FetchWait, m.Read.Wait, 1e3}, {&f.ShuffleWrite, m.Write.Time, 1e9}, {&f.MemorySpilled, m.MemorySpilled, 1}, {&f.DiskSpilled, m.DiskSpilled, 1},
		{&f.InputBytes, m.Input.Bytes, 1}, {&f.InputRows, m.Input.Rows, 1}, {&f.OutputBytes, m.Output.Bytes, 1}, {&f.OutputRows, m.Output.Rows, 1},
		{&f.ReadBytes, m.Read.Remote + m.Read.Local, 1}, {&f.ReadRows, m.Read.Rows, 1}, {&f.WriteBytes, m.Write.Bytes, 1}, {&f.WriteRows, m.Write.Rows, 1},
	} {
		*add.to += add.value / add.unit
	}
}

// median is the middle run time in seconds, the lower of two.
func (s *stageLog) median() float64 {
	slices.Sort(s.run)
	return float64(s.run[(len(s.run)-1)/2]) / 1e3
}

// divide looks at each millisecond: who held the slots, and whose they were else.
func (l *timeLog) divide(executors [][2]int64) {
	n := l.end - l.begin
	l.slots, l.running, l.active = make([]int, n), make([]int, n), make([]int, n)
	each := func(from, to int64, f func(ms int64)) {
		for ms := max(from, l.begin); ms < min(to, l.end); ms++ {
			f(ms - l.begin)
		}
	}
	for _, x := range executors {
		each(x[0], l.end, func(ms int64) { l.slots[ms] += int(x[1]) })
	}
	for _, s := range l.stages {
		each(s.submitted, s.finish, func(ms int64) { l.active[ms]++ })
		for _, task := range s.tasks {
			each(task[0], task[1], func(ms int64) { l.running[ms]++ })
		}
	}
	for _, s := range l.stages {
		for _, task := range s.tasks {
			each(task[0], min(task[1], s.finish), func(ms int64) {
				s.held += min(1, float64(l.slots[ms])/float64(l.running[ms])) / 1e3
			})
		}
		each(s.submitted, s.finish, func(ms int64) { s.idle += float64(max(0, l.slots[ms]-l.running[ms])) / float64(l.active[ms]) / 1e3 })
	}
}

// totals are the slot seconds of all time, and the wall seconds in which no task ran.
func (l *timeLog) totals() (slots, noTask float64) {
	for ms := range l.slots {
		slots += float64(l.slots[ms]) / 1e3
		if l.running[ms] == 0 {
			noTask += 1e-3
		}
	}
	return slots, noTask
}

// driverOnly is how many seconds of an execution none of its tasks ran.
func (l *timeLog) driverOnly(id int64) (free float64) {
	x := l.executions[id]
	busy := make([]bool, max(0, x[1]-x[0]))
	for _, s := range l.stages {
		if s.execution == nil || *s.execution != id {
			continue
		}
		for _, task := range s.tasks {
			for ms := max(task[0], x[0]); ms < min(task[1], x[1]); ms++ {
				busy[ms-x[0]] = true
			}
		}
	}
	for _, b := range busy {
		if !b {
			free += 1e-3
		}
	}
	return free
}

// withoutQuery is how many seconds since the first execution or stage none was active.
func (l *timeLog) withoutQuery() (free float64) {
	busy := slices.Clone(l.active)
	first := l.end
	for _, x := range l.executions {
		first = min(first, x[0])
		for ms := x[0]; ms < x[1]; ms++ {
			busy[ms-l.begin]++
		}
	}
	for _, s := range l.stages {
		first = min(first, s.submitted)
	}
	for _, n := range busy[first-l.begin:] {
		if n == 0 {
			free += 1e-3
		}
	}
	return free
}

package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// TaskCPU reads the event logs in a folder and sums the tasks' CPU by SQL execution:
// executorCpuTime + executorDeserializeCpuTime of every attempt that ended (SparkListenerTaskEnd,
// Spark 3.5 and 4.x). Tasks without an execution are under -1.
func TaskCPU(dir string) (map[int64]time.Duration, error) {
	sums := map[int64]time.Duration{}
	err := readEvents(dir, func(e *event, execution int64) {
		if e.Metrics != nil {
			sums[execution] += time.Duration(e.Metrics.CPU + e.Metrics.Deserialize)
		}
	}, nil)
	return sums, err
}

// event has those fields of the events that are used here.
type event struct {
	Event      string
	StageIDs   []int             `json:"Stage IDs"`
	Properties map[string]string `json:"Properties"`
	StageID    int               `json:"Stage ID"`
	Metrics    *struct {
		CPU             int64 `json:"Executor CPU Time"`             // ns
		Deserialize     int64 `json:"Executor Deserialize CPU Time"` // ns
		RunTime         int64 `json:"Executor Run Time"`             // ms, as are those below
		DeserializeTime int64 `json:"Executor Deserialize Time"`
		SerializeTime   int64 `json:"Result Serialization Time"`
	} `json:"Task Metrics"`
	Task struct {
		Launch int64 `json:"Launch Time"` // ms since 1970
		Finish int64 `json:"Finish Time"`
	} `json:"Task Info"`
	Executor struct {
		Cores int `json:"Total Cores"`
	} `json:"Executor Info"`
}

// readEvents reads all event logs in a folder. task gets the end of each attempt with its SQL
// execution, or -1 for none. executor gets each executor that came; it may be nil.
func readEvents(dir string, task func(e *event, execution int64), executor func(cores int)) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("event logs: none in %s", dir)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		err = scanEvents(f, task, executor)
		f.Close() // read only: nothing to lose
		if err != nil {
			return fmt.Errorf("event log %s: %w", path, err)
		}
	}
	return nil
}

// Beginnings of the lines that are of interest; the others are not parsed.
var (
	jobStart      = []byte(`{"Event":"SparkListenerJobStart"`)
	taskEnd       = []byte(`{"Event":"SparkListenerTaskEnd"`)
	executorAdded = []byte(`{"Event":"SparkListenerExecutorAdded"`)
)

func scanEvents(log io.Reader, task func(e *event, execution int64), executor func(cores int)) error {
	executions := map[int]int64{} // by stage; a stage belongs to the job that was submitted first with it
	lines := bufio.NewReaderSize(log, 1<<20)
	for {
		line, end := lines.ReadBytes('\n')
		if bytes.HasPrefix(line, jobStart) || bytes.HasPrefix(line, taskEnd) || executor != nil && bytes.HasPrefix(line, executorAdded) {
			var e event
			if err := json.Unmarshal(line, &e); err != nil {
				return err
			}
			switch e.Event {
			case "SparkListenerJobStart":
				e.place(executions)
			case "SparkListenerTaskEnd":
				id, known := executions[e.StageID]
				if !known {
					id = -1
				}
				task(&e, id)
			default:
				executor(e.Executor.Cores)
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// place books a job's stages on its execution.
func (e *event) place(executions map[int]int64) {
	id, err := strconv.ParseInt(e.Properties["spark.sql.execution.id"], 10, 64)
	if err != nil {
		id = -1
	}
	for _, stage := range e.StageIDs {
		if _, known := executions[stage]; !known {
			executions[stage] = id
		}
	}
}
